/// The search for words in the texts of records, beside the caller.
extension Store {
  /// The records in which every word of a query occurs, in the order of their ids, at most `limit`.
  ///
  /// ```swift
  /// let found = try await store.search(
  ///   \.posts, in: [\.title, \.body], for: "pencil drawing", limit: 20)
  /// ```
  ///
  /// It searches the latest value, off the caller's actor. See ``Table/search(in:for:where:order:after:limit:)`` for
  /// the parameters and costs. In synchronous code, search the table itself: `store.read { $0.posts.search(…) }`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled. The search then ends early.
  @inlinable
  public func search<Value>(
    _ table: TableReadPath<Root, Value>, in properties: [SearchQuery.Property<Value>], for query: SearchQuery,
    where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true }, order: RecordOrder = .ascending,
    after id: Value.ID? = nil, limit: Int = .max
  ) async throws -> [Value] {
    let table = read { $0[keyPath: table] }
    return try await Self.cancellable { cancelled in
      table.search(
        in: properties, for: query, where: isIncluded, order: order, after: id, limit: limit, cancelled: cancelled)
    }
  }

  /// The records in which every word of a query occurs, in the order of an index, at most `limit`.
  ///
  /// See ``Table/search(in:for:where:by:order:after:limit:)`` for the parameters.
  ///
  /// - Throws: `CancellationError` if the task is cancelled. The search then ends early.
  @inlinable
  public func search<Value, Key>(
    _ table: TableReadPath<Root, Value>, in properties: [SearchQuery.Property<Value>], for query: SearchQuery,
    where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true }, by index: Index<Value, Key>,
    order: RecordOrder = .ascending, after position: IndexPosition<Key, Value.ID>? = nil, limit: Int = .max
  ) async throws -> [Index<Value, Key>.Row] {
    let table = read { $0[keyPath: table] }
    return try await Self.cancellable { cancelled in
      table.search(
        in: properties, for: query, where: isIncluded, by: index, order: order, after: position, limit: limit,
        cancelled: cancelled)
    }
  }

  /// Does work that ends early when the task is cancelled. Its result is then dropped.
  @inlinable
  static func cancellable<Result>(_ work: (CancellationFlag) -> Result) async throws -> Result {
    let cancelled = CancellationFlag()
    let result = await withTaskCancellationHandler {
      work(cancelled)
    } onCancel: {
      cancelled.set()
    }
    try Task.checkCancellation()
    return result
  }
}
