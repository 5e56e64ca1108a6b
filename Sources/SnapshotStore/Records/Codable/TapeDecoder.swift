import SnapshotFoundation

/// Decodes any `Decodable` value from the structure of a record in JSON, without a tree of items.
///
/// It gives the values that `ItemDecoder` gives. Where that is not certain, it falls back and goes on. The caller
/// then decodes the record strictly. So its errors are never shown. A value that catches one sees one of the same kind,
/// at the same path.
struct TapeDecoder: Decoder {
  let tape: JSONTape
  let node: Int
  /// The value under construction.
  let reader: Int32

  init(_ tape: JSONTape, _ node: Int) {
    self.tape = tape
    self.node = node
    tape.state.pointee.readers += 1
    reader = tape.state.pointee.readers
  }

  var codingPath: [any CodingKey] { tape.path(to: node) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let place = tape.nodes + node
    place.pointee.isRead = true
    guard place.pointee.kind == .object else { throw mismatch([String: Any].self, "a dictionary") }
    // Each value must read all keys itself, so a second one is left to the strict way.
    if place.pointee.reader == 0 { place.pointee.reader = reader }
    if place.pointee.reader != reader { tape.fallBack() }
    // Keys that are equal in Swift but different in the file.
    if DictionaryKeys.isKeyType(type) {
      place.pointee.isMap = true
      if !tape.hasPlainKeys(node) { tape.fallBack() }
    }
    return KeyedDecodingContainer(TapeKeyedDecoding(tape: tape, node: node))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    tape.nodes[node].isRead = true
    guard tape.nodes[node].kind == .array else { throw mismatch([Any].self, "an array") }
    return TapeUnkeyedDecoding(tape: tape, node: node)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    tape.nodes[node].isRead = true
    return TapeSingleValueDecoding(tape: tape, node: node)
  }

  private func mismatch(_ type: Any.Type, _ expected: String) -> any Error {
    do {
      throw TapeFailure(error: ItemDecoder.mismatch(type, expected, try tape.item(node), .record))
    } catch {
      return tape.located(error, tape.path(to: node))
    }
  }
}

// MARK: - Values of any type

extension JSONTape {
  /// - Parameter key: the key of the value, unless the value is an element of an array.
  func decode<T: Decodable>(
    _ type: T.Type, _ node: Int, under key: @autoclosure () -> (any CodingKey)? = nil
  ) throws -> T {
    if type == Date.self, let seconds = quickDate(node) {
      return identityCast(Date(timeIntervalSinceReferenceDate: seconds), to: type)
    }
    if type == String.self { return identityCast(try text(node), to: type) }
    if type == [String].self, let texts = try texts(node) { return identityCast(texts, to: type) }
    if type == Int.self { return identityCast(try integer(node) as Int, to: type) }
    if type == UUID.self, nodes[node].kind == .text, let id = UUID(uuidString: try text(node)) {
      return identityCast(id, to: type)
    }
    if let key = key() { note(key, of: node) }
    if type == Date.self || type == Data.self || type == URL.self || type == Decimal.self {
      return try decodeSpecial(type, node)
    }
    return try decodeItself(type, node)
  }

  /// Apart from `decode`, because an optional of any type costs time wherever it may occur.
  private func decodeSpecial<T: Decodable>(_ type: T.Type, _ node: Int) throws -> T {
    try orFallBack { try ItemDecoder.special(type, from: item(node), at: .record) } ?? decodeItself(type, node)
  }

  private func decodeItself<T: Decodable>(_ type: T.Type, _ node: Int) throws -> T {
    let place = nodes + node
    let wasRead = place.pointee.isRead
    place.pointee.isRead = false
    let value = try T(from: TapeDecoder(self, node))
    // A structure without properties, for example, knows only the members that it writes itself.
    if !place.pointee.isRead { fallBack() }
    place.pointee.isRead = wasRead
    switch place.pointee.kind {
    case .array where type is any UnorderedSet.Type || type is any UnorderedMap.Type: requireCount(of: value, node)
    case .object where place.pointee.isMap && type is any UnorderedMap.Type: requireCount(of: value, node)
    default: break
    }
    return value
  }

  /// Falls back for a dictionary or a set with fewer elements than the file.
  private func requireCount(of value: some Decodable, _ node: Int) {
    let count = Int(nodes[node].count)
    switch value {
    case let map as any UnorderedMap where map.count == (nodes[node].kind == .array ? count / 2 : count): break
    case let set as any UnorderedSet where set.count == count: break
    default: fallBack()
    }
  }

  /// The error of a value that cannot be read, with the path to it. Other errors have their path.
  func located(_ error: any Error, _ path: [any CodingKey]) -> any Error {
    guard let failure = error as? TapeFailure else { return error }
    switch failure.error {
    case DecodingError.typeMismatch(let type, let context):
      return DecodingError.typeMismatch(type, .init(codingPath: path, debugDescription: context.debugDescription))
    case DecodingError.dataCorrupted(let context):
      return DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: context.debugDescription))
    default: return failure.error
    }
  }
}

/// The error of a value that cannot be read, without a path. Containers know the path.
struct TapeFailure: Error {
  let error: any Error
}
