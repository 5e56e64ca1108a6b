/// The salvage grammar of XML property lists.
struct XMLSalvage: SalvageGrammar {
  private var parser: XMLParser

  init(_ bytes: UnsafeBufferPointer<UInt8>, of source: SourceText, limits: ReadLimits) {
    parser = XMLParser(scanner: XMLScanner(bytes, of: source), limits: limits)
  }

  static let hasCommas = false

  var offset: Int {
    get { parser.scanner.offset }
    set { parser.scanner.offset = newValue }
  }

  mutating func token() throws(SnapshotError) -> SalvageToken? {
    try parser.scanner.skipFiller()
    if parser.scanner.isAtEnd { return nil }
    if parser.scanner.isNext("<dict>") || parser.scanner.isNext("<dict/>") { return .object }
    if parser.scanner.isNext("<array") { return .array }
    if parser.scanner.isNext("<key>") { return .key }
    if parser.scanner.skip("</array>") { return .arrayEnd }
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

  mutating func enterObject() {
    if !parser.scanner.skip("<dict>") { _ = parser.scanner.skip("<dict/>") }
  }

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

  mutating func enterArray() throws(SnapshotError) -> Bool { try parser.valueTag().isEmpty }

  mutating func value(depth: Int) throws(SnapshotError) -> Item { try parser.value(depth: depth) }

  func members(depth: Int) -> [Item.Member] {
    var parser = parser
    var members: [Item.Member] = []
    guard let tag = try? parser.valueTag() else { return [] }
    _ = try? parser.dictionary(tag, depth: depth) { parser, key, offset throws(SnapshotError) in
      members.append(Item.Member(key: key, value: try parser.value(depth: depth + 1), keyOffset: offset))
      return .goOn
    }
    return members
  }
}
