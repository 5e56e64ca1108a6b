/// Decodes the table or the value under one name of a document, and makes its errors.
struct FieldDecoding<Root: Model, Value: SingleValue> {
  let name: String
  let document: Document
  /// The migration that made the tables; nil for tables of the document.
  let migration: MigrationRun?
  let records: RecordDecoding<Value>

  init(_ name: String, _ document: Document, _ options: DecodingOptions, _ migration: MigrationRun?) {
    self.name = name
    self.document = document
    self.migration = migration
    records = RecordDecoding(table: name, defaults: Root.schema.defaults, options.unknownKeys)
  }

  /// Decodes a record of the table, or the single value.
  ///
  /// - Parameter place: the path of the record in the data.
  func decode(
    _ item: Item, at place: @autoclosure () -> String
  ) throws(SnapshotError) -> (Value, unknown: [Item.Member]) {
    do {
      return try records.decode(item)
    } catch {
      let error = SnapshotError.decoding(
        error, of: item, at: place(), in: document.source, table: name, Root.schema)
      throw migration?.explaining(error, item) ?? error
    }
  }
}
