import SnapshotStore

/// Values that a database cannot hold.
enum SQLRefusal {
  /// Refuses texts with U+0000 in columns of texts. PostgreSQL holds them only in JSON.
  static func requireNoNUL(_ roots: [SQLLayout.Root], in layout: SQLLayout) throws {
    let places = layout.tables.map { table in
      table.slots.indices.filter { table.slots[$0].facts.hasNUL && table.slots[$0].columns.first?.type == .text }
    }
    if places.allSatisfy(\.isEmpty) { return }
    var count = 0
    var first: (row: SQLRow, slot: Int)?
    SQLRows.visit(roots, in: layout) { row in
      for slot in places[row.table] where row.cells[slot]?.text?.hasNUL == true {
        count += 1
        if first == nil { first = (row, slot) }
      }
    }
    guard let first else { return }
    let table = layout.tables[first.row.table]
    let key = roots.first { ExactText($0.name) == ExactText(table.root) }?.idKey
    let id = RecordID(of: first.row.record, under: key).map { " " + $0.shown.shortForMessage } ?? ""
    let more = count > 1 ? ", and \(Counts.text(count - 1, "more text"))" : ""
    throw CommandFailure(
      "\(table.root.shortForMessage)\(id), \(path(to: table, table.slots[first.slot], layout)): PostgreSQL has no "
        + "character U+0000 in a text\(more); remove it (“\(Tool.runningName) set” changes a property), "
        + "or take --dialect sqlite", .badData)
  }

  /// The property of the record: `pages[].title`.
  private static func path(to table: SQLTable, _ slot: SQLSlot, _ layout: SQLLayout) -> String {
    var path = table.isBare ? "" : slot.key.shortForMessage
    var table = table
    while let parent = table.parent, let place = table.parentSlot {
      let outer = layout.tables[parent]
      let mark = table.rows == .members ? "" : "[]"
      let key = outer.isBare ? "" : outer.slots[place].key.shortForMessage
      path = key + mark + (path.isEmpty || path.hasPrefix("[") ? "" : ".") + path
      table = outer
    }
    return path.isEmpty ? "the value" : path
  }
}
