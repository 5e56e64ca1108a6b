/// What lines do to one single value.
final class JournalValue<Root: Model, Value: SingleValue>: JournalField {
  private let name: String
  private let path: ValuePath<Root, Value>
  private let context: JournalContext
  private let values: RecordDecoding<Value>
  private var last: (value: Value, unknown: [Item.Member])?

  init(_ name: String, _ path: ValuePath<Root, Value>, _ context: JournalContext) {
    self.name = name
    self.path = path
    self.context = context
    values = RecordDecoding(table: name, defaults: Root.schema.defaults, context.options.unknownKeys)
  }

  func read(_ section: JournalSection, _ scanner: inout JSONScanner, _ line: Journal.Line) throws(SnapshotError) {
    let place = "\(section.rawValue).\(name)"
    let item = try scanner.value(depth: 2)
    guard section == .set else {
      throw SnapshotError(
        .invalidValue, "it is a single value, and no table", position: context.source.position(item.offset),
        dataPath: place.escapedForMessage(limit: 60))
    }
    do {
      last = try values.decode(item)
    } catch {
      throw SnapshotError.decoding(error, of: item, at: place, in: context.source, table: name, Root.schema)
    }
  }

  func apply(_ parts: [any JournalField<Root>], to content: inout SnapshotContent<Root>) {
    guard let last = parts.compactMap({ ($0 as? JournalValue)?.last }).last else { return }
    content.value[keyPath: path] = last.value
    content.unknown.set(last.unknown, ofValue: name)
  }
}
