/// The invariants of a table and its indexes, checked at the end of tests.
extension Table {
  /// Everything that is wrong with the table itself, in words. Empty unless this library has a defect.
  ///
  /// Checks the tree, the ids of all records, and every index against one that is built anew. O(n log n).
  package func invariantViolations() -> [String] {
    var violations = tree.invariantViolations()
    for (id, box) in tree.elements where box.record.id != id {
      violations.append("record \(Self.name(box.record.id)) stands under \(Self.name(id))")
    }
    let boxes = self.boxes
    for index in indexes {
      let (rebuilt, conflict) = index.maintainer.build(boxes)
      var problems = index.maintainer.violations(index.entries, rebuilt)
      if let conflict {
        problems.append("\(Self.name(conflict.id)) and \(Self.name(conflict.holder)) share a key")
      }
      violations += problems.map { "index \(index.maintainer.name): \($0)" }
    }
    return violations
  }
}
