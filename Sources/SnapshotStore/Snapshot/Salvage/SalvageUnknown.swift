/// The tables and single values of a file that the model does not have.
///
/// Each name belongs to one table or one value.
struct SalvageUnknown {
  /// Whether they are kept; otherwise they are lost.
  let isKept: Bool
  /// The tables and values that are kept.
  private(set) var tree = MigrationTree()
  /// The names of the tables that were begun. Some of their records may still wait.
  private var begun: Set<ExactText> = []
  /// The names in the order of the file.
  private(set) var names: [ExactText] = []
  private var noted: Set<ExactText> = []

  init(isKept: Bool) { self.isKept = isKept }

  /// Whether there is a table or a value of a name.
  func has(_ name: String) -> Bool { begun.contains(ExactText(name)) || tree.hasValue(name) }

  /// Whether content under a name is kept. The name of the header is excluded, because no format could hold it.
  func keeps(_ name: String) -> Bool { isKept && ExactText(name) != "snapshot" }

  /// Begins a table. Its records may wait.
  mutating func begin(_ table: String) {
    begun.insert(ExactText(table))
    note(table)
  }

  /// Adds a whole array without records.
  ///
  /// - Returns: whether it is kept.
  mutating func add(table items: [Item], of name: String) -> Bool {
    guard keeps(name), !has(name) else { return false }
    begin(name)
    tree.add(UntypedTable(name: name, items: items), as: name)
    return true
  }

  /// Adds a table without records, unless it has some.
  mutating func addEmptyTable(_ name: String) {
    guard keeps(name), !tree.hasValue(name) else { return }
    note(name)
    tree.add(UntypedTable(name: name), as: name)
  }

  /// Adds a record to a table.
  ///
  /// - Returns: whether it is kept.
  mutating func add(record item: Item, of table: String) -> Bool {
    guard keeps(table), !tree.hasValue(table) else { return false }
    tree.add(UntypedTable(name: table, items: [item]), as: table)
    return true
  }

  mutating func set(value item: Item, of name: String) {
    note(name)
    tree[value: name] = UntypedValue(item)
  }

  private mutating func note(_ name: String) {
    if noted.insert(ExactText(name)).inserted { names.append(ExactText(name)) }
  }
}
