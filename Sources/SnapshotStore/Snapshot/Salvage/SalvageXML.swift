/// Reads what is left of an XML property list, as `SalvageJSON` does with JSON.
struct SalvageXML {
  private var parser: XMLParser
  private let bytes: UnsafeBufferPointer<UInt8>
  private let tables: SalvageTables
  private var gap: SalvageGap
  private var nesting: SalvageNesting
  private var place = SalvagePlace()
  /// Whether no dictionary was read yet.
  private var isAtStart = true

  static func read(_ source: SourceText, _ limits: ReadLimits, into tables: SalvageTables) {
    source.bytes.withUnsafeBufferPointer { bytes in
      var salvage = SalvageXML(bytes, source, limits, tables)
      salvage.run()
    }
  }

  private init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ source: SourceText, _ limits: ReadLimits,
    _ tables: SalvageTables
  ) {
    parser = XMLParser(scanner: XMLScanner(bytes, of: source), limits: limits)
    self.bytes = bytes
    self.tables = tables
    gap = SalvageGap(bytes, .xml, tables: tables.tableNames, values: tables.valueNames)
    nesting = SalvageNesting(bytes, .xml, limits)
  }

  private mutating func run() {
    while !gap.isExhausted {
      let start = parser.scanner.offset
      do throws(SnapshotError) {
        try parser.scanner.skipFiller()
        if parser.scanner.isAtEnd { return }
        try step()
      } catch {
        gap.work += parser.scanner.offset - start
        parser.scanner.offset = start
        parser.scanner.skipWhitespace()
        loseBytes(error)
      }
    }
    let start = parser.scanner.offset
    tables.loseBytes(
      SnapshotError(
        .limitExceeded, "too much of the file is damaged", position: FilePosition(offset: start)),
      start..<bytes.count)
  }

  private mutating func step() throws(SnapshotError) {
    if parser.scanner.isNext("<dict>") || parser.scanner.isNext("<dict/>") {
      if !enterFrame() { readRecord() }
    } else if parser.scanner.isNext("<key>") {
      try readMember()
    } else if parser.scanner.isNext("</array>") {
      place.endArray(isLine: gap.isFrameLine(at: parser.scanner.offset))
      _ = parser.scanner.skip("</array>")
      tables.doubt()
    } else if parser.scanner.skip("</dict>") {
      place.endObject()
    } else if !skipMarkup() {
      throw parser.scanner.failure("expected a record or a table")
    }
  }

  // MARK: Frame

  /// Steps into a dictionary whose first key is that of the header or of a table: the whole file.
  private mutating func enterFrame() -> Bool {
    var ahead = parser.scanner
    guard ahead.skip("<dict>") else { return false }
    ahead.skipWhitespace()
    guard gap.isFrameKey(at: ahead.offset) else { return false }
    parser.scanner = ahead
    place.enterFrame()
    return true
  }

  /// Steps over the tags around the whole of a list.
  private mutating func skipMarkup() -> Bool {
    let starts: [StaticString] = ["<?xml", "<!DOCTYPE", "<plist", "</plist>"]
    guard starts.contains(where: { parser.scanner.isNext($0) }) else { return false }
    var end = parser.scanner.offset
    let limit = min(bytes.count, end + 1_000)
    while end < limit, bytes[end] != UInt8(ascii: ">") { end += 1 }
    guard end < limit else { return false }
    parser.scanner.offset = end + 1
    return true
  }

  private mutating func readMember() throws(SnapshotError) {
    let start = parser.scanner.offset
    guard let tag = try parser.scanner.openTag(), tag.element == .key else {
      throw parser.scanner.failure("expected a record or a table", at: start)
    }
    let key = try parser.scanner.text(of: tag)
    if key == "snapshot" {
      tables.read(header: try value(depth: 2))
      return place.enterFrame()
    }
    let certainty = place.certainty(isLine: gap.isFrameLine(at: start))
    if isTable(key, certainty) { return try begin(key, at: start) }
    let member = SalvageMember(name: key, certainty: certainty, isArray: parser.isAtArray())
    do throws(SnapshotError) {
      let item = try value(depth: 2)
      if !tables.add(member: item, key, certainty, start..<parser.scanner.offset) {
        place.passProperty()
      }
    } catch {
      gap.work += parser.scanner.offset - start
      parser.scanner.offset = start
      loseBytes(error, of: member)
    }
  }

  /// Whether an array is at the position that is to be read record by record.
  private func isTable(_ key: String, _ certainty: SalvageCertainty) -> Bool {
    var ahead = parser
    guard ahead.isAtArray(), !tables.isValue(key) else { return false }
    if tables.isTable(key) { return true }
    guard certainty > .none, let array = try? ahead.valueTag(), !array.isEmpty,
      (try? ahead.scanner.skipFiller()) != nil
    else { return false }
    return ahead.scanner.isNext("<dict")
  }

  private mutating func begin(_ table: String, at start: Int) throws(SnapshotError) {
    let array = try parser.valueTag()
    tables.begin(table, at: start)
    gap.beginTable()
    place.enterTable()
    if array.isEmpty {
      tables.doubt()
      place.enterFrame()
    }
  }

  private mutating func loseBytes(_ error: SnapshotError, of member: SalvageMember? = nil) {
    let start = parser.scanner.offset
    if start >= bytes.count { return tables.loseBytes(error, start..<start) }
    if !gap.pass(from: start, isRecord: false) { tables.doubt() }
    place.passGap()
    parser.scanner.offset = gap.end
    tables.lose(member, error, start..<gap.end)
  }

  // MARK: Records

  private mutating func readRecord() {
    let start = parser.scanner.offset
    let isFirst = isAtStart
    isAtStart = false
    gap.beginRecord(at: start)
    do throws(SnapshotError) {
      let item = try value(depth: 3)
      if tables.isFrame(item) {
        parser.scanner.offset = start + "<dict>".utf8.count
        place.enterFrame()
        return gap.forgetRecord()
      }
      tables.add(item, start..<parser.scanner.offset)
      place.enterTable()
    } catch {
      gap.work += parser.scanner.offset - start
      parser.scanner.offset = start
      // What opens first is the whole of the file.
      if isFirst, tables.current == nil, parser.scanner.skip("<dict>") {
        place.enterFirst()
        return gap.forgetRecord()
      }
      let isCertain = gap.pass(from: start, isRecord: true)
      tables.lose(error, readable: readableMembers(), start..<gap.end)
      parser.scanner.offset = gap.end
      if !isCertain { tables.doubt() }
      place.enterTable()
    }
  }

  /// Reads a value, unless it is known that it cannot be read.
  private mutating func value(depth: Int) throws(SnapshotError) -> Item {
    try parser.scanner.skipFiller()
    let start = parser.scanner.offset
    if let error = nesting.error(at: start, depth: depth) { throw error }
    do throws(SnapshotError) {
      return try parser.value(depth: depth)
    } catch {
      nesting.fail(at: start, depth: depth, error, reach: parser.scanner.offset)
      throw error
    }
  }

  /// The members of the dictionary at the position, up to where it breaks the rules.
  private func readableMembers() -> Item {
    var parser = parser
    var members: [Item.Member] = []
    if let tag = try? parser.valueTag() {
      _ = try? parser.dictionary(tag, depth: 3) { parser, key, offset throws(SnapshotError) in
        try parser.scanner.skipFiller()
        if nesting.isLost(at: parser.scanner.offset) { return .stop }
        members.append(Item.Member(key: key, value: try parser.value(depth: 4), keyOffset: offset))
        return .goOn
      }
    }
    return Item(.dictionary(members))
  }
}
