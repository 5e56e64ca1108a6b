extension Table {
  /// Whether more records than a limit are others in memory than in another table. O(limit · log n).
  func differs(from old: Table, inMoreThan limit: Int) -> Bool {
    var (differences, steps) = (0, 0)
    do {
      // Many records may have been put elsewhere, and be the same: they count less.
      try tree.forEachDifference(from: old.tree) {
        steps += 1
        return $0 === $1 && steps <= 64 * (limit + 1)
      } _: { _, _, _ in
        differences += 1
        if differences > limit || steps > 64 * (limit + 1) { throw Excess() }
      }
      return false
    } catch {
      return true
    }
  }
}

private struct Excess: Error {}

extension Model {
  /// Whether so few records are others than in another value that the two can be merged while others wait.
  func differsLittle(from other: Self) -> Bool {
    var comparison = LittleDifference(a: self, b: other)
    Self.schema.visit(&comparison)
    return comparison.isLittle
  }
}

private struct LittleDifference<Root: Model>: FieldVisitor {
  let a: Root
  let b: Root
  var isLittle = true

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    isLittle = isLittle && !a[keyPath: table].differs(from: b[keyPath: table], inMoreThan: 64)
  }

  /// A single value is small.
  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}
