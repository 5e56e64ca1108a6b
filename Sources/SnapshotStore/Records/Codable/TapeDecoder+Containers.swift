import SnapshotFoundation

/// The members of a value that decodes itself by keys.
struct TapeKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let tape: JSONTape
  let node: Int
  var codingPath: [any CodingKey] { tape.path(to: node) }
  var allKeys: [Key] { tape.keys(of: node) { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { tape.member(key, of: node) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { tape.isNull(try value(key)) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key, tape.bool) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key, tape.text) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key, tape.double) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key, tape.float) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key, tape.integer) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read(key, tape.integer) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try read(key, tape.integer) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try read(key, tape.integer) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try read(key, tape.integer) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read(key, tape.integer) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key, tape.integer) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try read(key, tape.integer) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try read(key, tape.integer) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try read(key, tape.integer) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try read(key, tape.integer) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try read(key, tape.integer) }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try read(key) { try tape.decode(type, $0, under: key) }
  }

  // Overloads for optionals of common types: the standard library's default looks up each key three times.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try readIfPresent(key, tape.bool) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try readIfPresent(key, tape.text) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try readIfPresent(key, tape.double) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try readIfPresent(key, tape.integer) }
  // For a type that is not named here, it looks up the type of the optional.
  @_specialize(kind:partial,where T == Date)
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try readIfPresent(key) { try tape.decode(type, $0, under: key) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder {
    TapeDecoder(tape, tape.member(PathKey.super, of: node) ?? JSONTape.missing)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }

  private func nested(_ key: Key) throws -> TapeDecoder {
    let value = try value(key)
    tape.note(key, of: value)
    return TapeDecoder(tape, value)
  }

  private func value(_ key: Key) throws -> Int {
    if let value = tape.member(key, of: node) { return value }
    tape.fallBack()
    throw DecodingError.keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: "the key \(key.stringValue.quotedForMessage()) is missing"))
  }

  private func read<T>(_ key: Key, _ decode: (Int) throws -> T) throws -> T { try read(key, at: value(key), decode) }

  /// The value of a member that exists and is not null.
  private func readIfPresent<T>(_ key: Key, _ decode: (Int) throws -> T) throws -> T? {
    guard let value = tape.member(key, of: node), !tape.isNull(value) else { return nil }
    return try read(key, at: value, decode)
  }

  private func read<T>(_ key: Key, at value: Int, _ decode: (Int) throws -> T) throws -> T {
    do {
      return try decode(value)
    } catch {
      throw tape.located(error, codingPath + [key])
    }
  }
}

/// The elements of a value that decodes itself in order.
struct TapeUnkeyedDecoding: UnkeyedDecodingContainer {
  let tape: JSONTape
  private let node: Int32
  /// The node of the next element.
  private var next: Int32
  private(set) var currentIndex = 0

  init(tape: JSONTape, node: Int) {
    self.tape = tape
    self.node = Int32(node)
    next = Int32(node + 1)
  }

  var codingPath: [any CodingKey] { tape.path(to: Int(node)) }
  var count: Int? { Int(tape.nodes[Int(node)].count) }
  var isAtEnd: Bool { next >= tape.nodes[Int(node)].next }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { throw endOfArray() }
    guard tape.isNull(Int(next)) else { return false }
    advance()
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try element { try $0.bool($1) } }
  mutating func decode(_ type: String.Type) throws -> String { try element { try $0.text($1) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try element { try $0.double($1) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try element { try $0.float($1) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try element { try $0.integer($1) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try element { try $0.integer($1) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try element { try $0.integer($1) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try element { try $0.integer($1) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try element { try $0.integer($1) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try element { try $0.integer($1) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try element { try $0.integer($1) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try element { try $0.integer($1) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try element { try $0.integer($1) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try element { try $0.integer($1) } }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try element { try $0.integer($1) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element { try $0.integer($1) } }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try element { try $0.decode(type, $1) } }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try nested().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try nested().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { try nested() }

  private mutating func nested() throws -> TapeDecoder { try element { TapeDecoder($0, $1) } }

  /// Decodes the next element, and advances if that succeeds.
  private mutating func element<T>(_ decode: (JSONTape, Int) throws -> T) throws -> T {
    guard !isAtEnd else { throw endOfArray() }
    do {
      let value = try decode(tape, Int(next))
      advance()
      return value
    } catch {
      throw tape.located(error, codingPath + [PathKey(index: currentIndex)])
    }
  }

  private mutating func advance() {
    next = tape.nodes[Int(next)].next
    currentIndex += 1
  }

  private func endOfArray() -> DecodingError {
    tape.fallBack()
    let description = "the array ends after \(currentIndex.counted("element"))"
    return .valueNotFound(Any.self, .init(codingPath: codingPath, debugDescription: description))
  }
}

/// A value that decodes itself as one other value.
struct TapeSingleValueDecoding: SingleValueDecodingContainer {
  let tape: JSONTape
  let node: Int
  var codingPath: [any CodingKey] { tape.path(to: node) }

  func decodeNil() -> Bool { tape.isNull(node) }
  func decode(_ type: Bool.Type) throws -> Bool { try read(tape.bool) }
  func decode(_ type: String.Type) throws -> String { try read(tape.text) }
  func decode(_ type: Double.Type) throws -> Double { try read(tape.double) }
  func decode(_ type: Float.Type) throws -> Float { try read(tape.float) }
  func decode(_ type: Int.Type) throws -> Int { try read(tape.integer) }
  func decode(_ type: Int8.Type) throws -> Int8 { try read(tape.integer) }
  func decode(_ type: Int16.Type) throws -> Int16 { try read(tape.integer) }
  func decode(_ type: Int32.Type) throws -> Int32 { try read(tape.integer) }
  func decode(_ type: Int64.Type) throws -> Int64 { try read(tape.integer) }
  func decode(_ type: UInt.Type) throws -> UInt { try read(tape.integer) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try read(tape.integer) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try read(tape.integer) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try read(tape.integer) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try read(tape.integer) }
  func decode(_ type: Int128.Type) throws -> Int128 { try read(tape.integer) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try read(tape.integer) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try read { try tape.decode(type, $0) } }

  private func read<T>(_ decode: (Int) throws -> T) throws -> T {
    do {
      return try decode(node)
    } catch {
      throw tape.located(error, codingPath)
    }
  }
}
