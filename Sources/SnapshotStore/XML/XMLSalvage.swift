/// The salvage grammar of XML property lists.
struct XMLSalvage: SalvageGrammar {
  private var parser: XMLParser

  init(_ bytes: UnsafeBufferPointer<UInt8>, of source: SourceText, limits: ReadLimits) {
    parser = XMLParser(scanner: XMLScanner(bytes, of: source), limits: limits)
  }

  // MARK: Reading

  var offset: Int {
    get { parser.scanner.offset }
    set { parser.scanner.offset = newValue }
  }

  mutating func skipWhitespace() { parser.scanner.skipWhitespace() }
  mutating func skipFiller() throws(SnapshotError) { try parser.scanner.skipFiller() }

  mutating func token() throws(SnapshotError) -> SalvageToken? {
    try skipFiller()
    if parser.scanner.isAtEnd { return nil }
    if parser.scanner.isNext("<dict>") || parser.scanner.isNext("<dict/>") { return .object }
    if parser.scanner.isNext("<key>") { return .key }
    let start = offset
    if parser.scanner.skip("</array>") { return .arrayEnd(at: start) }
    if parser.scanner.skip("</dict>") { return .objectEnd }
    return skipMarkup() ? .separator : .other
  }

  /// Skips the tags around a whole list.
  private mutating func skipMarkup() -> Bool {
    let starts: [StaticString] = ["<?xml", "<!DOCTYPE", "<plist", "</plist>"]
    guard starts.contains(where: { parser.scanner.isNext($0) }) else { return false }
    let bytes = parser.scanner.bytes
    var end = offset
    let limit = min(bytes.count, end + 1_000)
    while end < limit, bytes[end] != UInt8(ascii: ">") { end += 1 }
    guard end < limit else { return false }
    offset = end + 1
    return true
  }

  func insideOfObject() -> Int? {
    var ahead = parser.scanner
    guard ahead.skip("<dict>") else { return nil }
    ahead.skipWhitespace()
    return ahead.offset
  }

  mutating func enterObject() -> Bool { parser.scanner.skip("<dict>") }

  mutating func key() throws(SnapshotError) -> String {
    let start = offset
    guard let tag = try parser.scanner.openTag(), tag.element == .key else {
      throw parser.scanner.failure("expected a record or a table", at: start)
    }
    return try parser.key(of: tag)
  }

  func isAtArray() -> Bool {
    var ahead = parser
    return ahead.isAtArray()
  }

  func isAtArrayOfObjects() -> Bool {
    var ahead = parser
    guard ahead.isAtArray(), let array = try? ahead.valueTag(), !array.isEmpty, (try? ahead.scanner.skipFiller()) != nil
    else { return false }
    return ahead.scanner.isNext("<dict")
  }

  mutating func enterArray() throws(SnapshotError) -> Bool { try parser.valueTag().isEmpty }

  mutating func value(depth: Int) throws(SnapshotError) -> Item { try parser.value(depth: depth) }

  func members(depth: Int, inner: ExactText?, _ isLost: (Int) -> Bool) -> [Item.Member] {
    var parser = parser
    var members: [Item.Member] = []
    guard let tag = try? parser.valueTag() else { return [] }
    _ = try? parser.dictionary(tag, depth: depth) { parser, key, offset throws(SnapshotError) in
      try parser.scanner.skipFiller()
      if isLost(parser.scanner.offset) { return .stop }
      members.append(Item.Member(key: key, value: try parser.value(depth: depth + 1), keyOffset: offset))
      return .goOn
    }
    return members
  }

  // MARK: Marks

  static let mayHoldLines = false
  static let recordsAreLines = false
  static var keyMarks: (before: StaticString, after: StaticString, colon: StaticString?) { ("<key>", "</key>", nil) }
  static var headerMark: StaticString { "<dict>" }
  static var tableMarks: [StaticString] { ["<array>", "<array/>"] }

  static func isObject(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    ByteText.isNext("<dict", bytes, at: offset)
  }

  static func isArrayEnd(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    ByteText.isNext("</array>", bytes, at: offset)
  }

  /// A record has many lines, so no line ends one.
  static func endsLikeRecord(_ bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) -> Bool { false }

  static func mark(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, _ trail: SalvageTrail, isRecord: Bool
  ) -> SalvageMark? {
    guard bytes[offset] == UInt8(ascii: "<") else { return nil }
    if ByteText.isNext("<key>", bytes, at: offset) { return .key }
    guard isObject(bytes, at: offset) else { return nil }
    if ByteText.follows("</dict>", bytes, offset) { return .record }
    let isNested = ByteText.follows("<array>", bytes, offset) || ByteText.follows("</key>", bytes, offset)
    return isNested ? .nested : nil
  }

  static func isBehindArray(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ trail: SalvageTrail) -> Bool {
    ByteText.follows("</array>", bytes, offset) || ByteText.follows("<array/>", bytes, offset)
  }

  /// An empty array is one tag.
  static func keyBehindEmptyArray(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int? { nil }

  static func bracket(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, before limit: Int) -> SalvageBracket? {
    guard bytes[offset] == UInt8(ascii: "<") else { return .other(offset + 1) }
    let isEnding = ByteText.isNext("</", bytes, at: offset)
    let name = offset + (isEnding ? 2 : 1)
    var next = name
    while next < limit, bytes[next] != UInt8(ascii: ">") { next += 1 }
    // Tags in comments and CDATA sections do not count.
    if name < limit, bytes[name] == UInt8(ascii: "!") || bytes[name] == UInt8(ascii: "?") { return nil }
    guard next < limit else { return .other(limit) }
    guard isContainer(bytes, at: name, before: next) else { return .other(next + 1) }
    if isEnding { return .ending(next + 1) }
    return bytes[next - 1] == UInt8(ascii: "/") ? .other(next + 1) : .beginning(next + 1)
  }

  private static func isContainer(_ bytes: UnsafeBufferPointer<UInt8>, at name: Int, before end: Int) -> Bool {
    for text: StaticString in ["dict", "array"] where ByteText.isNext(text, bytes, at: name) {
      let rest = name + text.utf8CodeUnitCount
      return rest <= end && (rest == end || !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[rest] | 0x20))
    }
    return false
  }
}
