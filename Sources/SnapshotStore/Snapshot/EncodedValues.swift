/// The single values of a model as they will be written, and the header. It names the values that are arrays, and it
/// stands before them, so all are encoded first.
struct EncodedValues<Root: Model>: FieldVisitor {
  private let root: Root
  private let unknown: UnknownContent
  private var items: [ExactText: Item] = [:]
  /// The header of the file.
  private(set) var header: HeaderContent

  init(of root: Root, _ unknown: UnknownContent) throws(SnapshotError) {
    self.root = root
    self.unknown = unknown
    header = unknown.header(of: Root.self)
    try Root.schema.visit(&self)
    for case .table(let table) in unknown.members {
      if table.isSingleValue { header.arrays.append(table.name) }
      // An empty table of a known type does not tell the key either.
      if let key = table.statedIDKey, table.count > 0 { header.idKeys.append((table.name, key)) }
    }
  }

  /// The value of a field of the schema.
  subscript(name: String) -> Item {
    guard let item = items[ExactText(name)] else { fatalError("the schema has visited another field: \(name)") }
    return item
  }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) throws(SnapshotError) {
    if let key = IDKeySearch.key(of: root[keyPath: table]) { header.idKeys.append((name, key)) }
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) throws(SnapshotError) {
    let item = try SingleValueCoding.item(of: root[keyPath: value], name, unknown)
    items[ExactText(name)] = item
    if item.elements != nil { header.arrays.append(name) }
  }
}
