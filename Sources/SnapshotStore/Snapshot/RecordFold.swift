/// Looks at the records of a table while they are read, and chooses the records that are kept.
///
/// A large table is read in parts, on several threads. Each part begins with a copy of the same fold. The folds of the
/// parts are then joined in the order of the file. So a fold must give the same result however a table is divided.
///
/// ```swift
/// struct LongPosts: RecordFold {
///   var count = 0
///   mutating func add(_ record: UntypedValue) -> Bool {
///     count += 1
///     return (record.record?["body"]?.text?.utf8.count ?? 0) > 10_000
///   }
///   mutating func append(_ next: LongPosts) { count += next.count }
/// }
/// ```
public protocol RecordFold: Sendable {
  /// Takes the next record.
  ///
  /// - Returns: whether the content keeps the record.
  mutating func add(_ record: UntypedValue) -> Bool

  /// Takes the fold of the records that follow those of this one.
  mutating func append(_ next: Self)
}

/// Keeps all records.
struct AllRecords: RecordFold {
  func add(_ record: UntypedValue) -> Bool { true }
  func append(_ next: AllRecords) {}
}

/// The records of a table without a type, as far as they were read.
struct UntypedRecords<Fold: RecordFold> {
  private(set) var fold: Fold
  /// The records that are kept.
  private(set) var items: [Item] = []
  /// The number of records that were read.
  private(set) var count = 0

  init(_ fold: Fold) { self.fold = fold }

  mutating func add(_ item: Item) {
    count += 1
    if fold.add(UntypedValue(item)) { items.append(item) }
  }

  mutating func append(_ next: Self) {
    fold.append(next.fold)
    items += next.items
    count += next.count
  }
}

extension TableReader {
  /// Reads all records as untyped ones: first in parts, then with one reader, which reports errors.
  ///
  /// - Parameters:
  ///   - fold: a fold without records. Each part begins with it.
  ///   - most: the most records that the table may have.
  mutating func untypedRecords<Fold: RecordFold>(
    _ name: String, _ fold: Fold, of document: Document, atMost most: Int, threads: Int
  ) throws(SnapshotError) -> UntypedRecords<Fold> {
    var records = UntypedRecords(fold)
    let whole = self
    let parts = readParts(threads: threads) { reader in
      var part = UntypedRecords(fold)
      while let item = try reader.next() { part.add(item) }
      return part
    }
    for part in parts { records.append(part) }
    // Only a single reader knows the place where the limit is passed.
    if records.count > most { (records, self) = (UntypedRecords(fold), whole) }
    while let item = try next() {
      guard records.count < most else {
        throw SnapshotError(
          .limitExceeded, document.limits.countMessage, position: document.source.position(item.offset),
          dataPath: name.escapedForMessage(limit: 60))
      }
      records.add(item)
    }
    return records
  }
}
