import SnapshotStore

/// A tag and the number of its notes.
public struct TagCount: Equatable, Identifiable, Sendable {
  /// The tag.
  public let tag: Tag
  /// The number of notes.
  public let count: Int

  /// The id of the tag.
  public var id: Tag.ID { tag.id }
}

extension Notebook {
  /// The tags of a sidebar: each tag that an active note has, with the number of these notes. Sorted by id, which is
  /// the name in lower case.
  ///
  /// The numbers come from an index, a leaf of 32 notes at a time. For 100,000 notes this takes less than a tenth of a
  /// frame.
  public func sidebarTags() -> [TagCount] {
    let lists = tags.map { NoteFilter.list(of: $0.id) }
    let shared = Self.sharedLists(among: lists)
    return zip(tags, lists).compactMap { tag, list in
      let count = shared.contains(list) ? countOfActiveNotes(tagged: tag.id) : countOfNotes(inList: list)
      return count > 0 ? TagCount(tag: tag, count: count) : nil
    }
  }

  /// The number of active notes with a tag, counted one by one.
  func countOfActiveNotes(tagged tag: Tag.ID) -> Int {
    notes(tagged: tag).reduce(0) { $0 + ($1.archived ? 0 : 1) }
  }

  private func countOfNotes(inList list: UInt64) -> Int {
    let range = TimelineKey.number(list: list, age: 0)...TimelineKey.number(list: list, age: .max)
    return notes.count(in: Note.byTimeline, from: range)
  }

  /// The lists of a timeline that several tags share. List numbers are hash values, so hardly any list is shared.
  static func sharedLists(among lists: [UInt64]) -> Set<UInt64> {
    var seen: Set = [NoteFilter.activeList, NoteFilter.archivedList, NoteFilter.untaggedList]
    return Set(lists.filter { !seen.insert($0).inserted })
  }
}
