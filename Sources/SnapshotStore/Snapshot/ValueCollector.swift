/// Collects a single value.
final class ValueCollector<Root: Model, Value: SingleValue>: RecordCollector {
  private let path: ValuePath<Root, Value>
  private let field: FieldDecoding<Root, Value>
  private var found: (value: Value, unknown: [Item.Member])?

  init(_ path: ValuePath<Root, Value>, _ field: FieldDecoding<Root, Value>) {
    self.path = path
    self.field = field
  }

  /// A value that is an array is read like a table of its elements.
  func collect(_ reader: inout some TableReader, _ offset: Int, threads: Int) throws(SnapshotError) {
    let limit = field.document.limits.elementCount
    let items = try reader.untypedTable(field.name, of: field.document, atMost: limit).items
    try collect(value: Item(.array(items), offset: offset), threads: threads)
  }

  func collect(value item: Item, threads: Int) throws(SnapshotError) {
    guard found == nil else {
      throw SnapshotError(
        .duplicate, "the value occurs twice", position: field.document.source.position(item.offset),
        dataPath: field.name)
    }
    found = try field.decode(item, at: field.name)
  }

  /// A value that is missing in the file stays as in the empty model.
  func put(into root: inout Root, _ content: inout UnknownContent, _ options: DecodingOptions) {
    guard let found else { return }
    root[keyPath: path] = found.value
    content.set(found.unknown, ofValue: field.name)
  }
}
