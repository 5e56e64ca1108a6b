/// A value written down: all bytes of a file.
public struct EncodedSnapshot: Sendable {
  /// The bytes.
  public let bytes: [UInt8]
  /// The checksum that they carry.
  public let checksum: UInt32
}

/// Turns a model into the bytes of a file, and back. Knows nothing of files.
enum SnapshotCoder {
  /// The one sequence of bytes for a value in a format.
  ///
  /// - Throws: `unencodable` if a record cannot be encoded.
  static func encode<Root: Model>(_ root: Root, as format: FileFormat) throws(SnapshotError) -> EncodedSnapshot {
    var encoding = TableEncoding(
      root: root, writer: format.makeWriter(schema: Root.schema.name, version: Root.schema.version))
    try Root.schema.visit(&encoding)
    let body = encoding.writer.finish()
    let checksum = Checksum.cksum(body[...])
    return EncodedSnapshot(bytes: format.prefix(checksum: checksum) + body, checksum: checksum)
  }

  /// The value that a document holds. Its checksum counts before anything but the header is looked at.
  ///
  /// - Throws: every code under "Bytes" and "Content" of ``SnapshotError/Code``.
  static func decode<Root: Model>(
    _ type: Root.Type, from document: Document, acceptingChecksumMismatch: Bool = false
  ) throws(SnapshotError) -> Root {
    guard document.header.schema == Root.schema.name else {
      throw SnapshotError(
        .wrongSchema,
        "the file holds a \(document.header.schema.quotedForMessage()), not a “\(Root.schema.name)”")
    }
    guard document.header.version <= Root.schema.version else {
      let versions = "version \(document.header.version) of its schema, this program knows \(Root.schema.version)"
      throw SnapshotError(.newerVersion, "the file has \(versions)", advice: "Open it with the newer program.")
    }
    guard document.header.version == Root.schema.version else {
      let versions = "version \(document.header.version) of its schema, this program writes \(Root.schema.version)"
      throw SnapshotError(
        .olderVersion, "the file has \(versions), and there is no migration",
        advice: "Open it with the older program, or give the schema its old version if its shape is the same.")
    }
    if document.checksum == .mismatch, !acceptingChecksumMismatch {
      throw SnapshotError(
        .checksumMismatch, "the content is not what its checksum says: it was edited by hand, or is damaged",
        advice: "If the edit is yours, accept it with “snapshot-cli check FILE --accept”, or delete the checksum.")
    }
    var decoding = TableDecoding<Root>(source: document.source)
    try document.reader.readTables(&decoding)
    return try decoding.finish()
  }
}

/// A file's bytes, its format recognised and its header read.
struct Document {
  let source: SourceText
  let reader: any DocumentReader
  let header: DocumentHeader
  let checksum: ChecksumState

  init(_ bytes: [UInt8], limits: ReadLimits) throws(SnapshotError) {
    if bytes.count > limits.fileSize {
      throw SnapshotError(.tooLarge, "the file has \(bytes.count) bytes; the limit is \(limits.fileSize)")
    }
    source = try SourceText(recognizing: bytes)
    reader = try source.format.makeReader(source, limits: limits)
    guard let item = try reader.header() else {
      throw SnapshotError(.wrongSchema, "the file is not a snapshot: the key “snapshot” is missing")
    }
    header = try DocumentHeader(item, in: source)
    checksum = source.format.verify(bytes, against: header.checksum)
  }
}

private struct TableEncoding<Root>: FieldVisitor {
  let root: Root
  var writer: any DocumentWriter

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) throws(SnapshotError) {
    writer.beginTable(name)
    for (index, record) in root[keyPath: table].enumerated() {
      do {
        writer.write(try ItemEncoder.item(forRecord: record))
      } catch {
        throw SnapshotError.encoding(error, at: "\(name)[\(index)]")
      }
    }
    writer.endTable()
  }
}

/// Collects the records of a document into tables of their types.
private struct TableDecoding<Root: Model>: DocumentVisitor {
  let source: SourceText
  private var collectors: [String: any RecordCollector<Root>] = [:]
  private var current: (any RecordCollector<Root>)?

  init(source: SourceText) {
    self.source = source
    var maker = CollectorMaker<Root>(source: source)
    Root.schema.visit(&maker)
    collectors = maker.collectors
  }

  mutating func beginTable(_ name: String, offset: Int) throws(SnapshotError) {
    guard let collector = collectors[name] else {
      throw SnapshotError(
        .unknownKey, "there is no table \(name.quotedForMessage()) in the schema", position: source.position(offset))
    }
    current = collector
  }

  mutating func record(_ item: Item) throws(SnapshotError) { try current?.add(item) }

  func finish() throws(SnapshotError) -> Root {
    var root = Root()
    for field in Root.schema.fields { try collectors[field.name]?.put(into: &root) }
    return root
  }
}

private struct CollectorMaker<Root>: FieldVisitor {
  let source: SourceText
  var collectors: [String: any RecordCollector<Root>] = [:]

  mutating func visit<Value>(_ name: String, _ table: TablePath<Root, Value>) {
    collectors[name] = TableCollector(name: name, table: table, source: source)
  }
}

private protocol RecordCollector<Root>: AnyObject {
  associatedtype Root
  func add(_ item: Item) throws(SnapshotError)
  func put(into root: inout Root) throws(SnapshotError)
}

private final class TableCollector<Root, Value: Record>: RecordCollector {
  let name: String
  let table: TablePath<Root, Value>
  let source: SourceText
  private var records: [Value] = []
  private var offsets: [Int] = []

  init(name: String, table: TablePath<Root, Value>, source: SourceText) {
    self.name = name
    self.table = table
    self.source = source
  }

  func add(_ item: Item) throws(SnapshotError) {
    do {
      records.append(try ItemDecoder.decode(Value.self, from: item, at: []))
      offsets.append(item.offset)
    } catch {
      throw SnapshotError.decoding(error, of: item, at: "\(name)[\(records.count)]", in: source)
    }
  }

  func put(into root: inout Root) throws(SnapshotError) {
    do {
      root[keyPath: table] = try Table(records)
    } catch {
      throw located(error)
    }
  }

  /// Finds the record that stands for a second time, for the message only.
  private func located(_ error: SnapshotError) -> SnapshotError {
    var error = error
    error.dataPath = name
    guard error.code == .duplicate else { return error }
    let sorted = records.indices.sorted { (records[$0].id, $0) < (records[$1].id, $1) }
    guard let (_, second) = zip(sorted, sorted.dropFirst()).first(where: { records[$0].id == records[$1].id }) else {
      return error
    }
    error.dataPath = "\(name)[\(second)]"
    error.position = source.position(offsets[second])
    return error
  }
}
