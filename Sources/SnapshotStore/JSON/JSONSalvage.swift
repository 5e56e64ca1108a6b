/// The salvage grammar of JSON and newline-delimited JSON.
struct JSONSalvage: SalvageGrammar {
  private var scanner: JSONScanner

  init(_ bytes: UnsafeBufferPointer<UInt8>, of source: SourceText, limits: ReadLimits) {
    scanner = JSONScanner(bytes, of: source, limits: limits)
  }

  // MARK: Reading

  var offset: Int {
    get { scanner.offset }
    set { scanner.offset = newValue }
  }

  mutating func skipWhitespace() { scanner.skipWhitespace() }
  mutating func skipFiller() { scanner.skipWhitespace() }

  mutating func token() -> SalvageToken? {
    switch scanner.peek() {
    case nil: return nil
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "\""): return .key
    case UInt8(ascii: ","):
      offset += 1
      return .separator
    case UInt8(ascii: "}"):
      offset += 1
      return .objectEnd
    case UInt8(ascii: "]"):
      offset += 1
      return .arrayEnd(at: offset - 1)
    default: return .other
    }
  }

  func insideOfObject() -> Int? {
    var ahead = scanner
    ahead.offset += 1
    ahead.skipWhitespace()
    return ahead.offset
  }

  mutating func enterObject() -> Bool {
    offset += 1
    return true
  }

  mutating func key() throws(SnapshotError) -> String {
    let key = try scanner.string()
    try scanner.expect(":")
    return key
  }

  func isAtArray() -> Bool {
    var ahead = scanner
    return ahead.skip("[")
  }

  func isAtArrayOfObjects() -> Bool {
    var ahead = scanner
    return ahead.skip("[") && ahead.peek() == UInt8(ascii: "{")
  }

  mutating func enterArray() -> Bool {
    _ = scanner.skip("[")
    return false
  }

  mutating func value(depth: Int) throws(SnapshotError) -> Item { try scanner.value(depth: depth) }

  func members(depth: Int, inner: ExactText?, _ isLost: (Int) -> Bool) -> [Item.Member] {
    var ahead = scanner
    guard ahead.skip("{"), ahead.peek() == UInt8(ascii: "\"") else { return [] }
    ahead.offset = offset
    var members: [Item.Member] = []
    _ = Self.read(&members, from: &ahead, depth, inner, isLost)
    return members
  }

  /// - Returns: whether the object was read to its end.
  private static func read(
    _ members: inout [Item.Member], from scanner: inout JSONScanner, _ depth: Int, _ inner: ExactText?,
    _ isLost: (Int) -> Bool
  ) -> Bool {
    var isWhole = true
    do throws(SnapshotError) {
      try scanner.object(depth: depth) { scanner, key, offset throws(SnapshotError) in
        if scanner.peek() == UInt8(ascii: "{"), ExactText(key) == inner {
          var own: [Item.Member] = []
          isWhole = read(&own, from: &scanner, depth + 1, nil, isLost)
          members.append(Item.Member(key: key, value: Item(.dictionary(own)), keyOffset: offset))
        } else {
          isWhole = !isLost(scanner.offset)
          if isWhole {
            members.append(Item.Member(key: key, value: try scanner.value(depth: depth + 1), keyOffset: offset))
          }
        }
        return isWhole ? .goOn : .stop
      }
    } catch {
      return false
    }
    return isWhole
  }

  // MARK: Marks

  static let mayHoldLines = true
  static let recordsAreLines = true
  static var keyMarks: (before: StaticString, after: StaticString, colon: StaticString?) { ("\"", "\"", ":") }
  static var headerMark: StaticString { "{" }
  static var tableMarks: [StaticString] { ["["] }

  static func isObject(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] == UInt8(ascii: "{")
  }

  static func isArrayEnd(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] == UInt8(ascii: "]")
  }

  static func endsLikeRecord(_ bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) -> Bool {
    var end = line.upperBound
    while end > line.lowerBound, ByteText.isWhitespace(bytes[end - 1]) { end -= 1 }
    if end > line.lowerBound, bytes[end - 1] == UInt8(ascii: ",") { end -= 1 }
    return end > line.lowerBound && bytes[end - 1] == UInt8(ascii: "}")
  }

  static func mark(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, _ trail: SalvageTrail, isRecord: Bool
  ) -> SalvageMark? {
    if bytes[offset] == UInt8(ascii: "\"") { return .key }
    guard bytes[offset] == UInt8(ascii: "{") else { return nil }
    if trail.last == UInt8(ascii: "[") || trail.last == UInt8(ascii: ":") { return .nested }
    if !isRecord, !trail.hasText { return .first }
    return trail.last == UInt8(ascii: ",") && trail.beforeLast == UInt8(ascii: "}") ? .record : nil
  }

  static func isBehindArray(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ trail: SalvageTrail) -> Bool {
    trail.last == UInt8(ascii: ",") && trail.beforeLast == UInt8(ascii: "]")
  }

  static func keyBehindEmptyArray(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int? {
    var place = offset
    for mark: StaticString in ["]", ","] {
      guard ByteText.isNext(mark, bytes, at: place) else { return nil }
      place += 1
      ByteText.skipBlanks(bytes, &place)
    }
    return place
  }

  static func bracket(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, before limit: Int) -> SalvageBracket? {
    switch bytes[offset] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .beginning(offset + 1)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return .ending(offset + 1)
    case UInt8(ascii: "\""):
      if let quote = ByteText.endOfJSONString(bytes, from: offset + 1).end { return .other(quote + 1) }
      return limit < bytes.count ? .other(limit) : nil
    default: return .other(offset + 1)
    }
  }
}
