/// The names of a file: its header, tables and single values.
extension TextSalvage {
  /// Enters the object that is the whole file. If the beginning of the file is lost, the first object is a record.
  mutating func readFirst() throws(SnapshotError) {
    if !isHeader(grammar.offset) {
      var ahead = grammar
      let item = isAligned ? try? ahead.value(depth: 1) : nil
      if let item, isHeader(item) {
        // The name of the header is missing.
        found.add(header: item, grammar.offset..<ahead.offset)
        (grammar, hasEntered, isBehindRecord) = (ahead, true, true)
        return
      }
      let next = try? ahead.token()
      let isRecord = next == .arrayEnd || (Grammar.hasCommas ? next == .separator : next == .object)
      if !isAligned || item != nil && isRecord { return try readElement(.object) }
    }
    (hasEntered, isAligned, isBehindRecord, level) = (true, true, false, .names)
    grammar.enterObject()
  }

  mutating func readName() throws(SnapshotError) {
    let start = grammar.offset
    let isCertain = level == .names && isAligned && !lacksComma
    let name = try grammar.key()
    if name == "snapshot" {
      try readHeader()
    } else if !isCertain, isHeaderKey(start) {
      grammar.offset = start
      return try readHeaderMember()
    } else if grammar.isAtArray(), !found.isValue(name) {
      let opensTable = try isCertain ? true : opensTable()
      if !opensTable { throw stray() }
      return try beginTable(name, at: start)
    } else if isAtRecord(behind: start), !found.isValue(name) {
      // The tag of the array is missing.
      found.begin(name, at: start)
      lines.noteName(at: start)
      (level, isAligned, isBehindRecord) = (.records, true, false)
      return
    } else if !readValue(name, from: start, isCertain) {
      return
    }
    lines.noteName(at: start)
    (level, isAligned, isBehindRecord) = (.names, true, true)
  }

  /// Whether the value behind a name is an object on a line of its own, as far to the right as records are.
  private func isAtRecord(behind name: Int) -> Bool {
    var ahead = grammar
    guard let token = try? ahead.token(), token == .object, let own = lines.indentation(of: name),
      let indent = lines.indentation(of: ahead.offset), indent > own
    else { return false }
    // A whole value is followed by a name.
    guard (try? ahead.value(depth: 3)) != nil else { return true }
    var next = try? ahead.token()
    if next == .separator { next = try? ahead.token() }
    return next == .object || next == .arrayEnd
  }

  // MARK: The header

  private static var headerKeys: [ExactText] { ["schema", "version", "checksum", "values", "ids"] }

  private func isHeader(_ item: Item) -> Bool {
    item["schema"] != nil && item.allMembers?.allSatisfy { Self.headerKeys.contains($0.key) } ?? false
  }

  private mutating func readHeader() throws(SnapshotError) {
    let start = grammar.offset
    let readable = grammar.members(depth: 2).filter { Self.headerKeys.contains($0.key) }
    do throws(SnapshotError) {
      let header = try grammar.value(depth: 2)
      // Without its end, it takes in the names that follow.
      guard isHeader(header) else { throw stray() }
      found.add(header: header, start..<grammar.offset)
    } catch {
      found.add(header: Item(.dictionary(readable)), start..<start)
      throw error
    }
  }

  /// Reads a key of a damaged header, with its value.
  mutating func readHeaderMember() throws(SnapshotError) {
    let start = grammar.offset
    let member = Item.Member(key: try grammar.key(), value: try grammar.value(depth: 3), keyOffset: start)
    found.add(header: Item(.dictionary([member])), start..<grammar.offset)
  }

  /// Whether a key at a place can only be one of a damaged header: all names of the file are behind the header.
  func isHeaderKey(_ place: Int) -> Bool {
    var ahead = grammar
    ahead.offset = place
    guard found.sections.isEmpty, let key = try? ahead.key(), !found.isValue(key) else { return false }
    return Self.headerKeys.contains(ExactText(key))
  }

  /// Whether the array at the position is empty, or its bracket or tag ends a line.
  private func opensTable() throws(SnapshotError) -> Bool {
    var ahead = grammar
    return try ahead.enterArray() || lines.endsLine(ahead.offset)
  }

  private mutating func readValue(_ name: String, from start: Int, _ isCertain: Bool) -> Bool {
    do throws(SnapshotError) {
      let item = try grammar.value(depth: 2)
      guard isCertain ? isComplete(item) : found.hasNames && (lines.endsLine(grammar.offset) || endsFile()) else {
        throw stray()
      }
      found.add(value: item, of: name, start..<grammar.offset)
      return true
    } catch {
      work += grammar.offset - start
      if found.isTable(name) {
        // The name counts, even if the bracket or tag behind it is damaged.
        found.begin(name, at: start)
        level = .records
      }
      lose(from: start, error, ofValue: found.isValue(name) ? name : nil)
      return false
    }
  }

  /// Whether a value ends at the position. Damaged text there, or the end of the file, may have been the rest of a
  /// number.
  private func isComplete(_ item: Item) -> Bool {
    if !Grammar.hasCommas || item.elements != nil || item.allMembers != nil || item.text != nil { return true }
    var ahead = grammar
    let next = try? ahead.token()
    return next != nil && next != .other
  }

  /// Whether the end of the object, and then of the file, is next.
  private func endsFile() -> Bool {
    var ahead = grammar
    return (try? ahead.token()) == .objectEnd && lines.endsLine(ahead.offset)
  }

  mutating func beginTable(_ name: String?, at start: Int) throws(SnapshotError) {
    let isEmpty = try grammar.enterArray()
    found.begin(name, at: start)
    lines.noteName(at: start)
    (level, isAligned, isBehindRecord) = (isEmpty ? .names : .records, true, isEmpty)
  }

  mutating func endTable() {
    if level == .records { found.begin(nil, at: grammar.offset) }
    (level, isBehindRecord) = (.names, true)
  }

  /// Whether the object of a file, with its header, is at a place.
  func isHeader(_ place: Int) -> Bool {
    var ahead = grammar
    ahead.offset = place
    ahead.enterObject()
    guard (try? ahead.token()) == .key, (try? ahead.key()) == "snapshot" else { return false }
    return ahead.members(depth: 2).contains { Self.headerKeys.contains($0.key) }
  }
}
