import Synchronization

/// All tables of a file, before anything knows their types: what a ``Migration`` changes.
///
/// A table that is not there is an empty one. What is left under names and keys that the schema does not know, once all steps
/// have run, is treated as in a file of the current version.
public struct MigrationTree: Sendable {
  private(set) var tables: [UntypedTable] = []
  private var positions: [String: Int] = [:]
  private let askedFor: AskedNames?

  /// - Parameter askedFor: notes which tables are asked for.
  init(noting askedFor: AskedNames? = nil) { self.askedFor = askedFor }

  /// The names of the tables, in the order of the file.
  public var tableNames: [String] { tables.map(\.name) }

  /// The table of a name; an empty one if there is none. A table comes into being with its first record.
  public subscript(name: String) -> UntypedTable {
    get {
      askedFor?.note(name)
      return positions[name].map { tables[$0] } ?? UntypedTable(name: name)
    }
    _modify {
      askedFor?.note(name)
      if let position = positions[name] {
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
  /// - Throws: ``SnapshotError`` with code `duplicate` if there are records under the new name already.
  public mutating func renameTable(_ name: String, to new: String) throws(SnapshotError) {
    askedFor?.note(name)
    guard positions[name] != nil, name != new else { return }
    guard self[new].count == 0 else {
      throw SnapshotError(
        .duplicate, "the table \(name.quotedForMessage()) cannot be renamed: \(new.quotedForMessage()) is there already"
      )
    }
    dropTable(new)
    guard let table = dropTable(name) else { return }
    add(table, as: new)
  }

  /// Takes a table away with all its records, and gives it.
  @discardableResult
  public mutating func dropTable(_ name: String) -> UntypedTable? {
    askedFor?.note(name)
    guard let position = positions.removeValue(forKey: name) else { return nil }
    let table = tables.remove(at: position)
    for (name, other) in positions where other > position { positions[name] = other - 1 }
    return table
  }

  /// Adds a table, or the records of one to those that are there.
  mutating func add(_ table: UntypedTable, as name: String) {
    if let position = positions[name] {
      tables[position].items += table.items
    } else {
      positions[name] = tables.count
      tables.append(UntypedTable(name: name, items: table.items))
    }
  }
}

/// The names of tables that steps asked a tree for.
final class AskedNames: Sendable {
  private let names = Mutex<Set<String>>([])

  func note(_ name: String) { names.withLock { _ = $0.insert(name) } }

  var sorted: [String] { names.withLock { $0.sorted() } }
}

extension [Migration] {
  /// The tables that the steps know of: those that they ask for when there are none at all.
  var tableNames: [String] {
    let names = AskedNames()
    for step in self {
      var tree = MigrationTree(noting: names)
      try? step.change(&tree)
    }
    return names.sorted
  }
}
