public import SnapshotFoundation

/// Changes of many records at once.
extension Table {
  /// Changes every record that passes a test, and returns their ids, ascending. If one change is refused, nothing is
  /// changed. Unique indexes are checked for the result only. O(n), and O(log n) for each changed record.
  ///
  /// ```swift
  /// try store.write { dashboard in
  ///   try dashboard.posts.update(where: { !$0.isRead }) { $0.isRead = true }
  /// }
  /// ```
  ///
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`, or `invalidValue` if `body` changed an id; an error of the
  ///   test or of `body`.
  @inlinable
  @discardableResult
  public mutating func update(
    where isMeant: (Value) throws -> Bool, _ body: (inout Value) throws -> Void
  ) throws -> [ID] {
    var boxes: [RecordBox<Value>] = []
    for record in self where try isMeant(record) {
      var changed = record
      try body(&changed)
      guard changed.id == record.id else {
        throw SnapshotError(
          .invalidValue,
          "the id of the \(Value.self) was changed from \(Self.name(record.id)) to \(Self.name(changed.id))",
          advice: "Remove the record and insert another.")
      }
      boxes.append(RecordBox(changed))
    }
    try put(boxes)
    return boxes.map(\.record.id)
  }

  /// Changes every record; see ``update(where:_:)``.
  @inlinable
  @discardableResult
  public mutating func updateAll(_ body: (inout Value) throws -> Void) throws -> [ID] {
    try update(where: { _ in true }, body)
  }
}

/// Builds a table from records, and its indexes on several threads.
extension Table {
  /// Builds a table from records in any order. O(n log n); for sorted records O(n) plus the indexes.
  ///
  /// - Throws: ``SnapshotError`` with code `duplicate` if two records have the same id, `uniqueKeyTaken`, or
  ///   `invalidValue` for an id that is not equal to itself.
  @inlinable
  public init(_ records: some Sequence<Value>) throws(SnapshotError) {
    try self.init(sortedBoxes: records.map { RecordBox($0) })
  }

  /// Builds a table from boxes. Unsorted ones are sorted first; those of a file are sorted. The table keeps the boxes.
  ///
  /// - Parameters:
  ///   - threads: the most threads that build the indexes of a large table.
  ///   - defersIndexes: whether to build the indexes of a large table when they are needed.
  /// - Throws: the errors of `init(_:)`.
  @inlinable
  package init(sortedBoxes boxes: [Box], threads: Int = 1, defersIndexes: Bool = false) throws(SnapshotError) {
    var boxes = boxes
    try Self.sort(&boxes)
    try self.init(ascendingBoxes: boxes, threads: threads, defersIndexes: defersIndexes)
  }

  /// The same from boxes whose ids are known to ascend.
  @inlinable
  init(ascendingBoxes boxes: [Box], threads: Int, defersIndexes: Bool) throws(SnapshotError) {
    self.init()
    let isSmall = boxes.count < 4_096
    tree = SortedTree(count: boxes.count, threads: isSmall ? 1 : threads) { (boxes[$0].record.id, boxes[$0]) }
    if defersIndexes, !isSmall { deferIndexes(of: boxes) }
    if let (index, conflict) = buildIndexes(from: boxes, threads: isSmall ? 1 : threads) {
      throw Self.refusal(by: index, conflict)
    }
  }

  @inlinable
  static func sort(_ boxes: inout [RecordBox<Value>]) throws(SnapshotError) {
    var isSorted = true
    for position in boxes.indices {
      let id = boxes[position].record.id
      guard id == id else { throw SnapshotError(.invalidValue, "an id that is not equal to itself") }
      isSorted = isSorted && (position == 0 || boxes[position - 1].record.id < id)
    }
    if isSorted { return }
    boxes.sort { $0.record.id < $1.record.id }
    if let (a, b) = zip(boxes, boxes.dropFirst()).first(where: { $0.record.id == $1.record.id }) {
      throw Self.duplicate(a.record.id, b.record.id)
    }
  }

  /// Builds all indexes but deferred ones. If one forbids it, returns its name and a key of two records.
  @usableFromInline
  mutating func buildIndexes(
    from boxes: [RecordBox<Value>], threads: Int
  ) -> (String, IndexMaintainer<Value>.Conflict)? {
    let positions = indexes.indices.filter { indexes[$0].deferred == nil }
    let maintainers = positions.map { indexes[$0].maintainer }
    let results = Parallel.map(maintainers.count, threads: threads) { maintainers[$0].build(boxes) }
    for (position, result) in zip(positions, results) {
      if let conflict = result.conflict { return (indexes[position].maintainer.name, conflict) }
      indexes[position].entries = result.entries
    }
    return nil
  }
}

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

// An id is drawn, not counted. Two programs may add records to copies of one file. Counted ids would be the same, and a
// merge would take two records for one. A counter that never uses an id twice would have to be in the file.

/// Records whose id is made by the table. It is random, so no record had it before, also in other copies of the file.
///
/// ```swift
/// let post = try posts.insert { Post(id: $0, title: "A walk") }
/// ```
extension Table where ID == Int {
  /// Adds the record that `make` returns for a new id, and returns it.
  ///
  /// The id has ten to sixteen digits and is below 2⁵³, so that every reader of JSON has it exactly.
  ///
  /// - Throws: the errors of `insert` with a record; an error of `make`. The table is then unchanged.
  @discardableResult
  public mutating func insert(_ make: (ID) throws -> Value) throws -> Value {
    try insert(drawing: { .random(in: 1 << 30..<Int(clamping: Int64(1) << 53)) }, make)
  }
}

extension Table where ID == UUID {
  /// Adds the record that `make` returns for a new id, and returns it.
  ///
  /// - Throws: the errors of `insert` with a record; an error of `make`. The table is then unchanged.
  @discardableResult
  public mutating func insert(_ make: (ID) throws -> Value) throws -> Value { try insert(drawing: UUID.init, make) }
}

extension Table where ID == String {
  /// Adds the record that `make` returns for a new id, and returns it. The id has 20 small letters and digits.
  ///
  /// - Throws: the errors of `insert` with a record; an error of `make`. The table is then unchanged.
  @discardableResult
  public mutating func insert(_ make: (ID) throws -> Value) throws -> Value {
    let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")
    return try insert(drawing: { String((0..<20).map { _ in digits[.random(in: digits.indices)] }) }, make)
  }
}

extension Table {
  private mutating func insert(drawing draw: () -> ID, _ make: (ID) throws -> Value) throws -> Value {
    var id = draw()
    while contains(id) { id = draw() }
    let record = try make(id)
    try insert(record)
    return record
  }
}
