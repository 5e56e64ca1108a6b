/// The merge of what someone else wrote into a file, from what it may have been made from.
struct ExternalMerge<Root: Model> {
  let theirs: Root
  let origins: MergeOrigins<Root>
  /// What the file held last.
  let newest: Root

  /// What came of it.
  struct Result {
    let value: Root
    let conflicts: [MergeConflict]
    let mended: [Violation]
    /// Whether theirs may have something that the value has not.
    let losesTheirs: Bool
  }

  func run(_ ours: Root) -> Result {
    let merged = Root.merging(bases: origins.values, ours: ours, theirs: theirs)
    let conflicts = merged.conflicts + (origins.isNewest ? [] : passedOver(by: merged, ours))
    return Result(
      value: merged.value, conflicts: conflicts, mended: merged.mended,
      losesTheirs: origins.isUnknown || !conflicts.isEmpty || !merged.mended.isEmpty)
  }

  /// What would count as changed by them had they read the newest version. It is a leftover of an older one, or a change back to it:
  /// not taken, but not lost without a word either.
  private func passedOver(
    by merged: (value: Root, conflicts: [MergeConflict], mended: [Violation]), _ ours: Root
  ) -> [MergeConflict] {
    let plain = Root.merging(bases: [newest], ours: ours, theirs: theirs)
    let known = Set(merged.conflicts.map { [$0.table, $0.id] })
    var search = PassedOver(merged: merged.value, plain: plain.value)
    Root.schema.visit(&search)
    return search.conflicts.filter { !known.contains([$0.table, $0.id]) }
  }
}

private struct PassedOver<Root: Model>: FieldVisitor {
  let merged: Root
  let plain: Root
  var conflicts: [MergeConflict] = []

  init(merged: Root, plain: Root) {
    self.merged = merged
    self.plain = plain
  }

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    for change in plain[keyPath: path].storedChanges(from: merged[keyPath: path]) {
      conflicts.append(MergeConflict(table: name, id: "\(change.id)", resolution: .tookOursOverOlder))
    }
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    if SingleValueCoding.areStoredAlike(merged[keyPath: path], plain[keyPath: path]) { return }
    conflicts.append(MergeConflict(table: name, id: "", resolution: .tookOursOverOlder))
  }
}
