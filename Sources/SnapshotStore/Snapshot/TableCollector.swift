/// Collects the records of a table, on several threads if the reader can divide it.
final class TableCollector<Root: Model, Value: Record>: RecordCollector {
  private let table: TablePath<Root, Value>
  private let field: FieldDecoding<Root, Value>
  private let direct = Value.directCodingIfAny
  private var boxes: [RecordBox<Value>] = []
  /// The unknown members of records.
  private var unknown: [(id: Value.ID, members: [Item.Member])] = []

  private var name: String { field.name }
  private var document: Document { field.document }

  init(_ table: TablePath<Root, Value>, _ field: FieldDecoding<Root, Value>) {
    self.table = table
    self.field = field
  }

  /// A migration may have set a table as a value.
  func collect(value item: Item, threads: Int) throws(SnapshotError) {
    guard case .array(let items) = item.content else {
      throw SnapshotError(
        .invalidValue, "expected an array of records, found \(item.kind)",
        position: document.source.position(item.offset), dataPath: name.escapedForMessage(limit: 60))
    }
    var records = TreeTableReader(UntypedTable(name: name, items: items))
    try collect(&records, item.offset, threads: threads)
  }

  /// Reads all records. First it reads as many as possible in parts, on several threads. Then one reader reads the rest
  /// and reports errors.
  func collect(_ reader: inout some TableReader, _ offset: Int, threads: Int) throws(SnapshotError) {
    let (start, unknownStart, most) = (boxes.count, unknown.count, document.limits.elementCount)
    let whole = reader
    let parts = reader.readParts(threads: threads) { try part(&$0) }
    boxes.reserveCapacity(parts.reduce(boxes.count) { $0 + $1.boxes.count })
    for part in parts {
      boxes += part.boxes
      unknown += part.unknown
    }
    // Only a single reader knows the place where the limit is passed.
    if boxes.count > most {
      boxes.removeLast(boxes.count - start)
      unknown.removeLast(unknown.count - unknownStart)
      reader = whole
    }
    var ordinary = TapeReading<Value>(document.source, document.limits)
    while true {
      readQuickly(&reader, &ordinary, into: &boxes, most: most - boxes.count)
      guard let item = try reader.next() else { return }
      if boxes.count >= most {
        throw SnapshotError(
          .limitExceeded, document.limits.countMessage, position: document.source.position(item.offset),
          dataPath: "\(name)[\(boxes.count)]")
      }
      let (record, members) = try field.decode(item, at: "\(name)[\(boxes.count)]")
      boxes.append(RecordBox(record))
      if !members.isEmpty { unknown.append((record.id, members)) }
    }
  }

  /// Reads records from the bytes, up to the end or to the first that is read from an item.
  private func readQuickly(
    _ reader: inout some TableReader, _ ordinary: inout TapeReading<Value>, into boxes: inout [RecordBox<Value>],
    most: Int
  ) {
    if let direct {
      reader.readDirectly(direct, into: &boxes, most: most)
    } else {
      ordinary.read(&reader, into: &boxes, most: most)
    }
  }

  func put(
    into root: inout Root, _ content: inout UnknownContent, _ options: DecodingOptions
  ) throws(SnapshotError) {
    do throws(SnapshotError) {
      if let direct {
        root[keyPath: table] = try direct.makeTable(boxes, options.threads, options.defersIndexes)
      } else {
        root[keyPath: table] = try Table(
          sortedBoxes: boxes, threads: options.threads, defersIndexes: options.defersIndexes)
      }
    } catch {
      throw located(error)
    }
    boxes = []
    content.add(unknown, of: name, Value.self)
  }

  // MARK: Parts

  /// The records of a part.
  private struct Part {
    var boxes: [RecordBox<Value>] = []
    var unknown: [(id: Value.ID, members: [Item.Member])] = []
  }

  /// Reads all records of a part.
  private func part(_ reader: inout some TableReader) throws -> Part {
    var part = Part()
    var ordinary = TapeReading<Value>(document.source, document.limits)
    while true {
      readQuickly(&reader, &ordinary, into: &part.boxes, most: document.limits.elementCount)
      guard let item = try reader.next() else { return part }
      let (record, members) = try field.records.decode(item)
      part.boxes.append(RecordBox(record))
      if !members.isEmpty { part.unknown.append((record.id, members)) }
    }
  }

  // MARK: Duplicates

  /// Adds the place of the duplicate record to an error.
  private func located(_ error: SnapshotError) -> SnapshotError {
    var error = error
    error.dataPath = name
    guard error.code == .duplicate else { return error }
    let sorted = boxes.indices.sorted { (boxes[$0].record.id, $0) < (boxes[$1].record.id, $1) }
    let pairs = zip(sorted, sorted.dropFirst())
    guard let (_, second) = pairs.first(where: { boxes[$0].record.id == boxes[$1].record.id }) else { return error }
    error.dataPath = "\(name)[\(second)]"
    if let migration = field.migration {
      return (try? ItemEncoder.item(forRecord: boxes[second].record)).map { migration.explaining(error, $0) } ?? error
    }
    var finder = RecordFinder(table: name, index: second)
    try? document.reader.readTables(&finder)
    error.position = finder.offset.map(document.source.position)
    return error
  }
}

/// Finds the place of a record.
private struct RecordFinder: DocumentVisitor {
  let table: String
  let index: Int
  private(set) var offset: Int?
  private var count = 0

  init(table: String, index: Int) {
    self.table = table
    self.index = index
  }

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    while let record = try records.next() {
      guard ExactText(name) == ExactText(table) else { continue }
      if count == index { self.offset = record.offset }
      count += 1
    }
  }

  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) { _ = try read() }
}
