/// The records that a live query has found, in order. It is a value and does not change when the store changes.
///
/// ```swift
/// for section in list.sections {
///   print(section.key)
///   for post in list[section.range] { print("-", post.title) }
/// }
/// ```
///
/// A copy is O(1), and successive lists share their common content. Access by index is O(log n). Iteration is O(1) for
/// each record.
public struct LiveList<Value: Record, Section: Comparable & Sendable>: Sendable {
  let slice: LiveSlice<Value, Section>
  /// All matching records, including those beyond the limit.
  var rows = SortedTree<LiveRow, Void>()
  /// The number of rows in each section.
  var sizes = SortedTree<SectionKey<Section>, Int>()

  /// The list for the current content of a table.
  init(_ slice: LiveSlice<Value, Section>, of table: Table<Value>) {
    self.slice = slice
    let boxes = slice.sorted(table)
    rows = SortedTree(count: boxes.count) { (LiveRow(boxes.take($0), slice.order), ()) }
    let sections = countedSections()
    sizes = SortedTree(count: sections.count) { sections[$0] }
  }

  /// The sections of the rows in order, each with its size. O(sections · log n).
  private func countedSections() -> [(SectionKey<Section>, Int)] {
    var sections: [(SectionKey<Section>, Int)] = []
    var start = 0
    while start < rows.count {
      let key = sectionKey(of: box(at: start))
      // At least one, even if the query's function returns different sections for one record.
      let end = Swift.max(start + 1, rows.rank { !(key < sectionKey(of: $0.box(of: Value.self))) })
      sections.append((key, end - start))
      start = end
    }
    return sections
  }

  init(empty slice: LiveSlice<Value, Section>) { self.slice = slice }

  /// The number of matching records, including those beyond the limit. A live query delivers each change of it. O(1).
  public var matchCount: Int { rows.count }

  /// The index of a record; nil if the list does not contain the record exactly as given. O(log n).
  public func index(of record: Value) -> Int? {
    let box = RecordBox(record)
    guard slice.matches(box) else { return nil }
    let rank = rows.rank(of: row(box))
    return rank < count && self[rank].id == record.id ? rank : nil
  }

  func row(_ box: RecordBox<Value>) -> LiveRow { LiveRow(box, slice.order) }

  func box(at index: Int) -> RecordBox<Value> { rows.element(at: index).key.box(of: Value.self) }

  mutating func count(_ section: Section, by difference: Int) {
    let key = SectionKey(section: section, order: slice.sectionOrder)
    let size = (sizes[key] ?? 0) + difference
    if size > 0 {
      sizes.updateValue(size, forKey: key)
    } else {
      sizes.removeValue(forKey: key)
    }
  }
}

extension LiveList: RandomAccessCollection {
  /// The number of records in the list. O(1).
  public var count: Int { Swift.min(rows.count, slice.limit) }
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of records in the list.
  public var endIndex: Int { count }

  /// The record at an index. O(log n).
  public subscript(index: Int) -> Value {
    requireIndex(index)
    return box(at: index).record
  }

  func requireIndex(_ index: Int) {
    if index < 0 || index >= count {
      fatalError("LiveList has no index \(index): it has \(count.counted("record")). Use an index of `indices`.")
    }
  }

  /// An iterator over the records of a list.
  public struct Iterator: IteratorProtocol {
    var rows: SortedTree<LiveRow, Void>.Iterator
    var rest: Int

    /// The next record.
    public mutating func next() -> Value? {
      guard rest > 0 else { return nil }
      rest -= 1
      return rows.next()?.key.box(of: Value.self).record
    }
  }

  /// Iterates over the records in order.
  public func makeIterator() -> Iterator {
    Iterator(rows: rows.elements.makeIterator(), rest: count)
  }
}

extension LiveList: CustomStringConvertible {
  /// The record type and the count.
  public var description: String { "LiveList<\(Value.self)>(\(count))" }
}

/// The sections of a live list: ranges of records that share a key.
extension LiveList {
  /// A section of a live list: its key, and the range of its records.
  public struct SectionRange: Equatable, Sendable {
    /// The key that the records of the section share.
    public let key: Section
    /// The indexes of its records in the list; never empty.
    public let range: Range<Int>
  }

  /// The sections in order. Empty ones are left out. O(sections).
  public var sections: [SectionRange] {
    var sections: [SectionRange] = []
    var start = 0
    for (key, size) in sizes.elements {
      guard start < count else { break }
      let end = Swift.min(start + size, count)
      sections.append(SectionRange(key: key.section, range: start..<end))
      start = end
    }
    return sections
  }

  /// The section of an index of the list, and the place in that section. O(log n).
  public func place(of index: Int) -> (section: Int, item: Int) {
    requireIndex(index)
    let key = sectionKey(of: box(at: index))
    let start = rows.rank { sectionKey(of: $0.box(of: Value.self)) < key }
    return (sizes.rank(of: key), index - start)
  }

  func sectionKey(of box: RecordBox<Value>) -> SectionKey<Section> {
    SectionKey(section: slice.section(box), order: slice.sectionOrder)
  }

  /// The keys of the sections that have a record in the list.
  var sectionKeys: [SectionKey<Section>] {
    sections.map { SectionKey(section: $0.key, order: slice.sectionOrder) }
  }
}
