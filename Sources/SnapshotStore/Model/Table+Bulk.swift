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
