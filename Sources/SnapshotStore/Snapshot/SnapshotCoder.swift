/// Converts a model to the bytes of a file, and back. It does not access files.
enum SnapshotCoder {
  /// The sequence of bytes for a value in a format. There is only one.
  ///
  /// - Throws: `unencodable` if a record cannot be encoded.
  static func encode<Root: Model>(
    _ root: Root, _ unknown: UnknownContent = UnknownContent(), as format: FileFormat, threads: Int = 1
  ) throws(SnapshotError) -> [UInt8] {
    let encoded = try SnapshotEncoding(of: root, as: format, unknown: unknown, threads: threads)
    guard let bytes = encoded.bytes.array(threads: threads) else {
      fatalError("no leaves of an old file were given, so no bytes can be in one")
    }
    return bytes
  }

  /// The value of a document, migrated to the version of the schema, with its unknown content. The header and the
  /// checksum are checked before the rest is read.
  ///
  /// - Throws: every code under "Bytes" and "Content" of ``SnapshotError/Code``.
  static func decode<Root: Model>(
    _ type: Root.Type, from document: Document, _ options: DecodingOptions
  ) throws(SnapshotError) -> DecodedSnapshot<Root> {
    let steps = try steps(type, for: document.header, options)
    try requireChecksum(type, document, options)
    var options = options
    if !Root.isUntyped, document.header.version > Root.schema.version { options.unknownKeys = .leaveOut }
    let run = steps.isEmpty ? nil : MigrationRun(steps: steps, source: document.source)
    var decoding = TableDecoding<Root>(document: document, options: options, migration: run)
    if let run {
      let tree = try run.tree(of: document)
      for table in tree.tables {
        var records = TreeTableReader(table)
        try decoding.visit(table.name, offset: table.items.first?.offset ?? 0, &records)
      }
      for (name, item) in tree.values { try decoding.visit(name, offset: item.offset) { item } }
    } else {
      try document.reader.readTables(&decoding)
    }
    var (root, unknown) = try decoding.finish()
    if !steps.isEmpty { try root.applyRulesAfterMigration() }
    return DecodedSnapshot(
      root: root, unknown: unknown, version: document.header.version, steps: steps.map(\.name))
  }

  /// Refuses content that its checksum does not describe, unless the options accept it.
  static func requireChecksum<Root: Model>(
    _ type: Root.Type, _ document: Document, _ options: DecodingOptions
  ) throws(SnapshotError) {
    guard document.checksum == .mismatch, !options.acceptsChecksumMismatch else { return }
    throw SnapshotError(
      .checksumMismatch, "the content is not what its checksum says: it was edited by hand, or is damaged"
    ).advising(.edit, Schema<Root>.adviceOnChecksum)
  }

  /// Decodes the bytes of a file, and returns its value and its format.
  ///
  /// - Parameter path: the name of the source in errors.
  static func decode<Root: Model>(
    _ type: Root.Type, from bytes: [UInt8], _ limits: ReadLimits, _ options: DecodingOptions, path: String?
  ) throws(SnapshotError) -> (DecodedSnapshot<Root>, FileFormat) {
    do throws(SnapshotError) {
      let document = try Document(bytes, limits: limits, threads: options.threads)
      return (try decode(type, from: document, options), document.format)
    } catch {
      throw path.map(error.at(path:)) ?? error
    }
  }

  /// The migration steps for a file. None if it has the version of the schema, or if it is newer and may be read.
  private static func steps<Root: Model>(
    _ type: Root.Type, for header: DocumentHeader, _ options: DecodingOptions
  ) throws(SnapshotError) -> [Migration] {
    let schema = Root.schema
    if Root.isUntyped { return [] }
    guard header.schema == schema.name else {
      throw SnapshotError(
        .wrongSchema, "the file has the schema \(header.schema.quotedForMessage()), not “\(schema.name)”"
      ).advising(.otherSchema, Schema<Root>.adviceOnSchema(header.schema))
    }
    if !options.acceptsNewerVersion, let refusal = schema.refusal(ofNewer: header.version) { throw refusal }
    guard header.version < schema.version else { return [] }
    guard let steps = schema.migrations.steps(from: header.version) else {
      let versions = "version \(header.version) of its schema, this program writes \(schema.version)"
      throw SnapshotError(
        .olderVersion, "the file has \(versions), and there is no migration",
        advice: "Open it with the older program, or give the schema its old version if its shape is the same.")
    }
    return steps
  }
}

extension Schema {
  /// The reason why a newer version is not read; nil for another version.
  func refusal(ofNewer version: Int) -> SnapshotError? {
    guard version > self.version else { return nil }
    return SnapshotError(
      .newerVersion, "the file has version \(version) of its schema, this program knows \(self.version)",
      advice: "Open it with the newer program.")
  }
}

/// Options for decoding a document.
struct DecodingOptions: Sendable {
  var unknownKeys: UnknownKeys
  /// Whether to accept content that was edited after its checksum was made.
  var acceptsChecksumMismatch = false
  /// Whether to accept a file of a newer version. Content that the schema does not know is dropped.
  var acceptsNewerVersion = false
  /// The most threads that decode at once.
  var threads = 1
  /// Whether the indexes of large tables are built when they are needed. Unique ones are built at once.
  var defersIndexes = false
  /// The values of keys that a file lacks, beside those of the schema.
  var defaults: [DefaultValue] = []

  /// Options for files that are kept or restored unchanged, with all unknown content.
  static var wholeFile: DecodingOptions {
    DecodingOptions(unknownKeys: .keep, threads: Parallel.defaultThreads)
  }
}

/// The result of decoding a document.
struct DecodedSnapshot<Root: Model>: Sendable {
  let root: Root
  /// The content that the schema does not know.
  let unknown: UnknownContent
  /// The version of the schema in the file.
  let version: Int
  /// The names of the migration steps that ran.
  let steps: [String]

  /// The version of the file if it is an older one.
  var olderVersion: Int? { steps.isEmpty ? nil : version }
}
