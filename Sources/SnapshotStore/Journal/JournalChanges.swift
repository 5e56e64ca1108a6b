/// Writes the changes of all tables and single values as the sections of a line.
struct JournalChanges<Root: Model>: FieldVisitor {
  let old: Root
  let new: Root
  let unknown: UnknownContent
  let sections: JournalSections
  /// What is known about the tables, by name.
  private(set) var tables: [String: JournalTableMemory]

  init(
    old: Root, new: Root, unknown: UnknownContent, sections: JournalSections, tables: [String: JournalTableMemory]
  ) {
    self.old = old
    self.new = new
    self.unknown = unknown
    self.sections = sections
    self.tables = tables
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) throws(SnapshotError) {
    let (before, after) = (old[keyPath: path], new[keyPath: path])
    if after.isIdentical(to: before) { return }
    let changes = JournalTableChanges(
      name: name, old: before, new: after, unknown: unknown.members(in: name, of: Value.self), sections: sections)
    try changes.write(&tables[name, default: JournalTableMemory()])
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) throws(SnapshotError) {
    let (before, after) = (old[keyPath: path], new[keyPath: path])
    if SingleValueCoding.areStoredAlike(before, after) { return }
    if Root.schema.flattened == ExactText(name) { return try writeMembers() }
    sections.append(try SingleValueCoding.item(of: after, name, unknown), as: name, to: .set)
    try sections.requireLimit()
  }

  /// Writes the members of the flattened value that differ, each as a single value of its own.
  private func writeMembers() throws(SnapshotError) {
    // No line can say that a single value is gone. So the file is written.
    guard let members = try new.flattenedChanges(from: old) else {
      throw SnapshotError(.limitExceeded, "a line of a journal cannot say that a value is gone")
    }
    for member in members { sections.append(member.value, as: member.key.text, to: .set) }
    try sections.requireLimit()
  }
}

/// What a writer has learned about a table.
struct JournalTableMemory: Sendable {
  /// Where the records have their ids, once that is certain.
  var idKey: IDKey?
  var proof = WritingProof.none
}

/// Writes the changes of one table.
struct JournalTableChanges<Value: Record> {
  let name: String
  let old: Table<Value>
  let new: Table<Value>
  /// Unknown members of records, by the records' ids.
  let unknown: [Value.ID: [Item.Member]]
  let sections: JournalSections

  func write(_ memory: inout JournalTableMemory) throws(SnapshotError) {
    if let key = memory.idKey, case .key = key, memory.proof == .same, unknown.isEmpty,
      let coding = Value.directCodingIfAny, let records = RecordWriter(JournalRecords.frame)
    {
      if try write(coding, JournalIDKey.Member(key), records) { return }
    }
    let changes = new.changedBoxes(since: old)
    if changes.isEmpty { return }
    let key: IDKey
    if let known = memory.idKey {
      key = known
    } else {
      let found = JournalIDKey.find(old, new)
      if found.isCertain { memory.idKey = found.key }
      key = found.key
    }
    // A key that does not have the id in every record of the line cannot name them.
    if try !write(changes, key, &memory.proof) { _ = try write(changes, .nowhere, &memory.proof) }
  }

  /// Writes the changes of records that write themselves, in code that knows their type. Code without the type takes
  /// twice as long for one record.
  ///
  /// - Returns: false if the key does not have the id of a record, or ids have another type. Nothing is written then.
  private func write(
    _ coding: _DirectCoding<Value>, _ member: JournalIDKey.Member, _ writer: consuming RecordWriter
  ) throws(SnapshotError) -> Bool {
    let marks = sections.marks
    var records = writer
    var isWhole = true
    try coding.writeChanges(old, new, &records) { records, change throws(SnapshotError) in
      let isNoted = isWhole ? note(change, records.sink.bytes, member) : nil
      isWhole = isNoted != nil
      records.sink.removeLast(isNoted == true ? change.before.count : records.count - change.after.lowerBound)
      try sections.requireLimit(records.count)
    }
    if !isWhole {
      sections.goBack(to: marks)
      return false
    }
    end(records.sink.bytes, member.key, marks)
    return true
  }

