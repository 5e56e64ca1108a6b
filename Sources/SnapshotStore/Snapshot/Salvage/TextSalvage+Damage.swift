/// What is passed after an error, up to a line where reading can go on.
extension TextSalvage {
  /// Passes damaged text, up to a line that shows where it is.
  mutating func lose(
    from start: Int, _ error: SnapshotError, ofRecord isRecord: Bool = false, ofValue name: String? = nil
  ) {
    guard start < bytes.count else { return }
    if found.hasTables { noteIndents(at: start) }
    if !found.hasNames {
      // The first names may have been properties of a record without its beginning.
      found.loseValues()
      noteNames()
    }
    // Damage that can only be comments leaves open whether a comma is missing.
    var (isUncertain, isComments) = (false, true)
    var line = start
    while line < bytes.count {
      let next = lines.nextLine(after: line)
      isComments = isComments && lines.isComment(line..<next)
      if level == .records, passes(line..<next, isFirst: line == start) { isUncertain = true }
      line = next
      if line < bytes.count, isAnchor(lines.text(of: line)) { break }
    }
    if let name {
      found.lose(value: name, error, start..<line)
    } else if isRecord {
      found.lose(error, readable: Item(.dictionary(grammar.members(depth: 3))), start..<line)
    } else {
      found.loseBytes(error, start..<line)
    }
    if isUncertain { found.beginUncertain(at: line) }
    isAligned = isAligned && isComments && level == .records
    grammar.offset = line
  }

  /// Takes the least indentation of keys for that of names, if none is known.
  private mutating func noteNames() {
    if lines.nameIndent != nil { return }
    var least: Int?
    var line = 0
    while line < bytes.count {
      let place = lines.text(of: line)
      if place - line < least ?? .max, isKey(at: place) { least = place - line }
      line = lines.nextLine(after: line)
    }
    lines.nameIndent = least ?? 0
  }

  private func isKey(at place: Int) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") || ByteText.isNext("<key>", bytes, at: place) else {
      return false
    }
    var ahead = grammar
    ahead.offset = place
    return (try? ahead.token()) == .key
  }

  /// Notes what damaged text in a table shows of the indentation of its records.
  private mutating func noteIndents(at start: Int) {
    func token(_ place: Int) -> SalvageToken? {
      var ahead = grammar
      ahead.offset = place
      return (try? ahead.token()) ?? nil
    }
    let next = lines.text(of: lines.nextLine(after: start))
    switch token(start) {
    case .object where level == .records && lines.indentation(of: start) != nil: lines.noteDamagedRecord(at: start)
    case .key: lines.noteInside(at: start)
    default: if token(next) == .key { lines.noteInside(at: next) }
    }
  }

  /// Passes a damaged line of a table.
  ///
  /// - Returns: whether it may have had the name of another table.
  private mutating func passes(_ line: Range<Int>, isFirst: Bool) -> Bool {
    let own = isFirst ? lines.indentation(of: line.lowerBound) : lines.text(of: line.lowerBound) - line.lowerBound
    let indent = own ?? lines.recordIndent ?? 0
    let mayBeName = lines.mayHaveBeenName(line, indent: indent, isBehindRecord: isBehindRecord)
    if indent <= lines.recordIndent ?? indent, !lines.isComment(line) { isBehindRecord = !lines.endsInComma(line) }
    return mayBeName
  }

  /// Whether reading can continue at a place, the first on its line.
  private func isAnchor(_ place: Int) -> Bool {
    // A token is looked for behind blank lines and comments, however long they are.
    if place == bytes.count || bytes[place] == UInt8(ascii: "\n") || ByteText.isNext("<!--", bytes, at: place) {
      return false
    }
    var ahead = grammar
    ahead.offset = place
    guard let token = try? ahead.token() else { return false }
    switch token {
    case .object: return lines.mayBeRecord(at: place) || isHeader(place)
    case .key: return lines.mayBeName(at: place) || isHeaderKey(place)
    case .arrayEnd: return lines.mayBeEnd(at: place)
    default: return false
    }
  }
}
