/// A record's place in a live list, used as a key in the list's tree.
///
/// It names no record type. So the tree of every list is of one type, for which the compiler specialises it in this
/// module. The order of the list compares the records.
struct LiveRow: Comparable, @unchecked Sendable {
  /// The box of a record, whose type the list knows. Boxes are `Sendable`.
  private let object: AnyObject
  private let order: LiveOrder

  init(_ box: AnyObject, _ order: LiveOrder) {
    object = box
    self.order = order
  }

  /// The record's box. `Value` must be the record type of the list.
  func box<Value: Record>(of type: Value.Type) -> RecordBox<Value> {
    unsafeDowncast(object, to: RecordBox<Value>.self)
  }

  static func == (a: LiveRow, b: LiveRow) -> Bool {
    a.object === b.object || !(a < b) && !(b < a)
  }

  static func < (a: LiveRow, b: LiveRow) -> Bool { a.order.isBefore(a.object, b.object) }
}

/// The order of the boxes in a list: by section, then by key, then by id. It is total.
@usableFromInline
final class LiveOrder: Sendable {
  let isBefore: @Sendable (AnyObject, AnyObject) -> Bool

  @usableFromInline
  init(_ isBefore: @escaping @Sendable (AnyObject, AnyObject) -> Bool) { self.isBefore = isBefore }
}

/// A section's place among the sections of a live list.
struct SectionKey<Section: Comparable & Sendable>: Comparable, Sendable {
  let section: Section
  let order: RecordOrder

  static func == (a: SectionKey, b: SectionKey) -> Bool { a.order.isBefore(a.section, b.section) == nil }

  static func < (a: SectionKey, b: SectionKey) -> Bool { a.order.isBefore(a.section, b.section) ?? false }
}
