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
