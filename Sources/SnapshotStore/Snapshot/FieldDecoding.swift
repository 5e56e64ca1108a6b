/// How what stands under one name of a document is decoded, and what errors say about it.
struct FieldDecoding<Root: Model, Value: SingleValue> {
  let name: String
  let document: Document
  /// How the tables came about, if they are not those of the document.
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
  /// - Parameter place: its path in the data.
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
