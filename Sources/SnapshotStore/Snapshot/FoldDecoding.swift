/// Reads a file without types, and shows the records of its tables to folds.
struct FoldDecoding<Fold: RecordFold>: DocumentVisitor {
  private var decoding: TableDecoding<UntypedModel>
  private let document: Document
  private let threads: Int
  /// Returns the fold for a table; nil if its records are only checked.
  private let begin: (String) -> Fold?
  /// The folds and the numbers of records, in the order of the file.
  private var found: [(name: String, fold: Chosen<Fold>, count: Int)] = []
  private var places: [ExactText: Int] = [:]

  private init(_ document: Document, _ options: DecodingOptions, _ begin: @escaping (String) -> Fold?) {
    decoding = TableDecoding(document: document, options: options)
    self.document = document
    threads = options.threads
    self.begin = begin
  }

  /// The content with the records that the folds have chosen, and the folds by their tables.
  static func run(
    _ document: Document, _ options: DecodingOptions, _ begin: @escaping (String) -> Fold?
  ) throws(SnapshotError) -> (content: SnapshotContent<UntypedModel>, folds: [(table: String, fold: Fold)]) {
    try SnapshotCoder.requireChecksum(UntypedModel.self, document, options)
    var folding = FoldDecoding(document, options, begin)
    try document.reader.readTables(&folding)
    let (root, unknown) = try folding.decoding.finish()
    let folds = folding.found.compactMap { entry in entry.fold.own.map { (table: entry.name, fold: $0) } }
    return (SnapshotContent(root, unknown), folds)
  }

  /// In newline-delimited JSON a table may continue after another one.
  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    if document.isValue(name) { return try decoding.visit(name, offset: offset, &records) }
    let place = places[ExactText(name)]
    let most = document.limits.elementCount - (place.map { found[$0].count } ?? 0)
    let fold = Chosen(own: begin(name))
    let table = try records.untypedRecords(name, fold, of: document, atMost: most, threads: threads)
    if let place {
      found[place].fold.append(table.fold)
      found[place].count += table.count
    } else {
      places[ExactText(name)] = found.count
      found.append((name, table.fold, table.count))
    }
    try decoding.add(table, as: name, offset)
  }

  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) { try decoding.visit(name, offset: offset, value: read) }
}

/// A fold, or none, which keeps nothing.
private struct Chosen<Fold: RecordFold>: RecordFold {
  var own: Fold?

  mutating func add(_ record: UntypedValue) -> Bool { own?.add(record) ?? false }

  mutating func append(_ next: Self) {
    if let fold = next.own { own?.append(fold) }
  }
}
