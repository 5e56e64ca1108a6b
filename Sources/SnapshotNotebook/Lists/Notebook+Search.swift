public import SnapshotStore

/// The search for words in the texts of notes.
extension Notebook {
  /// The newest notes that contain every word of a query, at most `limit`, in timeline order. See `SearchQuery` for
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
    let walk = TimelineWalk(
      notes, lists: filter.lists, after: filter.start(after: position?.place), oldest: filter.earliest)
    return notes.search(in: \.text, for: query, along: walk.lazy.map { ($0, $0.id) }, limit: limit, threads: threads) {
      filter.place(of: $0)
    }.map { timelineNote($0) }
  }
}
