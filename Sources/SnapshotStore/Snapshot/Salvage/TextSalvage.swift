/// Salvages a text.
///
/// Records are read one after another, by the grammar of the format. After an error, `SalvageGap` finds the next place
/// at which a record begins. The frame around the records (commas, brackets, the names of tables) is used where it is
/// intact, and not required elsewhere.
struct TextSalvage<Grammar: SalvageGrammar> {
  private var grammar: Grammar
  private let bytes: UnsafeBufferPointer<UInt8>
  /// Whether it is newline-delimited JSON.
  private let isLines: Bool
  private let tables: SalvageTables
  private var gap: SalvageGap<Grammar>
  private var nesting: SalvageNesting<Grammar>
  private var place = SalvagePlace()
  /// Whether no object was read yet.
  private var isAtStart = true

  static func read(_ source: SourceText, _ limits: ReadLimits, isLines: Bool = false, into tables: SalvageTables) {
    source.bytes.withUnsafeBufferPointer { bytes in
      var salvage = TextSalvage(bytes, source, limits, isLines, tables)
      salvage.run()
    }
  }

  private init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ source: SourceText, _ limits: ReadLimits, _ isLines: Bool,
    _ tables: SalvageTables
  ) {
    grammar = Grammar(bytes, of: source, limits: limits)
    self.bytes = bytes
    self.isLines = isLines
    self.tables = tables
    gap = SalvageGap(bytes, tables: tables.tableNames, values: tables.valueNames)
    nesting = SalvageNesting(bytes, limits)
  }

  private mutating func run() {
    while !gap.isExhausted {
      let start = grammar.offset
      do throws(SnapshotError) {
        guard let token = try grammar.token() else { return }
        try step(token)
      } catch {
        giveUp(from: start)
        grammar.skipWhitespace()
        loseBytes(error)
      }
    }
    let start = grammar.offset
    let error = SnapshotError(
      .limitExceeded, "too much of the file is damaged", position: SnapshotError.Position(offset: start))
    tables.loseBytes(error, start..<bytes.count)
  }

  private mutating func step(_ token: SalvageToken) throws(SnapshotError) {
    switch token {
    case .separator: break
    case .object: if !enterFrame() { readRecord() }
    case .key: try readMember()
    case .objectEnd: place.endObject()
    case .arrayEnd(let offset):
      place.endArray(isLine: gap.isFrameLine(at: offset))
      tables.doubt()
    case .other:
      throw SnapshotError(
        .malformed, "expected a record or a table", position: SnapshotError.Position(offset: grammar.offset))
    }
  }

  /// Counts bytes that were read without success, and returns to their beginning.
  private mutating func giveUp(from start: Int) {
    gap.work += grammar.offset - start
    grammar.offset = start
  }

  // MARK: Frame

  /// Enters an object whose first key is that of the header or of a table: the whole file, or a line of a header.
  private mutating func enterFrame() -> Bool {
    guard let inside = grammar.insideOfObject(), gap.isFrameKey(at: inside) else { return false }
    grammar.offset = inside
    place.enterFrame()
    return true
  }

  private mutating func readMember() throws(SnapshotError) {
    let start = grammar.offset
    let key = try grammar.key()
    if key == "snapshot" {
      tables.read(header: try value(depth: 2))
      return place.enterFrame()
    }
    // In newline-delimited JSON, members have their own lines.
    let certainty = isLines ? .none : place.certainty(isLine: gap.isFrameLine(at: start))
    if isTable(key, certainty) { return try begin(key, at: start) }
    let member = SalvageMember(name: key, certainty: certainty, isArray: grammar.isAtArray())
    do throws(SnapshotError) {
      let item = try value(depth: 2)
      if !tables.add(member: item, key, certainty, start..<grammar.offset) { place.passProperty() }
    } catch {
      giveUp(from: start)
      loseBytes(error, of: member)
    }
  }

  /// Whether the array at the position is to be read record by record.
  private func isTable(_ key: String, _ certainty: SalvageCertainty) -> Bool {
    guard grammar.isAtArray(), !tables.isValue(key) else { return false }
    return tables.isTable(key) || (certainty > .none && grammar.isAtArrayOfObjects())
  }

  private mutating func begin(_ table: String, at start: Int) throws(SnapshotError) {
    let isEmpty = try grammar.enterArray()
    tables.begin(table, at: start)
    gap.beginTable()
    place.enterTable()
    if isEmpty {
      tables.doubt()
      place.enterFrame()
    }
  }

  private mutating func loseBytes(_ error: SnapshotError, of member: SalvageMember? = nil) {
    let start = grammar.offset
    if start >= bytes.count { return tables.loseBytes(error, start..<start) }
    if !gap.pass(from: start, isRecord: false), !isLines { tables.doubt() }
    place.passGap()
    grammar.offset = gap.end
    tables.lose(member, error, start..<gap.end)
  }

  // MARK: Records

  private mutating func readRecord() {
    let start = grammar.offset
    let isFirst = isAtStart
    isAtStart = false
    gap.beginRecord(at: start)
    do throws(SnapshotError) {
      let item = try value(depth: depth)
      if tables.isFrame(item) {
        grammar.offset = start
        _ = grammar.enterObject()
        place.enterFrame()
        return gap.forgetRecord()
      }
      add(item, start..<grammar.offset)
      place.enterTable()
    } catch {
      giveUp(from: start)
      // The first object is the whole file, unless every line has an object.
      if isFirst, tables.current == nil, !isLines, grammar.enterObject() {
        place.enterFirst()
        return gap.forgetRecord()
      }
      let isCertain = gap.pass(from: start, isRecord: true)
      lose(error, readableMembers(), start..<gap.end)
      grammar.offset = gap.end
      if !isCertain, !isLines { tables.doubt() }
      place.enterTable()
    }
  }

  /// The nesting level of records. In newline-delimited JSON it is the top.
  private var depth: Int { isLines ? 1 : 3 }

  /// The members of the record at the position, up to the first error.
  private func readableMembers() -> Item {
    Item(.dictionary(grammar.members(depth: depth, inner: isLines ? "record" : nil) { nesting.isLost(at: $0) }))
  }

  /// Reads a value, unless it is known to be unreadable.
  private mutating func value(depth: Int) throws(SnapshotError) -> Item {
    try grammar.skipFiller()
    let start = grammar.offset
    if let error = nesting.error(at: start, depth: depth) { throw error }
    do throws(SnapshotError) {
      return try grammar.value(depth: depth)
    } catch {
      nesting.fail(at: start, depth: depth, error, reach: grammar.offset)
      throw error
    }
  }
}

