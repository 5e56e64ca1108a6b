/// Copies tables from one value into another.
extension Model {
  /// This value with the tables and single values of another. Properties that the schema does not name stay.
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
