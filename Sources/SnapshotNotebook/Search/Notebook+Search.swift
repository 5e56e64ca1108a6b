import Foundation
import SnapshotStore

/// The search for words in the texts of notes.
extension Notebook {
  /// The newest notes that contain every word of a query, at most `limit`, in timeline order. See ``SearchQuery`` for
  /// what a word is and when it occurs.
  ///
  /// There is no index (decision 0022). The newest texts are read in order. If they do not fill the limit, all others
  /// are read on all processors, O(n). A rare word among 100,000 notes of a newly opened file takes about 35 ms on two
  /// processors. It takes up to 70 ms if the notes are scattered in memory. A common word with a limit takes much less.
  /// A snapshot is searched as it was when it was taken.
  ///
  /// - Parameters:
  ///   - query: the words.
  ///   - filter: the notes to search.
  ///   - position: the end of the previous page; nil begins with the newest note.
  ///   - limit: the greatest number of notes.
  public func search(
    _ query: SearchQuery, in filter: NoteFilter = .active, after position: TimelinePosition? = nil,
    limit: Int = .max
  ) -> [TimelineNote] {
    search(query, in: filter, after: position, limit: limit, threads: nil)
  }

  /// The same search for the text of a query.
  public func search(
    _ query: String, in filter: NoteFilter = .active, after position: TimelinePosition? = nil,
    limit: Int = .max
  ) -> [TimelineNote] {
    search(SearchQuery(query), in: filter, after: position, limit: limit)
  }

  func search(
    _ query: SearchQuery, in filter: NoteFilter, after position: TimelinePosition?, limit: Int, threads: Int?
  ) -> [TimelineNote] {
    guard limit > 0 else { return [] }
    let walk = TimelineWalk(
      notes, lists: filter.lists, after: filter.start(after: position?.place), oldest: filter.earliest)
    var (result, last) = newestMatches(query, in: filter, limit: limit, walk)
    if let last, result.count < limit {
      result += matches(query, in: filter, after: last, limit: limit - result.count, threads: threads)
    }
    return result
  }

  /// Searches the newest notes in order, because they often fill the limit. Returns the place of the last note searched
  /// if there are more.
  private func newestMatches(
    _ query: SearchQuery, in filter: NoteFilter, limit: Int, _ walk: TimelineWalk
  ) -> (found: [TimelineNote], last: TimelinePlace?) {
    var walk = walk
    var last: TimelinePlace?
    var matcher = SearchMatcher(query)
    var found: [TimelineNote] = []
    for _ in 0..<Self.newestCount {
      guard found.count < limit, let place = walk.next() else { return (found, nil) }
      last = place
      guard let box = notes.box(place.id), filter.includes(box.record), matcher.matches(box.record.text) else {
        continue
      }
      found.append(timelineNote(box.record))
    }
    return (found, last)
  }

  /// The number of notes that are searched in timeline order. Each costs three times as much as in order of ids,
  /// because it must be looked up first.
  private static let newestCount = 1_000

  /// The newest matches after a place. All notes are searched in order of their ids, on several threads.
  private func matches(
    _ query: SearchQuery, in filter: NoteFilter, after start: TimelinePlace, limit: Int, threads: Int?
  ) -> [TimelineNote] {
    let ages = 0...(filter.earliest.map { TimelineKey.age(of: $0) } ?? .max)
    let places = notes.mapConcurrently(threads: threads) { run in
      var matcher = SearchMatcher(query)
      var places: [TimelinePlace] = []
      run.forEach { note in
        let place = TimelinePlace(age: TimelineKey.age(of: note.sortDate), id: note.id)
        guard place > start, ages.contains(place.age), filter.includes(note) else { return }
        if matcher.matches(note.text) { places.append(place) }
      }
      return places
    }
    return places.joined().sorted().prefix(limit).compactMap { notes[$0.id].map(timelineNote) }
  }
}
