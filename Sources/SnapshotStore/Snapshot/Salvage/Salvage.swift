/// Recovers the content of a damaged file from its bytes.
struct Salvage<Root: Model> {
  let bytes: [UInt8]
  let limits: ReadLimits
  /// The values of keys that the file lacks, beside those of the schema.
  var defaults: [DefaultValue] = []

  func run() throws(SnapshotError) -> Salvaged<Root> {
    do throws(SnapshotError) {
      return try intact()
    } catch {
      if [.tooLarge, .emptyFile].contains(error.code) { throw error }
      return try salvage(after: error)
    }
  }

  /// The value of a file that can be read as a whole. Only its checksum may be wrong.
  private func intact() throws(SnapshotError) -> Salvaged<Root> {
    let threads = Parallel.defaultThreads
    let document = try Document(bytes, limits: limits, threads: threads)
    let decoded = try SnapshotCoder.decode(
      Root.self, from: document,
      DecodingOptions(unknownKeys: .keep, acceptsChecksumMismatch: true, threads: threads, defaults: defaults))
    if Root.isUntyped, let table = decoded.unknown.tables.first(where: \.hasRepeatedID) {
      throw SnapshotError(.duplicate, "an id occurs twice in \(table.name.quotedForMessage())")
    }
    let log = SalvageLog(bytes, document.source)
    var lostValues: [String] = []
    if document.checksum == .mismatch {
      log.add(Self.mismatch)
      if decoded.steps.isEmpty { lostValues = try noteMissing(decoded, in: document, log) }
    }
    return finish(decoded, lostValues, document.format, document.checksum, log)
  }

  /// Notes the names that are missing in a file of the current version. Every save writes all of them.
  ///
  /// - Returns: those of single values.
  private func noteMissing(
    _ decoded: DecodedSnapshot<Root>, in document: Document, _ log: SalvageLog
  ) throws(SnapshotError) -> [String] {
    var read = TableNames()
    try document.reader.readTables(&read)
    let fields = Root.schema.fields.filter { !$0.isFlattened }
    let isMissing = { (name: String) in !read.names.contains(ExactText(name)) }
    for table in fields.filter(\.isTable).map(\.name).filter(isMissing) { log.addMissing(table: table) }
    let members = try decoded.root.lostMembers(
      besides: read.names, decoded.unknown.flattened, defaults)
    let missing = fields.filter { !$0.isTable }.map(\.name).filter(isMissing) + members.map(\.text)
    for value in missing { log.addMissing(value: value) }
    return missing
  }

  private static var mismatch: SnapshotError {
    SnapshotError(
      .checksumMismatch,
      "the checksum does not match the content: records may be changed or missing without a trace")
  }

  /// Reads the file in the format that it states, or in any other if no table is found.
  private func salvage(after failure: SnapshotError) throws(SnapshotError) -> Salvaged<Root> {
    let stated = (try? FileFormat.recognize(bytes)).map { $0.refined(by: $0.parts.salvageSource(of: bytes)) }
    var best: (found: FoundContent, format: FileFormat, source: SourceText)?
    for format in [stated].compactMap(\.self) + FileFormat.allCases.filter({ $0 != stated })
    where best?.found.hasTables != true {
      let source = format.parts.salvageSource(of: bytes)
      let found = find(format, source)
      if belongs(found, source), found.namedCount > best?.found.namedCount ?? -1 { best = (found, format, source) }
    }
    guard let best else { throw failure }
    return try decode(best.found, best.format, best.source, failure)
  }

  /// Whether anything that was found belongs to the model.
  private func belongs(_ found: FoundContent, _ source: SourceText) -> Bool {
    if Root.isUntyped { return found.count > 0 || found.hasNames }
    if found.count > 0, found.header(in: source)?.schema == Root.schema.name { return true }
    let names = found.values.map(\.name) + found.sections.compactMap(\.table) + found.damaged.map(\.text)
    return names.contains { found.isTable($0) || found.isValue($0) }
  }

