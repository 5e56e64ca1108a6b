/// A record's place in a live list, used as a key in the list's tree.
///
/// Rows compare by the functions of the slice, so the tree needs no types of keys.
struct LiveRow<Value: Record, Section: Comparable & Sendable>: Comparable, Sendable {
  let box: RecordBox<Value>
  let slice: LiveSlice<Value, Section>

  static func == (a: LiveRow, b: LiveRow) -> Bool {
    a.box === b.box || !(a < b) && !(b < a)
  }

  static func < (a: LiveRow, b: LiveRow) -> Bool { a.slice.isBefore(a.box, b.box) }
}

/// A section's place among the sections of a live list.
struct SectionKey<Section: Comparable & Sendable>: Comparable, Sendable {
  let section: Section
  let order: RecordOrder

  static func == (a: SectionKey, b: SectionKey) -> Bool { a.order.isBefore(a.section, b.section) == nil }

  static func < (a: SectionKey, b: SectionKey) -> Bool { a.order.isBefore(a.section, b.section) ?? false }
}
