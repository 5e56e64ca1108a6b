/// The members of a value that decodes itself by keys.
struct ItemKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ItemDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { decoder.keys { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { decoder.value(for: key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    if case .null = try item(key).content { return true }
    return false
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try ItemDecoder.bool(item(key), place(key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try ItemDecoder.string(item(key), place(key)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try ItemDecoder.double(item(key), place(key)) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try ItemDecoder.float(item(key), place(key)) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try ItemDecoder.decode(type, from: item(key), at: place(key))
  }

  // Overloads for optionals of common types: the standard library's default looks up each key three times.
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key).map { try ItemDecoder.string($0, place(key)) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try present(key).map { try ItemDecoder.decode(type, from: $0, at: place(key)) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder.nested(key, item(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.nested(key, item(key)).unkeyedContainer()
  }

  func superDecoder() -> any Decoder {
    decoder.nested(PathKey.super, decoder.value(for: PathKey.super) ?? Item(.null))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder.nested(key, item(key)) }

  private func item(_ key: Key) throws -> Item {
    guard let item = decoder.value(for: key) else {
      var description = "the key \(key.stringValue.quotedForMessage()) is missing"
      if let other = decoder.member(like: key) {
        let (missing, found) = (key.stringValue.spelledForMessage(), other.key.text.spelledForMessage())
        description = "the key \(missing) is missing; \(found), which looks the same, is another one"
      }
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: description))
    }
    return item
  }

  /// The value of a member that exists and is not null.
  private func present(_ key: Key) -> Item? {
    guard let item = decoder.value(for: key) else { return nil }
    if case .null = item.content { return nil }
    return item
  }

  private func integer<T: FixedWidthInteger>(_ key: Key) throws -> T { try ItemDecoder.integer(item(key), place(key)) }

  private func place(_ key: Key) -> CodingPlace { CodingPlace(under: decoder, key) }
}

/// The elements of a value that decodes itself in order.
struct ItemUnkeyedDecoding: UnkeyedDecodingContainer {
  let items: [Item]
  let decoder: ItemDecoder
  private(set) var currentIndex = 0

  init(items: [Item], decoder: ItemDecoder) {
    self.items = items
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { throw endOfArray() }
    guard case .null = items[currentIndex].content else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try ItemDecoder.bool($0, $1) } }
  mutating func decode(_ type: String.Type) throws -> String { try next { try ItemDecoder.string($0, $1) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next { try ItemDecoder.double($0, $1) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next { try ItemDecoder.float($0, $1) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next { try ItemDecoder.integer($0, $1) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try ItemDecoder.integer($0, $1) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try ItemDecoder.integer($0, $1) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try ItemDecoder.integer($0, $1) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try ItemDecoder.integer($0, $1) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try ItemDecoder.integer($0, $1) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try ItemDecoder.integer($0, $1) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try ItemDecoder.integer($0, $1) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try ItemDecoder.integer($0, $1) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try ItemDecoder.integer($0, $1) } }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { try ItemDecoder.integer($0, $1) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next { try ItemDecoder.integer($0, $1) } }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try next { try ItemDecoder.decode(type, from: $0, at: $1) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try nested().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try nested().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { try nested() }

  private mutating func nested() throws -> ItemDecoder {
    let key = PathKey(index: currentIndex)
    return try next { [decoder] item, _ in decoder.nested(key, item) }
  }

  /// Decodes the next element, and advances if that succeeds.
  private mutating func next<T>(_ decode: (Item, CodingPlace) throws -> T) throws -> T {
    guard !isAtEnd else { throw endOfArray() }
    let value = try decode(items[currentIndex], CodingPlace(under: decoder, PathKey(index: currentIndex)))
    currentIndex += 1
    return value
  }

  private func endOfArray() -> DecodingError {
    let description = "the array ends after \(items.count.counted("element"))"
    return .valueNotFound(Any.self, .init(codingPath: codingPath, debugDescription: description))
  }
}

/// A value that decodes itself as one other value.
struct ItemSingleValueDecoding: SingleValueDecodingContainer {
  let decoder: ItemDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool {
    if case .null = decoder.item.content { return true }
    return false
  }

  func decode(_ type: Bool.Type) throws -> Bool { try ItemDecoder.bool(decoder.item, decoder.place) }
  func decode(_ type: String.Type) throws -> String { try ItemDecoder.string(decoder.item, decoder.place) }
  func decode(_ type: Double.Type) throws -> Double { try ItemDecoder.double(decoder.item, decoder.place) }
  func decode(_ type: Float.Type) throws -> Float { try ItemDecoder.float(decoder.item, decoder.place) }
  func decode(_ type: Int.Type) throws -> Int { try ItemDecoder.integer(decoder.item, decoder.place) }
  func decode(_ type: Int8.Type) throws -> Int8 { try ItemDecoder.integer(decoder.item, decoder.place) }
  func decode(_ type: Int16.Type) throws -> Int16 { try ItemDecoder.integer(decoder.item, decoder.place) }
  func decode(_ type: Int32.Type) throws -> Int32 { try ItemDecoder.integer(decoder.item, decoder.place) }
  func decode(_ type: Int64.Type) throws -> Int64 { try ItemDecoder.integer(decoder.item, decoder.place) }
  func decode(_ type: UInt.Type) throws -> UInt { try ItemDecoder.integer(decoder.item, decoder.place) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try ItemDecoder.integer(decoder.item, decoder.place) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try ItemDecoder.integer(decoder.item, decoder.place) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try ItemDecoder.integer(decoder.item, decoder.place) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try ItemDecoder.integer(decoder.item, decoder.place) }
  func decode(_ type: Int128.Type) throws -> Int128 { try ItemDecoder.integer(decoder.item, decoder.place) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try ItemDecoder.integer(decoder.item, decoder.place) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decoder.decodeDelegate(type)
  }
}
