/// The salvage grammar of JSON.
struct JSONSalvage: SalvageGrammar {
  private var scanner: JSONScanner

  init(_ bytes: UnsafeBufferPointer<UInt8>, of source: SourceText, limits: ReadLimits) {
    scanner = JSONScanner(bytes, of: source, limits: limits)
  }

  init(_ scanner: JSONScanner) { self.scanner = scanner }

  static let hasCommas = true

  var offset: Int {
    get { scanner.offset }
    set { scanner.offset = newValue }
  }

  mutating func token() -> SalvageToken? {
    switch scanner.peek() {
    case nil: return nil
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return isAtKey() ? .key : .other
    case UInt8(ascii: ","):
      offset += 1
      return .separator
    case UInt8(ascii: "}"):
      offset += 1
      return .objectEnd
    case UInt8(ascii: "]"):
      offset += 1
      return .arrayEnd
    default: return .other
    }
  }

  /// Whether the text at the position has a colon behind it.
  private func isAtKey() -> Bool {
    guard let end = ByteText.endOfJSONString(scanner.bytes, from: offset + 1).end else { return false }
    var ahead = scanner
    ahead.offset = end + 1
    return ahead.peek() == UInt8(ascii: ":")
  }

  mutating func enterObject() { offset += 1 }

  mutating func key() throws(SnapshotError) -> String {
    let key = try scanner.string()
    try scanner.expect(":")
    return key
  }

  func isAtArray() -> Bool {
    var ahead = scanner
    return ahead.skip("[")
  }

  mutating func enterArray() -> Bool {
    _ = scanner.skip("[")
    var ahead = scanner
    guard ahead.skip("]") else { return false }
    offset = ahead.offset
    return true
  }

  mutating func value(depth: Int) throws(SnapshotError) -> Item { try scanner.value(depth: depth) }

  func members(depth: Int) -> [Item.Member] { members(depth: depth, inner: true) }

  /// - Parameter inner: whether the members of a damaged object in it are read too, up to its error.
  private func members(depth: Int, inner: Bool) -> [Item.Member] {
    var ahead = scanner
    var members: [Item.Member] = []
    try? ahead.object(depth: depth) { scanner, key, offset throws(SnapshotError) in
      let start = scanner
      do throws(SnapshotError) {
        members.append(Item.Member(key: key, value: try scanner.value(depth: depth + 1), keyOffset: offset))
      } catch {
        let own = inner ? JSONSalvage(start).members(depth: depth + 1, inner: false) : []
        if !own.isEmpty { members.append(Item.Member(key: key, value: Item(.dictionary(own)), keyOffset: offset)) }
        throw error
      }
      return .goOn
    }
    return members
  }
}
