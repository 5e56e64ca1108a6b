/// The difference of two values of a model, record by record and property by property, for people and for programs.
///
/// ```swift
/// let difference = try ModelDifference(from: before, to: after)
/// print(difference.summary)                       // 1 new, 1 changed
/// for record in difference.records where record.change == .updated {
///   print(record.table, record.id, record.properties.map(\.name))
/// }
/// ```
///
/// Records are compared as they would be written. Values that are equal by `==` but written differently are a
/// difference: a text in another Unicode form, or `-0.0` and `0.0`. A record with a NaN does not differ from itself. So
/// two values have no difference exactly if they are saved as the same bytes.
///
/// Costs O(changes · log n) if one value was made from the other. Otherwise it encodes every record of both.
public struct ModelDifference: Sendable {
  /// The differences: tables and single values in the order of the schema, records of a table by ascending id.
  public let records: [RecordDifference]

  /// The difference from an old value to a new one.
  ///
  /// - Throws: ``SnapshotError`` with code `unencodable` if a record cannot be written.
  public init<Root: Model>(from old: Root, to new: Root) throws {
    try self.init(from: SnapshotContent(old), to: SnapshotContent(new))
  }

  /// The difference from an old content to a new one, with the content that the schema does not know.
  ///
  /// Unknown keys are properties of their record or value. Unknown tables and single values come last, sorted by name.
  /// Records of unknown tables are identified by their ids, or by their places if they have no ids.
  ///
  /// - Throws: ``SnapshotError`` with code `unencodable` if a record cannot be written.
  public init<Root: Model>(from old: SnapshotContent<Root>, to new: SnapshotContent<Root>) throws {
    var comparison = RecordComparison(old: old, new: new)
    try Root.schema.visit(&comparison)
    records =
      Self.difference(from: old.unknown.frame, to: new.unknown.frame) + comparison.records
      + UntypedComparison(from: old.unknown.tables, to: new.unknown.tables).records
      + Self.differences(from: old.unknown.valuesByName, to: new.unknown.valuesByName)
  }

  /// Compares the headers of contents without types.
  private static func difference(
    from old: UnknownContent.Frame?, to new: UnknownContent.Frame?
  ) -> [RecordDifference] {
    if old == nil, new == nil { return [] }
    return RecordDifference(value: "snapshot", old: old?.item, new: new?.item).map { [$0] } ?? []
  }

  /// Compares single values that the schema does not know.
  private static func differences(
    from old: [ExactText: Item], to new: [ExactText: Item]
  ) -> [RecordDifference] {
    Set(old.keys).union(new.keys).sorted().compactMap { name in
      RecordDifference(value: name.text, old: old[name], new: new[name])
    }
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { records.isEmpty }
}

/// Compares the tables of two values.
private struct RecordComparison<Root: Model>: FieldVisitor {
  typealias Failure = SnapshotError

  let old: SnapshotContent<Root>
  let new: SnapshotContent<Root>
  private(set) var records: [RecordDifference] = []

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) throws(SnapshotError) {
    let (before, after) = (old.value[keyPath: path], new.value[keyPath: path])
    var changes = after.changedBoxes(since: before)
    let unknown = (
      old: old.unknown.members(in: name, of: Value.self), new: new.unknown.members(in: name, of: Value.self)
    )
    // Records that are otherwise the same may differ in unknown keys.
    for id in Set(unknown.old.keys).union(unknown.new.keys) {
      guard let box = after.tree[id], box === before.tree[id] else { continue }
      changes.append(Table<Value>.StoredChange(id: id, before: box, after: box))
    }
    changes.sort { $0.id < $1.id }
    let parts = Parallel.map(over: changes.count, atLeast: 256, threads: Parallel.defaultThreads) { range in
      Result { () throws(SnapshotError) in try Self.differences(changes[range], in: name, unknown) }
    }
    for part in parts { records += try part.get() }
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) throws(SnapshotError) {
    let before = try SingleValueCoding.item(of: old.value[keyPath: value], name, old.unknown)
    let after = try SingleValueCoding.item(of: new.value[keyPath: value], name, new.unknown)
    if let difference = RecordDifference(value: name, old: before, new: after) { records.append(difference) }
  }

  private static func differences<Value>(
    _ changes: ArraySlice<Table<Value>.StoredChange>, in table: String,
    _ unknown: (old: [Value.ID: [Item.Member]], new: [Value.ID: [Item.Member]])
  ) throws(SnapshotError) -> [RecordDifference] {
    var differences: [RecordDifference] = []
    for change in changes {
      guard let record = (change.after ?? change.before)?.record else { continue }
      let old = try item(change.before, in: table, unknown.old)
      let new = try item(change.after, in: table, unknown.new)
      let difference = RecordDifference(
        table: table, id: "\(record.id)", idItem: IDKeySearch.id(of: record) ?? (new ?? old)?["id"], old: old, new: new)
      if let difference { differences.append(difference) }
    }
    return differences
  }

  private static func item<Value>(
    _ box: RecordBox<Value>?, in table: String, _ unknown: [Value.ID: [Item.Member]]
  ) throws(SnapshotError) -> Item? {
    guard let record = box?.record else { return nil }
    let item = try ItemEncoder.item(forRecord: record, at: "\(table) \("\(record.id)".escapedForMessage(limit: 60))")
    return unknown.isEmpty ? item : item.adding(unknown[record.id] ?? [])
  }
}
