/// Collects the records of a document into tables of their types.
struct TableDecoding<Root: Model>: DocumentVisitor {
  private let document: Document
  private let options: DecodingOptions
  /// Whether a name that the schema does not have is an error. A flattened value may read it.
  private let refusesNames: Bool
  private var collectors: [ExactText: any RecordCollector<Root>] = [:]
  /// The tables that the schema does not name.
  private var unknown = MigrationTree()
  /// The names in the file, in their order.
  private var names: [ExactText] = []

  /// - Parameter migration: the migration that made the tables; nil if they are those of the document.
  init(document: Document, options: DecodingOptions, migration: MigrationRun? = nil) {
    self.document = document
    self.options = options
    refusesNames = options.unknownKeys == .refuse && Root.schema.flattened == nil
    var maker = CollectorMaker<Root>(document: document, options: options, migration: migration)
    Root.schema.visit(&maker)
    collectors = maker.collectors
  }

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    if let collector = collectors[ExactText(name)] {
      return try collector.collect(&records, offset, threads: options.threads)
    }
    if refusesNames { throw unknownName("table", name, offset) }
    let most = document.limits.elementCount - unknown[name].count
    let table = try records.untypedRecords(name, AllRecords(), of: document, atMost: most, threads: options.threads)
    try add(table, as: name, offset)
  }

  /// Adds records of a table that the schema does not name.
  mutating func add<Fold>(_ records: UntypedRecords<Fold>, as name: String, _ offset: Int) throws(SnapshotError) {
    if unknown.hasValue(name) { throw repeated(name, offset) }
    note(name)
    unknown.add(document.table(name, records.items), as: name)
  }

  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) {
    if let collector = collectors[ExactText(name)] {
      return try collector.collect(value: try read(), threads: options.threads)
    }
    if refusesNames { throw unknownName("field", name, offset) }
    let item = try read()
    if unknown.has(name) { throw repeated(name, offset) }
    note(name)
    unknown[value: name] = UntypedValue(item)
  }

  /// Notes the place of a name. A schema has an order of its own.
  private mutating func note(_ name: String) {
    if Root.isUntyped, names.last != ExactText(name) { names.append(ExactText(name)) }
  }

  /// The error for a name that the schema does not have.
  private func unknownName(_ kind: String, _ name: String, _ offset: Int) -> SnapshotError {
    SnapshotError(
      .unknownKey, "there is no \(kind) \(name.quotedForMessage()) in the schema",
      position: document.source.position(offset))
  }

  private func repeated(_ name: String, _ offset: Int) -> SnapshotError {
    SnapshotError(
      .duplicate, "\(name.quotedForMessage()) is both a table and a value", position: document.source.position(offset))
  }

  func finish() throws(SnapshotError) -> (root: Root, unknown: UnknownContent) {
    var root = Root()
    var content = UnknownContent()
    for field in Root.schema.fields {
      try collectors[ExactText(field.name)]?.put(into: &root, &content, options)
    }
    content.set(unknown.tables)
    content.set(unknown.values)
    var gathered = SnapshotContent(root, content)
    try gathered.gather(options, in: document.source)
    (root, content) = (gathered.value, gathered.unknown)
    if Root.isUntyped {
      content.frame = UnknownContent.Frame(
        schema: document.header.schema, version: document.header.version, names: names)
    }
    return (root, content)
  }
}

private struct CollectorMaker<Root: Model>: FieldVisitor {
  let document: Document
  let options: DecodingOptions
  let migration: MigrationRun?
  var collectors: [ExactText: any RecordCollector<Root>] = [:]

  init(document: Document, options: DecodingOptions, migration: MigrationRun?) {
    self.document = document
    self.options = options
    self.migration = migration
  }

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    collectors[ExactText(name)] = TableCollector(table, FieldDecoding(name, document, options, migration))
  }

  mutating func visit<Value>(_ name: String, value: ValuePath<Root, Value>) {
    // Its members are gathered from what the schema does not name.
    if Root.schema.flattened == ExactText(name) { return }
    collectors[ExactText(name)] = ValueCollector(value, FieldDecoding(name, document, options, migration))
  }
}

/// Collects the table or the value under one name of a document.
protocol RecordCollector<Root>: AnyObject {
  associatedtype Root
  /// Collects an array.
  func collect(_ reader: inout some TableReader, _ offset: Int, threads: Int) throws(SnapshotError)
  /// Collects any other value, or an array that may be a single value.
  func collect(value item: Item, threads: Int) throws(SnapshotError)
  func put(into root: inout Root, _ unknown: inout UnknownContent, _ options: DecodingOptions) throws(SnapshotError)
}
