/// Finds the end of damage in a text: the next place at which a record or a table begins.
///
/// Our layout, and that of most tools, begins each record on a line of its own. All records have the same indentation,
/// and tables have less. No text in a JSON record can begin a line of the file, and no text in an XML record contains a
/// tag. So beginnings of lines are trusted first.
///
/// If a record does not begin a line, the search looks for the mark between two records (`},{`, or the tags). It does
/// not do so inside nested brackets, where the mark might be a part of the lost record.
///
/// Every byte is skipped once. Failed attempts of readers count as work, which is limited.
struct SalvageGap<Grammar: SalvageGrammar> {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let tables: [[UInt8]]
  private let values: [[UInt8]]
  /// The indentation of the records in the current table; nil if they do not begin lines, or none was seen.
  private var indent: Int?
  /// The end of the last gap.
  private(set) var end = 0
  /// The number of bytes that were read without success.
  var work = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, tables: [String], values: [String] = []) {
    self.bytes = bytes
    self.tables = tables.map { Array($0.utf8) }
    self.values = values.map { Array($0.utf8) }
  }

  /// Whether the file is too damaged, by accident or on purpose, to continue.
  var isExhausted: Bool { work > 128 * bytes.count + 1_000_000 }

  /// Whether the next record is the first one of its table.
  private var isAtFirst = true

  /// Begins a table. Its first record is expected at the indentation of the last table's records.
  mutating func beginTable() { isAtFirst = true }

  /// Forgets the last record, because its text was not a record.
  mutating func forgetRecord() {
    indent = nil
    isAtFirst = true
  }

  mutating func beginRecord(at offset: Int) {
    if isAtFirst { indent = indentation(of: offset) }
    isAtFirst = false
  }

  /// Skips damage. Its end is then in `end`.
  ///
  /// - Parameters:
  ///   - start: the beginning of the damage.
  ///   - isRecord: whether it begins like a record.
  /// - Returns: whether the damage can only have been one record.
  mutating func pass(from start: Int, isRecord: Bool) -> Bool {
    let depth = indentation(of: start)
    let isLine = depth != nil
    var isOneRecord = isLine
    var line = start
    var trail = SalvageTrail()
    var index = start + 1
    trail.append(bytes[start])
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n") {
        isOneRecord = isOneRecord && line == start && Grammar.endsLikeRecord(bytes, line: line..<index)
        line = index + 1
        if let place = recordOrTable(atLine: line, from: depth) {
          end = place
          return isOneRecord
        }
      } else if !isLine, isMark(at: index, byte, isRecord, &trail) {
        end = index
        return false
      }
      index += 1
    }
    end = bytes.count
    return false
  }

  // MARK: Lines

  /// The number of blanks before a place in its line; nil if the line has other text before it.
  private func indentation(of offset: Int) -> Int? {
    var start = offset
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    return start == 0 || bytes[start - 1] == UInt8(ascii: "\n") ? offset - start : nil
  }

  /// The place on a line where a record, or the beginning or end of a table, is expected and found.
  ///
  /// - Parameter depth: the indentation of the damaged text.
  private func recordOrTable(atLine start: Int, from depth: Int?) -> Int? {
    var place = start
    while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    guard place < bytes.count else { return nil }
    // Content of a record has more indentation, if lines are indented at all.
    let isLeft = (indent ?? depth).map { place - start <= $0 }
    if Grammar.isObject(bytes, at: place) { return indent == nil || place - start == indent ? place : nil }
    if Grammar.isArrayEnd(bytes, at: place) { return isLeft == true ? place : nil }
    return isLeft != false && isFrameKey(at: place) || isLeft == true && isValueKey(at: place) ? place : nil
  }

  /// Whether a place begins a line like the members of the file. They have less indentation than records, or the same
  /// if each record is one line.
  func isFrameLine(at offset: Int) -> Bool {
    guard let depth = indentation(of: offset) else { return false }
    return Grammar.recordsAreLines ? depth <= indent ?? 0 : depth < indent ?? 0
  }

  // MARK: Within lines

  /// Whether a record or a table begins in the middle of a line.
  private func isMark(at index: Int, _ byte: UInt8, _ isRecord: Bool, _ trail: inout SalvageTrail) -> Bool {
    defer { trail.append(byte) }
    switch Grammar.mark(bytes, at: index, trail, isRecord: isRecord) {
    case nil: return false
    case .key: return isTable(afterMarkAt: index, trail)
    case .first: return true
    case .record: return !trail.isNested
    case .nested:
      trail.isNested = true
      return false
    }
  }

  /// Whether the next table begins after the end of a table, either with a record or empty. A record is required
  /// because an array in a record may have the name of a table.
  private func isTable(afterMarkAt index: Int, _ trail: SalvageTrail) -> Bool {
    guard Grammar.isBehindArray(bytes, index, trail), var place = frameEnd(at: index) else { return false }
    ByteText.skipBlanks(bytes, &place)
    if Grammar.isObject(bytes, at: place) { return true }
    return Grammar.keyBehindEmptyArray(bytes, at: place).map(isFrameKey) ?? false
  }

  // MARK: Frames

  /// Whether a key of the frame, with its value, is at an offset: the key of the header, or the name of a table.
  func isFrameKey(at offset: Int) -> Bool { frameEnd(at: offset) != nil }

  /// Whether the key of a single value is at an offset. The indentation of the line is checked too, because a property
  /// of a record may have the same name.
  private func isValueKey(at offset: Int) -> Bool {
    values.contains { value(offset, $0, "") != nil }
  }

  /// The place inside the value under a key of the frame, behind its bracket or tag; nil if there is no such key.
  private func frameEnd(at offset: Int) -> Int? {
    if let end = value(offset, Array("snapshot".utf8), Grammar.headerMark) { return end }
    for table in tables {
      for mark in Grammar.tableMarks { if let end = value(offset, table, mark) { return end } }
    }
    return nil
  }

  /// The place behind `opening`, if a value under a key at an offset begins with it.
  private func value(_ offset: Int, _ key: [UInt8], _ opening: StaticString) -> Int? {
    let (before, after, colon) = Grammar.keyMarks
    guard isNext(before, offset) else { return nil }
    var place = offset + before.utf8CodeUnitCount
    guard bytes.count - place >= key.count, bytes[place..<place + key.count].elementsEqual(key)
    else { return nil }
    place += key.count
    guard isNext(after, place) else { return nil }
    place += after.utf8CodeUnitCount
    ByteText.skipBlanks(bytes, &place)
    if let colon {
      guard isNext(colon, place) else { return nil }
      place += colon.utf8CodeUnitCount
      ByteText.skipBlanks(bytes, &place)
    }
    return isNext(opening, place) ? place + opening.utf8CodeUnitCount : nil
  }

  private func isNext(_ text: StaticString, _ offset: Int) -> Bool {
    ByteText.isNext(text, bytes, at: offset)
  }
}
