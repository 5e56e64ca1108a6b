/// A cache of keys, so that a key that all records share becomes a `String` only once.
struct KeyCache {
  private var texts: [String] = []
  /// The keys of the last dictionary that was found to have no key twice.
  private var unique: [ExactText] = []
  private static let count = 64

  /// The text of some bytes, which must be valid UTF-8. A short text is stored inside the `String` and needs no cache.
  mutating func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.count > 15, bytes.count < 256 else { return String(decoding: bytes, as: UTF8.self) }
    if texts.isEmpty { texts = Array(repeating: "", count: Self.count) }
    let slot = (bytes.count &* 31 &+ Int(bytes[0]) &* 7 &+ Int(bytes[bytes.count - 1])) % Self.count
    if texts[slot].utf8.count == bytes.count, Self.holds(&texts[slot], bytes) { return texts[slot] }
    let text = String(decoding: bytes, as: UTF8.self)
    texts[slot] = text
    return text
  }

  /// Finds the first key that occurs twice. Most dictionaries have the same keys as the previous one, which had none
  /// twice.
  mutating func duplicate(in members: [Item.Member]) -> Item.Member? {
    if members.count == unique.count, zip(members, unique).allSatisfy({ $0.key == $1 }) { return nil }
    if let duplicate = Item.duplicateKey(in: members) { return duplicate }
    unique = members.map(\.key)
    return nil
  }

  private static func holds(_ text: inout String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    text.withUTF8 { utf8 in
      guard let a = utf8.baseAddress, let b = bytes.baseAddress else { return false }
      return ByteText.equal(a, b, bytes.count)
    }
  }
}
