/// The single values of a model as they will be written, and the header. It names the values that are arrays, and it
/// stands before them, so all are encoded first.
struct EncodedValues<Root: Model>: FieldVisitor {
  private let root: Root
  private let unknown: UnknownContent
  private var items: [ExactText: [Item.Member]] = [:]
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

  /// The members of the file for a single value of the schema: one, or those of the value if it is flattened.
  subscript(name: String) -> [Item.Member] {
    guard let members = items[ExactText(name)] else { fatalError("the schema has visited another field: \(name)") }
    return members
  }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) throws(SnapshotError) {
    if let key = IDKeySearch.key(of: root[keyPath: table]) { header.idKeys.append((name, key)) }
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) throws(SnapshotError) {
    let members =
      if Root.schema.flattened == ExactText(name) {
        try root.flattenedMembers()
      } else {
        [Item.Member(key: ExactText(name), value: try SingleValueCoding.item(of: root[keyPath: value], name, unknown))]
      }
    items[ExactText(name)] = members
    header.arrays += members.lazy.filter { $0.value.elements != nil }.map(\.key.text)
  }
}
