/// The times at which an import publishes its records.
///
/// ```swift
/// let lines = RecordLines<Post>(at: file)
/// let count = try await store.importRecords(
///   lines, into: \.posts, checkpoints: .every(100_000))
/// ```
public enum ImportCheckpoints: Equatable, Sendable {
  /// In one transaction at the end. An import that fails leaves nothing.
  case atEnd
  /// In a transaction after each such number of records, and one for the rest. An import that fails leaves the
  /// published records.
  case every(Int)
}

/// A running import. It fills a copy of a table with records in batches. The copy replaces the store's table when it is
/// complete. Until then no reader sees it and no writer waits for it.
struct RecordImport<Root: Model, Value: Record> {
  private let store: Store<Root>
  private let path: TablePath<Root, Value>
  private let batchSize: Int
  private let checkpoints: ImportCheckpoints
  private let origin: Origin

  private var draft: ImportedTable<Root, Value>
  private var batch = RecordBatch<Value>()
  /// The number of imported records.
  private(set) var count = 0
  private var batched = 0
  private var published = 0

  /// - Throws: ``SnapshotError`` with code `readOnly` or `closed`, before any work is done.
  init(
    into store: Store<Root>, _ path: TablePath<Root, Value>, batchSize: Int, checkpoints: ImportCheckpoints,
    origin: Origin
  ) throws {
    self.store = store
    self.path = path
    self.batchSize = max(1, batchSize)
    self.checkpoints = checkpoints
    self.origin = origin
    draft = ImportedTable(in: try store.latestForWriting().value, path)
  }

  mutating func take(_ record: Value, _ progress: (Int) throws -> Void) throws {
    try batch.put(record)
    count += 1
    if count - batched >= batchSize || isCheckpoint { try endBatch(progress) }
  }

  private var isCheckpoint: Bool {
    if case .every(let number) = checkpoints { count - published >= number } else { false }
  }

  private mutating func endBatch(_ progress: (Int) throws -> Void) throws {
    try Task.checkCancellation()
    if batch.isEmpty { return }
    draft.put(batch.boxes)
    batch.removeAll()
    batched = count
    try progress(count)
    if isCheckpoint { try publish() }
  }

  /// Publishes the rest.
  mutating func finish(_ progress: (Int) throws -> Void) throws {
    try endBatch(progress)
    try Task.checkCancellation()
    try publish()
  }

  private mutating func publish() throws {
    if published == count { return }
    try draft.requireUnique()
    let seen = try store.latestForWriting()
    _ = try draft.rebase(from: draft.root, onto: seen.value, isQuick: false)
    try store.publish(&draft, onto: seen, origin: origin)
    draft.begin()
    published = count
  }
}
