/// When an import publishes what it has taken.
public enum ImportCheckpoints: Equatable, Sendable {
  /// All of it in one transaction at the end. An import that does not come to its end leaves nothing.
  case atEnd
  /// A transaction each so many records, and one for the rest. An import that does not come to its end leaves what was published.
  case every(Int)
}

/// An import on its way: a copy of a table, which takes the records in batches, and is put in the place of the store's own when
/// it is complete. Nobody sees it until then, and nobody waits for it.
struct RecordImport<Root: Model, Value: Record> {
  private let store: Store<Root>
  private let path: TablePath<Root, Value>
  private let batchSize: Int
  private let checkpoints: ImportCheckpoints
  private let origin: Origin

  private var draft: ImportedTable<Root, Value>
  private var batch = RecordBatch<Value>()
  /// How many records came in.
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

  /// Publishes what is left.
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
