/// Salvages a text, as far as it is one object with names, tables and records.
///
/// Up to the first error it is read as an intact file is. Behind an error, reading goes on at the next line that begins
/// a record or a name of the file; see ``SalvageLines``. The last name above owns the records that follow. If the lines
/// between them may have had another name, their table is uncertain.
struct TextSalvage<Grammar: SalvageGrammar> {
  enum Level { case names, records }

  var grammar: Grammar
  let bytes: UnsafeBufferPointer<UInt8>
  var lines: SalvageLines
  var found: FoundContent
  var level = Level.names
  /// Whether the text from the last certain place up to here could be read.
  var isAligned = true
  /// Whether the last token was a record, so that a comma or the end of the table is next.
  var isBehindRecord = false
  var hasEntered = false
  /// The number of bytes that were read without success.
  var work = 0

  /// - Parameter found: where the content goes.
  static func read(_ source: SourceText, _ limits: ReadLimits, into found: inout FoundContent) {
    source.bytes.withUnsafeBufferPointer { bytes in
      var salvage = TextSalvage(bytes, source, limits, found)
      salvage.run()
      found = salvage.found
    }
  }

  private init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ source: SourceText, _ limits: ReadLimits, _ found: FoundContent
  ) {
    grammar = Grammar(bytes, of: source, limits: limits)
    self.bytes = bytes
    self.found = found
    lines = SalvageLines(bytes, hasCommas: Grammar.hasCommas)
  }

  private mutating func run() {
    // Each damaged record may be read up to its error, which may be behind many others.
    while work <= 32 * bytes.count + 1_000_000 {
      let start = grammar.offset
      do throws(SnapshotError) {
        guard let token = try grammar.token() else { return }
        try step(token)
      } catch {
        work += max(0, grammar.offset - start)
        lose(from: lines.skippingWhitespace(from: start), error)
      }
    }
    found.loseBytes(
      SnapshotError(.limitExceeded, "too much of the file is damaged", position: position(grammar.offset)),
      grammar.offset..<bytes.count)
  }

  private mutating func step(_ token: SalvageToken) throws(SnapshotError) {
    switch token {
    case .separator: isBehindRecord = false
    case .objectEnd:
      // Behind the end of an object, no name is certain.
      isAligned = isAligned && level == .records
      if !found.hasNames { found.loseValues() }
    case .arrayEnd: endTable()
    case .key:
      if level == .names && isAligned && !lacksComma || lines.mayBeName(at: grammar.offset) { return try readName() }
      guard isHeaderKey(grammar.offset) else { throw stray() }
      try readHeaderMember()
    case .object where level == .names && !hasEntered || isHeader(grammar.offset): try readFirst()
    case .array where level == .names && isAligned: try beginTable(nil, at: grammar.offset)
    case .array where level == .records && lines.isLeftOfRecords(grammar.offset): _ = try grammar.enterArray()
    case .object, .array, .other: try readElement(token)
    }
  }

  /// Whether a comma is missing before the position.
  var lacksComma: Bool { Grammar.hasCommas && isBehindRecord }

  func stray() -> SnapshotError {
    SnapshotError(.malformed, "expected a record or a table", position: position(grammar.offset))
  }

  func position(_ offset: Int) -> SnapshotError.Position { SnapshotError.Position(offset: offset) }

  // MARK: Records

  mutating func readElement(_ token: SalvageToken) throws(SnapshotError) {
    let start = grammar.offset
    let isCertain = level == .records && isAligned && !lacksComma
    guard isCertain || token == .object && lines.mayBeRecord(at: start) else { throw stray() }
    if level == .names {
      found.begin(nil, at: start)
      level = .records
    }
    // Without a comma, a line may have been removed here.
    if isAligned, lacksComma, lines.isFlat { found.beginUncertain(at: start) }
    do throws(SnapshotError) {
      let item = try grammar.value(depth: 3)
      // The braces may be those of two records.
      if !isCertain, item.allMembers?.isEmpty == true { throw stray() }
      found.add(item, start..<grammar.offset)
      if token == .object { lines.noteRecord(start..<grammar.offset, isCertain: isCertain) }
      (isAligned, isBehindRecord) = (true, true)
    } catch {
      work += grammar.offset - start
      grammar.offset = start
      lose(from: start, error, ofRecord: true)
    }
  }
}
