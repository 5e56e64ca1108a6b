import SnapshotFoundation

/// Encodes any `Encodable` value as text, without a tree of items; see `EncodingStream`.
struct StreamEncoder: Encoder {
  let stream: EncodingStream
  /// The number of the value.
  let id: Int

  init(_ stream: EncodingStream, _ id: Int) {
    self.stream = stream
    self.id = id
  }

  var codingPath: [any CodingKey] { stream.path(to: id) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    stream.open(id, .keyed)
    // The members of a dictionary that another type encodes are sorted by the strict way.
    if DictionaryKeys.isKeyType(type) { stream.fallBack() }
    return KeyedEncodingContainer(StreamKeyedEncoding(stream: stream, id: id))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    stream.open(id, .unkeyed)
    return StreamUnkeyedEncoding(stream: stream, id: id)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { StreamSingleValueEncoding(stream: stream, id: id) }
}

// MARK: - Values of any type

extension EncodingStream {
  /// Appends a value at the current place.
  ///
  /// - Parameter key: the key of the value; nil for an element of an array, and for a value that represents another.
  func append<T: Encodable>(_ value: T, under key: @autoclosure () -> (any CodingKey)? = nil) throws {
    if T.self == Date.self {
      return append(date: identityCast(value, to: Date.self).timeIntervalSinceReferenceDate)
    }
    if T.self == String.self { return append(identityCast(value, to: String.self)) }
    if T.self == [String].self { return append(texts: identityCast(value, to: [String].self)) }
    if T.self == Int.self { return append(integer: identityCast(value, to: Int.self)) }
    if T.self == Double.self { return append(identityCast(value, to: Double.self)) }
    if T.self == UUID.self { return append(identityCast(value, to: UUID.self).uuidString) }
    if let content = ItemEncoder.scalar(for: value) { return append(Item(content)) }
    if T.self is any UnorderedMap.Type || T.self is any UnorderedSet.Type {
      return try checked { try append(unordered: value, under: key()) }
    }
    let id = push(key())
    try checked { try value.encode(to: StreamEncoder(self, id)) }
    complete(id)
  }

  /// Appends a dictionary or a set, which are sorted.
  private func append(unordered value: some Encodable, under key: (any CodingKey)?) throws {
    let key = key ?? lastElement
    let id = push(key)
    let levels = Self.most.levels - state.pointee.depth
    let item = try ItemEncoder.item(for: value, at: CodingPlace(under: self, key), depth: levels)
    if item.levels <= levels, fill(id) { append(item) } else { fallBack() }
    complete(id)
  }

  /// Falls back if an error is thrown: the strict way reports it.
  private func checked(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      fallBack()
      throw error
    }
  }

  private func append(texts: [String]) {
    let id = push()
    open(id, .unkeyed)
    for text in texts where beginElement(of: id) { append(text) }
    complete(id)
  }
}
