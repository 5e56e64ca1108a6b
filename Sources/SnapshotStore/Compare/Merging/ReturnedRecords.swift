/// What one side of a merge has removed, and the result has nevertheless. O(changes).
struct ReturnedRecords<Root: Model>: FieldVisitor {
  private let before: Root
  private let after: Root
  private let result: Root
  private let resolution: MergeConflict.Resolution
  private var conflicts: [MergeConflict] = []

  /// A conflict for each record that was removed between two values, and is in the result of a merge.
  static func conflicts(from before: Root, to after: Root, in result: Root, _ resolution: MergeConflict.Resolution)
    -> [MergeConflict]
  {
    var search = ReturnedRecords(before: before, after: after, result: result, resolution: resolution)
    Root.schema.visit(&search)
    return search.conflicts
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    if Root.schema.derivedFields.contains(name) { return }
    for change in after[keyPath: path].storedChanges(from: before[keyPath: path]) where change.after == nil {
      if result[keyPath: path].tree[change.id] == nil { continue }
      conflicts.append(MergeConflict(table: name, id: "\(change.id)", properties: [], resolution: resolution))
    }
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {}
}
