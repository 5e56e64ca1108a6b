import SnapshotStore

/// A foreign key: the values of a slot are ids of the records of another table.
struct SQLLink {
  let table: Int
  let slot: Int
  /// A root whose primary key is a property.
  let target: Int

  /// The links that the data leaves no doubt about.
  ///
  /// All values of a property are ids of one table. Besides, the property is named after the table (`tags`, `authorID`
  /// for `authors`), or the ids are UUIDs, which do not meet by chance. O(values).
  static func all(in layout: SQLLayout, _ roots: [SQLLayout.Root]) -> [SQLLink] {
    let targets = SQLTargets(layout, roots)
    var search: [[(slot: Int, link: LinkSearch)]] = layout.tables.indices.map { targets.searches(ofTable: $0, layout) }
    if search.allSatisfy(\.isEmpty) { return [] }
    SQLRows.visit(roots, in: layout) { row in
      for index in search[row.table].indices {
        guard let value = row.cells[search[row.table][index].slot], !value.isNull else { continue }
        targets.check(value, &search[row.table][index].link)
      }
    }
    return search.enumerated().flatMap { table, slots in
      slots.compactMap { slot, link in
        if case .found(let target) = link { SQLLink(table: table, slot: slot, target: target) } else { nil }
      }
    }
  }

  /// The table names to which the name of a property may lead: singular and plural, with and without “ID” at its end.
  static func tableNames(for property: String) -> [String] {
    var name = property
    for ending in ["_ids", "_id", "IDs", "Ids", "ID", "Id"] where name.hasSuffix(ending) {
      name.removeLast(ending.count)
      break
    }
    name = name.lowercased()
    if name.isEmpty { return [] }
    return [name, name + "s", name + "es"] + (name.hasSuffix("y") ? [name.dropLast() + "ies"] : [])
  }
}

/// What is known of the table to which a slot leads.
enum LinkSearch {
  /// The first value decides, since it is a UUID.
  case anyTable
  /// The name leads to a table. There was no value yet.
  case table(Int)
  /// There were values, and all lead to a table.
  case found(Int)
  case none
}

/// The tables to which links may lead, with their ids.
private struct SQLTargets {
  private var tablesByName: [String: Int] = [:]
  private var ids: [Int: Set<SQLID>] = [:]
  /// The tables of UUIDs; nil for one that several tables have.
  private var tablesByUUID: [SQLID: Int?] = [:]
  private let layout: SQLLayout

  init(_ layout: SQLLayout, _ roots: [SQLLayout.Root]) {
    self.layout = layout
    for (number, root) in roots.enumerated() {
      guard let column = key(of: number) else { continue }
      let values = root.values.compactMap { $0.record?[column.key].flatMap(SQLID.init) }
      if column.type == .uuid {
        for id in values { tablesByUUID[id] = tablesByUUID[id] == nil ? number : .some(nil) }
      } else {
        tablesByName[root.name.lowercased()] = number
        ids[number] = Set(values)
      }
    }
  }

  private func key(of number: Int) -> (key: String, type: SQLType)? {
    guard case .property(let slot) = layout.tables[number].key else { return nil }
    return (layout.tables[number].slots[slot].key, layout.tables[number].slots[slot].columns[0].type)
  }

  /// The slots of a table that may lead to another one.
  func searches(ofTable number: Int, _ layout: SQLLayout) -> [(slot: Int, link: LinkSearch)] {
    let table = layout.tables[number]
    return table.slots.enumerated().compactMap { place, slot in
      guard slot.mayBeKey(in: layout.dialect), let type = slot.columns.first?.type else { return nil }
      if case .property(place) = table.key { return nil }
      if type == .uuid { return (place, .anyTable) }
      // The elements of an array are named after the property that has the array.
      let name = table.isBare ? table.parent.flatMap { layout.tables[$0].slots[table.parentSlot ?? 0].key } : slot.key
      let target = SQLLink.tableNames(for: name ?? "").lazy.compactMap { tablesByName[$0] }.first
      guard let target, key(of: target)?.type == type else { return nil }
      return (place, .table(target))
    }
  }

  /// Notes a value of a slot.
  func check(_ value: UntypedValue, _ link: inout LinkSearch) {
    guard let id = SQLID(value) else { return link = .none }
    switch link {
    case .anyTable: link = (tablesByUUID[id] ?? nil).map { .found($0) } ?? .none
    case .table(let target), .found(let target):
      let isID = ids[target].map { $0.contains(id) } ?? (tablesByUUID[id] == .some(target))
      link = isID ? .found(target) : .none
    case .none: break
    }
  }
}
