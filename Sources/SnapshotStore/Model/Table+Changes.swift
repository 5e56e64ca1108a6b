/// Changes of single records. All of them use one function.
extension Table {
  /// Adds a record. Its id, and its keys in unique indexes, must not be taken.
  ///
  /// - Throws: ``SnapshotError`` with code `idTaken`, `uniqueKeyTaken`, or `invalidValue` for an id that is not equal
  ///   to itself (a NaN). The table is then unchanged.
  @inlinable
  public mutating func insert(_ record: Value) throws(SnapshotError) {
    guard !contains(record.id) else {
      throw SnapshotError(.idTaken, "another \(Value.self) has the id \(Self.name(record.id)) already")
    }
    try put(RecordBox(record))
  }

  /// Adds a record, or replaces the one with its id. Returns the replaced one.
  ///
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`, or `invalidValue` for an id that is not equal to itself.
  ///   The table is then unchanged.
  @inlinable
  @discardableResult
  public mutating func upsert(_ record: Value) throws(SnapshotError) -> Value? {
    try put(RecordBox(record))?.record
  }

  /// Changes the record with an id in place, and returns the result of `body`.
  ///
  /// - Throws: ``SnapshotError`` with code `recordNotFound`, `uniqueKeyTaken`, or `invalidValue` if `body` changed the
  ///   id; an error of `body`. The table is then unchanged.
  @inlinable
  @discardableResult
  public mutating func update<Result>(_ id: ID, _ body: (inout Value) throws -> Result) throws -> Result {
    guard var record = self[id] else {
      throw SnapshotError(.recordNotFound, "there is no \(Value.self) with id \(Self.name(id))")
    }
    let result = try body(&record)
    guard record.id == id else {
      throw SnapshotError(
        .invalidValue, "the id of the \(Value.self) was changed from \(Self.name(id)) to \(Self.name(record.id))",
        advice: "Remove the record and insert another.")
    }
    try put(RecordBox(record))
    return result
  }

  /// Changes the record with a key in a unique index in place, or adds one and changes that. Returns the result of
  /// `body`.
  ///
  /// ```swift
  /// let tag = Tag(id: 7, name: "walk")
  /// try tags.update(in: Tag.byName, at: "walk", default: tag) { $0.uses += 1 }
  /// ```
  ///
  /// - Parameters:
  ///   - index: a unique index.
  ///   - key: the key that is looked for.
  ///   - record: what is added if no record has the key. It should have the key.
  ///   - body: changes the record.
  /// - Throws: the errors of ``update(_:_:)`` and `insert`; an error of `record`. The table is then unchanged.
  @inlinable
  @discardableResult
  public mutating func update<Key, Result>(
    in index: Index<Value, Key>, at key: Key, default record: @autoclosure () throws -> Value,
    _ body: (inout Value) throws -> Result
  ) throws -> Result {
    guard index.maintainer.isUnique else {
      fatalError("the index \(index.name) is not unique, so several records may have a key")
    }
    if let old = records(in: index, at: key).first { return try update(old.id, body) }
    var record = try record()
    let result = try body(&record)
    try insert(record)
    return result
  }

