/// The records of a table in an XML list: an array of dictionaries.
struct XMLTableReader: TableReader {
  private enum Place {
    /// Before the tag of the array.
    case start
    /// Behind that tag, or behind a record.
    case inside
    case end
  }

  private(set) var parser: XMLParser
  private let table: String
  private var place = Place.start
  private var array: XMLScanner.Tag?
  private var limit = Int.max
  private var partStart: Int
  /// The number of records read.
  private var index = 0

  init(_ parser: XMLParser, table: String) {
    self.parser = parser
    self.table = table
    partStart = parser.scanner.offset
  }

  mutating func next() throws(SnapshotError) -> Item? {
    if place == .start { try enter() }
    guard place == .inside, parser.scanner.offset < limit, let array else { return nil }
    guard try parser.hasElement(in: array) else {
      place = .end
      return nil
    }
    defer { index += 1 }
    do throws(SnapshotError) {
      return try parser.value(depth: 3)
    } catch {
      throw error.inRecord(index, of: table)
    }
  }

  private mutating func enter() throws(SnapshotError) {
    array = try parser.enterArray(depth: 2)
    place = .inside
  }

  mutating func cursor() -> XMLCursor? {
    guard parser.limits.allowDirectReading, let start = entered, start.place == .inside, start.array?.isEmpty == false
    else { return nil }
    self = start
    return XMLCursor(
      place: ByteCursor(
        parser.scanner.bytes, offset: parser.scanner.offset, limit: limit, isAtRecord: true, parser.limits))
  }

  mutating func move(to cursor: XMLCursor, count: Int) {
    parser.scanner.offset = cursor.place.offset
    index += count
  }

  /// A reader behind the tag of the array; nil if that tag is malformed.
  private var entered: Self? {
    guard place == .start else { return self }
    var copy = self
    return (try? copy.enter()) == nil ? nil : copy
  }

  // MARK: Parts

  var firstPart: Self? {
    let (start, end) = (parser.scanner.offset, parser.scanner.offset + parser.limits.partSize)
    return end < parser.scanner.bytes.count ? part(start..<end) : nil
  }

  private func part(_ range: Range<Int>) -> Self {
    var part = self
    part.parser.scanner = parser.scanner.copy(at: range.lowerBound)
    part.partStart = range.lowerBound
    part.limit = range.upperBound
    part.index = 0
    return part
  }

  func parts() -> [Self] {
    if place != .inside { return [] }
    var starts = [parser.scanner.offset]
    while let start = recordStart(after: starts[starts.count - 1] + parser.limits.partSize) { starts.append(start) }
    return starts.indices.map { part(starts[$0]..<($0 + 1 < starts.count ? starts[$0 + 1] : limit)) }
  }

  /// The next place that looks like the end of one record and the start of the next.
  private func recordStart(after offset: Int) -> Int? {
    let bytes = parser.scanner.bytes
    let end = min(bytes.count, offset + max(parser.limits.partSize, 1 << 12))
    guard offset < end else { return nil }
    for index in offset..<end where bytes[index] == 0x0A {
      if ByteText.isNext("\n\t\t</dict>\n\t\t<dict>", bytes, at: index) { return index + 10 }
    }
    return nil
  }

  func ends(at next: Self) -> Bool { place == .inside && parser.scanner.offset == next.partStart }

  mutating func move(to other: Self) {
    let count = index + other.index
    let (limit, partStart) = (limit, partStart)
    self = other
    index = count
    self.limit = limit
    self.partStart = partStart
  }
}
