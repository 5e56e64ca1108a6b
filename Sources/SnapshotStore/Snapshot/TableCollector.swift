import Synchronization

/// Collects the records of a table, on several threads where the reader can tell its parts.
final class TableCollector<Root: Model, Value: Record>: RecordCollector {
  private let table: TablePath<Root, Value>
  private let field: FieldDecoding<Root, Value>
  private let direct = Value.directCodingIfAny
  private var boxes: [RecordBox<Value>] = []
  /// The members that records do not know.
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

  /// Reads all records: as many as possible in parts, on several threads; then what is left, with what is wrong with it.
  func collect(_ reader: inout some TableReader, _ offset: Int, threads: Int) throws(SnapshotError) {
    let (start, unknownStart, most) = (boxes.count, unknown.count, document.limits.elementCount)
    if threads > 1 {
      let whole = reader
      collectParts(of: &reader, threads)
      // Only one reader can say where the limit is passed.
      if boxes.count > most {
        boxes.removeLast(boxes.count - start)
        unknown.removeLast(unknown.count - unknownStart)
        reader = whole
      }
    }
    while true {
      if let direct { boxes += reader.readDirectly(direct, most: most - boxes.count) }
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

  func put(into root: inout Root, _ content: inout UnknownContent, threads: Int) throws(SnapshotError) {
    do throws(SnapshotError) {
      if let direct {
        root[keyPath: table] = try direct.makeTable(boxes, threads)
      } else {
        root[keyPath: table] = try Table(sortedBoxes: boxes, threads: threads)
      }
    } catch {
      throw located(error)
    }
    boxes = []
    content.add(unknown, of: name, Value.self)
  }

  // MARK: Parts

  /// What was read of a part.
  private struct Part<Reader: TableReader> {
    var end: Reader
    var boxes: [RecordBox<Value>] = []
    var unknown: [(id: Value.ID, members: [Item.Member])] = []
  }

  /// Reads as far as the parts of a table turn out to follow on each other, and are without failure.
  private func collectParts<Reader: TableReader>(of reader: inout Reader, _ threads: Int) {
    let parts = reader.parts()
    guard parts.count > 1 else { return }
    // The first part may be all of the table, so it is read alone.
    guard let first = read(parts[0]) else { return }
    take(first, &reader)
    guard first.end.ends(at: parts[1]) else { return }
    // Nothing behind a part that failed, or does not end at the next one, is of any use.
    let last = Atomic(parts.count)
    let results = Parallel.map(parts.count - 1, threads: threads) {
      index -> Part<Reader>? in
      guard index <= last.load(ordering: .relaxed) else { return nil }
      let part = read(parts[index + 1])
      let goesOn = index + 2 < parts.count && part?.end.ends(at: parts[index + 2]) == true
      if !goesOn { last.min(index, ordering: .relaxed) }
      return part
    }
    boxes.reserveCapacity(results.reduce(boxes.count) { $0 + ($1?.boxes.count ?? 0) })
    for (index, part) in results.enumerated() {
      guard let part else { return }
      take(part, &reader)
      guard index + 2 < parts.count, part.end.ends(at: parts[index + 2]) else { return }
    }
  }

  private func take<Reader>(_ part: Part<Reader>, _ reader: inout Reader) {
    boxes += part.boxes
    unknown += part.unknown
    reader.move(to: part.end)
  }

  /// The records of a part, and where it ends; nil if one of them cannot be read.
  private func read<Reader: TableReader>(_ part: Reader) -> Part<Reader>? {
    var part = Part(end: part)
    do {
      while true {
        if let direct { part.boxes += part.end.readDirectly(direct, most: document.limits.elementCount) }
        guard let item = try part.end.next() else { return part }
        let (record, members) = try field.records.decode(item)
        part.boxes.append(RecordBox(record))
        if !members.isEmpty { part.unknown.append((record.id, members)) }
      }
    } catch {
      return nil
    }
  }

  // MARK: Duplicates

  /// Finds the record that stands for a second time, for the message only.
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

/// Finds where a record stands.
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
