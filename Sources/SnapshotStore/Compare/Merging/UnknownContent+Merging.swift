/// Merging of tables and single values that the schema does not know.
extension UnknownContent {
  /// Replaces the tables and single values by the merge of those of several contents.
  ///
  /// - Parameter bases: the possible bases; not empty.
  /// - Returns: the conflicts: both sides have different content.
  mutating func takeMerged(
    bases: [UnknownContent], ours: UnknownContent, theirs: UnknownContent, _ policy: MergePolicy
  ) -> [MergeConflict] {
    let merge = UntypedMerge(policy)
    let bases = bases.distinct
    let contents = bases + [ours, theirs]
    let allTables = contents.map(\.tables.byName)
    let allValues = contents.map(\.valuesByName)
    let valueNames = Set(allValues.flatMap(\.keys))
    let tableNames = Set(allTables.flatMap(\.keys)).subtracting(valueNames)
    var (merged, values): ([UntypedTable], [(name: String, item: Item)]) = ([], [])
    var conflicts: [MergeConflict] = []
    for name in tableNames.sorted() {
      let tables = allTables.map { $0[name] }
      let sides = (ours: tables[bases.count], theirs: tables[bases.count + 1])
      let (table, found) = merge.merge(
        name.text, bases: Array(tables.dropLast(2)), ours: sides.ours, theirs: sides.theirs)
      conflicts += found
      if var table {
        table.isSingleValue = tables.contains { $0?.isSingleValue == true }
        table.statedIDKey = ([sides.ours, sides.theirs] + tables).lazy.compactMap { $0?.statedIDKey }.first
        merged.append(table)
      }
    }
    for name in valueNames.sorted() {
      // A file does not distinguish a value that is an array from a table.
      let sides = contents.indices.map { allValues[$0][name] ?? allTables[$0][name].map { Item(.array($0.items)) } }
      let (item, found) = merge.merge(
        value: name.text, bases: Array(sides.dropLast(2)), ours: sides[bases.count], theirs: sides[bases.count + 1])
      conflicts += found
      guard let item else { continue }
      if let items = item.elements {
        let isSingleValue = allTables.contains { $0[name]?.isSingleValue == true }
        merged.append(UntypedTable(name: name.text, items: items, isSingleValue: isSingleValue))
      } else {
        values.append((name.text, item))
      }
    }
    set(merged)
    set(values)
    frame = Self.mergedFrame(ours: ours.frame, theirs: theirs.frame)
    return conflicts
  }
}

extension [UnknownContent] {
  /// The contents without copies of others. Not empty if these are not.
  var distinct: Self {
    indices.filter { index in !self[..<index].contains { $0.isSame(as: self[index]) } }.map { self[$0] }
  }
}
