import SnapshotFoundation

/// The members of a value that encodes itself by keys.
struct StreamKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let stream: EncodingStream
  let id: Int
  var codingPath: [any CodingKey] { stream.path(to: id) }

  func encodeNil(forKey key: Key) { if begin(key) { stream.append(Item(.null)) } }
  func encode(_ value: Bool, forKey key: Key) { if begin(key) { stream.append(value) } }
  func encode(_ value: String, forKey key: Key) { if begin(key) { stream.append(value) } }
  func encode(_ value: Double, forKey key: Key) { if begin(key) { stream.append(value) } }
  func encode(_ value: Float, forKey key: Key) { if begin(key) { stream.append(FloatBits.double(value)) } }
  func encode(_ value: Int, forKey key: Key) { if begin(key) { stream.append(integer: value) } }
  func encode(_ value: Int8, forKey key: Key) { if begin(key) { stream.append(integer: value) } }
  func encode(_ value: Int16, forKey key: Key) { if begin(key) { stream.append(integer: value) } }
  func encode(_ value: Int32, forKey key: Key) { if begin(key) { stream.append(integer: value) } }
  func encode(_ value: Int64, forKey key: Key) { if begin(key) { stream.append(integer: value) } }
  func encode(_ value: UInt, forKey key: Key) { if begin(key) { stream.append(integer: value) } }
  func encode(_ value: UInt8, forKey key: Key) { if begin(key) { stream.append(integer: value) } }
  func encode(_ value: UInt16, forKey key: Key) { if begin(key) { stream.append(integer: value) } }
  func encode(_ value: UInt32, forKey key: Key) { if begin(key) { stream.append(integer: value) } }
  func encode(_ value: UInt64, forKey key: Key) { if begin(key) { stream.append(integer: value) } }
  func encode(_ value: Int128, forKey key: Key) { if begin(key) { stream.append(integer: value) } }
  func encode(_ value: UInt128, forKey key: Key) { if begin(key) { stream.append(integer: value) } }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    if begin(key) { try stream.append(value, under: key) }
  }

  // The standard library's default looks up the type of the optional, and so does this function for any type that is
  // not named here.
  @_specialize(kind:partial,where T == Date)
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { nested(PathKey.super) }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: some CodingKey) -> StreamEncoder {
    _ = begin(key)
    return StreamEncoder(stream, stream.push(key))
  }

  private func begin(_ key: some CodingKey) -> Bool { stream.beginMember(key, of: id) }
}

/// The elements of a value that encodes itself in order.
struct StreamUnkeyedEncoding: UnkeyedEncodingContainer {
  let stream: EncodingStream
  let id: Int
  var codingPath: [any CodingKey] { stream.path(to: id) }
  var count: Int { stream.count(of: id) }

  func encodeNil() { if begin() { stream.append(Item(.null)) } }
  func encode(_ value: Bool) { if begin() { stream.append(value) } }
  func encode(_ value: String) { if begin() { stream.append(value) } }
  func encode(_ value: Double) { if begin() { stream.append(value) } }
  func encode(_ value: Float) { if begin() { stream.append(FloatBits.double(value)) } }
  func encode(_ value: Int) { if begin() { stream.append(integer: value) } }
  func encode(_ value: Int8) { if begin() { stream.append(integer: value) } }
  func encode(_ value: Int16) { if begin() { stream.append(integer: value) } }
  func encode(_ value: Int32) { if begin() { stream.append(integer: value) } }
  func encode(_ value: Int64) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt8) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt16) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt32) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt64) { if begin() { stream.append(integer: value) } }
  func encode(_ value: Int128) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt128) { if begin() { stream.append(integer: value) } }
  func encode(_ value: some Encodable) throws { if begin() { try stream.append(value) } }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }

  private func nested() -> StreamEncoder {
    _ = begin()
    return StreamEncoder(stream, stream.push())
  }

  private func begin() -> Bool { stream.beginElement(of: id) }
}

/// A value that encodes itself as one other value.
struct StreamSingleValueEncoding: SingleValueEncodingContainer {
  let stream: EncodingStream
  let id: Int
  var codingPath: [any CodingKey] { stream.path(to: id) }

  func encodeNil() { if begin() { stream.append(Item(.null)) } }
  func encode(_ value: Bool) { if begin() { stream.append(value) } }
  func encode(_ value: String) { if begin() { stream.append(value) } }
  func encode(_ value: Double) { if begin() { stream.append(value) } }
  func encode(_ value: Float) { if begin() { stream.append(FloatBits.double(value)) } }
  func encode(_ value: Int) { if begin() { stream.append(integer: value) } }
  func encode(_ value: Int8) { if begin() { stream.append(integer: value) } }
  func encode(_ value: Int16) { if begin() { stream.append(integer: value) } }
  func encode(_ value: Int32) { if begin() { stream.append(integer: value) } }
  func encode(_ value: Int64) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt8) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt16) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt32) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt64) { if begin() { stream.append(integer: value) } }
  func encode(_ value: Int128) { if begin() { stream.append(integer: value) } }
  func encode(_ value: UInt128) { if begin() { stream.append(integer: value) } }
  func encode(_ value: some Encodable) throws { if begin() { try stream.append(value) } }

  private func begin() -> Bool { stream.beginSingle(of: id) }
}
