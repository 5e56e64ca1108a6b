/// A search for records in an order, with a limit; see decision 0022.
///
/// The first records are tested in that order, since they often fill the limit. The others are tested on all
/// processors in the order of their ids, and the matches are sorted. Each text is read at most once.
@usableFromInline
struct OrderedSearch<Value: Record, Place: Comparable & Sendable>: Sendable {
  /// A record that was found is not copied, since it may be large.
  @usableFromInline typealias Match = (place: Place, box: Table<Value>.Box)

  @usableFromInline let table: Table<Value>
  @usableFromInline let query: SearchQuery
  @usableFromInline let order: RecordOrder
  @usableFromInline let limit: Int
  /// The place of a record in the order; nil if it is not searched.
  @usableFromInline let place: @Sendable (Value) -> Place?
  /// Whether the texts of a record match.
  @usableFromInline let isMatch: @Sendable (Value, inout SearchMatcher) -> Bool
  /// Ends the search early. Its result is then not complete.
  @usableFromInline var cancelled: CancellationFlag?
  @usableFromInline var threads: Int?

  @inlinable
  init(
    _ table: Table<Value>, for query: SearchQuery, order: RecordOrder, limit: Int, cancelled: CancellationFlag? = nil,
    threads: Int? = nil, place: @escaping @Sendable (Value) -> Place?,
    isMatch: @escaping @Sendable (Value, inout SearchMatcher) -> Bool
  ) {
    self.table = table
    self.query = query
    self.order = order
    self.limit = limit
    self.cancelled = cancelled
    self.threads = threads
    self.place = place
    self.isMatch = isMatch
  }

  /// - Parameter places: the places of the records to search, in order. A place that its record no longer has is
  ///   skipped.
  @inlinable
  func run(_ places: some Sequence<(place: Place, id: Value.ID)>) -> [Match] {
    guard limit > 0 else { return [] }
    var (matches, last) = firstMatches(places)
    if let last { matches += laterMatches(after: last, limit: limit - matches.count) }
    return matches
  }

  /// The number of records that are tested in order. Each costs three times as much as in order of ids, because it must
  /// be looked up first.
  @inlinable static var firstCount: Int { 1_000 }

  /// The matches among the first records. Returns the place of the last record tested if there may be more matches.
  @inlinable
  func firstMatches(_ places: some Sequence<(place: Place, id: Value.ID)>) -> (found: [Match], last: Place?) {
    var iterator = places.makeIterator()
    var last: Place?
    var matcher = SearchMatcher(query)
    var found: [Match] = []
    // The places of a record with very many keys are computed once more, and not for each of its keys.
    var later: Set<Value.ID> = []
    for _ in 0..<Self.firstCount {
      guard found.count < limit, cancelled?.isSet != true, let (next, id) = iterator.next() else { return (found, nil) }
      last = next
      if !later.isEmpty, later.contains(id) { continue }
      guard let box = table.box(id), let place = place(box.record) else { continue }
      if place != next {
        later.insert(id)
      } else if isMatch(box.record, &matcher) {
        found.append((next, box))
      }
    }
    return (found, found.count < limit ? last : nil)
  }

  /// The first matches after a place.
  @inlinable
  func laterMatches(after last: Place, limit: Int) -> [Match] {
    let found = table.mapConcurrently(threads: threads) { run in
      var matcher = SearchMatcher(query)
      var found: [(place: Place, id: Value.ID)] = []
      run.forEach { record in
        guard cancelled?.isSet != true, let place = place(record), isBefore(last, place) else { return }
        if isMatch(record, &matcher) { found.append((place, record.id)) }
      }
      return found
    }
    let sorted = found.joined().sorted { isBefore($0.place, $1.place) }
    return sorted.prefix(limit).compactMap { match in table.box(match.id).map { (match.place, $0) } }
  }

  @inlinable
  func isBefore(_ a: Place, _ b: Place) -> Bool { order == .ascending ? a < b : b < a }
}