  /// Removes the record with an id and returns it. Returns nil, and changes nothing, if there is none.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: ID) -> Value? {
    guard let old = tree.removeValue(forKey: id) else { return nil }
    updateIndexes(from: old, to: nil)
    return old.record
  }

  /// Removes the records with the given ids and returns those that existed, in the order given.
  @inlinable
  @discardableResult
  public mutating func remove(_ ids: some Sequence<ID>) -> [Value] {
    remove(boxes: Array(ids)).map(\.record)
  }

  /// Removes every record for which the test is true, and returns them in ascending order of their ids.
  @inlinable
  @discardableResult
  public mutating func removeAll(where isDoomed: (Value) throws -> Bool) rethrows -> [Value] {
    remove(try filter(isDoomed).map(\.id))
  }

  /// Removes the records whose keys in an index lie in a range, and returns them, ordered by their keys.
  @inlinable
  @discardableResult
  public mutating func removeAll<Key>(
    in index: Index<Value, Key>, from range: some KeyRange<Key> & Sendable
  ) -> [Value] {
    remove(records(in: index, from: range).map(\.id))
  }

  /// Removes the records whose ids lie in a range, and returns them in ascending order of their ids.
  @inlinable
  @discardableResult
  public mutating func removeAll(in range: some KeyRange<ID> & Sendable) -> [Value] {
    remove(records(in: range).map(\.id))
  }

  /// Removes every record.
  @inlinable
  public mutating func removeAll() {
    if !isEmpty { self = Table() }
  }

  /// Inserts or replaces a record. Every insertion uses this function. It checks everything first, then applies
  /// everything. Returns the replaced record.
  @inlinable
  @discardableResult
  mutating func put(_ box: RecordBox<Value>) throws(SnapshotError) -> RecordBox<Value>? {
    let id = box.record.id
    guard id == id else { throw SnapshotError(.invalidValue, "an id that is not equal to itself") }
    if let (index, conflict) = conflict(of: box) { throw Self.refusal(by: index, conflict) }
    let old = tree.updateValue(box, forKey: id)
    updateIndexes(from: old, to: box)
    return old
  }

  /// The unique index that would refuse a record, and the record with its key; nil if the record fits.
  @inlinable
  func conflict(of box: RecordBox<Value>) -> (index: String, conflict: IndexMaintainer<Value>.Conflict)? {
    for index in indexes where index.maintainer.isUnique {
      if let conflict = index.maintainer.conflict(index.entries, box) { return (index.maintainer.name, conflict) }
    }
    return nil
  }

  @inlinable
  mutating func updateIndexes(from old: RecordBox<Value>?, to new: RecordBox<Value>?) {
    for position in indexes.indices {
      indexes[position].maintainer.update(&indexes, position, old, new)
    }
  }

  /// Puts many records in without checking unique indexes, and updates each index once at the end. The ids must be
  /// equal to themselves. The caller must call ``requireUnique(_:)`` before any other code sees the table.
  mutating func putUnchecked(_ boxes: [RecordBox<Value>]) {
    updateIndexes(boxes.map { (tree.updateValue($0, forKey: $0.record.id), $0) })
  }

  /// Checks that no other record has a key of these records in a unique index. O(log n) for each.
  ///
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`, for the first record that does not fit.
  @inlinable
  func requireUnique(_ boxes: some Sequence<RecordBox<Value>>) throws(SnapshotError) {
    if !hasUniqueIndex { return }
    for box in boxes {
      if let (index, conflict) = conflict(of: box) { throw Self.refusal(by: index, conflict) }
    }
  }

  /// Whether an index allows each key once.
  @usableFromInline var hasUniqueIndex: Bool { indexes.contains { $0.maintainer.isUnique } }

  /// Puts many records in like `upsert(contentsOf:)`, without copying them.
  ///
  /// Without a unique index, each index is updated once, at the end. With one, the replaced records are first removed,
  /// because records may exchange their keys. Then the new ones are inserted one by one. If one is refused, nothing is
  /// changed. O(k log n) for k records.
  ///
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`, or `invalidValue` for an id that is not equal to itself.
  @inlinable
  public mutating func put(_ boxes: [Box]) throws(SnapshotError) {
    var copy = self
    if hasUniqueIndex {
      _ = copy.remove(boxes: boxes.map(\.record.id))
      for box in boxes { try copy.put(box) }
    } else {
      var changes: [(old: RecordBox<Value>?, new: RecordBox<Value>?)] = []
      changes.reserveCapacity(boxes.count)
      for box in boxes {
        let id = box.record.id
        guard id == id else { throw SnapshotError(.invalidValue, "an id that is not equal to itself") }
        changes.append((copy.tree.updateValue(box, forKey: id), box))
      }
      copy.updateIndexes(changes)
    }
    self = copy
  }

  /// Removes the records with the given ids, and returns those that existed, in the order given, without copying them.
  /// O(k log n) for k ids.
  @inlinable
  @discardableResult
  public mutating func remove(boxes ids: [ID]) -> [Box] {
    let removed = ids.compactMap { tree.removeValue(forKey: $0) }
    updateIndexes(removed.map { ($0, nil) })
    return removed
  }

  @inlinable
  mutating func updateIndexes(_ changes: [(old: RecordBox<Value>?, new: RecordBox<Value>?)]) {
    for position in indexes.indices {
      indexes[position].maintainer.updateMany(&indexes, position, changes)
    }
  }

  @usableFromInline
  static func refusal(by index: String, _ conflict: IndexMaintainer<Value>.Conflict) -> SnapshotError {
    SnapshotError(
      .uniqueKeyTaken,
      "\(Value.self) \(name(conflict.id)) has the key \(conflict.key.quotedForMessage()), which "
        + "\(name(conflict.holder)) holds in the unique index \(index)")
  }

  /// The error for two records with the same id. The ids may be written differently, because texts in different
  /// normalisations are equal.
  @usableFromInline
  static func duplicate(_ a: ID, _ b: ID) -> SnapshotError {
    let (first, second) = ("\(a)", "\(b)")
    guard ExactText(first) != ExactText(second) else {
      return SnapshotError(.duplicate, "two records of type \(Value.self) have the id \(name(a))")
    }
    return SnapshotError(
      .duplicate,
      "two records of type \(Value.self) have ids that are equal in Swift: "
        + "\(first.spelledForMessage()) and \(second.spelledForMessage())",
      advice: "Change one of the two in the file, and what refers to it.")
  }

  /// An id in a message. The description of a NaN date would trap.
  @usableFromInline
  static func name(_ id: ID) -> String {
    id == id ? "\(id)".quotedForMessage() : "that is not equal to itself"
  }
}
