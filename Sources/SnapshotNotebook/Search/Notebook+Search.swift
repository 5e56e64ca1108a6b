public import Foundation
import SnapshotStore

/// Which notes a search looks through.
public struct SearchScope: Hashable, Sendable {
  /// Archived notes, or those that are not; nil for both.
  public var archived: Bool?
  /// A tag that the notes have.
  public var tag: Tag.ID?
  /// The oldest sort date, if there is one.
  public var earliest: Date?
  /// The sort date that all notes are older than, if there is one.
  public var end: Date?

  /// The notes that are not archived, unless something else is said.
  public init(archived: Bool? = false, tag: Tag.ID? = nil, earliest: Date? = nil, end: Date? = nil) {
    self.archived = archived
    self.tag = tag
    self.earliest = earliest
    self.end = end
  }

  /// The lists of the timeline that have the notes, each of them in one.
  var lists: [UInt64] {
    let active = tag.map(TimelineFilter.list(of:)) ?? TimelineFilter.activeList
    return switch archived {
    case false: [active]
    case true: [TimelineFilter.archivedList]
    case nil: [active, TimelineFilter.archivedList]
    }
  }

  /// Whether a note of one of the lists is meant; the dates have been seen to.
  func includes(_ note: Note) -> Bool {
    archived.map { $0 == note.archived } ?? true && tag.map(note.tags.contains) ?? true
  }
}

extension Notebook {
  /// The newest notes in which every word of a query occurs, at most `limit`, in the order of a timeline; see
  /// ``SearchQuery`` for what a word is and when it occurs.
  ///
  /// There is no index (decision 0022): the newest texts are read in order, and if they are not enough, all others on all
  /// processors, O(n). A rare word among 100,000 notes of a file that was opened takes some 35 ms on two processors, up to
  /// 70 ms if each note lies elsewhere in memory; a common one with a limit much less. A snapshot is searched as it was.
  ///
  /// - Parameters:
  ///   - query: the words.
  ///   - scope: among which notes.
  ///   - position: what comes after it, for the next page.
  ///   - limit: how many notes at most.
  public func search(
    _ query: SearchQuery, in scope: SearchScope = SearchScope(), after position: TimelinePosition? = nil,
    limit: Int = .max
  ) -> [TimelineNote] {
    search(query, in: scope, after: position, limit: limit, threads: nil)
  }

  /// The same for the text of a query.
  public func search(
    _ query: String, in scope: SearchScope = SearchScope(), after position: TimelinePosition? = nil,
    limit: Int = .max
  ) -> [TimelineNote] {
    search(SearchQuery(query), in: scope, after: position, limit: limit)
  }

  func search(
    _ query: SearchQuery, in scope: SearchScope, after position: TimelinePosition?, limit: Int, threads: Int?
  ) -> [TimelineNote] {
    guard limit > 0 else { return [] }
    let walk = TimelineWalk(
      notes, lists: scope.lists, after: scope.start(after: position?.place), oldest: scope.earliest)
    var (result, last) = newestMatches(query, in: scope, limit: limit, walk)
    if let last, result.count < limit {
      result += matches(query, in: scope, after: last, limit: limit - result.count, threads: threads)
    }
    return result
  }

  /// Looks at the newest notes in order, because they are often enough. Gives the place of the last one if there are more.
  private func newestMatches(
    _ query: SearchQuery, in scope: SearchScope, limit: Int, _ walk: TimelineWalk
  ) -> (found: [TimelineNote], last: TimelinePlace?) {
    var walk = walk
    var last: TimelinePlace?
    var matcher = SearchMatcher(query)
    var found: [TimelineNote] = []
    for _ in 0..<Self.newestCount {
      guard found.count < limit, let place = walk.next() else { return (found, nil) }
      last = place
      guard let box = notes.box(place.id), scope.includes(box.record), matcher.matches(box.record.text) else {
        continue
      }
      found.append(timelineNote(box.record))
    }
    return (found, last)
  }

  /// How many notes are looked at in the order of the timeline. Each costs three times as much as one in the order of
  /// the ids, because it has to be found first.
  private static let newestCount = 1_000

  /// The newest matches behind a place: all notes are searched in order of their ids, on several threads.
  private func matches(
    _ query: SearchQuery, in scope: SearchScope, after start: TimelinePlace, limit: Int, threads: Int?
  ) -> [TimelineNote] {
    let ages = 0...(scope.earliest.map { TimelineKey.age(of: $0) } ?? .max)
    let places = notes.mapConcurrently(threads: threads) { run in
      var matcher = SearchMatcher(query)
      var places: [TimelinePlace] = []
      run.forEachBox { box in
        let place = TimelinePlace(age: TimelineKey.age(of: box.record.sortDate), id: box.record.id)
        guard place > start, ages.contains(place.age), scope.includes(box.record) else { return }
        if matcher.matches(box.record.text) { places.append(place) }
      }
      return places
    }
    return places.joined().sorted().prefix(limit).compactMap { notes[$0.id].map(timelineNote) }
  }
}

extension SearchScope {
  /// Where to begin: behind a place, and behind the last note that is too young.
  func start(after place: TimelinePlace?) -> TimelinePlace? {
    guard let end else { return place }
    let first = TimelinePlace(age: TimelineKey.age(of: end), id: .max)
    return max(place ?? first, first)
  }
}
