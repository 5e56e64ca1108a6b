/// The members of a value that encodes itself by keys.
struct ItemKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let builder: ItemBuilder
  var codingPath: [any CodingKey] { builder.place.path }

  func encodeNil(forKey key: Key) { set(.null, key) }
  func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
  func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
  func encode(_ value: Double, forKey key: Key) { set(.real(value), key) }
  func encode(_ value: Float, forKey key: Key) { set(.real(FloatBits.double(value)), key) }
  func encode(_ value: Int, forKey key: Key) { set(.of(value), key) }
  func encode(_ value: Int8, forKey key: Key) { set(.of(value), key) }
  func encode(_ value: Int16, forKey key: Key) { set(.of(value), key) }
  func encode(_ value: Int32, forKey key: Key) { set(.of(value), key) }
  func encode(_ value: Int64, forKey key: Key) { set(.of(value), key) }
  func encode(_ value: UInt, forKey key: Key) { set(.of(value), key) }
  func encode(_ value: UInt8, forKey key: Key) { set(.of(value), key) }
  func encode(_ value: UInt16, forKey key: Key) { set(.of(value), key) }
  func encode(_ value: UInt32, forKey key: Key) { set(.of(value), key) }
  func encode(_ value: UInt64, forKey key: Key) { set(.of(value), key) }
  func encode(_ value: Int128, forKey key: Key) { set(.of(value), key) }
  func encode(_ value: UInt128, forKey key: Key) { set(.of(value), key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    builder.set(try builder.item(for: value, under: key), for: key.stringValue)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { nested(PathKey.super) }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: any CodingKey) -> ItemEncoder { ItemEncoder(builder: builder.setNested(for: key)) }

  private func set(_ content: Item.Content, _ key: Key) { builder.set(Item(content), for: key.stringValue) }
}

/// The elements of a value that encodes itself in order.
struct ItemUnkeyedEncoding: UnkeyedEncodingContainer {
  let builder: ItemBuilder
  var codingPath: [any CodingKey] { builder.place.path }
  var count: Int { builder.count }

  func encodeNil() { append(.null) }
  func encode(_ value: Bool) { append(.bool(value)) }
  func encode(_ value: String) { append(.string(value)) }
  func encode(_ value: Double) { append(.real(value)) }
  func encode(_ value: Float) { append(.real(FloatBits.double(value))) }
  func encode(_ value: Int) { append(.of(value)) }
  func encode(_ value: Int8) { append(.of(value)) }
  func encode(_ value: Int16) { append(.of(value)) }
  func encode(_ value: Int32) { append(.of(value)) }
  func encode(_ value: Int64) { append(.of(value)) }
  func encode(_ value: UInt) { append(.of(value)) }
  func encode(_ value: UInt8) { append(.of(value)) }
  func encode(_ value: UInt16) { append(.of(value)) }
  func encode(_ value: UInt32) { append(.of(value)) }
  func encode(_ value: UInt64) { append(.of(value)) }
  func encode(_ value: Int128) { append(.of(value)) }
  func encode(_ value: UInt128) { append(.of(value)) }

  func encode(_ value: some Encodable) throws {
    builder.append(try builder.item(for: value, under: PathKey(index: count)))
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }

  private func nested() -> ItemEncoder { ItemEncoder(builder: builder.appendNested()) }

  private func append(_ content: Item.Content) { builder.append(Item(content)) }
}

/// A value that encodes itself as one other value.
struct ItemSingleValueEncoding: SingleValueEncodingContainer {
  let builder: ItemBuilder
  var codingPath: [any CodingKey] { builder.place.path }

  func encodeNil() { set(.null) }
  func encode(_ value: Bool) { set(.bool(value)) }
  func encode(_ value: String) { set(.string(value)) }
  func encode(_ value: Double) { set(.real(value)) }
  func encode(_ value: Float) { set(.real(FloatBits.double(value))) }
  func encode(_ value: Int) { set(.of(value)) }
  func encode(_ value: Int8) { set(.of(value)) }
  func encode(_ value: Int16) { set(.of(value)) }
  func encode(_ value: Int32) { set(.of(value)) }
  func encode(_ value: Int64) { set(.of(value)) }
  func encode(_ value: UInt) { set(.of(value)) }
  func encode(_ value: UInt8) { set(.of(value)) }
  func encode(_ value: UInt16) { set(.of(value)) }
  func encode(_ value: UInt32) { set(.of(value)) }
  func encode(_ value: UInt64) { set(.of(value)) }
  func encode(_ value: Int128) { set(.of(value)) }
  func encode(_ value: UInt128) { set(.of(value)) }

  func encode(_ value: some Encodable) throws {
    builder.set(try ItemEncoder.item(for: value, at: builder.place, depth: builder.depth))
  }

  private func set(_ content: Item.Content) { builder.set(Item(content)) }
}

/// A key by its text or its index in an array.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ text: String) {
    stringValue = text
    intValue = nil
  }

  init(index: Int) {
    stringValue = "\(index)"
    intValue = index
  }

  init(stringValue: String) { self.init(stringValue) }
  init(intValue: Int) { self.init(index: intValue) }

  static let `super` = PathKey("super")
}
