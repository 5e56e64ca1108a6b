import Synchronization

/// All tables of a file, before anything knows their types: what a ``Migration`` changes.
///
/// A table that is not there is an empty one. What is left under names and keys that the schema does not know, once all steps
/// have run, is treated as in a file of the current version.
public struct MigrationTree: Sendable {
  private(set) var tables: [UntypedTable] = []
  /// The single values, in the order of the file. An array is among the tables, since most formats do not tell the two apart: so a
  /// migration does the same in all.
  private(set) var values: [(name: String, item: Item)] = []
  private var positions: [ExactText: Int] = [:]
  private var valuePositions: [ExactText: Int] = [:]
  private let askedFor: AskedNames?

  /// - Parameter askedFor: notes which tables are asked for.
  init(noting askedFor: AskedNames? = nil) { self.askedFor = askedFor }

  /// The names of the tables, in the order of the file.
  public var tableNames: [String] { tables.map(\.name) }

  /// The table of a name; an empty one if there is none. A table comes into being with its first record.
  public subscript(name: String) -> UntypedTable {
    get {
      askedFor?.note(name)
      return positions[ExactText(name)].map { tables[$0] } ?? UntypedTable(name: name)
    }
    _modify {
      askedFor?.note(name)
      if let position = positions[ExactText(name)] {
        defer { tables[position].name = name }
        yield &tables[position]
      } else {
        var table = UntypedTable(name: name)
        defer { if table.count > 0 { add(table, as: name) } }
        yield &table
      }
    }
  }

  /// Gives a table another name. A table that is not there is none to rename.
  ///
  /// - Throws: ``SnapshotError`` with code `duplicate` if there are records, or a single value, under the new name already.
  public mutating func renameTable(_ name: String, to new: String) throws(SnapshotError) {
    askedFor?.note(name)
    guard positions[ExactText(name)] != nil, ExactText(name) != ExactText(new) else { return }
    askedFor?.note(new)
    guard !has(new) else {
      throw SnapshotError(
        .duplicate, "the table \(name.quotedForMessage()) cannot be renamed: \(new.quotedForMessage()) is there already"
      )
    }
    removeTable(new)
    if let table = removeTable(name) { add(table, as: new) }
  }

  /// Takes a table away with all its records, and gives it.
  @discardableResult
  public mutating func dropTable(_ name: String) -> UntypedTable? {
    askedFor?.note(name)
    return removeTable(name)
  }

  @discardableResult
  private mutating func removeTable(_ name: String) -> UntypedTable? {
    guard let position = positions.removeValue(forKey: ExactText(name)) else { return nil }
    let table = tables.remove(at: position)
    for (name, other) in positions where other > position { positions[name] = other - 1 }
    return table
  }

  /// Adds a table, or the records of one to those that are there.
  mutating func add(_ table: UntypedTable, as name: String) {
    if let position = positions[ExactText(name)] {
      tables[position].items += table.items
    } else {
      positions[ExactText(name)] = tables.count
      tables.append(UntypedTable(name: name, items: table.items, isSingleValue: table.isSingleValue))
    }
  }
}

// MARK: - Single values

extension MigrationTree {
  /// The names of the single values, in the order of the file, but for those that are arrays: these are among the tables.
  public var valueNames: [String] { values.map(\.name) }

  /// The single value of a name; nil if there is none. Setting nil takes it away.
  ///
  /// A file does not tell an array from a table. So a value that is one is among the tables, and is given here all the same; a value that is
  /// set takes the place of a table of its name.
  public subscript(value name: String) -> UntypedValue? {
    get {
      askedFor?.note(value: name)
      if let position = valuePositions[ExactText(name)] { return UntypedValue(values[position].item) }
      return positions[ExactText(name)].map { UntypedValue(Item(.array(tables[$0].items))) }
    }
    set {
      askedFor?.note(value: name)
      guard let item = newValue?.item else {
        removeTable(name)
        return removeValue(name)
      }
      if let items = item.elements {
        removeValue(name)
        return setTable(UntypedTable(name: name, items: items, isSingleValue: !items.isEmpty))
      }
      removeTable(name)
      if let position = valuePositions[ExactText(name)] {
        values[position].item = item
      } else {
        valuePositions[ExactText(name)] = values.count
        values.append((name, item))
      }
    }
  }

  /// Gives a single value another name. A value that is not there is none to rename.
  ///
  /// - Throws: ``SnapshotError`` with code `duplicate` if there is a value, or a table with records, under the new name already.
  public mutating func renameValue(_ name: String, to new: String) throws(SnapshotError) {
    guard ExactText(name) != ExactText(new), let value = self[value: name] else { return }
    if has(new) {
      throw SnapshotError(
        .duplicate,
        "the value \(name.quotedForMessage()) cannot be renamed: \(new.quotedForMessage()) is there already")
    }
    self[value: name] = nil
    self[value: new] = value
  }

  /// Whether there is a value, or a table with records, of a name.
  func has(_ name: String) -> Bool {
    hasValue(name) || positions[ExactText(name)].map { tables[$0].count > 0 } == true
  }

  /// Whether there is a value of a name that is known to be no table.
  func hasValue(_ name: String) -> Bool {
    valuePositions[ExactText(name)] != nil || positions[ExactText(name)].map { tables[$0].isSingleValue } == true
  }

  private mutating func removeValue(_ name: String) {
    guard let position = valuePositions.removeValue(forKey: ExactText(name)) else { return }
    values.remove(at: position)
    for (name, other) in valuePositions where other > position { valuePositions[name] = other - 1 }
  }

  private mutating func setTable(_ table: UntypedTable) {
    if let position = positions[ExactText(table.name)] { tables[position] = table } else { add(table, as: table.name) }
  }
}

/// The names of tables, or of single values, that steps asked a tree for.
final class AskedNames: Sendable {
  private let names = Mutex<(tables: Set<ExactText>, values: Set<ExactText>)>(([], []))

  func note(_ name: String) { names.withLock { _ = $0.tables.insert(ExactText(name)) } }

  func note(value name: String) { names.withLock { _ = $0.values.insert(ExactText(name)) } }

  var sorted: (tables: [String], values: [String]) {
    names.withLock { ($0.tables.sorted().map(\.text), $0.values.sorted().map(\.text)) }
  }
}

extension [Migration] {
  /// The tables and single values that the steps know of: those that they ask for when there are none at all.
  var namesAskedFor: (tables: [String], values: [String]) {
    let names = AskedNames()
    for step in self {
      var tree = MigrationTree(noting: names)
      try? step.change(&tree)
    }
    return names.sorted
  }
}
