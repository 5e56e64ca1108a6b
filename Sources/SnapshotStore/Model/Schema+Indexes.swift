/// The indexes that the records of a model declare.
extension Schema where Root: Model {
  /// The names of the indexes that a table declares, in their order. Empty for a name that is no table of the schema.
  /// O(fields).
  public func indexNames(ofTable name: String) -> [String] {
    var search = IndexNames<Root>(table: name)
    visit(&search)
    return search.names
  }
}

private struct IndexNames<Root>: FieldVisitor {
  let table: String
  var names: [String] = []

  mutating func visit<Value>(_ name: String, _ path: TablePath<Root, Value>) {
    if name == table { names = Value.indexes.maintainers.map(\.name) }
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {}
}
