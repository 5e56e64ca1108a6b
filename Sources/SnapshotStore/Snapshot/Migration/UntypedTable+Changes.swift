/// Changes of all records. One that fails leaves the table as it was.
///
/// What they throw is a ``SnapshotError`` that names the record: with the code of the one that the function has thrown, and
/// `migrationFailed` for any other error; `invalidValue` if a record is no dictionary of members.
extension UntypedTable {
  /// Changes every record.
  ///
  /// - Throws: what `body` throws, as a ``SnapshotError`` that names the record; `invalidValue` if a record is no dictionary of
  ///   members.
  public mutating func change(_ body: (inout UntypedRecord) throws -> Void) throws {
    try change(key: nil, body)
  }

  /// Gives the values under a key another one. Records without the key stay as they are.
  ///
  /// - Throws: `duplicate` if a record has both.
  public mutating func rename(_ key: String, to new: String) throws {
    try change(key: key) { try $0.rename(key, to: new) }
  }

  /// Takes a key away from every record.
  public mutating func drop(_ key: String) throws {
    try change(key: key) { $0.remove(key) }
  }

  /// Replaces the value under a key. Records without the key stay as they are.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - body: makes the new value of the old one; nil takes the key away.
  public mutating func retype(_ key: String, _ body: (UntypedValue) throws -> UntypedValue?) throws {
    try change(key: key) { record in
      if let value = record[key] { record[key] = try body(value) }
    }
  }

  /// Replaces the value under a key by several under others. Records without the key stay as they are.
  ///
  /// - Parameters:
  ///   - key: the key, which goes unless it is among the new ones.
  ///   - keys: the new keys.
  ///   - body: makes the new values of the old one, in the order of the keys; nil leaves a key out.
  /// - Throws: `duplicate` if a record has one of the new keys already; `migrationFailed` if there are not as many values as
  ///   keys.
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
        if record[new] != nil { throw SnapshotError(.duplicate, "the key \(new.quotedForMessage()) is there already") }
        record[new] = value
      }
    }
  }

  /// Sets the value under a key in every record, whether there was one or not.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - body: makes the value of the record; nil takes the key away.
  public mutating func compute(_ key: String, _ body: (UntypedRecord) throws -> UntypedValue?) throws {
    try change(key: key) { record in record[key] = try body(record) }
  }

  /// Sets the value under a key in the records that have none.
  public mutating func setMissing(_ key: String, to value: UntypedValue) throws {
    try change(key: key) { record in
      if record[key] == nil { record[key] = value }
    }
  }

  /// Takes records out, and gives them.
  ///
  /// - Throws: what `isMeant` throws, as a ``SnapshotError`` that names the record. The table is then as it was.
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

  /// The records, each a dictionary of members.
  ///
  /// - Throws: `invalidValue` if one is not.
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

  /// Does something with a record; an error says with which.
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
  /// What a step threw at a record, with its place. One that names a place already, as from a table inside of another, stays.
  fileprivate init(migrating error: any Error, table: String, index: Int, item: Item, key: String?) {
    self = SnapshotError(migrating: error)
    guard dataPath == nil else { return }
    message += item.wordsForID
    dataPath =
      "\(table.escapedForMessage(limit: 60))[\(index)]" + (key.map { ".\($0.escapedForMessage(limit: 60))" } ?? "")
    position = item.offset == 0 ? nil : FilePosition(offset: item.offset)
  }

  /// What a step threw. Errors that are not this library's are a `migrationFailed` with their words.
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
  /// Which record it is, for the end of a message; nothing if it has no id.
  var wordsForID: String {
    self["id"]?.shortText.map { " at the record with the id \($0.quotedForMessage())" } ?? ""
  }
}

extension MigrationTree {
  /// Moves records from one table to another.
  ///
  /// - Parameters:
  ///   - source: the table that has them.
  ///   - target: the table that gets them, which may be new.
  ///   - isMeant: which ones; all, if it is left out.
  ///   - change: makes of each what the other table needs.
  /// - Throws: what the functions throw, as a ``SnapshotError`` that names the record. The tree is then as it was.
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
