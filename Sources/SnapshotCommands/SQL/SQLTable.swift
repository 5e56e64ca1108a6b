import SnapshotStore

/// A table of an export: its columns, and how rows are made of values.
struct SQLTable {
  /// The rows of the table.
  enum Rows: Equatable {
    /// The records of a table of the file, or the elements of a single value that is an array, or a single value.
    case roots
    /// One row for each dictionary under a property of the parent.
    case members
    /// A row for each element of an array of the parent.
    case elements
    /// A row for each member of a dictionary of the parent.
    case entries
  }

  /// The column that other tables refer to.
  enum Key {
    /// The property in a slot, which is unique.
    case property(slot: Int)
    /// A running number from 1.
    case number(column: String)
    /// The column that refers to the parent, since each parent has one row at most.
    case parent
  }

  /// The name of the table or single value in the file.
  let root: String
  let name: String
  let rows: Rows
  /// The number of the parent's table.
  let parent: Int?
  /// The slot of the parent with the values of the rows.
  let parentSlot: Int?
  /// Whether the value of a row is in the only slot. Otherwise it is a dictionary with a slot for each key.
  var isBare = false
  var slots: [SQLSlot] = []
  /// The slots by their keys.
  var places: [ExactText: Int] = [:]
  /// The columns behind the number of the row, in front of the slots.
  var parentColumn: SQLColumn?
  var positionColumn: SQLColumn?
  var key: Key?
  /// Whether a slot has a table.
  var hasChildren = false

  /// All columns, in their order.
  var columns: [SQLColumn] {
    var columns: [SQLColumn] = []
    if case .number(let name) = key { columns.append(SQLColumn(name: name, type: .integer)) }
    columns += [parentColumn, positionColumn].compactMap(\.self)
    for slot in slots { columns += slot.columns }
    return columns
  }

  /// The column that other tables refer to.
  var keyColumn: SQLColumn? {
    switch key {
    case .property(let slot): slots[slot].columns.first
    case .number(let name): SQLColumn(name: name, type: .integer)
    case .parent: parentColumn
    case nil: nil
    }
  }

  /// The names of the columns of the primary key.
  var primaryKey: [String] {
    switch rows {
    case .roots: [keyColumn?.name].compactMap(\.self)
    case .members: [parentColumn?.name].compactMap(\.self)
    case .elements, .entries: [parentColumn?.name, positionColumn?.name].compactMap(\.self)
    }
  }

  /// The column that child tables refer to, if it is not the primary key.
  var secondKey: SQLColumn? { keyColumn.flatMap { primaryKey.contains($0.name) ? nil : $0 } }

  /// The names that the database cannot have as they are in the file: `“a” is the column "a_2"`.
  var renamings: [String] {
    let table = parent == nil && root != name ? ["“\(root.forTerminal)” is the table \(name.asSQLName)"] : []
    return table
      + slots.compactMap { slot in
        guard !isBare, slot.child == nil, let name = slot.columns.first?.name, name != slot.key else { return nil }
        return "“\(slot.key.forTerminal)” is the column \(name.asSQLName)"
      }
  }

  /// The number of the slot of a key, which is most likely near the guess.
  func place(of key: String, near guess: Int) -> Int? {
    if guess < slots.count, ExactText(slots[guess].key) == ExactText(key) { return guess }
    return places[ExactText(key)]
  }
}

/// The place of a value in a row: a property, or the value itself.
struct SQLSlot {
  /// The key in the file; `value` if the row is no dictionary.
  let key: String
  let facts: ColumnFacts
  /// The number of the table with the nested values; nil if the value is in the columns.
  var child: Int?
  /// The columns of the value. If there are two, the second one is exact. For a child table, the number of its rows, if
  /// some records have no array.
  var columns: [SQLColumn] = []
}

/// A column of a table.
struct SQLColumn: Equatable {
  let name: String
  let type: SQLType
}