  /// Writes the changes of records that are stored differently.
  ///
  /// - Returns: false if the key does not have the id of a record. Nothing is written then.
  private func write(
    _ changes: [Table<Value>.StoredChange], _ key: IDKey, _ proof: inout WritingProof
  ) throws(SnapshotError) -> Bool {
    let marks = sections.marks
    var records = RecordSink<Value>(
      writer: JournalRecords.self, table: name, direct: Value.directCodingIfAny, unknown: unknown, proof: proof)
    let member = JournalIDKey.Member(key)
    for change in changes {
      let start = records.count
      if let after = change.after { try records.append(after, index: new.tree.rank(of: change.id)) }
      let middle = records.count
      // The old record too: to see whether it is stored differently, and for its id.
      if let before = change.before { try records.append(before, index: old.tree.rank(of: change.id)) }
      proof = records.proof
      let end = records.count
      let isNoted = note(
        records.bytes, start..<middle, middle..<end, member,
        newID: { sink in change.after.map { JournalIDKey.append(idOf: $0.record, to: &sink) } ?? false },
        oldID: { sink in change.before.map { JournalIDKey.append(idOf: $0.record, to: &sink) } ?? false })
      guard let isChange = isNoted else {
        sections.goBack(to: marks)
        return false
      }
      records.removeLast(isChange ? end - middle : end - start)
      try sections.requireLimit(records.count)
    }
    end(records.bytes, key, marks)
    return true
  }

  /// Appends the new versions of records, and ends the table.
  private func end(_ records: UnsafeBufferPointer<UInt8>, _ key: IDKey, _ marks: [Int]) {
    // Without the comma behind the last record.
    if !records.isEmpty { sections.append(UnsafeBufferPointer(rebasing: records.dropLast()), of: name, to: .put) }
    sections.endTable()
    if key != .key("id"), sections.marks != marks { sections.append(key.item, as: name, to: .ids) }
  }

  private func note(
    _ change: WrittenChange, _ bytes: UnsafeBufferPointer<UInt8>, _ member: JournalIDKey.Member
  ) -> Bool? {
    func append(_ id: PlainID?, to sink: inout ByteSink) -> Bool {
      guard let id else { return false }
      JournalIDKey.append(id, to: &sink)
      return true
    }
    return note(bytes, change.after, change.before, member) {
      append(change.newID, to: &$0)
    } oldID: {
      append(change.oldID, to: &$0)
    }
  }

  /// Appends the id or the old version of a record that is removed or replaced.
  ///
  /// - Parameters:
  ///   - after: the place of the new version in the bytes, with the comma behind it; empty if there is none.
  ///   - before: the place of the old version.
  ///   - newID: appends the id of the new version as JSON; returns false if it cannot be written.
  ///   - oldID: the same for the old version.
  /// - Returns: whether the versions are stored differently; nil if the key does not have the id.
  private func note(
    _ bytes: UnsafeBufferPointer<UInt8>, _ after: Range<Int>, _ before: Range<Int>, _ member: JournalIDKey.Member,
    newID appendNewID: (inout ByteSink) -> Bool, oldID appendOldID: (inout ByteSink) -> Bool
  ) -> Bool? {
    let newer = UnsafeBufferPointer(rebasing: bytes[after].dropLast())
    let older = UnsafeBufferPointer(rebasing: bytes[before].dropLast())
    if newer.count == older.count, newer.elementsEqual(older) { return false }
    guard case .key = member.key else {
      if !older.isEmpty { sections.append(older, of: name, to: .old) }
      return true
    }
    var (newID, oldID): (UnsafeBufferPointer<UInt8>?, UnsafeBufferPointer<UInt8>?)
    if !newer.isEmpty {
      newID = member.id(in: newer, appendNewID)
      if newID == nil { return nil }
    }
    if !older.isEmpty {
      oldID = member.id(in: older, appendOldID)
      if oldID == nil { return nil }
    }
    // Ids that are equal in Swift may be written differently.
    if let oldID, newID.map({ !$0.elementsEqual(oldID) }) ?? true { sections.append(oldID, of: name, to: .removed) }
    return true
  }
}

/// The records of a table in a journal: those of a JSON file without line feeds.
private enum JournalRecords: TextWriter {
  static func append(_ record: Item, of table: String, _ sink: inout ByteSink) {
    JSONText.append(record, to: &sink)
    sink.append(",")
  }

  static let frame = RecordFrame(cursor: JSONCursor.self, start: [UInt8(ascii: "{")], end: "},")

  static func recordFrame(for table: String) -> RecordFrame? { frame }

  // The rest of a line is written by its sections.
  static func begin(_ header: HeaderContent, _ sink: inout ByteSink) {}
  static func beginTable(_ name: String, isEmpty: Bool, _ sink: inout ByteSink) {}
  static func append(value: Item, as name: String, _ sink: inout ByteSink) {}
}
