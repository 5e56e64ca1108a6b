/// What one side of a merge has done, as far as it matters for whether something may lead nowhere afterwards.
struct MergeSide: Equatable, Sendable {
  /// The tables to which it has added records.
  var added: Set<String> = []
  /// Whether a record that was there is not any more.
  var hasRemoved = false

  init() {}

  /// What has become of `base`. O(changes · log n).
  init<Root: Model>(_ value: Root, since base: Root) {
    var visit = MergeSideVisit(value: value, base: base)
    Root.schema.visit(&visit)
    self = visit.side
  }

  /// Notes a record of a table as it was and as it is.
  mutating func note<Value>(_ table: String, _ before: RecordBox<Value>?, _ after: RecordBox<Value>?) {
    if after == nil { hasRemoved = true }
    if before == nil { added.insert(table) }
  }

  mutating func formUnion(_ other: MergeSide) {
    added.formUnion(other.added)
    hasRemoved = hasRemoved || other.hasRemoved
  }
}

private struct MergeSideVisit<Root: Model>: FieldVisitor {
  let value: Root
  let base: Root
  var side = MergeSide()

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    value[keyPath: table].tree.forEachDifference(from: base[keyPath: table].tree, areSame: { $0 === $1 }) {
      side.note(name, $1, $2)
    }
  }

  /// A single value is neither added nor removed. A change of one counts as little as that of a record.
  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}
