/// The tables and single values of a file that are none of the model's.
///
/// Each name is that of one table or of one value.
struct SalvageUnknown {
  /// Whether they are kept as they are; otherwise they are lost.
  let isKept: Bool
  /// What is kept.
  private(set) var tree = MigrationTree()
  /// The names of the tables that were begun. Records of them may still wait.
  private var begun: Set<ExactText> = []

  init(isKept: Bool) { self.isKept = isKept }

  /// Whether there is a table or a value of a name.
  func has(_ name: String) -> Bool { begun.contains(ExactText(name)) || tree.hasValue(name) }

  /// Whether what stands under a name is kept. No format could hold it under that of the header.
  func keeps(_ name: String) -> Bool { isKept && ExactText(name) != "snapshot" }

  /// Whether an item is kept under a name, and as it was read.
  func canKeep(_ item: Item, of name: String) -> Bool { keeps(name) && item.isKeptExactly }

  /// A table begins, whose records may wait.
  mutating func begin(_ table: String) { begun.insert(ExactText(table)) }

  /// Adds a whole array, none of whose elements is a record.
  ///
  /// - Returns: whether it is kept.
  mutating func add(table items: [Item], of name: String) -> Bool {
    guard keeps(name), items.allSatisfy(\.isKeptExactly), !has(name) else { return false }
    begin(name)
    tree.add(UntypedTable(name: name, items: items), as: name)
    return true
  }

  /// Adds a record to a table.
  ///
  /// - Returns: whether it is kept.
  mutating func add(record item: Item, of table: String) -> Bool {
    guard canKeep(item, of: table), !tree.hasValue(table) else { return false }
    tree.add(UntypedTable(name: table, items: [item]), as: table)
    return true
  }

  mutating func set(value item: Item, of name: String) { tree[value: name] = UntypedValue(item) }
}
