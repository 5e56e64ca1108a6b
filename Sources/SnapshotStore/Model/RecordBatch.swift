/// Records that are put into a table together. Of two records with the same id, the later one counts.
///
/// A batch is put into a large table in the order of the ids. That takes a fraction of the time of single changes at
/// random places. The table takes the records from the batch without copying them. O(n) memory for n records.
///
/// ```swift
/// var batch = RecordBatch<Post>()
/// for line in lines { try batch.put(Post(line)) }
/// try store.write { try $0.posts.upsert(contentsOf: batch) }
/// ```
public struct RecordBatch<Value: Record>: Sendable {
  @usableFromInline var boxes: [RecordBox<Value>] = []
  /// The positions of records by their ids.
  @usableFromInline var places: [Value.ID: Int] = [:]

  /// An empty batch.
  @inlinable
  public init() {}

  /// The number of records. O(1).
  @inlinable
  public var count: Int { boxes.count }

  /// Whether there are no records. O(1).
  @inlinable
  public var isEmpty: Bool { boxes.isEmpty }

  /// Makes room for a number of records.
  @inlinable
  public mutating func reserveCapacity(_ count: Int) {
    boxes.reserveCapacity(count)
    places.reserveCapacity(count)
  }

  /// Whether there is a record with the id. O(1).
  @inlinable
  public func contains(_ id: Value.ID) -> Bool { places[id] != nil }

  /// The record with an id. O(1).
  @inlinable
  public subscript(id: Value.ID) -> Value? { places[id].map { boxes[$0].record } }

  /// Adds a record, or replaces the one with its id. O(1).
  ///
  /// - Throws: ``SnapshotError`` with code `invalidValue` for an id that is not equal to itself (a NaN).
  @inlinable
  public mutating func put(_ record: Value) throws(SnapshotError) {
    let id = record.id
    guard id == id else { throw SnapshotError(.invalidValue, "an id that is not equal to itself") }
    if let place = places[id] {
      boxes[place] = RecordBox(record)
    } else {
      places[id] = boxes.count
      boxes.append(RecordBox(record))
    }
  }

  /// Removes every record, and keeps the memory for reuse.
  @inlinable
  public mutating func removeAll() {
    boxes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  /// The boxes in ascending order of their ids.
  @usableFromInline var sorted: [RecordBox<Value>] {
    var isSorted = true
    for position in boxes.indices.dropFirst() where isSorted {
      isSorted = boxes[position - 1].record.id < boxes[position].record.id
    }
    if isSorted { return boxes }
    guard let rank = Index<Value, Value.ID>.rank else { return boxes.sorted { $0.record.id < $1.record.id } }
    var order = places.map { (id: $0.key, place: $0.value) }
    RadixSort.sort(&order) { rank($0.id) }
    return order.map { boxes[$0.place] }
  }
}

extension Table {
  /// Inserts or replaces the records of a batch, and updates each index once at the end. If one record is refused,
  /// nothing is changed. Unique indexes are checked for the result only. O(k log n) for k records.
  ///
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`.
  @inlinable
  public mutating func upsert(contentsOf batch: RecordBatch<Value>) throws(SnapshotError) {
    if batch.isEmpty { return }
    if isEmpty {
      self = try Table(sortedBoxes: batch.sorted, threads: Parallel.defaultThreads)
    } else {
      try put(batch.sorted)
    }
  }

  /// Inserts or replaces records like a ``RecordBatch``. Of two records with the same id, the later one counts.
  ///
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`, or `invalidValue` for an id that is not equal to itself.
  @inlinable
  public mutating func upsert(contentsOf records: some Sequence<Value>) throws(SnapshotError) {
    var batch = RecordBatch<Value>()
    batch.reserveCapacity(records.underestimatedCount)
    for record in records { try batch.put(record) }
    try upsert(contentsOf: batch)
  }
}
