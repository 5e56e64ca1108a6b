import SnapshotStore

/// What `rows` needs of a table. It is gathered while the file is read, so that other records are never held.
struct RowSearch: RecordFold {
  private let query: Query
  /// The number of matches after which no record is looked at.
  private let most: Int
  private let keepsRecords: Bool
  /// The number of records.
  private(set) var count = 0
  /// The number of records that meet the condition, or a number above the most.
  private(set) var matchCount = 0
  /// The properties that no record has.
  private(set) var unseen: Set<PropertyPath>
  private(set) var keys = RecordKeys()
  /// The properties of all records; nil if nobody needs them.
  private(set) var census: PropertyCensus?

  /// - Parameters:
  ///   - most: the number of matches that are enough. Several threads together may find more.
  ///   - keepsRecords: whether the records are kept, and not only counted.
  ///   - paths: the properties that some record should have.
  ///   - takesCensus: whether the kinds of all properties are noted.
  init(
    _ query: Query, atMost most: Int, keepsRecords: Bool, noting paths: some Sequence<PropertyPath>,
    takesCensus: Bool = false
  ) {
    self.query = query
    self.most = most
    self.keepsRecords = keepsRecords
    unseen = Set(paths)
    census = takesCensus ? PropertyCensus() : nil
  }

  mutating func add(_ record: UntypedValue) -> Bool {
    count += 1
    if !unseen.isEmpty { unseen = unseen.filter { $0.value(in: record) == nil } }
    keys.add(record)
    _ = census?.add(record)
    guard matchCount < most, query.matches(record) else { return false }
    matchCount += 1
    return keepsRecords
  }

  mutating func append(_ next: RowSearch) {
    count += next.count
    matchCount += next.matchCount
    unseen.formIntersection(next.unseen)
    keys.append(next.keys)
    if let more = next.census { census?.append(more) }
  }
}

/// The keys of records, in the order in which they come first.
struct RecordKeys {
  private(set) var keys: [ExactText] = []
  /// Whether there are records without keys: plain values, such as texts.
  private var hasPlainValues = false
  private var known = Set<ExactText>()
  /// The keys of the last record.
  private var last: [ExactText] = []

  /// Adds the keys of a record. O(keys).
  mutating func add(_ value: UntypedValue) {
    guard let record = value.record else {
      hasPlainValues = true
      return
    }
    // Most records have the keys of the one before.
    var place = 0
    for (key, _) in record {
      guard place < last.count, last[place] == ExactText(key) else { return note(record) }
      place += 1
    }
    if place < last.count { note(record) }
  }

  private mutating func note(_ record: UntypedRecord) {
    last = record.keys.map { ExactText($0) }
    append(last)
  }

  /// Adds the keys of records that follow.
  mutating func append(_ next: RecordKeys) {
    append(next.keys)
    hasPlainValues = hasPlainValues || next.hasPlainValues
  }

  private mutating func append(_ more: [ExactText]) {
    for key in more where known.insert(key).inserted { keys.append(key) }
  }

  /// The keys as columns. Plain values have a column of their own.
  var columns: [PropertyPath] { (hasPlainValues ? [.plainValue] : []) + keys.map { PropertyPath([.key($0)]) } }
}
