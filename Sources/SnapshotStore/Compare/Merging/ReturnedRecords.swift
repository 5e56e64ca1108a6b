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

/// The properties in which the single values of two models differ, as conflicts.
struct DifferentValues<Root: Model>: FieldVisitor {
  private let result: Root
  private let side: Root
  private let resolution: MergeConflict.Resolution
  private var conflicts: [MergeConflict] = []

  /// - Parameters:
  ///   - result: the result of a merge.
  ///   - side: a side of the merge, of which the result does not have these properties.
  static func conflicts(in result: Root, _ side: Root, _ resolution: MergeConflict.Resolution) -> [MergeConflict] {
    var differences = DifferentValues(result: result, side: side, resolution: resolution)
    Root.schema.visit(&differences)
    return differences.conflicts
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {}

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    let (ours, theirs) = (result[keyPath: path], side[keyPath: path])
    if Root.schema.derivedFields.contains(name) || SingleValueCoding.areStoredAlike(theirs, ours) { return }
    let merge = RecordMerge(name, bases: [], ours: ours, theirs: theirs, rules: [], policy: .ours)
    conflicts += merge.conflicts.map { MergeConflict(table: name, id: "", properties: $1, resolution: resolution) }
  }
}
