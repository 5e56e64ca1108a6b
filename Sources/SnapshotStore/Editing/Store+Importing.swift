/// Imports very many records.
///
/// The records are put into a copy of their table, in batches. Readers and writers of the store continue meanwhile. At
/// the end, or at each checkpoint, one transaction replaces the store's table by the copy.
///
/// - A record with the id of an existing one replaces it, even if that was written meanwhile.
/// - Of two imported records with the same id, the later one counts.
/// - If the import is cancelled or throws an error, only the checkpoints that it has passed remain.
///
/// The rules of the schema see the records when they are published. So with ``ImportCheckpoints/atEnd`` a refusal comes
/// after all records were read. With checkpoints it comes at the checkpoint that it concerns.
///
/// Costs O(log n) for each record, and memory for the resulting table and one batch.
extension Store {
  /// Imports the records of a sequence. A lazy sequence is never held as a whole.
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - table: the table.
  ///   - batch: the number of records after which they are put into the copy and `progress` is called.
  ///   - checkpoints: the times at which the records are published.
  ///   - origin: the origin of the change in change sets.
  ///   - progress: called with the number of records imported so far. An error that it throws ends the import.
  /// - Returns: the number of imported records.
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`, `invalidValue` for an id that is not equal to itself,
  ///   `readOnly` or `closed`; `CancellationError` if the task was cancelled; an error of `progress`. Each transaction
  ///   throws the errors of ``Store/write(origin:_:)``: those of rules, ``TransactionRefusal``, `wouldDeadlock`.
  @discardableResult
  public func importRecords<Value: Record>(
    _ records: some Sequence<Value>, into table: any WritableKeyPath<Root, Table<Value>> & Sendable,
    batch: Int = 10_000,
    checkpoints: ImportCheckpoints = .atEnd, origin: Origin = .local, progress: (Int) throws -> Void = { _ in }
  ) throws -> Int {
    var run = try RecordImport(into: self, table, batchSize: batch, checkpoints: checkpoints, origin: origin)
    for record in records { try run.take(record, progress) }
    try run.finish(progress)
    return run.count
  }

  /// Imports records as they arrive, for example from ``RecordLines``.
  ///
  /// ```swift
  /// let lines = RecordLines<Post>(at: url)
  /// let count = try await store.importRecords(lines, into: \.posts) { done in
  ///   print("\(done) posts")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - table: the table.
  ///   - batch: the number of records after which they are put into the copy and `progress` is called.
  ///   - checkpoints: the times at which the records are published.
  ///   - origin: the origin of the change in change sets.
  ///   - progress: called with the number of records imported so far. An error that it throws ends the import.
  /// - Returns: the number of imported records.
  /// - Throws: the errors of the sequence, and the errors of the import of a synchronous sequence.
  @discardableResult
  public func importRecords<Value: Record, Records: AsyncSequence>(
    _ records: sending Records, into table: any WritableKeyPath<Root, Table<Value>> & Sendable, batch: Int = 10_000,
    checkpoints: ImportCheckpoints = .atEnd, origin: Origin = .local,
    progress: @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> Int where Records.Element == Value {
    var run = try RecordImport(into: self, table, batchSize: batch, checkpoints: checkpoints, origin: origin)
    for try await record in records { try run.take(record, progress) }
    try run.finish(progress)
    return run.count
  }
}
