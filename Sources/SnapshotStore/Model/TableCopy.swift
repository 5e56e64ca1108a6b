/// Tables of one value that are put into another.
extension Model {
  /// The same value with the tables and single values of another, and its own of all that the schema does not name.
  func replacingTables(with other: Self) -> Self {
    var copy = TableCopy(source: other, value: self)
    Self.schema.visit(&copy)
    return copy.value
  }
}

private struct TableCopy<Root: Model>: FieldVisitor {
  let source: Root
  var value: Root

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    value[keyPath: table] = source[keyPath: table]
  }

  mutating func visit<Value>(_ name: String, value path: ValuePath<Root, Value>) {
    value[keyPath: path] = source[keyPath: path]
  }
}
