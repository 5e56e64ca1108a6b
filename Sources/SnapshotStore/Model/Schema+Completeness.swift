extension Model {
  /// Traps if a stored table of the model is in no field of its schema, or in two: it would never be saved, or twice.
  ///
  /// Only tables that are stored in the model itself are seen, not those within other structures.
  static func requireCompleteSchema() {
    let paths = schema.fields.map(\.path)
    let tables = Mirror(reflecting: Self()).children.filter { $0.value is any AnyTable }
    if Set(paths).count != paths.count {
      fatalError("the schema “\(schema.name)” names one table of \(Self.self) twice")
    }
    if tables.count > paths.count {
      let names = tables.compactMap(\.label).joined(separator: ", ")
      fatalError(
        "\(Self.self) has the tables \(names), but its schema has \(paths.count) fields: a table without a field is not saved"
      )
    }
  }
}

private protocol AnyTable {}
extension Table: AnyTable {}
