/// What a file holds that its schema does not know: carried along by a store, or with a value
/// (``SnapshotContent``), and written back with every save.
///
/// In a store it does not change as long as that goes on from one file. Keys of a record that was deleted are not written, and are
/// written again if a record of that id comes back, as when the deletion is undone.
struct UnknownContent: Sendable {
  /// Whole tables, sorted by name.
  private(set) var tables: [UntypedTable] = []
  /// Whole single values, sorted by name.
  private(set) var values: [(name: String, item: Item)] = []
  /// The unknown members of single values, by their names.
  private var valueMembers: [String: [Item.Member]] = [:]
  /// By the name of a table: a `[Value.ID: [Item.Member]]`.
  private var keys: [String: any Sendable] = [:]
  private var counts: [UnknownKey] = []
  /// What contents are told apart by: made anew with every change, nil as long as there is nothing.
  private var mark: Mark?

  private final class Mark: Sendable {}

  /// Whether both are one content, or copies of one. Contents that were read apart are never the same, unless both are empty.
  func isSame(as other: UnknownContent) -> Bool { mark === other.mark }

  /// Everything, for a report; sorted.
  var report: [UnknownKey] {
    counts + tables.map { UnknownKey(table: $0.name, key: nil, count: $0.count) }
      + values.map { UnknownKey(table: $0.name, key: nil, count: 1, isSingleValue: true) }
  }

  /// The unknown members of the records of a table.
  func members<Value: Record>(in table: String, of type: Value.Type) -> [Value.ID: [Item.Member]] {
    keys[table] as? [Value.ID: [Item.Member]] ?? [:]
  }

  /// Takes the members of a table in.
  mutating func add<Value: Record>(
    _ unknown: [(id: Value.ID, members: [Item.Member])], of table: String, _ type: Value.Type
  ) {
    guard !unknown.isEmpty else { return }
    var members: [Value.ID: [Item.Member]] = [:]
    for (id, own) in unknown { members[id] = own.sorted { $0.key < $1.key } }
    set(members, of: table, Value.self)
  }

  /// Makes these the members of a table, those of each record sorted by key.
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

  /// Makes these the unknown members of a single value.
  mutating func set(_ members: [Item.Member], ofValue name: String) {
    if members.isEmpty, valueMembers[name] == nil { return }
    mark = Mark()
    valueMembers[name] = members.isEmpty ? nil : members.sorted { $0.key < $1.key }
    counts.removeAll { $0.table == name }
    counts += members.map { UnknownKey(table: name, key: $0.key.text, count: 1, isSingleValue: true) }
    sortCounts()
  }

  /// Makes these the whole single values.
  mutating func set(_ values: [(name: String, item: Item)]) {
    if !values.isEmpty || !self.values.isEmpty { mark = Mark() }
    self.values = values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Makes these the whole tables.
  mutating func set(_ tables: [UntypedTable]) {
    if !tables.isEmpty || !self.tables.isEmpty { mark = Mark() }
    self.tables = tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

extension UnknownContent {
  /// The same, with what another has of records, single values and tables of which this has nothing.
  func filled<Root: Model>(from other: UnknownContent, _ type: Root.Type) -> UnknownContent {
    var filling = Filling<Root>(first: self, second: other)
    // A name is that of a table or of a value, not of both.
    let names = Set((tables.map(\.name) + values.map(\.name)).map { ExactText($0) })
    filling.result.set(tables + other.tables.filter { !names.contains(ExactText($0.name)) })
    filling.result.set(values + other.values.filter { !names.contains(ExactText($0.name)) })
    Root.schema.visit(&filling)
    return filling.result
  }
}

private struct Filling<Root: Model>: FieldVisitor {
  let first: UnknownContent
  let second: UnknownContent
  var result = UnknownContent()

  init(first: UnknownContent, second: UnknownContent) {
    self.first = first
    self.second = second
  }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    let members = first.members(in: name, of: Value.self)
    let all = second.members(in: name, of: Value.self).merging(members) { $1 }
    result.add(all.map { ($0.key, $0.value) }, of: name, Value.self)
  }

  /// A single value is there on both sides, so it is filled key by key.
  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {
    let own = first.members(ofValue: name)
    let keys = Set(own.map(\.key))
    result.set(own + second.members(ofValue: name).filter { !keys.contains($0.key) }, ofValue: name)
  }
}

extension Item {
  /// The same with the members that its record does not know. What the record writes itself counts.
  func adding(_ unknown: [Member]) -> Item {
    guard case .dictionary(let own) = content else { return self }
    let known = Set(own.map(\.key))
    let more = unknown.filter { !known.contains($0.key) }
    return Item(.dictionary(own + more), offset: offset)
  }

  /// Whether it would be written as it was read: a number with too many digits for a `Double` would not.
  var isKeptExactly: Bool {
    switch content {
    case .rounded(_, let keepsDigits): keepsDigits
    case .array(let items): items.allSatisfy(\.isKeptExactly)
    case .dictionary(let members): members.allSatisfy(\.value.isKeptExactly)
    default: true
    }
  }
}
