import Foundation

/// The notes in one or more lists of the timeline index, merged: newest first, those of one date in ascending order of their
/// ids, each once. Starts in O(log n); each step is O(1) for each list.
struct TimelineWalk {
  private typealias Entries = SortedTree<IndexEntry<TimelineKey, Note.ID>, Void>

  private struct List {
    let number: UInt64
    var cursor: Entries.Cursor

    /// The place of the next note; nil at the end of the list.
    var place: TimelinePlace? {
      guard let entry = cursor.current?.key, entry.key.list == number else { return nil }
      return TimelinePlace(age: entry.key.age, id: entry.id)
    }
  }

  private var lists: [List]
  /// The age of the oldest notes that are wanted.
  private let end: UInt64

  /// - Parameters:
  ///   - start: what comes after it; nil begins with the newest.
  ///   - oldest: ends with the notes of this date.
  init(_ notes: Table<Note>, lists: [UInt64], after start: TimelinePlace? = nil, oldest: Date? = nil) {
    let entries = notes.entries(of: Note.byTimeline)
    end = oldest.map { TimelineKey.age(of: $0) } ?? .max
    self.lists = lists.map { number in
      let cursor = Entries.Cursor(entries) { entry in
        guard entry.key.list == number, let start else { return entry.key.list < number }
        return TimelinePlace(age: entry.key.age, id: entry.id) <= start
      }
      return List(number: number, cursor: cursor)
    }
  }

  /// The place of the next note; nil at the end.
  mutating func next() -> TimelinePlace? {
    guard let place = lists.lazy.compactMap(\.place).min(), place.age <= end else { return nil }
    for index in lists.indices where lists[index].place == place { lists[index].cursor.advance() }
    return place
  }
}
