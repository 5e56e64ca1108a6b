import SnapshotStore

/// An index of a column.
struct SQLIndex {
  let name: String
  let table: Int
  let slot: Int

  /// An index for each foreign key, and for each declared index whose name is that of a property.
  ///
  /// A declared index has a function for its keys, which SQL cannot have. But the index “tag” is that of `tags`. An
  /// index on another column than the declared one does no harm.
  static func all(in layout: inout SQLLayout, _ links: [SQLLink], declared: (String) -> [String]) -> [SQLIndex] {
    var places: [[Int]] = links.map { [$0.table, $0.slot] }
    for (number, table) in layout.tables.enumerated() where table.parent == nil {
      for name in declared(table.root) {
        guard let slot = table.slots.firstIndex(where: { SQLLink.tableNames(for: name).contains($0.key.lowercased()) })
        else { continue }
        if let child = table.slots[slot].child {
          if layout.tables[child].isBare { places.append([child, 0]) }
        } else {
          places.append([number, slot])
        }
      }
    }
    var indexes: [SQLIndex] = []
    var seen = Set<[Int]>()
    for place in places where seen.insert(place).inserted {
      let table = layout.tables[place[0]]
      let slot = table.slots[place[1]]
      if case .property(place[1]) = table.key { continue }
      guard slot.mayBeIndexed else { continue }
      let name = layout.names.add("\(table.name)_\(slot.columns[0].name)_index")
      indexes.append(SQLIndex(name: name, table: place[0], slot: place[1]))
    }
    return indexes
  }
}

extension SQLSlot {
  /// Whether the column may have an index. PostgreSQL refuses texts of more than 2,704 bytes in one.
  fileprivate var mayBeIndexed: Bool {
    guard child == nil, let type = columns.first?.type else { return false }
    return type != .json && type != .data && facts.longestText <= MemberCensus.longestKey
  }
}
