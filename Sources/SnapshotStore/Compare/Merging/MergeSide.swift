/// The additions and removals of one side of a merge. They decide whether a merge may leave a broken reference.
struct MergeSide: Equatable, Sendable {
  /// The tables to which it has added records.
  var added: Set<String> = []
  /// Whether a record of the base was removed.
  var hasRemoved = false

  init() {}

  /// The changes since `base`. O(changes · log n).
  init<Root: Model>(_ value: Root, since base: Root) {
    var visit = MergeSideVisit(value: value, base: base)
    Root.schema.visit(&visit)
    self = visit.side
  }

  /// Notes a record of a table before and after its change.
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
  // Kept, because each use of a schema copies it.
  private let derived = Root.schema.derivedFields
  var side = MergeSide()

  init(value: Root, base: Root) {
    self.value = value
    self.base = base
  }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    if derived.contains(name) { return }
    value[keyPath: table].tree.forEachDifference(from: base[keyPath: table].tree, areSame: { $0 === $1 }) {
      side.note(name, $1, $2)
    }
  }

  /// A single value is neither added nor removed. A change of one has no effect here, like a change of a record.
  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}
