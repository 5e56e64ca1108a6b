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
  /// By the name of a table or value: where in it something stands that a format cannot hold. Found when it is read, not with each save.
  private var unfit: [ExactText: [FileFormat: String]] = [:]
  /// What contents are told apart by: made anew with every change, nil as long as there is nothing.
  private var mark: Mark?

  private final class Mark: Sendable {}

  /// Whether both are one content, or copies of one. Contents that were read apart are never the same, unless both are empty.
  func isSame(as other: UnknownContent) -> Bool { mark === other.mark }

  /// Everything, for a report; sorted.
  var report: [UnknownKey] {
    counts
      + tables.map { UnknownKey(table: $0.name, key: nil, count: $0.count, isSingleValue: $0.isSingleValue) }
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
    unfit[ExactText(table)] = Self.unfitPlaces { canHold in
      let unfit = members.compactMapValues { $0.placeUnfit(canHold) }.min { $0.key < $1.key }
      return unfit.map { "\(table) \("\($0.key)".escapedForMessage(limit: 60))\($0.value)" }
    }
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
    unfit[ExactText(name)] = Self.unfitPlaces { canHold in members.placeUnfit(canHold).map { name + $0 } }
    counts.removeAll { $0.table == name }
    counts += members.map { UnknownKey(table: name, key: $0.key.text, count: 1, isSingleValue: true) }
    sortCounts()
  }

  /// Makes these the whole single values.
  mutating func set(_ values: [(name: String, item: Item)]) {
    if !values.isEmpty || !self.values.isEmpty { mark = Mark() }
    for (name, _) in self.values { unfit[ExactText(name)] = nil }
    for (name, item) in values { unfit[ExactText(name)] = Self.unfitPlaces(name, item) }
    self.values = values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Makes these the whole tables.
  mutating func set(_ tables: [UntypedTable]) {
    if !tables.isEmpty || !self.tables.isEmpty { mark = Mark() }
    for table in self.tables { unfit[ExactText(table.name)] = nil }
    for table in tables {
      unfit[ExactText(table.name)] = Self.unfitPlaces(table.name, Item(.array(table.items)))
    }
    self.tables = tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Where the first name, key or text stands that a format cannot hold; nil if there is none.
  func placeUnfit(for format: FileFormat) -> String? {
    unfit.compactMapValues { $0[format] }.min { $0.key < $1.key }?.value
  }

  private static func unfitPlaces(_ name: String, _ item: Item) -> [FileFormat: String] {
    let shown = name.escapedForMessage(limit: 60)
    return unfitPlaces { canHold in canHold(name) ? item.placeUnfit(canHold).map { shown + $0 } : shown }
  }

  /// The places that are found with what each of the formats can hold.
  private static func unfitPlaces(_ find: ((String) -> Bool) -> String?) -> [FileFormat: String] {
    var places: [FileFormat: String] = [:]
    for format in FileFormat.allCases {
      if let canHold = format.parts.canHold { places[format] = find(canHold) }
    }
    return places
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
}