// MARK: - Lines

extension TextSalvage {
  /// Adds an object. If it has a record and the name of its table, it was written as a line of newline-delimited JSON.
  private func add(_ item: Item, _ range: Range<Int>) {
    guard Grammar.mayHoldLines else { return tables.add(item, range) }
    if tables.addRepeated(range) { return }
    if let (name, record) = item.recordLine,
      isLines || (tables.isField(name) && !tables.isOfCurrentTable(item))
    {
      if tables.isValue(name) { return tables.add(element: record, of: name, range) }
      tables.begin(name, at: range.lowerBound, mayReturn: true)
      return tables.add(record, range, isNamed: true)
    }
    if let (name, value) = item.singleValueLine,
      isLines || (tables.isValue(name) && !tables.isOfCurrentTable(item))
    {
      return tables.add(value: value, of: name, .certain, range)
    }
    if let name = item.emptyTableLine,
      isLines || (tables.isField(name) && !tables.isOfCurrentTable(item))
    {
      if tables.isValue(name) { return tables.add(value: Item(.array([])), of: name, .certain, range) }
      return tables.begin(emptyTable: name, at: range.lowerBound)
    }
    guard isLines else { return tables.add(item, range) }
    tables.loseBytes(
      SnapshotError(
        .invalidValue, JSONScanner.expectedLine,
        position: SnapshotError.Position(offset: range.lowerBound)), range)
  }

  /// Notes a record that cannot be read.
  private func lose(_ error: SnapshotError, _ readable: @autoclosure () -> Item, _ range: Range<Int>) {
    guard isLines else { return tables.lose(error, readable: readable(), range) }
    let readable = readable()
    if let name = readable["table"]?.text, tables.isField(name) {
      if tables.isValue(name) { return tables.lose(elementOf: name, error, range) }
      tables.begin(name, at: range.lowerBound, mayReturn: true)
    }
    if let name = readable["field"]?.text, tables.isValue(name) {
      return tables.lose(value: name, error, range)
    }
    tables.lose(error, readable: readable["record"] ?? readable, range)
  }
}
