/// The content of a file that its schema does not know. A store or a ``SnapshotContent`` carries it along, and every
/// save writes it back.
///
/// In a store it does not change while the store uses one file. Keys of a deleted record are not written. They are
/// written again if a record with that id is added again, for example by an undo.
struct UnknownContent: Sendable {
  /// Whole tables, sorted by name.
  private(set) var tables: [UntypedTable] = []
  /// Whole single values, sorted by name.
  private(set) var values: [(name: String, item: Item)] = []
  /// The unknown members of single values, by their names.
  private var valueMembers: [String: [Item.Member]] = [:]
  /// The unknown members of records, by the name of the table. Each value is a `[Value.ID: [Item.Member]]`.
  private var keys: [String: any Sendable] = [:]
  private var counts: [UnknownKey] = []
  /// The identity of this content. It is new after every change, and nil while there is no content.
  private var mark: Mark?
  /// The header of a file without known types, and the order of its content. Nil if a schema has both.
  var frame: Frame?

  private final class Mark: Sendable {}

  /// How the members of the flattened value in the file differ from those that it writes.
  var flattened = FlattenedMembers()

  /// Whether there are no unknown tables and single values.
  var isEmpty: Bool { tables.isEmpty && values.isEmpty }

  /// Whether both are the same content, or copies of it. Contents that were read separately are never the same, unless
  /// both are empty.
  func isSame(as other: UnknownContent) -> Bool { mark === other.mark }

  /// All unknown keys, for a report; sorted.
  var report: [UnknownKey] {
    counts
      + tables.map { UnknownKey(table: $0.name, key: nil, count: $0.count, isSingleValue: $0.isSingleValue) }
      + values.map { UnknownKey(table: $0.name, key: nil, count: 1, isSingleValue: true) }
  }

  /// The names of the tables and single values.
  var names: [ExactText] { (tables.map(\.name) + values.map(\.name)).map { ExactText($0) } }

  /// Leaves out tables and single values.
  mutating func remove(_ names: Set<ExactText>) {
    let (tables, values) = (
      tables.filter { !names.contains(ExactText($0.name)) }, values.filter { !names.contains(ExactText($0.name)) }
    )
    if tables.count < self.tables.count { set(tables) }
    if values.count < self.values.count { set(values) }
  }

  /// The unknown members of the records of a table.
  func members<Value: Record>(in table: String, of type: Value.Type) -> [Value.ID: [Item.Member]] {
    keys.isEmpty ? [:] : keys[table] as? [Value.ID: [Item.Member]] ?? [:]
  }

  /// Adds the unknown members of a table.
  mutating func add<Value: Record>(
    _ unknown: [(id: Value.ID, members: [Item.Member])], of table: String, _ type: Value.Type
  ) {
    guard !unknown.isEmpty else { return }
    var members: [Value.ID: [Item.Member]] = [:]
    for (id, own) in unknown { members[id] = own.sorted { $0.key < $1.key } }
    set(members, of: table, Value.self)
  }

  /// Sets the members of a table. Those of each record become sorted by key.
  mutating func set<Value: Record>(_ members: [Value.ID: [Item.Member]], of table: String, _ type: Value.Type) {
    keys[table] = members
    var numbers: [ExactText: Int] = [:]
    for own in members.values {
      for key in Set(own.map(\.key)) { numbers[key, default: 0] += 1 }
    }
    mark = Mark()
    counts.removeAll { $0.table == table }
    counts += numbers.map { UnknownKey(table: table, key: $0.key.text, count: $0.value) }
    sortCounts()
  }

  private mutating func sortCounts() {
    counts.sort {
      (ExactText($0.table), ExactText($0.key ?? "")) < (ExactText($1.table), ExactText($1.key ?? ""))
    }
  }

  /// The unknown members of a single value.
  func members(ofValue name: String) -> [Item.Member] { valueMembers[name] ?? [] }

  /// Sets the unknown members of a single value.
  mutating func set(_ members: [Item.Member], ofValue name: String) {
    if members.isEmpty, valueMembers[name] == nil { return }
    mark = Mark()
    valueMembers[name] = members.isEmpty ? nil : members.sorted { $0.key < $1.key }
    counts.removeAll { $0.table == name }
    counts += members.map { UnknownKey(table: name, key: $0.key.text, count: 1, isSingleValue: true) }
    sortCounts()
  }

  /// Sets the unknown single values.
  mutating func set(_ values: [(name: String, item: Item)]) {
    if !values.isEmpty || !self.values.isEmpty { mark = Mark() }
    self.values = values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Sets the unknown tables.
  mutating func set(_ tables: [UntypedTable]) {
    if !tables.isEmpty || !self.tables.isEmpty { mark = Mark() }
    self.tables = tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

extension Item {
  /// The same record with additional unknown members. A member that the record writes itself has priority.
  func adding(_ unknown: [Member]) -> Item {
    guard case .dictionary(let own) = content else { return self }
    let known = Set(own.map(\.key))
    let more = unknown.filter { !known.contains($0.key) }
    return Item(.dictionary(own + more), offset: offset)
  }
}
