/// Recovers the content of a damaged file from its bytes.
struct Salvage<Root: Model> {
  let bytes: [UInt8]
  let limits: ReadLimits
  /// Whether unknown keys and tables are kept or make a record lost.
  var unknownKeys = UnknownKeys.keep

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
      DecodingOptions(unknownKeys: unknownKeys, acceptsChecksumMismatch: true, threads: threads))
    try requireTables(in: document, decoded)
    let log = SalvageLog(bytes, document.source)
    var lostValues: [String] = []
    if document.checksum == .mismatch {
      log.add(Self.mismatch)
      lostValues = try missingValues(in: document, decoded)
      for name in lostValues { log.addMissing(value: name) }
    }
    return finish(decoded, lostValues, document.format, document.checksum, log)
  }

  /// Refuses a file in which a known table or value is missing and an unknown one is present. They may be the same,
  /// under a damaged name.
  private func requireTables(in document: Document, _ decoded: DecodedSnapshot<Root>) throws(SnapshotError) {
    if document.checksum == .ok || !decoded.steps.isEmpty { return }
    let unknown = decoded.unknown
    guard let stray = unknown.tables.first?.name ?? unknown.values.first?.name else { return }
    var tables = TableNames()
    try document.reader.readTables(&tables)
    if Root.schema.fields.allSatisfy({ tables.names.contains(ExactText($0.name)) }) { return }
    let kind = unknown.tables.isEmpty ? "field" : "table"
    throw SnapshotError(.unknownKey, "there is no \(kind) \(stray.quotedForMessage()) in the schema")
  }

  /// The single values that are missing in a file of the current version. Every save writes all of them.
  private func missingValues(
    in document: Document, _ decoded: DecodedSnapshot<Root>
  ) throws(SnapshotError) -> [String] {
    var maker = SalvageCollectorMaker<Root>(unknownKeys)
    Root.schema.visit(&maker)
    let values = maker.collectors.filter(\.isValue).map(\.name)
    if values.isEmpty || !decoded.steps.isEmpty { return [] }
    var members = TableNames()
    try document.reader.readTables(&members)
    return values.filter { !members.names.contains(ExactText($0)) }
  }

  private static var mismatch: SnapshotError {
    SnapshotError(
      .checksumMismatch,
      "the checksum does not match the content: records may be changed or missing without a trace")
  }

  private func salvage(after failure: SnapshotError) throws(SnapshotError) -> Salvaged<Root> {
    var attempt: SalvageAttempt<Root>?
    for format in formats(after: failure) {
      let next = try migrating(try SalvageAttempt<Root>(bytes, format, limits, unknownKeys))
      if next.tables.recordCount > attempt?.tables.recordCount ?? -1 { attempt = next }
      // Another format than the one that the file states is tried only if nothing is found.
      if let attempt, attempt.tables.recordCount > 0, failure.code != .unknownFormat { break }
    }
    guard let attempt, attempt.tables.foundAnything else { throw failure }
    let (header, log) = (attempt.tables.header, attempt.log)
    let checksum = header.map { attempt.format.verify(bytes, against: $0.checksum) } ?? .absent
    if !Root.isUntyped, let header, attempt.steps.isEmpty,
      header.schema != Root.schema.name || header.version != Root.schema.version
    {
      if checksum != .mismatch || attempt.tables.recordCount == 0 { throw failure }
      log.add(failure, .file)
    }
    if checksum == .mismatch { log.add(Self.mismatch) }
    if header == nil { log.add(SnapshotError(.wrongSchema, "the header of the file is damaged or missing"), .file) }
    let decoded = attempt.decoded()
    // Report the failure of the file, even if no record was lost.
    if log.count == 0 { log.add(failure, .file) }
    return finish(decoded, attempt.lostValues, attempt.format, checksum, log)
  }

  /// The attempt. Another one with migration steps if the file states an older version.
  private func migrating(_ attempt: SalvageAttempt<Root>) throws(SnapshotError) -> SalvageAttempt<Root> {
    let schema = Root.schema
    guard let header = attempt.tables.header, header.schema == schema.name,
      header.version < schema.version,
      let steps = schema.migrations.steps(from: header.version)
    else { return attempt }
    return try SalvageAttempt<Root>(bytes, attempt.format, limits, unknownKeys, migrating: steps)
  }

  /// The possible formats: first the one that the file states, then others that a damaged beginning may hide.
  private func formats(after failure: SnapshotError) -> [FileFormat] {
    // Newline-delimited JSON is salvaged through the format that begins like it.
    let all = FileFormat.allCases.filter { !$0.parts.tellsSingleValues }
    guard let stated = try? FileFormat.recognize(bytes) else { return all }
    let refined = stated.refined(by: stated.parts.salvageSource(of: bytes))
    return [refined] + all.filter { $0 != refined }
  }

  private func finish(
    _ decoded: DecodedSnapshot<Root>, _ lostValues: [String], _ format: FileFormat, _ checksum: ChecksumState,
    _ log: SalvageLog
  ) -> Salvaged<Root> {
    var value = decoded.root
    if log.count > 0 {
      for violation in value.mendLosses() { log.addMending(violation) }
    }
    return Salvaged(
      value: value, unmendedContent: decoded, lostValues: Set(lostValues.map { ExactText($0) }), format: format,
      checksum: checksum, losses: log.located(), lossCount: log.count,
      tables: SnapshotContent(value, decoded.unknown).tableCounts)
  }
}

/// The result of salvage for one assumed format.
private struct SalvageAttempt<Root: Model> {
  let format: FileFormat
  let source: SourceText
  let log: SalvageLog
  let tables: SalvageTables
  /// The migration steps that ran.
  let steps: [Migration]
  private let collectors: [any TypedSalvageCollector<Root>]

  /// - Parameter steps: the migration steps if the file has an older version; else empty.
  init(
    _ bytes: [UInt8], _ format: FileFormat, _ limits: ReadLimits, _ unknownKeys: UnknownKeys,
    migrating steps: [Migration] = []
  ) throws(SnapshotError) {
    let source = format.parts.salvageSource(of: bytes)
    self.format = format
    self.source = source
    self.steps = steps
    log = SalvageLog(bytes, source)
    var maker = SalvageCollectorMaker<Root>(unknownKeys)
    Root.schema.visit(&maker)
    collectors = maker.collectors
    let migration = steps.isEmpty ? nil : SalvageMigration(steps, collectors, source)
    let untyped: [any SalvageCollector]? = migration?.collectors
    tables = SalvageTables(
      untyped ?? collectors, source, log, keepsUnknown: unknownKeys == .keep)
    format.parts.salvage(source, limits, into: tables)
    tables.settle(reportsMissing: migration == nil)
    try migration?.put(into: collectors, log)
  }

  /// The single values that could not be read.
  var lostValues: [String] { collectors.filter { $0.isValue && $0.isEmpty }.map(\.name) }

  func decoded() -> DecodedSnapshot<Root> {
    var root = Root()
    var unknown = UnknownContent()
    for collector in collectors { collector.put(into: &root, &unknown, log) }
    unknown.set(tables.unknownTables)
    unknown.set(tables.unknown.values)
    if Root.isUntyped { unknown.frame = tables.frame }
    let older = steps.isEmpty ? nil : tables.header?.version
    return DecodedSnapshot(
      root: root, unknown: unknown, version: older ?? Root.schema.version, steps: steps.map(\.name))
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
