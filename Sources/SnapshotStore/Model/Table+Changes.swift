/// Changes of single records. All go through one function.
extension Table {
  /// Adds a record whose id, and whose keys in unique indexes, are not taken.
  ///
  /// - Throws: ``SnapshotError`` with code `idTaken`, `uniqueKeyTaken`, or `invalidValue` for an id that is not equal to
  ///   itself (a NaN); the table is then unchanged.
  @inlinable
  public mutating func insert(_ record: Value) throws(SnapshotError) {
    guard !contains(record.id) else {
      throw SnapshotError(.idTaken, "another \(Value.self) has the id \(Self.name(record.id)) already")
    }
    try put(RecordBox(record))
  }

  /// Adds a record, or replaces the one with its id. Returns the one it replaced.
  ///
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`, or `invalidValue` for an id that is not equal to itself;
  ///   the table is then unchanged.
  @inlinable
  @discardableResult
  public mutating func upsert(_ record: Value) throws(SnapshotError) -> Value? {
    try put(RecordBox(record))?.record
  }

  /// Changes the record with an id in place, and returns what `body` returns.
  ///
  /// - Throws: ``SnapshotError`` with code `recordNotFound`, `uniqueKeyTaken`, or `invalidValue` if `body` changed the id;
  ///   or what `body` throws. The table is then unchanged.
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

  /// Removes the record with an id and returns it; nil, and no change, if there is none.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: ID) -> Value? {
    guard let old = tree.removeValue(forKey: id) else { return nil }
    updateIndexes(from: old, to: nil)
    return old.record
  }

  /// Removes the records with the given ids, in any order, and returns those that were there, in the order given.
  @inlinable
  @discardableResult
  public mutating func remove(_ ids: some Sequence<ID>) -> [Value] {
    remove(boxes: Array(ids)).map(\.record)
  }

  /// Removes every record for which the test is true, and returns them in order of their ids.
  @inlinable
  @discardableResult
  public mutating func removeAll(where isDoomed: (Value) throws -> Bool) rethrows -> [Value] {
    remove(try filter(isDoomed).map(\.id))
  }

  /// Removes every record.
  @inlinable
  public mutating func removeAll() {
    if !isEmpty { self = Table() }
  }

  /// The one way by which a record gets in or is replaced: everything is checked first, then everything is applied.
  /// Returns what was replaced.
  @inlinable
  @discardableResult
  mutating func put(_ box: RecordBox<Value>) throws(SnapshotError) -> RecordBox<Value>? {
    let id = box.record.id
    guard id == id else { throw SnapshotError(.invalidValue, "an id that is not equal to itself") }
    if let (index, holder) = conflict(of: box) { throw Self.conflict(index, id, holder) }
    let old = tree.updateValue(box, forKey: id)
    updateIndexes(from: old, to: box)
    return old
  }

  /// The unique index that would refuse a record, and who has its key; nil if it fits.
  @inlinable
  func conflict(of box: RecordBox<Value>) -> (index: String, holder: ID)? {
    for index in indexes where index.upkeep.isUnique {
      if let holder = index.upkeep.conflict(index.entries, box) { return (index.upkeep.name, holder) }
    }
    return nil
  }

  @inlinable
  mutating func updateIndexes(from old: RecordBox<Value>?, to new: RecordBox<Value>?) {
    for position in indexes.indices {
      indexes[position].upkeep.update(&indexes, position, old, new)
    }
  }

  /// Puts many records in, whatever unique indexes say, and brings each index in step once at the end. The ids must be equal to
  /// themselves. Whoever calls it has to ask ``requireUnique(_:)`` before anyone sees the table.
  mutating func putUnchecked(_ boxes: [RecordBox<Value>]) {
    updateIndexes(boxes.map { (tree.updateValue($0, forKey: $0.record.id), $0) })
  }

  /// Checks that nobody else has a key of these records in a unique index. O(log n) for each.
  ///
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`, for the first that does not fit.
  func requireUnique(_ boxes: some Sequence<RecordBox<Value>>) throws(SnapshotError) {
    if !hasUniqueIndex { return }
    for box in boxes {
      if let (index, holder) = conflict(of: box) { throw Self.conflict(index, box.record.id, holder) }
    }
  }

  /// Whether an index allows each key once.
  @usableFromInline var hasUniqueIndex: Bool { indexes.contains { $0.upkeep.isUnique } }

  /// Puts many records in, as ``upsert(contentsOf:)`` does, without copying them.
  ///
  /// Each index is brought in step once, at the end. Where an index is unique, record by record, after those that they
  /// replace were taken out, since they may have each other's keys. All or none. O(k log n) for k records.
  ///
  /// - Throws: ``SnapshotError`` with code `uniqueKeyTaken`, or `invalidValue` for an id that is not equal to itself.
  @inlinable
  public mutating func put(_ boxes: [RecordBox<Value>]) throws(SnapshotError) {
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

  /// Removes the records with the given ids, in any order, and returns those that were there, in the order given,
  /// without copying them. O(k log n) for k ids.
  @inlinable
  @discardableResult
  public mutating func remove(boxes ids: [ID]) -> [RecordBox<Value>] {
    let removed = ids.compactMap { tree.removeValue(forKey: $0) }
    updateIndexes(removed.map { ($0, nil) })
    return removed
  }

  @inlinable
  mutating func updateIndexes(_ changes: [(old: RecordBox<Value>?, new: RecordBox<Value>?)]) {
    for position in indexes.indices {
      indexes[position].upkeep.updateMany(&indexes, position, changes)
    }
  }

  @usableFromInline
  static func conflict(_ index: String, _ id: ID, _ holder: ID) -> SnapshotError {
    SnapshotError(
      .uniqueKeyTaken, "\(Value.self) \(name(id)) has a key that \(name(holder)) holds in the unique index \(index)")
  }

  /// Two records have one id. It may be written in two ways, since texts in different normalisations are equal.
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

  /// An id in a message. Describing a date that is no number would trap.
  @usableFromInline
  static func name(_ id: ID) -> String {
    id == id ? "\(id)".quotedForMessage() : "that is not equal to itself"
  }
}
