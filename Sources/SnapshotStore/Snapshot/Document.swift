/// The header of a snapshot file.
struct DocumentHeader: Equatable, Sendable {
  let schema: String
  let version: Int
  let checksum: UInt32?
  /// The names of the single values that are arrays, so that no reader takes them for tables.
  let arrays: Set<ExactText>
  /// Where the records of tables have their ids, for tables where that is not `id`.
  let idKeys: [ExactText: IDKey]

  /// Reads the dictionary under `snapshot`. Other keys in it are refused, because damage may have changed a known key.
  init(_ item: Item, in source: SourceText) throws(SnapshotError) {
    func failure(_ code: SnapshotError.Code, _ message: String, _ offset: Int) -> SnapshotError {
      SnapshotError(code, message, position: source.position(offset), dataPath: "snapshot")
    }
    guard case .dictionary(let members) = item.content else {
      throw failure(.wrongSchema, "expected a dictionary, found \(item.kind)", item.offset)
    }
    for member in members where !["schema", "version", "checksum", "values", "ids"].contains(member.key) {
      throw failure(.unknownKey, "unknown key \(member.key.text.quotedForMessage())", member.keyOffset)
    }
    guard let schema = item["schema"]?.text else {
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
    let arrays = item["values"].map { $0.elements?.map { $0.text.map { ExactText($0) } } ?? [nil] } ?? []
    if arrays.contains(nil) { throw failure(.invalidValue, "“values” is not an array of names", item.offset) }
    self.arrays = Set(arrays.compactMap { $0 })
    var idKeys: [ExactText: IDKey] = [:]
    if let ids = item["ids"] {
      guard let members = ids.allMembers else {
        throw failure(.invalidValue, "“ids” is not a dictionary of keys", ids.offset)
      }
      for member in members {
        guard let key = IDKey(member.value) else {
          throw failure(.invalidValue, "“ids” has a value that is no key", member.value.offset)
        }
        idKeys[member.key] = key
      }
    }
    self.idKeys = idKeys
    self.schema = schema
    self.version = Int(version)
  }
}

extension DocumentHeader {
  /// The header of a file in a format.
  init(reading format: FileFormat, _ source: SourceText, _ limits: ReadLimits) throws(SnapshotError) {
    self = try Self.header(of: try format.parts.makeReader(source, limits: limits), source)
  }

  fileprivate static func header(
    of reader: any DocumentReader, _ source: SourceText
  ) throws(SnapshotError) -> DocumentHeader {
    guard let item = try reader.header() else {
      if source.contains("$archiver"), source.contains("$objects") {
        throw SnapshotError(
          .wrongSchema, "the file is an archive of NSKeyedArchiver",
          advice: "Only the program that wrote it can read it.")
      }
      throw SnapshotError(.wrongSchema, "the file is not a snapshot: the key “snapshot” is missing")
    }
    return try DocumentHeader(item, in: source)
  }
}

/// A file's bytes, with its format recognised and its header read.
struct Document {
  let format: FileFormat
  let source: SourceText
  let limits: ReadLimits
  let reader: any DocumentReader
  let header: DocumentHeader
  let checksum: SnapshotHeader.ChecksumState

  /// Whether the array under a name is a single value. Where the content of the file says it, the header is not asked.
  func isValue(_ name: String) -> Bool {
    !format.parts.tellsSingleValues && header.arrays.contains(ExactText(name))
  }

  /// Records of the file as a table, with what the header says about it.
  func table(_ name: String, _ items: [Item]) -> UntypedTable {
    UntypedTable(name: name, items: items, isSingleValue: isValue(name), idKey: header.idKeys[ExactText(name)])
  }

  /// - Parameter threads: the most threads that validate at once.
  init(_ bytes: [UInt8], limits: ReadLimits, threads: Int = 1) throws(SnapshotError) {
    if bytes.count > limits.fileSize {
      throw SnapshotError(.tooLarge, "the file has \(bytes.count.counted("byte")); the limit is \(limits.fileSize)")
    }
    self.limits = limits
    (format, source) = try FileFormat.open(bytes, threads: threads)
    reader = try format.parts.makeReader(source, limits: limits)
    header = try DocumentHeader.header(of: reader, source)
    checksum = format.verify(bytes, against: header.checksum, threads: threads)
  }
}
