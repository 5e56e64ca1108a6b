/// Merging of tables and single values that the schema does not know.
extension UnknownContent {
  /// Replaces the tables and single values by the merge of those of three contents.
  ///
  /// - Returns: the conflicts: both sides have different content.
  mutating func takeMerged(
    base: UnknownContent, ours: UnknownContent, theirs: UnknownContent, _ policy: MergePolicy
  ) -> [MergeConflict] {
    let merge = UntypedMerge(policy)
    let contents = [base, ours, theirs]
    let allTables = contents.map(\.tables.byName)
    let allValues = contents.map(\.valuesByName)
    let valueNames = Set(allValues.flatMap(\.keys))
    let tableNames = Set(allTables.flatMap(\.keys)).subtracting(valueNames)
    var (tables, values): ([UntypedTable], [(name: String, item: Item)]) = ([], [])
    var conflicts: [MergeConflict] = []
    for name in tableNames.sorted() {
      let sides = allTables.map { $0[name] }
      let (table, found) = merge.merge(name.text, base: sides[0], ours: sides[1], theirs: sides[2])
      conflicts += found
      if var table {
        table.isSingleValue = sides.contains { $0?.isSingleValue == true }
        table.statedIDKey = [sides[1], sides[2], sides[0]].lazy.compactMap { $0?.statedIDKey }.first
        tables.append(table)
      }
    }
    for name in valueNames.sorted() {
      // A file does not distinguish a value that is an array from a table.
      let sides = contents.indices.map { allValues[$0][name] ?? allTables[$0][name].map { Item(.array($0.items)) } }
      let (item, found) = merge.merge(value: name.text, base: sides[0], ours: sides[1], theirs: sides[2])
      conflicts += found
      guard let item else { continue }
      if let items = item.elements {
        let isSingleValue = allTables.contains { $0[name]?.isSingleValue == true }
        tables.append(UntypedTable(name: name.text, items: items, isSingleValue: isSingleValue))
      } else {
        values.append((name.text, item))
      }
    }
    set(tables)
    set(values)
    frame = Self.mergedFrame(ours: ours.frame, theirs: theirs.frame)
    return conflicts
  }
}
