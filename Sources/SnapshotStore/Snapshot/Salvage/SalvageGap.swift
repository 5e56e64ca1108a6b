/// Finds the end of what is damaged in a text: the next place at which a record or a table begins.
///
/// Our own layout, and that of most tools, begins every record on a line of its own, indented like the one before, and
/// tables further left. No text of a record can begin a line of the file in JSON, and none has a tag in it in XML. So lines
/// are believed first. Where a record does not begin a line, the mark between two records is looked for instead (`},{`, or
/// the tags), unless there is something nested in what is passed over: then it might be a part of the record that is lost.
///
/// Every byte is passed over once. What readers try and give up is counted as work, and there is only so much of it.
struct SalvageGap<Grammar: SalvageGrammar> {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let tables: [[UInt8]]
  private let values: [[UInt8]]
  /// How far the records of the current table are indented; nil if they do not begin lines, or none was seen.
  private var indent: Int?
  /// Where the last gap ended.
  private(set) var end = 0
  /// How many bytes were read in vain.
  var work = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, tables: [String], values: [String] = []) {
    self.bytes = bytes
    self.tables = tables.map { Array($0.utf8) }
    self.values = values.map { Array($0.utf8) }
  }

  /// Whether the file is so badly, or so cleverly, damaged that it is no use to go on.
  var isExhausted: Bool { work > 128 * bytes.count + 1_000_000 }

  /// Whether the next record is the first one of its table.
  private var isAtFirst = true

  /// The records of a table follow; until one is seen they are expected where those of the last table were.
  mutating func beginTable() { isAtFirst = true }

  /// What was taken for a record was not one.
  mutating func forgetRecord() {
    indent = nil
    isAtFirst = true
  }

  mutating func beginRecord(at offset: Int) {
    if isAtFirst { indent = indentation(of: offset) }
    isAtFirst = false
  }

  /// Passes over what is damaged; its end is then in `end`.
  ///
  /// - Parameters:
  ///   - start: where it begins.
  ///   - isRecord: whether it begins as a record does.
  /// - Returns: whether nothing but one record can have been in it.
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

  /// How many blanks there are before a place in its line; nil if there is something else.
  private func indentation(of offset: Int) -> Int? {
    var start = offset
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    return start == 0 || bytes[start - 1] == UInt8(ascii: "\n") ? offset - start : nil
  }

  /// Where on a line a record, or the beginning or end of a table, is expected and found.
  ///
  /// - Parameter depth: how far what is damaged is indented.
  private func recordOrTable(atLine start: Int, from depth: Int?) -> Int? {
    var place = start
    while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    guard place < bytes.count else { return nil }
    // What stands in a record is further right, where lines are indented at all.
    let isLeft = (indent ?? depth).map { place - start <= $0 }
    if Grammar.isObject(bytes, at: place) { return indent == nil || place - start == indent ? place : nil }
    if Grammar.isArrayEnd(bytes, at: place) { return isLeft == true ? place : nil }
    return isLeft != false && isFrameKey(at: place) || isLeft == true && isValueKey(at: place) ? place : nil
  }

  /// Whether a place begins a line as the members of the file do: further left than records, or no further right.
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

  /// Whether, behind the end of a table, the next one begins, and with a record or empty: an array in a record may have the
  /// name of a table.
  private func isTable(afterMarkAt index: Int, _ trail: SalvageTrail) -> Bool {
    guard Grammar.isBehindArray(bytes, index, trail), var place = frameEnd(at: index) else { return false }
    ByteText.skipBlanks(bytes, &place)
    if Grammar.isObject(bytes, at: place) { return true }
    return Grammar.keyBehindEmptyArray(bytes, at: place).map(isFrameKey) ?? false
  }

  // MARK: Frames

  /// Whether a key of the frame is at an offset, and what belongs to it: that of the header, or the name of a table.
  func isFrameKey(at offset: Int) -> Bool { frameEnd(at: offset) != nil }

  /// Whether the key of a single value is at an offset. A property of a record may have its name, so the place of the line has to be right
  /// as well.
  private func isValueKey(at offset: Int) -> Bool {
    values.contains { value(offset, $0, "") != nil }
  }

  /// Where the value under a key of the frame begins, behind its bracket or tag; nil if there is no such key.
  private func frameEnd(at offset: Int) -> Int? {
    if let end = value(offset, Array("snapshot".utf8), Grammar.headerMark) { return end }
    for table in tables {
      for mark in Grammar.tableMarks { if let end = value(offset, table, mark) { return end } }
    }
    return nil
  }

  /// Where a value ends whose beginning is `opening`, if it stands under a key at an offset.
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
