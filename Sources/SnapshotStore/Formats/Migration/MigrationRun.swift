/// Brings a file of an older version to the one of its schema: reads it into the untyped tree, and runs the steps there.
struct MigrationRun: Sendable {
  let steps: [Migration]
  let source: SourceText

  /// The tables of a document as the steps leave them.
  ///
  /// - Throws: what reading throws; `migrationFailed`, with the step, the table, and the record.
  func tree(of document: Document) throws(SnapshotError) -> MigrationTree {
    var reader = TreeReading(limits: document.limits, source: source)
    try document.reader.readTables(&reader)
    return try run(on: reader.tree)
  }

  func run(on tree: MigrationTree) throws(SnapshotError) -> MigrationTree {
    var tree = tree
    for step in steps {
      do {
        try step.change(&tree)
      } catch {
        throw failure(error, of: step)
      }
    }
    return tree
  }

  private func failure(_ error: any Error, of step: Migration) -> SnapshotError {
    let record = error as? RecordFailure
    let cause = record?.cause ?? error
    var reason = (cause as? SnapshotError)?.message ?? "\(cause)".escapedForMessage()
    if case .dataCorrupted(let context)? = cause as? DecodingError {
      reason = context.debugDescription.escapedForMessage()
    }
    if case .typeMismatch(_, let context)? = cause as? DecodingError {
      reason = context.debugDescription.escapedForMessage()
    }
    let name = "the migration \(step.name.quotedForMessage()) to version \(step.version)"
    guard let record else { return SnapshotError(.migrationFailed, "\(name) failed: \(reason)") }
    let place = "\(record.table.escapedForMessage(limit: 60))[\(record.index)]"
    return SnapshotError(
      .migrationFailed, "\(name) failed\(Self.words(for: record.item)): \(reason)",
      position: record.item.offset == 0 ? nil : source.position(record.item.offset),
      dataPath: place + (record.key.map { ".\($0.escapedForMessage(limit: 60))" } ?? ""))
  }

  /// What to say of a record that could not be decoded as the steps left it.
  func explaining(_ error: SnapshotError, _ item: Item) -> SnapshotError {
    var error = error
    if error.position?.offset == 0 { error.position = nil }
    let names = steps.map { $0.name.quotedForMessage() }.joined(separator: ", ")
    error.message += "\(Self.words(for: item)), after the migration \(names)"
    return error
  }

  private static func words(for item: Item) -> String {
    item["id"]?.shortText.map { " at the record with the id \($0.quotedForMessage())" } ?? ""
  }
}

/// Reads all tables of a document into a tree.
private struct TreeReading: DocumentVisitor {
  let limits: ReadLimits
  let source: SourceText
  private(set) var tree = MigrationTree()

  init(limits: ReadLimits, source: SourceText) {
    self.limits = limits
    self.source = source
  }

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    let before = tree[name].count
    tree.add(try records.untypedTable(name, atMost: limits.elementCount - before, limits, source), as: name)
  }
}

/// The records of a table of a tree, read as those of a document.
struct TreeTableReader: TableReader {
  private var items: IndexingIterator<[Item]>

  init(_ table: UntypedTable) { items = table.items.makeIterator() }

  mutating func next() -> Item? { items.next() }
}

extension TableReader {
  /// All records, before anything knows their type.
  mutating func untypedTable(
    _ name: String, atMost count: Int, _ limits: ReadLimits, _ source: SourceText
  ) throws(SnapshotError) -> UntypedTable {
    var items: [Item] = []
    while let item = try next() {
      guard items.count < count else {
        throw SnapshotError(
          .limitExceeded, limits.countMessage, position: source.position(item.offset),
          dataPath: name.escapedForMessage(limit: 60))
      }
      items.append(item)
    }
    return UntypedTable(name: name, items: items)
  }
}
