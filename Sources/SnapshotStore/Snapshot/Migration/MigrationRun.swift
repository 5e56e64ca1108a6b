/// Migrates a file of an older version: reads it into the untyped tree, and runs the steps there.
struct MigrationRun: Sendable {
  let steps: [Migration]
  let source: SourceText

  /// The tables of a document after all steps.
  ///
  /// - Throws: the errors of reading; `migrationFailed` with the step, the table and the record.
  func tree(of document: Document) throws(SnapshotError) -> MigrationTree {
    var reader = TreeReading(document: document)
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
    let cause = SnapshotError(migrating: error)
    return SnapshotError(
      .migrationFailed,
      "the migration \(step.name.quotedForMessage()) to version \(step.version) failed: \(cause.message)",
      position: cause.position.map { source.position($0.offset) }, dataPath: cause.dataPath)
  }

  /// Adds to an error that the steps made the record, if that record could not be decoded.
  func explaining(_ error: SnapshotError, _ item: Item) -> SnapshotError {
    var error = error
    if error.position?.offset == 0 { error.position = nil }
    let names = steps.map { $0.name.quotedForMessage() }.joined(separator: ", ")
    error.message += "\(item.wordsForID), after the migration \(names)"
    return error
  }
}

/// Reads all tables of a document into a tree.
private struct TreeReading: DocumentVisitor {
  let document: Document
  private(set) var tree = MigrationTree()

  init(document: Document) { self.document = document }

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    if tree.hasValue(name) { throw repeated(name, offset) }
    let limit = document.limits.elementCount - tree[name].count
    tree.add(try records.untypedTable(name, of: document, atMost: limit), as: name)
  }
}

extension TreeReading {
  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) {
    let item = try read()
    if tree.has(name) { throw repeated(name, offset) }
    tree[value: name] = UntypedValue(item)
  }

  private func repeated(_ name: String, _ offset: Int) -> SnapshotError {
    SnapshotError(
      .duplicate, "\(name.quotedForMessage()) is both a table and a value",
      position: document.source.position(offset))
  }
}

/// Reads the records of a migrated table like those of a document.
struct TreeTableReader: TableReader {
  private var items: IndexingIterator<[Item]>

  init(_ table: UntypedTable) { items = table.items.makeIterator() }

  mutating func next() -> Item? { items.next() }
}

extension TableReader {
  /// Reads all records as untyped ones.
  mutating func untypedTable(
    _ name: String, of document: Document, atMost count: Int, threads: Int = 1
  ) throws(SnapshotError) -> UntypedTable {
    let records = try untypedRecords(name, AllRecords(), of: document, atMost: count, threads: threads)
    return document.table(name, records.items)
  }
}
