import SnapshotFoundation

/// Reads the parts of a line that come before its changes.
struct JournalCursor {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let place: Range<Int>
  private let limits: ReadLimits
  private var offset: Int

  /// - Parameter place: the line without its line feed.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Range<Int>, _ limits: ReadLimits) {
    self.bytes = UnsafeBufferPointer(rebasing: bytes[..<place.upperBound])
    self.place = place
    self.limits = limits
    offset = place.lowerBound
  }

  /// The checksum at the end of the line, and the end of the bytes that it covers. Nil if there is none.
  func sum() -> (sum: UInt32, end: Int)? {
    guard place.count > 1, bytes[place.upperBound - 1] == UInt8(ascii: "}") else { return nil }
    var start = place.upperBound - 1
    while start > place.lowerBound, bytes[start - 1] &- 0x30 <= 9 { start -= 1 }
    let mark = ",\"sum\":" as StaticString
    let end = start - mark.utf8CodeUnitCount
    var digits = self
    digits.offset = start
    guard end > place.lowerBound, ByteText.isNext(mark, bytes, at: end), let sum = digits.number(),
      let sum = UInt32(exactly: sum)
    else { return nil }
    return (sum, end)
  }

  var isAtHeader: Bool { ByteText.isNext("{\"journal\":", bytes, at: place.lowerBound) }

  /// The content of the first line.
  ///
  /// - Parameter end: the end of the bytes that the checksum covers.
  mutating func header(_ end: Int) throws(JournalMistake) -> JournalHeader {
    try expect("{\"journal\":")
    guard let format = number() else { throw failure("expected the version of the journal") }
    if format != 1, format != 2 {
      throw JournalMistake(
        message: "the journal has version \(format) of its format, this program knows 2", offset: place.lowerBound,
        isNewer: true)
    }
    try expect(",\"schema\":")
    let schema = try text()
    try expect(",\"version\":")
    guard let version = number(), version >= 1, version <= Int32.max else {
      throw failure("expected the version of the schema")
    }
    try expect(",\"date\":")
    let date = try date()
    try expect(",\"base\":")
    let base = try base()
    let past = format == 1 ? nil : try past()
    try requireEnd(end)
    return JournalHeader(schema: schema, version: version, base: base, date: date, past: past)
  }

  private mutating func past() throws(JournalMistake) -> JournalPast {
    var past = JournalPast(place: try journalPlace())
    try expect(",\"file\":")
    past.witness = try text()
    past.isAll = take(",\"all\":true")
    if take(",\"untyped\":") { past.untyped = try number(named: "of a journal") }
    if take(",\"merge\":") { past.merge = try number(named: "of a journal") }
    if take(",\"before\":{\"base\":") {
      past.before = try position()
      try expect("}")
    }
    try expect(",\"from\":[")
    while !take("]") {
      if past.links.count == JournalPast.most { throw failure("the journal names too many moments") }
      if !past.links.isEmpty { try expect(",") }
      try expect("{\"base\":")
      var link = JournalPast.Link(position: try position())
      link.isMerge = take(",\"merge\":true")
      link.isUntyped = take(",\"untyped\":true")
      try expect("}")
      past.links.append(link)
    }
    return past
  }

  private mutating func position() throws(JournalMistake) -> FilePosition {
    var position = FilePosition(base: try base())
    guard take(",\"journal\":") else { return position }
    position.journal = try sum(named: "of the first line of a journal")
    if isNext(",\"run\":") { position.place = try journalPlace() }
    try expect(",\"n\":")
    let number = try number(named: "of a line")
    try expect(",\"at\":")
    position.end = JournalPosition(number: number, sum: try sum(named: "of a line"))
    return position
  }

  private mutating func journalPlace() throws(JournalMistake) -> JournalPast.Place {
    try expect(",\"run\":")
    let run = try number(named: "of a run")
    try expect(",\"number\":")
    return JournalPast.Place(run: run, number: try number(named: "of a journal"))
  }

  /// A line behind the header, and the checksum of the line that it follows.
  mutating func line(_ end: Int) throws(JournalMistake) -> (line: Journal.Line, after: UInt32) {
    try expect("{\"n\":")
    guard let number = number(), number > 0 else { throw failure("expected the number of the line") }
    try expect(",\"after\":")
    let after = try sum(named: "of the line before")
    try expect(",\"date\":")
    let date = try date()
    try expect(",")
    let start = offset
    var kind = Journal.Line.Kind.changes
    if take("\"fold\":") {
      kind = .fold(try base())
      try requireEnd(end)
    }
    if take("\"cut\":") {
      kind = .cut(try base())
      try requireEnd(end)
    }
    guard start < end else { throw failure("the line has no changes") }
    let line = Journal.Line(number: number, kind: kind, date: date, range: place, content: start..<end)
    return (line, after)
  }

  // MARK: Parts

  private mutating func expect(_ text: StaticString) throws(JournalMistake) {
    if !take(text) { throw failure("expected “\(text)”") }
  }

  private func isNext(_ text: StaticString) -> Bool { ByteText.isNext(text, bytes, at: offset) }

  /// Goes behind a text if that is next. Returns whether it was.
  private mutating func take(_ text: StaticString) -> Bool {
    guard isNext(text) else { return false }
    offset += text.utf8CodeUnitCount
    return true
  }

  private func requireEnd(_ end: Int) throws(JournalMistake) {
    if offset != end { throw failure("expected the checksum of the line") }
  }

  /// A number without a sign, in its one form.
  private mutating func number() -> Int? {
    let start = offset
    var end = start
    while end < bytes.count, bytes[end] &- 0x30 <= 9 { end += 1 }
    guard end > start, end - start <= 18, end == start + 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
    offset = end
    return bytes[start..<end].reduce(0) { $0 * 10 + Int($1 &- 0x30) }
  }

  private mutating func number(named name: String) throws(JournalMistake) -> Int {
    guard let number = number() else { throw failure("expected the number \(name)") }
    return number
  }

  private mutating func sum(named name: String) throws(JournalMistake) -> UInt32 {
    guard let number = number(), let sum = UInt32(exactly: number) else {
      throw failure("expected the checksum \(name)")
    }
    return sum
  }

  private mutating func base() throws(JournalMistake) -> JournalBase {
    let sum: JournalBase.Sum
    if take("{\"digest\":") {
      sum = .digest(try self.sum(named: "of the file"))
    } else {
      try expect("{\"checksum\":")
      sum = .checksum(try self.sum(named: "of the file"))
    }
    try expect(",\"size\":")
    guard let size = number() else { throw failure("expected the size of the file") }
    try expect("}")
    return JournalBase(sum: sum, size: size)
  }

  private mutating func text() throws(JournalMistake) -> String {
    let (end, hasEscapes) = ByteText.endOfJSONString(bytes, from: offset + 1)
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\""), let end, end - offset <= limits.textSize else {
      throw failure("expected a text")
    }
    let content = UnsafeBufferPointer(rebasing: bytes[offset + 1..<end])
    guard let text = hasEscapes ? JSONEscapes.unescaped(content) : String(checkedUTF8: content) else {
      throw failure("unknown escape in a text")
    }
    offset = end + 1
    return text
  }

  private mutating func date() throws(JournalMistake) -> Date {
    let (end, _) = ByteText.endOfJSONString(bytes, from: offset + 1)
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\""), let end,
      case .date(let seconds)? = StandIn.content(
        of: UnsafeBufferPointer(rebasing: bytes[offset + 1..<end]), among: JSONFormat.standIns)
    else { throw failure("expected a date") }
    offset = end + 1
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private func failure(_ message: String) -> JournalMistake { JournalMistake(message: message, offset: offset) }
}

/// Why a line whose checksum is right is no line of a journal. It has no line and column, because counting the lines of
/// the file takes time, and there may be many mistakes.
struct JournalMistake: Error {
  let message: String
  let offset: Int
  /// Whether a newer program wrote the journal.
  var isNewer = false

  func error(in source: SourceText) -> SnapshotError {
    let position = source.position(offset)
    guard isNewer else { return JournalLines.damage(message, position) }
    return SnapshotError(.newerVersion, message, advice: "Open it with the newer program.", position: position)
  }
}
