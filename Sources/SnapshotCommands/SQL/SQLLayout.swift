import SnapshotStore

/// The tables for the content of a file.
///
/// The layout follows from the data: the kinds of all values at one place decide the type of a column. Decision 0062
/// says what becomes what.
struct SQLLayout {
  /// A table of the file, or a single value, with its rows.
  struct Root {
    enum Kind {
      /// The records of a table.
      case table
      /// The elements of a single value that is an array.
      case array
      /// A single value.
      case value
    }

    let name: String
    let kind: Kind
    /// The key under which the records of a table have their ids.
    var idKey: String?
    let values: [UntypedValue]
  }

  /// The form of arrays and dictionaries.
  enum Nesting: String, CaseIterable {
    case tables
    case json
  }

  let dialect: SQLDialect
  let nesting: Nesting
  /// The roots first, in the order of the file, then the tables of nested values.
  private(set) var tables: [SQLTable] = []
  /// The names of tables and indexes.
  var names = SQLNames()
  private var childCount = 0

  /// How many levels of arrays and dictionaries have tables. Deeper ones are JSON.
  static let levels = 8
  /// The most tables for nested values. PostgreSQL keeps a lock for each table of a transaction.
  static let mostChildren = 500

  /// O(values).
  init(_ roots: [Root], dialect: SQLDialect, nesting: Nesting) {
    self.dialect = dialect
    self.nesting = nesting
    // The tables of the file keep their names. Those of nested values give way.
    for root in roots {
      tables.append(SQLTable(root: root.name, name: names.add(root.name), rows: .roots, parent: nil, parentSlot: nil))
    }
    for (number, root) in roots.enumerated() {
      var census = ValueCensus()
      for value in root.values { census.note(value, levels: Self.levels) }
      fill(number, census, levels: Self.levels, root)
    }
  }

  /// The content of a file as roots.
  static func roots(of content: SnapshotContent<UntypedModel>) -> [Root] {
    content.tables.map { Root(name: $0.name, kind: .table, idKey: RecordID.key(of: $0), values: $0.values) }
      + content.values.map { name, value in
        value.array.map { Root(name: name, kind: .array, values: $0) }
          ?? Root(name: name, kind: .value, values: [value])
      }
  }

  /// What is under a slot, until it has a place.
  private struct Content {
    let key: String
    let census: ValueCensus
    let levels: Int
    /// Whether some rows have no value there.
    let isOptional: Bool
  }

  /// Makes the columns of a table from its rows, and then the tables of nested values.
  ///
  /// - Parameter root: the rows of a root, whose ids may be a primary key.
  private mutating func fill(_ number: Int, _ rows: ValueCensus, levels: Int, _ root: Root? = nil) {
    var table = tables[number]
    let contents = contents(of: rows, levels: levels)
    table.isBare = contents == nil
    // An empty table of the file has no columns but its number.
    let slots =
      contents
      ?? (rows.count == 0 && table.rows == .roots
        ? [] : [Content(key: "value", census: rows, levels: levels, isOptional: false)])
    var columnNames = SQLNames.ofColumns
    // The properties keep their names. Other columns give way.
    let names = slots.map { childRows($0, isBare: table.isBare) == nil ? columnNames.add($0.key) : "" }
    var nested: [(slot: Int, rows: SQLTable.Rows)] = []
    for (place, content) in slots.enumerated() {
      let rows = childRows(content, isBare: table.isBare)
      table.places[ExactText(content.key)] = place
      table.slots.append(slot(content, names[place], rows, &columnNames))
      if let rows { nested.append((place, rows)) }
    }
    addKey(to: &table, hasChildren: !nested.isEmpty, root, &columnNames)
    tables[number] = table
    for (place, rows) in nested { addChild(of: number, slot: place, rows, slots[place]) }
  }

  /// The members of rows that are dictionaries; nil if the value of a row is a whole.
  private func contents(of rows: ValueCensus, levels: Int) -> [Content]? {
    guard rows.facts.kinds == .dictionary, levels > 0, rows.members.all == nil else { return nil }
    return zip(rows.members.keys, rows.members.censuses).map { key, census in
      let isOptional = census.count < rows.count || census.facts.kinds.contains(.null)
      return Content(key: key, census: census, levels: levels - 1, isOptional: isOptional)
    }
  }

  private func slot(
    _ content: Content, _ name: String, _ rows: SQLTable.Rows?, _ names: inout SQLNames
  ) -> SQLSlot {
    var slot = SQLSlot(key: content.key, facts: content.census.facts)
    switch rows {
    case .elements, .entries:
      // Without it, an empty array and no array would be the same.
      if content.isOptional {
        slot.columns = [SQLColumn(name: names.add(content.key + "_count"), type: .integer)]
      }
    case .members, .roots: break
    case nil:
      for (index, type) in content.census.facts.types(in: dialect).enumerated() {
        slot.columns.append(SQLColumn(name: index == 0 ? name : names.add(content.key + "_exact"), type: type))
      }
    }
    return slot
  }

  /// The rows of the child table for a value; nil if the value is in a column.
  private func childRows(_ content: Content, isBare: Bool) -> SQLTable.Rows? {
    guard nesting == .tables, content.levels > 0, childCount < Self.mostChildren else { return nil }
    let (kinds, census) = (content.census.facts.kinds, content.census)
    // In an array, null has a place, and a table would not tell it from an empty value.
    switch isBare ? kinds : kinds.subtracting(.null) {
    case .array: return .elements
    case .dictionary:
      if census.members.all == nil { return .members }
      return census.members.hasOddKey ? nil : .entries
    default: return nil
    }
  }

  private func addKey(to table: inout SQLTable, hasChildren: Bool, _ root: Root?, _ names: inout SQLNames) {
    if let parent = table.parent, let key = tables[parent].keyColumn {
      // A table with a row for each row of its parent has the same key.
      let isSame = tables[parent].rows == .members
      table.parentColumn = SQLColumn(
        name: names.add(isSame ? key.name : "\(tables[parent].name)_\(key.name)"), type: key.type)
    }
    switch table.rows {
    case .roots:
      if let root, root.kind == .table {
        table.key = SQLID.slot(of: table, root, dialect).map { .property(slot: $0) }
      }
    case .members: table.key = .parent
    case .elements: table.positionColumn = SQLColumn(name: names.add("position"), type: .integer)
    case .entries: table.positionColumn = SQLColumn(name: names.add("key"), type: .text)
    }
    let isList = root.map { $0.kind != .value } ?? false
    if table.key == nil, isList || hasChildren || table.rows == .roots && table.slots.isEmpty {
      table.key = .number(column: names.add("row"))
    }
  }

  private mutating func addChild(of parent: Int, slot: Int, _ rows: SQLTable.Rows, _ content: Content) {
    let number = tables.count
    childCount += 1
    let name = names.add("\(tables[parent].name)_\(content.key)")
    tables.append(
      SQLTable(root: tables[parent].root, name: name, rows: rows, parent: parent, parentSlot: slot))
    tables[parent].slots[slot].child = number
    tables[parent].hasChildren = true
    switch rows {
    case .elements: fill(number, content.census.elements, levels: content.levels - 1)
    case .entries: fill(number, content.census.members.all ?? ValueCensus(), levels: content.levels - 1)
    case .members, .roots: fill(number, content.census.withoutNull, levels: content.levels)
    }
  }
}
