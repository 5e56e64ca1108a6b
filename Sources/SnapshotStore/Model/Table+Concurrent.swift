/// Work on all records of a table on several threads.
extension Table {
  /// A run of adjacent records of a table, in the order of their ids; see ``mapConcurrently(threads:_:)``.
  public struct Run: Sendable {
    /// Keeps the memory of the leaves alive.
    @usableFromInline let table: Table<Value>
    @usableFromInline nonisolated(unsafe) let leaves: ArraySlice<UnsafeBufferPointer<RecordBox<Value>>>

    @usableFromInline
    init(_ table: Table<Value>, _ leaves: ArraySlice<UnsafeBufferPointer<RecordBox<Value>>>) {
      self.table = table
      self.leaves = leaves
    }

    /// Calls `body` with each record, without copying it.
    @inlinable
    public func forEach(_ body: (Value) throws -> Void) rethrows {
      for boxes in leaves {
        for box in boxes { try body(box.record) }
      }
      withExtendedLifetime(table) {}
    }
  }

  /// Divides the records into runs, processes the runs on several threads, and returns the results in the order of the
  /// ids.
  ///
  /// Use it for work that visits every record, such as a search in texts. A small table is one run, on the calling
  /// thread.
  ///
  /// ```swift
  /// let found = posts.mapConcurrently { run in
  ///   var ids: [Post.ID] = []
  ///   run.forEach { if $0.body.contains("Swift") { ids.append($0.id) } }
  ///   return ids
  /// }.joined()
  /// ```
  ///
  /// - Parameters:
  ///   - threads: the most threads at once; nil for the number of active processors.
  ///   - body: processes one run. It is called on several threads at the same time.
  @inlinable
  public func mapConcurrently<Part: Sendable>(
    threads: Int? = nil, _ body: @Sendable (Run) -> Part
  ) -> [Part] {
    var leaves: [UnsafeBufferPointer<RecordBox<Value>>] = []
    forEachLeaf { _, boxes in leaves.append(boxes) }
    return Parallel.map(over: leaves.count, atLeast: 16, threads: threads ?? Parallel.defaultThreads) { range in
      body(Run(self, leaves[range]))
    }
  }
}
