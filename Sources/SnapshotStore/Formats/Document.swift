/// What a snapshot file says of itself.
struct DocumentHeader: Equatable, Sendable {
  let schema: String
  let version: Int
  let checksum: UInt32?

  /// Reads the dictionary under `snapshot`. Nothing else may be in it: a key changed by damage must not pass for none.
  init(_ item: Item, in source: SourceText) throws(SnapshotError) {
    func failure(_ code: SnapshotError.Code, _ message: String, _ offset: Int) -> SnapshotError {
      SnapshotError(code, message, position: source.position(offset), dataPath: "snapshot")
    }
    guard case .dictionary(let members) = item.content else {
      throw failure(.wrongSchema, "expected a dictionary, found \(item.kind)", item.offset)
    }
    for member in members where !["schema", "version", "checksum"].contains(member.key) {
      throw failure(.unknownKey, "unknown key \(member.key.quotedForMessage())", member.keyOffset)
    }
    guard case .string(let schema)? = item["schema"]?.content else {
      throw failure(.wrongSchema, "the name of the schema is missing", item.offset)
    }
    guard case .integer(let version)? = item["version"]?.content, version >= 1, version <= Int32.max else {
      throw failure(.wrongSchema, "the version of the schema is missing or not a positive integer", item.offset)
    }
    switch item["checksum"]?.content {
    case nil: checksum = nil
    case .integer(let number) where UInt32(exactly: number) != nil: checksum = UInt32(number)
    default: throw failure(.invalidValue, "the checksum is not a number of 32 bits", item.offset)
    }
    self.schema = schema
    self.version = Int(version)
  }
}

/// Writes a document in one format: the header, then each table with its records.
protocol DocumentWriter {
  init(schema: String, version: Int)
  mutating func beginTable(_ name: String)
  mutating func write(_ record: Item)
  mutating func endTable()
  /// Ends the document and gives its bytes but for the prefix that holds the checksum.
  mutating func finish() -> [UInt8]
}

/// Reads a document in one format, strictly: whatever is not exactly right is an error with a position.
protocol DocumentReader {
  /// The value under `snapshot`, wherever in the document it stands; nil if there is none.
  func header() throws(SnapshotError) -> Item?

  /// Walks through all tables in the order of the file, and through the records of each.
  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError)
}

/// What to do after a member of a dictionary.
enum Walk { case goOn, stop }

/// What is done with the tables and records of a document.
protocol DocumentVisitor {
  mutating func beginTable(_ name: String, offset: Int) throws(SnapshotError)
  mutating func record(_ item: Item) throws(SnapshotError)
}

extension FileFormat {
  func makeWriter(schema: String, version: Int) -> any DocumentWriter {
    switch self {
    case .json: JSONWriter(schema: schema, version: version)
    case .ndjson: NDJSONWriter(schema: schema, version: version)
    case .xml: XMLWriter(schema: schema, version: version)
    case .binary: BinaryWriter(schema: schema, version: version)
    }
  }

  func makeReader(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> any DocumentReader {
    switch self {
    case .json: JSONReader(source, limits: limits)
    case .ndjson: NDJSONReader(source, limits: limits)
    case .xml: XMLReader(source, limits: limits)
    case .binary: try BinaryReader(source, limits: limits)
    }
  }
}
