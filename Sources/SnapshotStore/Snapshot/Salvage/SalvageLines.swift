/// The lines of a damaged text, as marks of its structure.
///
/// Our layout, and that of most tools, begins each record on a line of its own. All records have the same indentation.
/// Names of tables have less, or the same if every record is one line. No text in a JSON record can begin a line of
/// the file. So lines are believed after damage, and nothing else is.
///
/// If records span several lines and have the indentation of names, lines show nothing. Then nothing is believed.
struct SalvageLines {
  let bytes: UnsafeBufferPointer<UInt8>
  let hasCommas: Bool
  /// The indentation of the records; nil if none was seen at the beginning of a line.
  private(set) var recordIndent: Int?
  /// The least indentation of a name of the file; nil if none was seen at the beginning of a line.
  var nameIndent: Int?
  /// Records have less indentation than this, if theirs is not known yet.
  private var innerIndent: Int?
  /// Whether every record up to here is one line.
  private var recordsAreLines = true

  init(_ bytes: UnsafeBufferPointer<UInt8>, hasCommas: Bool) {
    self.bytes = bytes
    self.hasCommas = hasCommas
  }

  // MARK: What was read

  /// - Parameter isCertain: whether the text before it shows that it is a record.
  mutating func noteRecord(_ range: Range<Int>, isCertain: Bool) {
    if isCertain || recordIndent == nil { recordIndent = indentation(of: range.lowerBound) }
    recordsAreLines = recordsAreLines && isOneLine(range)
  }

  /// Whether no line in a record looks like the beginning of one.
  private func isOneLine(_ range: Range<Int>) -> Bool {
    guard let indent = indentation(of: range.lowerBound) else { return !bytes[range].contains(UInt8(ascii: "\n")) }
    var line = nextLine(after: range.lowerBound)
    while line < range.upperBound {
      let place = text(of: line)
      if place - line <= indent, place + 1 < range.upperBound { return false }
      line = nextLine(after: line)
    }
    return true
  }

  /// Notes a record that begins as it should, but is damaged.
  mutating func noteDamagedRecord(at offset: Int) {
    if recordIndent == nil { recordIndent = indentation(of: offset) }
  }

  /// Notes a line that is inside a record, so that no nested object is taken for one.
  mutating func noteInside(at offset: Int) {
    if recordIndent == nil, let indent = indentation(of: offset), indent > nameIndent ?? 0 { innerIndent = indent }
  }

  mutating func noteName(at offset: Int) {
    guard let indent = indentation(of: offset) else { return }
    nameIndent = min(nameIndent ?? indent, indent)
  }

  /// Whether names may have the indentation of records.
  var isFlat: Bool {
    guard let recordIndent, let nameIndent else { return hasCommas }
    return recordIndent <= nameIndent
  }

  /// Whether a line shows what it begins.
  private var isTelling: Bool { !isFlat || hasCommas && recordsAreLines }

  // MARK: Places on lines

  /// The number of blanks before a place in its line; nil if the line has other text before it.
  func indentation(of offset: Int) -> Int? {
    var start = offset
    while start > 0, isBlank(bytes[start - 1]) { start -= 1 }
    return start == 0 || bytes[start - 1] == UInt8(ascii: "\n") ? offset - start : nil
  }

  /// Whether only blanks and one comma stand between a place and the end of its line.
  func endsLine(_ offset: Int) -> Bool {
    var place = offset
    var mayHaveComma = hasCommas
    while place < bytes.count, bytes[place] != UInt8(ascii: "\n") {
      if mayHaveComma, bytes[place] == UInt8(ascii: ",") {
        mayHaveComma = false
      } else if !isBlank(bytes[place]) {
        return false
      }
      place += 1
    }
    return true
  }

  /// Whether a record may begin at a place, by its line.
  func mayBeRecord(at offset: Int) -> Bool {
    guard isTelling, let indent = indentation(of: offset) else { return false }
    if let recordIndent { return indent == recordIndent }
    if let innerIndent, indent >= innerIndent { return false }
    return hasCommas || nameIndent.map { indent > $0 } ?? false
  }

  /// Whether the end of a table may stand at a place, by its line.
  func mayBeEnd(at offset: Int) -> Bool {
    mayBeName(at: offset) && (nameIndent == nil || indentation(of: offset) == nameIndent)
  }

  /// Whether a place begins a line with the indentation of names, where no record is.
  func isLeftOfRecords(_ offset: Int) -> Bool {
    guard !isFlat, let nameIndent, let indent = indentation(of: offset) else { return false }
    return indent <= nameIndent
  }

  /// Whether a name of the file may stand at a place, by its line.
  func mayBeName(at offset: Int) -> Bool {
    guard isTelling, let indent = indentation(of: offset), indent <= nameIndent ?? indent else { return false }
    return recordIndent.map { indent < $0 || isFlat && indent == $0 } ?? true
  }

  // MARK: Damage

  /// The next line behind an offset.
  func nextLine(after offset: Int) -> Int {
    (bytes[min(offset, bytes.count)...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count - 1) + 1
  }

  func skippingWhitespace(from offset: Int) -> Int {
    bytes[min(offset, bytes.count)...].firstIndex { !ByteText.isWhitespace($0) } ?? bytes.count
  }

  /// The first place on a line that is not blank.
  func text(of line: Int) -> Int {
    var place = line
    while place < bytes.count, isBlank(bytes[place]) { place += 1 }
    return place
  }

  /// Whether a damaged line may have been the end of its table and the name of the next one.
  ///
  /// - Parameters:
  ///   - indent: its indentation.
  ///   - isBehindRecord: whether no comma stands behind the last record.
  func mayHaveBeenName(_ line: Range<Int>, indent: Int, isBehindRecord: Bool) -> Bool {
    // A hole of zeros may have been several lines.
    if bytes[line].contains(0) { return true }
    if let recordIndent, indent != recordIndent { return indent < recordIndent }
    return isFlat && isBehindRecord && !isComment(line)
  }

  /// Whether a comma ends a line.
  func endsInComma(_ line: Range<Int>) -> Bool {
    bytes[line].last { !ByteText.isWhitespace($0) } == UInt8(ascii: ",")
  }

  /// Whether a person has added the line.
  func isComment(_ line: Range<Int>) -> Bool {
    let start = text(of: line.lowerBound)
    return start >= line.upperBound || bytes[start] == UInt8(ascii: "#") || ByteText.isNext("//", bytes, at: start)
  }

  private func isBlank(_ byte: UInt8) -> Bool { ByteText.isWhitespace(byte) && byte != UInt8(ascii: "\n") }
}
