import Foundation
import SnapshotStore

/// The notes of one or more lists of the timeline index, merged, each once. Newest first; notes of one date in
/// ascending order of their ids. Starts in O(log n); each step is O(1) per list.
struct TimelineWalk: Sequence, IteratorProtocol {
  private struct List {
    let number: UInt64
    private var entries: Table<Note>.IndexEntries<UInt128>.Iterator
    /// The place of the next note; nil at the end of the list.
    private(set) var place: TimelinePlace?

    init(_ number: UInt64, _ entries: Table<Note>.IndexEntries<UInt128>) {
      self.number = number
      self.entries = entries.makeIterator()
      advance()
    }

    mutating func advance() {
      place = entries.next().flatMap { entry in
        guard TimelineKey.list(of: entry.key) == number else { return nil }
        return TimelinePlace(age: TimelineKey.age(of: entry.key), id: entry.id)
      }
    }
  }

  private var lists: [List]
  /// The age of the oldest notes to return.
  private let end: UInt64

  /// - Parameters:
  ///   - start: the walk begins after this place; nil begins with the newest note.
  ///   - oldest: the walk ends with the notes of this date.
  init(_ notes: Table<Note>, lists: [UInt64], after start: TimelinePlace? = nil, oldest: Date? = nil) {
    end = oldest.map { TimelineKey.age(of: $0) } ?? .max
    self.lists = lists.map { number in
      // No date has the age 0.
      let key = TimelineKey.number(list: number, age: start?.age ?? 0)
      let position = IndexPosition(key: key, id: start?.id ?? .min)
      return List(number, notes.entries(in: Note.byTimeline, after: position))
    }
  }

  /// The place of the next note; nil at the end.
  mutating func next() -> TimelinePlace? {
    guard let place = lists.lazy.compactMap(\.place).min(), place.age <= end else { return nil }
    for index in lists.indices where lists[index].place == place { lists[index].advance() }
    return place
  }

  /// The ids of the next notes, at most `count`.
  mutating func nextIDs(_ count: Int) -> [Note.ID] {
    var ids: [Note.ID] = []
    ids.reserveCapacity(count)
    while ids.count < count, let place = next() { ids.append(place.id) }
    return ids
  }
}
