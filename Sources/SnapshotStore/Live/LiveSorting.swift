/// The first sort of a live list.
///
/// The records are visited once, in the order of the table, which is mostly that of the memory. Then only their keys
/// are sorted. A visit in the order of the list would wait for the memory at each record.
@usableFromInline
struct LiveSorting<Value: Record, Section: Comparable & Sendable, Key: Comparable & Sendable>: Sendable {
  @usableFromInline typealias HeldBox = Unmanaged<RecordBox<Value>>
  @usableFromInline let isIncluded: @Sendable (Value) -> Bool
  @usableFromInline let key: @Sendable (Value) -> Key
  @usableFromInline let order: RecordOrder
  @usableFromInline let section: @Sendable (Value) -> Section
  @usableFromInline let sectionOrder: RecordOrder

  @inlinable
  init(
    isIncluded: @escaping @Sendable (Value) -> Bool, key: @escaping @Sendable (Value) -> Key, order: RecordOrder,
    section: @escaping @Sendable (Value) -> Section, sectionOrder: RecordOrder
  ) {
    self.isIncluded = isIncluded
    self.key = key
    self.order = order
    self.section = section
    self.sectionOrder = sectionOrder
  }

  /// The matching records of a table, by section, then by key, then by id.
  @inlinable
  func sorted(_ table: Table<Value>) -> HeldBoxes {
    if SortRank.hasWord(Key.self), Section.self == NoSections.self || SortRank.hasWord(Section.self) {
      return sortedByRanks(table)
    }
    var rows: [(section: Section, key: Key, box: HeldBox)] = []
    visit(table) { rows.append((section($0), key($0), $1)) }
    rows.sort { a, b in
      sectionOrder.isBefore(a.section, b.section) ?? order.isBefore(a.key, b.key)
        ?? order.isBefore(Self.id(of: a.box), Self.id(of: b.box)) ?? false
    }
    return HeldBoxes(rows.map { .fromOpaque($0.box.toOpaque()) })
  }

  /// The same for keys that have ranks. The sort keeps the order of rows with equal ranks, which is that of the ids.
  @inlinable
  func sortedByRanks(_ table: Table<Value>) -> HeldBoxes {
    let keyMask: UInt64 = order == .ascending ? 0 : .max
    let sectionMask: UInt64 = sectionOrder == .ascending ? 0 : .max
    var rows: [(rank: SortRank, box: HeldBox)] = []
    rows.reserveCapacity(table.count)
    visit(table) { record, box in
      let high = Section.self == NoSections.self ? 0 : SortRank.word(section(record)) ^ sectionMask
      rows.append((SortRank(high: high, low: SortRank.word(key(record)) ^ keyMask), box))
    }
    if order == .descending { rows.reverse() }
    RadixSort.sort(&rows) { $0.rank }
    return HeldBoxes(rows.map { .fromOpaque($0.box.toOpaque()) })
  }

  /// Visits the matching records in ascending order of their ids, each with its box. Then the boxes are retained.
  ///
  /// All records of a leaf are fetched together. Visits would wait for the memory one after the other, and so would
  /// counts of references.
  @inlinable
  func visit(_ table: Table<Value>, _ body: (Value, HeldBox) -> Void) {
    var matching: [HeldBox] = []
    table.forEachLeaf { _, boxes in
      boxes.fetchObjects(size: RecordBox<Value>.size)
      boxes.withMemoryRebound(to: HeldBox.self) { boxes in
        for box in boxes {
          box._withUnsafeGuaranteedRef {
            guard isIncluded($0.record) else { return }
            body($0.record, box)
            matching.append(box)
          }
        }
      }
      for box in matching { _ = box.retain() }
      matching.removeAll(keepingCapacity: true)
    }
  }

  @inlinable
  static func id(of box: HeldBox) -> Value.ID { box._withUnsafeGuaranteedRef { $0.record.id } }
}

/// Boxes of records in an order. Each is retained once, for the caller who takes it.
///
/// Bare references are moved without counting. A count writes to the record, which is seldom in the processor's cache.
@usableFromInline
struct HeldBoxes {
  private let boxes: [Unmanaged<AnyObject>]

  /// - Parameter boxes: references that are retained.
  @usableFromInline
  init(_ boxes: [Unmanaged<AnyObject>]) { self.boxes = boxes }

  var count: Int { boxes.count }

  /// Takes a box. Each must be taken once.
  func take(_ index: Int) -> AnyObject { boxes[index].takeRetainedValue() }
}
