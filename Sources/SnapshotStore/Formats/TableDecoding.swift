import Synchronization

/// Collects the records of a document into tables of their types.
struct TableDecoding<Root: Model>: DocumentVisitor {
  private let source: SourceText
  private let threads: Int
  private var collectors: [String: any RecordCollector<Root>] = [:]

  /// - Parameter threads: the most that may decode at once.
  init(document: Document, threads: Int) {
    source = document.source
    self.threads = threads
    var maker = CollectorMaker<Root>(document: document)
    Root.schema.visit(&maker)
    collectors = maker.collectors
  }

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    guard let collector = collectors[name] else {
      throw SnapshotError(
        .unknownKey, "there is no table \(name.quotedForMessage()) in the schema", position: source.position(offset))
    }
    try collector.collect(&records, threads: threads)
  }

  func finish() throws(SnapshotError) -> Root {
    var root = Root()
    for field in Root.schema.fields { try collectors[field.name]?.put(into: &root, threads: threads) }
    return root
  }
}

private struct CollectorMaker<Root>: FieldVisitor {
  let document: Document
  var collectors: [String: any RecordCollector<Root>] = [:]

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    collectors[name] = TableCollector(name: name, table: table, document: document)
  }
}

private protocol RecordCollector<Root>: AnyObject {
  associatedtype Root
  func collect(_ reader: inout some TableReader, threads: Int) throws(SnapshotError)
  func put(into root: inout Root, threads: Int) throws(SnapshotError)
}

private final class TableCollector<Root, Value: Record>: RecordCollector {
  private let name: String
  private let table: TablePath<Root, Value>
  private let document: Document
  private let direct = Value.directCodingIfAny
  private var boxes: [RecordBox<Value>] = []

  init(name: String, table: TablePath<Root, Value>, document: Document) {
    self.name = name
    self.table = table
    self.document = document
  }

  /// Reads all records: as many as possible in parts, on several threads; then what is left, with what is wrong with it.
  func collect(_ reader: inout some TableReader, threads: Int) throws(SnapshotError) {
    let (start, most) = (boxes.count, document.limits.elementCount)
    if threads > 1 {
      let whole = reader
      collectParts(of: &reader, threads)
      // Only one reader can say where the limit is passed.
      if boxes.count > most {
        boxes.removeLast(boxes.count - start)
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
      do {
        boxes.append(RecordBox(try ItemDecoder.decode(Value.self, from: item)))
      } catch {
        throw SnapshotError.decoding(error, of: item, at: "\(name)[\(boxes.count)]", in: document.source)
      }
    }
  }

  func put(into root: inout Root, threads: Int) throws(SnapshotError) {
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
  }

  // MARK: Parts

  /// Reads as far as the parts of a table turn out to follow on each other, and are without failure.
  private func collectParts<Reader: TableReader>(of reader: inout Reader, _ threads: Int) {
    let parts = reader.parts()
    guard parts.count > 1 else { return }
    // The first part may be all of the table, so it is read alone.
    guard let first = read(parts[0]) else { return }
    boxes += first.boxes
    reader.move(to: first.end)
    guard first.end.ends(at: parts[1]) else { return }
    // Nothing behind a part that failed, or does not end at the next one, is of any use.
    let last = Atomic(parts.count)
    let results = Parallel.map(parts.count - 1, threads: threads) {
      index -> (end: Reader, boxes: [RecordBox<Value>])? in
      guard index <= last.load(ordering: .relaxed) else { return nil }
      let part = read(parts[index + 1])
      let goesOn = index + 2 < parts.count && part?.end.ends(at: parts[index + 2]) == true
      if !goesOn { last.min(index, ordering: .relaxed) }
      return part
    }
    boxes.reserveCapacity(results.reduce(boxes.count) { $0 + ($1?.boxes.count ?? 0) })
    for (index, part) in results.enumerated() {
      guard let part else { return }
      boxes += part.boxes
      reader.move(to: part.end)
      guard index + 2 < parts.count, part.end.ends(at: parts[index + 2]) else { return }
    }
  }

  /// The records of a part, and where it ends; nil if one of them cannot be read.
  private func read<Reader: TableReader>(_ part: Reader) -> (end: Reader, boxes: [RecordBox<Value>])? {
    var reader = part
    var boxes: [RecordBox<Value>] = []
    do {
      while true {
        if let direct { boxes += reader.readDirectly(direct, most: document.limits.elementCount) }
        guard let item = try reader.next() else { return (reader, boxes) }
        boxes.append(RecordBox(try ItemDecoder.decode(Value.self, from: item)))
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
      guard name == table else { continue }
      if count == index { self.offset = record.offset }
      count += 1
    }
  }
}
