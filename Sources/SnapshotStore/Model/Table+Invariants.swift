extension Table {
  /// Everything that is wrong with the table itself, in words; empty unless this library has a defect.
  ///
  /// Checks the tree, that every record stands under its own id, and every index against one built anew. O(n log n).
  public func invariantViolations() -> [String] {
    var violations = tree.invariantViolations()
    for (id, box) in tree.elements where box.record.id != id {
      violations.append("record \(Self.name(box.record.id)) stands under \(Self.name(id))")
    }
    for storage in indexes {
      guard let declaration = Value.indexes.first(where: { $0.name == storage.name }) else {
        violations.append("index \(storage.name) is not declared")
        continue
      }
      var rebuilt = declaration.makeStorage()
      if let (a, b) = rebuilt.build(from: self) {
        violations.append("index \(storage.name): \(Self.name(a)) and \(Self.name(b)) share a key")
      }
      violations += storage.invariantViolations(against: rebuilt)
    }
    return violations
  }
}
