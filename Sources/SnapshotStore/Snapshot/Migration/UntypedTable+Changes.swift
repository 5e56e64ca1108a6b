/// Changes of all records. If one record fails, the table stays unchanged.
///
/// A change throws a ``SnapshotError`` that names the record. It has the code of a `SnapshotError` that the function
/// threw, or `migrationFailed` for any other error. The code is `invalidValue` if a record is not a dictionary of
/// members.
extension UntypedTable {
  /// Changes every record.
  ///
  /// - Throws: the error of `body`, as a ``SnapshotError`` that names the record; `invalidValue` if a record is not a
  ///   dictionary of members.
  public mutating func change(_ body: (inout UntypedRecord) throws -> Void) throws {
    try change(key: nil, body)
  }

  /// Renames a key in every record that has it.
  ///
  /// - Throws: `duplicate` if a record has both keys.
  public mutating func rename(_ key: String, to new: String) throws {
    try change(key: key) { try $0.rename(key, to: new) }
    if statedIDKey == .key(ExactText(key)) { statedIDKey = .key(ExactText(new)) }
  }

  /// Removes a key from every record.
  public mutating func drop(_ key: String) throws {
    try change(key: key) { $0.remove(key) }
  }

  /// Replaces the value under a key, in every record that has the key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - body: returns the new value for the old one; nil removes the key.
  public mutating func retype(_ key: String, _ body: (UntypedValue) throws -> UntypedValue?) throws {
    try change(key: key) { record in
      if let value = record[key] { record[key] = try body(value) }
    }
  }

  /// Replaces the value under a key by values under several keys, in every record that has the key.
  ///
  /// - Parameters:
  ///   - key: the key. It is removed unless it is one of the new keys.
  ///   - keys: the new keys.
  ///   - body: returns the new values for the old one, in the order of the keys; nil omits a key.
  /// - Throws: `duplicate` if a record already has one of the new keys. `migrationFailed` if the number of values
  ///   differs from the number of keys.
  public mutating func split(
    _ key: String, into keys: [String], _ body: (UntypedValue) throws -> [UntypedValue?]
  ) throws {
    try change(key: key) { record in
      guard let value = record.remove(key) else { return }
      let values = try body(value)
      guard values.count == keys.count else {
        throw SnapshotError(.migrationFailed, "\(values.count.counted("value")) for \(keys.count.counted("key"))")
      }
      for (new, value) in zip(keys, values) {
        if record[new] != nil { throw SnapshotError(.duplicate, "the key \(new.quotedForMessage()) already exists") }
        record[new] = value
      }
    }
  }

  /// Sets the value under a key in every record, with or without an old value.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - body: returns the value for the record; nil removes the key.
  public mutating func compute(_ key: String, _ body: (UntypedRecord) throws -> UntypedValue?) throws {
    try change(key: key) { record in record[key] = try body(record) }
  }

  /// Sets the value under a key in the records that do not have the key.
  public mutating func setMissing(_ key: String, to value: UntypedValue) throws {
    try change(key: key) { record in
      if record[key] == nil { record[key] = value }
    }
  }

  /// Removes records and returns them.
  ///
  /// - Throws: the error of `isMeant`, as a ``SnapshotError`` that names the record. The table is then unchanged.
  @discardableResult
  public mutating func remove(where isMeant: (UntypedRecord) throws -> Bool) throws -> [UntypedRecord] {
    var (kept, removed): ([Item], [UntypedRecord]) = ([], [])
    for (index, item) in items.enumerated() {
      try Self.at(index, item, of: name, key: nil) {
        let record = try Self.record(item)
        if try isMeant(record) { removed.append(record) } else { kept.append(item) }
      }
    }
    items = kept
    return removed
  }

  /// The records, each as a dictionary of members.
  ///
  /// - Throws: `invalidValue` if a record is not a dictionary.
  public func records() throws -> [UntypedRecord] {
    try items.enumerated().map { index, item in
      try Self.at(index, item, of: name, key: nil) { try Self.record(item) }
    }
  }

  private mutating func change(key: String?, _ body: (inout UntypedRecord) throws -> Void) throws {
    items = try items.enumerated().map { index, item in
      try Self.at(index, item, of: name, key: key) {
        var record = try Self.record(item)
        try body(&record)
        return record.item
      }
    }
  }

  private static func record(_ item: Item) throws(SnapshotError) -> UntypedRecord {
    guard let members = item.allMembers else {
      throw SnapshotError(.invalidValue, "expected a dictionary, found \(item.kind)")
    }
    return UntypedRecord(members: members, offset: item.offset)
  }

  /// Calls a function for a record. An error from it gets the place of the record.
  private static func at<Result>(
    _ index: Int, _ item: Item, of table: String, key: String?, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw SnapshotError(migrating: error, table: table, index: index, item: item, key: key)
    }
  }
}

extension SnapshotError {
  /// The error of a step at a record, with the place of the record. An error that already has a place keeps it, for
  /// example a place in another table.
  fileprivate init(migrating error: any Error, table: String, index: Int, item: Item, key: String?) {
    self = SnapshotError(migrating: error)
    guard dataPath == nil else { return }
    message += item.wordsForID
    dataPath =
      "\(table.escapedForMessage(limit: 60))[\(index)]" + (key.map { ".\($0.escapedForMessage(limit: 60))" } ?? "")
    position = item.offset == 0 ? nil : SnapshotError.Position(offset: item.offset)
  }

  /// The error of a step. Another error than a `SnapshotError` becomes a `migrationFailed` with its text.
  init(migrating error: any Error) {
    if let error = error as? SnapshotError {
      self = error
      return
    }
    let reason =
      switch error as? DecodingError {
      case .dataCorrupted(let context), .typeMismatch(_, let context): context.debugDescription
      default: "\(error)"
      }
    self.init(.migrationFailed, reason.escapedForMessage())
  }
}

extension Item {
  /// The id of the record, for the end of a message. Empty if the record has no id.
  var wordsForID: String {
    self["id"]?.shortText.map { " at the record with the id \($0.quotedForMessage())" } ?? ""
  }
}

extension MigrationTree {
  /// Moves records from one table to another.
  ///
  /// - Parameters:
  ///   - source: the table from which records are removed.
  ///   - target: the table to which they are added. It may be new.
  ///   - isMeant: whether to move a record. By default all are moved.
  ///   - change: adapts each record to the target table.
  /// - Throws: an error of the functions, as a ``SnapshotError`` that names the record. The tree is then unchanged.
  public mutating func moveRecords(
    from source: String, to target: String, where isMeant: (UntypedRecord) throws -> Bool = { _ in true },
    changing change: (inout UntypedRecord) throws -> Void = { _ in }
  ) throws {
    var (rest, moved) = (self[source], UntypedTable(name: source))
    for record in try rest.remove(where: isMeant) { moved.append(record) }
    try moved.change(change)
    self[source] = rest
    add(moved, as: target)
  }
}
