/// Reads `Codable` records of one part of a table from the bytes, as long as their form is ordinary.
///
/// A record that falls back or gives an error is left to `ItemDecoder`. If that happens with most of the first records,
/// the others are not tried.
struct TapeReading<Value: Record> {
  private let source: SourceText
  private let limits: ReadLimits
  private var tape: JSONTape?
  private var read = 0
  private var left = 0

  init(_ source: SourceText, _ limits: ReadLimits) {
    self.source = source
    self.limits = limits
  }

  /// Appends records up to the end or to the first that is left, and at most `most`.
  mutating func read(_ reader: inout some TableReader, into boxes: inout [RecordBox<Value>], most: Int) {
    guard !limits.readsItemsOnly, left < read + 16, let start = reader.jsonCursor() else { return }
    var place = start.place
    var count = 0
    while count < most, let value = next(&place) {
      boxes.append(RecordBox(value))
      count += 1
    }
    read += count
    // At the end of the table, nothing was left.
    if place.isAtRecord, place.offset < place.limit { left += 1 }
    reader.moveJSON(to: JSONCursor(place: place), count: count)
  }

  private mutating func next(_ place: inout ByteCursor) -> Value? {
    if !place.isAtRecord {
      guard place.jsonPassSeparator() else { return nil }
      place.isAtRecord = true
    }
    guard place.offset < place.limit else { return nil }
    if tape == nil { tape = JSONTape(place, source, limits) }
    guard let end = tape?.scan(from: place.offset) else { return nil }
    let value = try? tape?.decode(Value.self, JSONTape.root)
    let isTrusted = tape?.isTrusted == true
    // A container was kept. It gets bytes of its own, and the next record another tape.
    if !isKnownUniquelyReferenced(&tape) {
      tape?.keepBytes(to: end)
      tape = nil
      return nil
    }
    guard let value, isTrusted else { return nil }
    place.offset = end
    place.isAtRecord = false
    return value
  }
}

extension TableReader {
  /// The position of a reader of JSON; nil for any other format.
  fileprivate mutating func jsonCursor() -> JSONCursor? {
    Cursor.self == JSONCursor.self ? cursor() as? JSONCursor : nil
  }

  /// Continues after records in JSON, if this reader reads JSON.
  fileprivate mutating func moveJSON(to cursor: JSONCursor, count: Int) {
    if let cursor = cursor as? Cursor { move(to: cursor, count: count) }
  }
}
