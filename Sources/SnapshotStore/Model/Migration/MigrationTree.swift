/// All tables of a file without their types. A ``Migration`` changes it.
///
/// ```swift
/// let tidy = Migration("tidy", to: 2) { tree in
///   try tree.renameTable("entries", to: "posts")
///   tree.dropTable("drafts")
///   try tree["posts"].setMissing("tags", to: [])
/// }
/// ```
///
/// A missing table is an empty one. Names and keys that the schema does not know after all steps are treated as in a
/// file of the current version.
public struct MigrationTree: Sendable {
  private(set) var tables: [UntypedTable] = []
  /// The single values, in the order of the file. An array is among the tables, because a file that another program
  /// wrote need not distinguish the two. So a migration works the same for all files.
  private(set) var values: [(name: String, item: Item)] = []
  private var positions: [ExactText: Int] = [:]
  private var valuePositions: [ExactText: Int] = [:]

  /// The names of the tables, in the order of the file.
  var tableNames: [String] { tables.map(\.name) }

  /// The table with a name; empty if there is none. A table is created with its first record.
  public subscript(name: String) -> UntypedTable {
    get {
      return positions[ExactText(name)].map { tables[$0] } ?? UntypedTable(name: name)
    }
    _modify {
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

  /// Renames a table. A missing table changes nothing.
  ///
  /// - Throws: ``SnapshotError`` with code `duplicate` if the new name already has records or a single value.
  public mutating func renameTable(_ name: String, to new: String) throws(SnapshotError) {
    guard positions[ExactText(name)] != nil, ExactText(name) != ExactText(new) else { return }
    guard !has(new) else {
      throw SnapshotError(
        .duplicate, "the table \(name.quotedForMessage()) cannot be renamed: \(new.quotedForMessage()) already exists"
      )
    }
    removeTable(new)
    if let table = removeTable(name) { add(table, as: new) }
  }

  /// Removes a table with all its records, and returns it.
  @discardableResult
  public mutating func dropTable(_ name: String) -> UntypedTable? {
    return removeTable(name)
  }

  @discardableResult
  private mutating func removeTable(_ name: String) -> UntypedTable? {
    guard let position = positions.removeValue(forKey: ExactText(name)) else { return nil }
    let table = tables.remove(at: position)
    for (name, other) in positions where other > position { positions[name] = other - 1 }
    return table
  }

  /// Adds a table, or adds its records to those of an existing table.
  mutating func add(_ table: UntypedTable, as name: String) {
    if let position = positions[ExactText(name)] {
      tables[position].items += table.items
    } else {
      positions[ExactText(name)] = tables.count
      var table = table
      table.name = name
      tables.append(table)
    }
  }
}

// MARK: - Single values

extension MigrationTree {
  /// The single value with a name; nil if there is none. Setting nil removes it.
  ///
  /// A value that is an array is among the tables, because not every file distinguishes the two. It can be read here
  /// too. Setting a value replaces a table with the same name.
  public subscript(value name: String) -> UntypedValue? {
    get {
      if let position = valuePositions[ExactText(name)] { return UntypedValue(values[position].item) }
      return positions[ExactText(name)].map { UntypedValue(Item(.array(tables[$0].items))) }
    }
    set {
      guard let item = newValue?.item else {
        removeTable(name)
        return removeValue(name)
      }
      if let items = item.elements {
        removeValue(name)
        return setTable(UntypedTable(name: name, items: items, isSingleValue: true))
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

  /// Renames a single value. A missing value changes nothing.
  ///
  /// - Throws: ``SnapshotError`` with code `duplicate` if the new name already has a value, or a table with records.
  public mutating func renameValue(_ name: String, to new: String) throws(SnapshotError) {
    guard ExactText(name) != ExactText(new), let value = self[value: name] else { return }
    if has(new) {
      throw SnapshotError(
        .duplicate,
        "the value \(name.quotedForMessage()) cannot be renamed: \(new.quotedForMessage()) already exists")
    }
    self[value: name] = nil
    self[value: new] = value
  }

  /// Whether a name has a value, or a table with records.
  func has(_ name: String) -> Bool {
    hasValue(name) || positions[ExactText(name)].map { tables[$0].count > 0 } == true
  }

  /// Whether a name has a value that is known not to be a table.
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
