/// The records of a table in JSON: an array of objects.
struct JSONTableReader: TableReader {
  private enum Place {
    /// Before the bracket.
    case start
    /// Before a record, which must follow.
    case record
    /// Behind a record.
    case afterRecord
    case end
  }

  private(set) var scanner: JSONScanner
  private let table: String
  private var place = Place.start
  private var limit = Int.max
  private let partStart: Int
  /// Whether all records are on one line, as in a journal.
  private let isOneLine: Bool
  /// The number of records read.
  private var index = 0

  init(_ scanner: JSONScanner, table: String, isOneLine: Bool = false) {
    self.scanner = scanner
    self.table = table
    self.isOneLine = isOneLine
    partStart = scanner.offset
  }

  private init(part range: Range<Int>, of whole: Self, _ place: Place) {
    scanner = whole.scanner.copy(at: range.lowerBound)
    table = whole.table
    isOneLine = whole.isOneLine
    limit = range.upperBound
    partStart = range.lowerBound
    self.place = place
  }

  mutating func next() throws(SnapshotError) -> Item? {
    switch place {
    case .start:
      try scanner.enterArray(depth: 2)
      if scanner.skip("]") { return end() }
    case .afterRecord:
      guard scanner.skip(",") else {
        try scanner.leaveArray()
        return end()
      }
      scanner.skipWhitespace()
      place = .record
    case .record: break
    case .end: return nil
    }
    if place == .record, scanner.offset >= limit { return nil }
    try scanner.refuseEndAfterComma()
    let record: Item
    do throws(SnapshotError) {
      record = try scanner.value(depth: 3)
    } catch {
      throw error.inRecord(index, of: table)
    }
    place = .afterRecord
    index += 1
    return record
  }

  private mutating func end() -> Item? {
    place = .end
    return nil
  }

  func cursor() -> JSONCursor? {
    guard let start = directStart else { return nil }
    return JSONCursor(
      place: ByteCursor(
        scanner.bytes, offset: start, limit: limit, isAtRecord: place != .afterRecord, scanner.limits,
        isOneLine: isOneLine))
  }

  mutating func move(to cursor: JSONCursor, count: Int) {
    // The opening bracket is behind the reader only after a record was read.
    if place == .start, count == 0 { return }
    scanner.offset = cursor.place.offset
    place = cursor.place.isAtRecord ? .record : .afterRecord
    index += count
  }

  /// The place where direct reading can continue: at a record, behind one, or behind the bracket at the end of a line.
  private var directStart: Int? {
    let (bytes, offset) = (scanner.bytes, scanner.offset)
    switch place {
    case .start:
      guard scanner.limits.allowDirectReading, ByteText.isNext(isOneLine ? "[{" : "[\n{", bytes, at: offset) else {
        return nil
      }
      return offset + (isOneLine ? 1 : 2)
    case .record, .afterRecord: return scanner.limits.allowDirectReading ? offset : nil
    case .end: return nil
    }
  }

  var firstPart: Self? {
    let end = scanner.offset + scanner.limits.partSize
    guard !isOneLine, end < scanner.bytes.count else { return nil }
    return Self(part: scanner.offset..<end, of: self, place)
  }

  func parts() -> [Self] {
    if place != .record { return [] }
    var starts = [scanner.offset]
    while let start = recordStart(after: starts[starts.count - 1] + scanner.limits.partSize) { starts.append(start) }
    return starts.indices.map { index in
      Self(part: starts[index]..<(index + 1 < starts.count ? starts[index + 1] : limit), of: self, .record)
    }
  }

  /// The next place that looks like the start of a record: a brace at the start of a line, after a comma.
  private func recordStart(after offset: Int) -> Int? {
    let bytes = scanner.bytes
    var index = offset
    while index + 1 < min(bytes.count, offset + max(scanner.limits.partSize, 1 << 12)) {
      if bytes[index] == 0x0A, bytes[index + 1] == UInt8(ascii: "{"), bytes[index - 1] == UInt8(ascii: ",") {
        return index + 1
      }
      index += 1
    }
    return nil
  }

  func ends(at next: Self) -> Bool { place == .record && scanner.offset == next.partStart }

  mutating func move(to other: Self) {
    scanner.offset = other.scanner.offset
    place = other.place
    index += other.index
  }
}
