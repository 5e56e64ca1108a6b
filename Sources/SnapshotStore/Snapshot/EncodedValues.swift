/// The single values of a model as they will be written. The header of a file names those that are arrays, and stands
/// before them, so all are encoded first.
struct EncodedValues<Root: Model>: FieldVisitor {
  private let root: Root
  private let unknown: UnknownContent
  private var items: [ExactText: Item] = [:]
  /// The names of the values that are arrays, in the order of the file.
  private(set) var arrays: [String] = []

  init(of root: Root, _ unknown: UnknownContent) throws(SnapshotError) {
    self.root = root
    self.unknown = unknown
    try Root.schema.visit(&self)
    arrays += unknown.members.lazy.filter(\.isArrayValue).map(\.name)
  }

  /// The value of a field of the schema.
  subscript(name: String) -> Item {
    guard let item = items[ExactText(name)] else { fatalError("the schema has visited another field: \(name)") }
    return item
  }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) throws(SnapshotError) {}

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) throws(SnapshotError) {
    let item = try SingleValueCoding.item(of: root[keyPath: value], name, unknown)
    items[ExactText(name)] = item
    if item.elements != nil { arrays.append(name) }
  }
}