  /// The names of the single values, and of the known members of a flattened one.
  private var valueNames: [String] {
    Root.schema.fields.filter { !$0.isTable }.map(\.name)
      + (defaults + ((try? Root().flattenedDefaults()) ?? [])).map(\.key)
  }

  private func decode(
    _ found: FoundContent, _ format: FileFormat, _ source: SourceText, _ failure: SnapshotError
  ) throws(SnapshotError) -> Salvaged<Root> {
    let (schema, log, header) = (Root.schema, found.log, found.header(in: source))
    let steps =
      header.flatMap { header in
        header.schema == schema.name && header.version < schema.version && !Root.isUntyped
          ? schema.migrations.steps(from: header.version) : nil
      } ?? []
    let decoding = try SalvageDecoding<Root>(found, source, steps, defaults)
    let checksum = header.map { format.verify(bytes, against: $0.checksum) } ?? .absent
    if !Root.isUntyped, let header, steps.isEmpty, header.schema != schema.name || header.version != schema.version {
      if checksum != .mismatch || found.count == 0 { throw failure }
      log.add(failure, .file)
    }
    if checksum == .mismatch { log.add(Self.mismatch) }
    if header == nil {
      let name = Root.isUntyped ? "; the schema is called “recovered” here" : ""
      log.add(SnapshotError(.wrongSchema, "the header of the file is damaged or missing" + name), .file)
    }
    // Report the failure of the file, even if no record was lost.
    if log.count == 0 { log.add(failure, .file) }
    let decoded = DecodedSnapshot(
      root: decoding.root, unknown: decoding.unknown,
      version: steps.isEmpty ? schema.version : header?.version ?? schema.version, steps: steps.map(\.name))
    return finish(decoded, decoding.lostValues, format, checksum, log)
  }

  /// The content of the file in a format. Of a text with conflict markers, both sides are read.
  private func find(_ format: FileFormat, _ source: SourceText) -> FoundContent {
    func read(_ side: SourceText) -> FoundContent {
      let tables = Root.schema.fields.filter(\.isTable).map(\.name)
      var found = FoundContent(tables: tables, values: valueNames, SalvageLog(bytes, source))
      format.parts.salvage(side, limits, into: &found)
      // An older version has names of its own.
      let names = found.header(in: source).map { $0.version < Root.schema.version } == true ? [] : tables
      if !Root.isUntyped { found.settle(names: names) }
      return found
    }
    guard format.isText, let sides = ConflictSides(source.bytes) else { return read(source) }
    var found = read(SourceText(unchecked: sides.ours, isText: true))
    found.append(read(SourceText(unchecked: sides.theirs, isText: true)))
    for range in sides.base { found.log.note(range) }
    found.log.add(
      SnapshotError(
        .duplicate, "conflict markers: both sides are taken, and the first one where they differ",
        position: SnapshotError.Position(offset: sides.offset)))
    return found
  }

  private func finish(
    _ decoded: DecodedSnapshot<Root>, _ lostValues: [String], _ format: FileFormat,
    _ checksum: SnapshotHeader.ChecksumState,
    _ log: SalvageLog
  ) -> Salvaged<Root> {
    var value = decoded.root
    if log.count > 0 {
      for violation in value.repairLosses() { log.addRepair(violation) }
    }
    return Salvaged(
      value: value, contentBeforeRepair: decoded, lostValues: Set(lostValues.map { ExactText($0) }), format: format,
      checksum: checksum, losses: log.located(), lossCount: log.count, unusedBytes: log.unused(),
      tables: SnapshotContent(value, decoded.unknown).tableCounts)
  }
}

/// The names of the tables and single values of a document.
private struct TableNames: DocumentVisitor {
  var names: Set<ExactText> = []

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader)
    throws(SnapshotError)
  {
    names.insert(ExactText(name))
    while try records.next() != nil {}
  }

  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) {
    names.insert(ExactText(name))
    _ = try read()
  }
}
