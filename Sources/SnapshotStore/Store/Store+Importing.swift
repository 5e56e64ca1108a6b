/// Taking in very many records.
///
/// The records are put into a copy of their table, in batches, while the store is read and written as always; at the end, or at
/// each checkpoint, one transaction puts that in the place of the store's own. A record that is there already is replaced, also
/// one that was written meanwhile; of two with one id, the later counts. If the import is cancelled, or anything throws, nothing
/// is left of it but the checkpoints that it has passed.
///
/// The rules of the schema see the records when these are published. So with ``ImportCheckpoints/atEnd`` a refusal comes when all
/// have been taken in, and with checkpoints at the one that it concerns.
///
/// Costs O(log n) for each record; memory for the table that comes of it, and for one batch.
extension Store {
  /// Takes in records one after another, as they are asked for: a lazy sequence is never held as a whole.
  ///
  /// - Parameters:
  ///   - records: what comes in.
  ///   - table: where to.
  ///   - batch: after how many records the copy takes them, and `progress` is told.
  ///   - checkpoints: when they are published.
  ///   - origin: who made the change, for the change sets.
  ///   - progress: told how many records have come in so far; what it throws ends the import.
  /// - Returns: how many records came in.
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`, `invalidValue` for an id that is not equal to itself, `readOnly` or
  ///   `closed`; `CancellationError` if the task was cancelled; what `progress` throws. Each transaction throws what
  ///   ``Store/write(origin:_:)`` does: what a rule of the schema throws, ``TransactionRefusal``, `wouldDeadlock`.
  @discardableResult
  public func importRecords<Value: Record>(
    _ records: some Sequence<Value>, into table: TablePath<Root, Value>, batch: Int = 10_000,
    checkpoints: ImportCheckpoints = .atEnd, origin: Origin = .local, progress: (Int) throws -> Void = { _ in }
  ) throws -> Int {
    var run = try RecordImport(into: self, table, batchSize: batch, checkpoints: checkpoints, origin: origin)
    for record in records { try run.take(record, progress) }
    try run.finish(progress)
    return run.count
  }

  /// Takes in records as they arrive, for example from ``RecordLines``.
  ///
  /// ```swift
  /// let count = try await store.importRecords(RecordLines<Post>(at: url), into: \.posts) { print("\($0) posts") }
  /// ```
  ///
  /// - Parameters:
  ///   - records: what comes in.
  ///   - table: where to.
  ///   - batch: after how many records the copy takes them, and `progress` is told.
  ///   - checkpoints: when they are published.
  ///   - origin: who made the change, for the change sets.
  ///   - progress: told how many records have come in so far; what it throws ends the import.
  /// - Returns: how many records came in.
  /// - Throws: what the sequence throws; all else as for a sequence that is not asynchronous, what rules throw included.
  @discardableResult
  public func importRecords<Value: Record, Records: AsyncSequence>(
    _ records: sending Records, into table: TablePath<Root, Value>, batch: Int = 10_000,
    checkpoints: ImportCheckpoints = .atEnd, origin: Origin = .local,
    progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> Int where Records.Element == Value {
    var run = try RecordImport(into: self, table, batchSize: batch, checkpoints: checkpoints, origin: origin)
    for try await record in records { try run.take(record, progress) }
    try run.finish(progress)
    return run.count
  }
}
