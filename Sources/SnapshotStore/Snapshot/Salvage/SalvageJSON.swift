/// Reads what is left of a JSON or an NDJSON file.
///
/// Records are read one after another, with the grammar of every JSON file. Where that ends, the next place is looked for
/// at which one begins, as `SalvageGap` has it. The frame around the records (commas, brackets, the names of tables) is
/// believed where it is there, and not missed where it is not.
struct SalvageJSON {
  private var scanner: JSONScanner
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isLines: Bool
  private let tables: SalvageTables
  private var gap: SalvageGap
  private var nesting: SalvageNesting
  private var place = SalvagePlace()
  /// Whether no object was read yet.
  private var isAtStart = true
  /// How deep a record stands: in newline-delimited JSON at the top.
  private let depth: Int

  /// - Parameter isLines: whether it is newline-delimited JSON.
  static func read(_ source: SourceText, _ limits: ReadLimits, isLines: Bool, into tables: SalvageTables) {
    source.bytes.withUnsafeBufferPointer { bytes in
      var salvage = SalvageJSON(bytes, source, limits, isLines, tables)
      salvage.run()
    }
  }

  private init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ source: SourceText, _ limits: ReadLimits, _ isLines: Bool,
    _ tables: SalvageTables
  ) {
    self.isLines = isLines
    scanner = JSONScanner(bytes, of: source, limits: limits)
    self.bytes = bytes
    self.tables = tables
    gap = SalvageGap(bytes, .json, tables: tables.tableNames, values: tables.valueNames)
    nesting = SalvageNesting(bytes, .json, limits)
    depth = isLines ? 1 : 3
  }

  private mutating func run() {
    while let byte = scanner.peek(), !gap.isExhausted {
      switch byte {
      case UInt8(ascii: ","): scanner.offset += 1
      case UInt8(ascii: "}"):
        scanner.offset += 1
        place.endObject()
      case UInt8(ascii: "]"):
        place.endArray(isLine: gap.isFrameLine(at: scanner.offset))
        scanner.offset += 1
        tables.doubt()
      case UInt8(ascii: "{"): if !enterFrame() { readRecord() }
      case UInt8(ascii: "\""): readMember()
      default:
        loseBytes(
          SnapshotError(
            .malformed, "expected a record or a table",
            position: FilePosition(offset: scanner.offset)))
      }
    }
    if scanner.peek() != nil {
      let start = scanner.offset
      tables.loseBytes(
        SnapshotError(
          .limitExceeded, "too much of the file is damaged", position: FilePosition(offset: start)),
        start..<bytes.count)
    }
  }

  // MARK: Frame

  /// Steps into an object whose first key is that of the header or of a table: the whole file, or a line of a header.
  private mutating func enterFrame() -> Bool {
    var ahead = scanner
    ahead.offset += 1
    guard ahead.peek() == UInt8(ascii: "\""), gap.isFrameKey(at: ahead.offset) else { return false }
    scanner.offset = ahead.offset
    place.enterFrame()
    return true
  }

  private mutating func readMember() {
    let start = scanner.offset
    var member: SalvageMember?
    do throws(SnapshotError) {
      let key = try scanner.string()
      try scanner.expect(":")
      if key == "snapshot" {
        tables.read(header: try value(depth: 2))
        return place.enterFrame()
      }
      // What is of newline-delimited JSON stands in lines.
      let certainty =
        isLines ? .none : place.certainty(isLine: gap.isFrameLine(at: start))
      if isTable(key, certainty) {
        scanner.offset += 1
        return begin(key, at: start)
      }
      member = SalvageMember(
        name: key, certainty: certainty, isArray: scanner.peek() == UInt8(ascii: "["))
      let item = try value(depth: 2)
      if !tables.add(member: item, key, certainty, start..<scanner.offset) { place.passProperty() }
    } catch {
      gap.work += scanner.offset - start
      scanner.offset = start
      loseBytes(error, of: member)
    }
  }

  /// Whether an array is at the position that is to be read record by record.
  private func isTable(_ key: String, _ certainty: SalvageCertainty) -> Bool {
    var ahead = scanner
    guard ahead.skip("["), !tables.isValue(key) else { return false }
    return tables.isTable(key) || (certainty > .none && ahead.peek() == UInt8(ascii: "{"))
  }

  private mutating func begin(_ table: String, at start: Int) {
    tables.begin(table, at: start)
    gap.beginTable()
    place.enterTable()
  }

  private mutating func loseBytes(_ error: SnapshotError, of member: SalvageMember? = nil) {
    let start = scanner.offset
    if !gap.pass(from: start, isRecord: false), !isLines { tables.doubt() }
    place.passGap()
    scanner.offset = gap.end
    tables.lose(member, error, start..<max(start, scanner.offset))
  }

  // MARK: Records

  private mutating func readRecord() {
    let start = scanner.offset
    let isFirst = isAtStart
    isAtStart = false
    gap.beginRecord(at: start)
    do throws(SnapshotError) {
      let item = try value(depth: depth)
      if tables.isFrame(item) {
        scanner.offset = start + 1
        place.enterFrame()
        return gap.forgetRecord()
      }
      add(item, start..<scanner.offset)
      place.enterTable()
    } catch {
      gap.work += scanner.offset - start
      scanner.offset = start
      // What opens first is the whole of the file, unless there is an object on every line.
      if isFirst, tables.current == nil, !isLines {
        scanner.offset = start + 1
        place.enterFirst()
        return gap.forgetRecord()
      }
      lose(error, from: start)
      place.enterTable()
    }
  }

  /// Passes over a record that cannot be read.
  private mutating func lose(_ error: SnapshotError, from start: Int) {
    let isCertain = gap.pass(from: start, isRecord: true)
    guard isLines else {
      tables.lose(error, readable: readableMembers(), start..<gap.end)
      scanner.offset = gap.end
      if !isCertain { tables.doubt() }
      return
    }
    let readable = readableMembers()
    scanner.offset = gap.end
    if case .string(let name)? = readable["table"]?.content, tables.isField(name) {
      if tables.isValue(name) { return tables.lose(elementOf: name, error, start..<gap.end) }
      tables.begin(name, at: start, mayReturn: true)
    }
    if case .string(let name)? = readable["field"]?.content, tables.isValue(name) {
      return tables.lose(value: name, error, start..<gap.end)
    }
    tables.lose(error, readable: readable["record"] ?? readable, start..<gap.end)
  }

  /// Reads a value, unless it is known that it cannot be read.
  private mutating func value(depth: Int) throws(SnapshotError) -> Item {
    scanner.skipWhitespace()
    let start = scanner.offset
    if let error = nesting.error(at: start, depth: depth) { throw error }
    do throws(SnapshotError) {
      return try scanner.value(depth: depth)
    } catch {
      nesting.fail(at: start, depth: depth, error, reach: scanner.offset)
      throw error
    }
  }

  /// What stands in an object of its own beside the name of its table was written as a line, whatever is around it.
  private func add(_ item: Item, _ range: Range<Int>) {
    if tables.addRepeated(range) { return }
    if case .dictionary(let members) = item.content, members.count == 2,
      let record = item["record"],
      case .string(let name)? = item["table"]?.content,
      isLines || (tables.isField(name) && !tables.isOfCurrentTable(item))
    {
      if tables.isValue(name) { return tables.add(element: record, of: name, range) }
      tables.begin(name, at: range.lowerBound, mayReturn: true)
      return tables.add(record, range)
    }
    if let (name, value) = item.singleValueLine,
      isLines || (tables.isValue(name) && !tables.isOfCurrentTable(item))
    {
      return tables.add(value: value, of: name, .certain, range)
    }
    guard isLines else { return tables.add(item, range) }
    tables.loseBytes(
      SnapshotError(
        .invalidValue, "expected an object of “table” and “record”, or of “field” and “value”",
        position: FilePosition(offset: range.lowerBound)), range)
  }

  /// The members of the object at the position, up to where it breaks the rules.
  private func readableMembers() -> Item {
    var scanner = scanner
    var members: [Item.Member] = []
    guard scanner.skip("{"), scanner.peek() == UInt8(ascii: "\"") else {
      return Item(.dictionary([]))
    }
    scanner.offset = self.scanner.offset
    try? scanner.object(depth: depth) { scanner, key, offset throws(SnapshotError) in
      var member = Item.Member(key: key, value: Item(.null), keyOffset: offset)
      guard scanner.peek() == UInt8(ascii: "{"), isLines, key == "record" else {
        if nesting.isLost(at: scanner.offset) { return .stop }
        member.value = try scanner.value(depth: depth + 1)
        members.append(member)
        return .goOn
      }
      // What the record of a line has, though the line is broken.
      var inner: [Item.Member] = []
      var isCut = false
      defer {
        member.value = Item(.dictionary(inner))
        members.append(member)
      }
      try scanner.object(depth: depth + 1) { scanner, key, offset throws(SnapshotError) in
        scanner.skipWhitespace()
        isCut = nesting.isLost(at: scanner.offset)
        if isCut { return .stop }
        inner.append(
          Item.Member(key: key, value: try scanner.value(depth: depth + 2), keyOffset: offset))
        return .goOn
      }
      return isCut ? .stop : .goOn
    }
    return Item(.dictionary(members))
  }
}
