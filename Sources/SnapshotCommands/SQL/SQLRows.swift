import SnapshotStore

/// One row of a table, with the values of its slots.
struct SQLRow {
  /// The number of the table.
  let table: Int
  /// The number of the row in its table, from 1.
  let number: Int64
  /// The value that the parent's key column has.
  let parentKey: UntypedValue?
  /// The position in an array, or the key in a dictionary.
  let position: UntypedValue?
  /// The values, by the slots; nil where there is none.
  let cells: [UntypedValue?]
  /// The record of the file of which the row is a part.
  let record: UntypedValue
}

/// Makes the rows of all tables from the values of a file, each before those of its child tables.
struct SQLRows {
  let layout: SQLLayout
  /// The number of rows of each table so far.
  private var counts: [Int64]

  init(_ layout: SQLLayout) {
    self.layout = layout
    counts = Array(repeating: 0, count: layout.tables.count)
  }

  /// Calls `body` with each row. O(values).
  static func visit<Failure: Error>(
    _ roots: [SQLLayout.Root], in layout: SQLLayout, _ body: (SQLRow) throws(Failure) -> Void
  ) throws(Failure) {
    var rows = SQLRows(layout)
    for (number, root) in roots.enumerated() {
      for value in root.values { try rows.visit(value, number, parentKey: nil, position: nil, record: value, body) }
    }
  }

  private mutating func visit<Failure: Error>(
    _ value: UntypedValue, _ number: Int, parentKey: UntypedValue?, position: UntypedValue?, record: UntypedValue,
    _ body: (SQLRow) throws(Failure) -> Void
  ) throws(Failure) {
    counts[number] += 1
    let table = layout.tables[number]
    let row = SQLRow(
      table: number, number: counts[number], parentKey: parentKey, position: position, cells: cells(value, table),
      record: record)
    try body(row)
    guard table.hasChildren, let key = row.key(in: table) else { return }
    for (slot, cell) in zip(table.slots, row.cells) {
      guard let child = slot.child, let cell, !cell.isNull else { continue }
      switch layout.tables[child].rows {
      case .elements:
        for (index, element) in (cell.array ?? []).enumerated() {
          try visit(element, child, parentKey: key, position: UntypedValue(index), record: record, body)
        }
      case .entries:
        for (name, member) in cell.record ?? [:] {
          try visit(member, child, parentKey: key, position: UntypedValue(name), record: record, body)
        }
      case .members, .roots: try visit(cell, child, parentKey: key, position: nil, record: record, body)
      }
    }
  }

  private func cells(_ value: UntypedValue, _ table: SQLTable) -> [UntypedValue?] {
    if table.isBare { return [value] }
    var cells = [UntypedValue?](repeating: nil, count: table.slots.count)
    var guess = 0
    for (key, value) in value.record ?? [:] {
      guard let place = table.place(of: key, near: guess) else { continue }
      guess = place + 1
      cells[place] = value
    }
    return cells
  }
}

extension SQLRow {
  /// The value to which the rows of child tables refer.
  func key(in table: SQLTable) -> UntypedValue? {
    switch table.key {
    case .property(let slot): cells[slot]
    case .number: UntypedValue(number)
    case .parent: parentKey
    case nil: nil
    }
  }
}
