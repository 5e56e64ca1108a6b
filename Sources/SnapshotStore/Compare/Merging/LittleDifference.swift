/// Whether two tables differ in a few records only.
extension Table {
  /// Whether more records than a limit differ by identity from another table. O(limit · log n).
  func differs(from old: Table, inMoreThan limit: Int) -> Bool {
    // Many records may be the same but in other nodes. So the number of visited nodes has a limit too.
    let stepLimit = 16 * (limit + 4)
    var differences = 0
    do {
      let steps = try tree.forEachDifference(from: old.tree, stepLimit: stepLimit, areSame: { $0 === $1 }) { _, _, _ in
        differences += 1
        if differences > limit { throw Excess() }
      }
      return steps == nil
    } catch {
      return true
    }
  }
}

private struct Excess: Error {}

extension Model {
  /// Whether so few records differ from another value that the two can be merged while other writers wait.
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
