/// A section of a live list: its key, and which records are in it.
public struct ListSection<Key: Comparable & Sendable>: Equatable, Sendable {
  /// What the records of the section have in common.
  public let key: Key
  /// The indexes of its records in the list; never empty.
  public let range: Range<Int>
}

extension LiveList {
  /// The sections in order, none of them empty. O(sections).
  public var sections: [ListSection<Section>] {
    var sections: [ListSection<Section>] = []
    var start = 0
    for (key, size) in sizes.elements {
      guard start < count else { break }
      let end = Swift.min(start + size, count)
      sections.append(ListSection(key: key.section, range: start..<end))
      start = end
    }
    return sections
  }

  /// In which section an index of the list lies, and at which place in it. O(log n).
  public func place(of index: Int) -> (section: Int, item: Int) {
    requireIndex(index)
    let key = sectionKey(of: rows.element(at: index).key.box)
    let start = rows.rank { sectionKey(of: $0.box) < key }
    return (sizes.rank(of: key), index - start)
  }

  func sectionKey(of box: RecordBox<Value>) -> SectionKey<Section> {
    SectionKey(section: slice.section(box), order: slice.sectionOrder)
  }

  /// The keys of the sections in which the list has a record.
  var sectionKeys: [SectionKey<Section>] {
    sections.map { SectionKey(section: $0.key, order: slice.sectionOrder) }
  }
}
