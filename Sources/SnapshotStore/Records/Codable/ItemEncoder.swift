import SnapshotFoundation

/// Encodes any `Encodable` value as an ``Item``.
///
/// Members keep the order in which they were encoded. The members of a `Dictionary` are sorted by key, and the elements
/// of a `Set` are sorted too. So equal values give equal trees in every process.
struct ItemEncoder: Encoder {
  let builder: ItemBuilder
  var codingPath: [any CodingKey] { builder.place.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The tree of a record in a table of a file.
  static func item(forRecord record: some Encodable) throws -> Item {
    let depth = ReadLimits.standardDepth - 2
    let item = try item(for: record, at: .record, depth: depth)
    // Making a nested container cannot throw, so the levels are checked at the end.
    if item.levels > depth { throw tooDeep(record, .record) }
    return item
  }

  /// The tree of a record, for an error that tells where the record is.
  static func item(
    forRecord record: some Encodable, at path: @autoclosure () -> String
  ) throws(SnapshotError) -> Item {
    do {
      return try item(forRecord: record)
    } catch {
      throw SnapshotError.encoding(error, at: path())
    }
  }

  /// The tree of a record of a table, for an error that names the record.
  static func item<Value: Record>(
    of record: Value, in table: String, at index: @autoclosure () -> Int
  ) throws(SnapshotError) -> Item {
    do {
      return try item(forRecord: record)
    } catch {
      var failure = SnapshotError.encoding(error, at: "\(table)[\(index())]")
      failure.message = "the record with the id \(Table<Value>.name(record.id)) cannot be encoded: \(failure.message)"
      failure.advice = "Change or remove it. Nothing is saved before."
      throw failure
    }
  }

  static func item<T: Encodable>(for value: T, at place: CodingPlace, depth: Int) throws -> Item {
    if let scalar = scalar(for: value) { return Item(scalar) }
    // Only containers count. Their depth is known at the end.
    guard depth >= 0 else { throw tooDeep(value, place) }
    let encoder = ItemEncoder(builder: ItemBuilder(at: place, depth: depth))
    try value.encode(to: encoder)
    let item = encoder.builder.item
    if depth == 0, item.levels > 0 { throw tooDeep(value, place) }
    if T.self is any UnorderedMap.Type { return item.sortedAsMap() }
    if T.self is any UnorderedSet.Type { return item.sortedAsSet() }
    return item
  }

  /// The content of types with a special form. Types of the standard library use the typed methods of containers.
  static func scalar<T: Encodable>(for value: T) -> Item.Content? {
    if T.self == Date.self { return .date(identityCast(value, to: Date.self).timeIntervalSinceReferenceDate) }
    if T.self == [String].self {
      return .array(identityCast(value, to: [String].self).map { Item(.string($0)) })
    }
    if T.self == Data.self { return .data(Array(identityCast(value, to: Data.self))) }
    if T.self == URL.self {
      let url = identityCast(value, to: URL.self)
      return url.baseURL == nil ? .string(url.absoluteString) : nil
    }
    if T.self == Decimal.self { return .string(identityCast(value, to: Decimal.self).description) }
    return nil
  }

  private static func tooDeep(_ value: some Encodable, _ place: CodingPlace) -> EncodingError {
    let description = "nested deeper than \(ReadLimits.standardDepth.counted("level"))"
    return EncodingError.invalidValue(value, .init(codingPath: place.path, debugDescription: description))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    builder.becomeDictionary(isSorted: DictionaryKeys.isKeyType(type))
    return KeyedEncodingContainer(ItemKeyedEncoding(builder: builder))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    builder.becomeArray()
    return ItemUnkeyedEncoding(builder: builder)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { ItemSingleValueEncoding(builder: builder) }
}

extension ItemBuilder {
  /// The item of a value under a key of this one.
  func item(for value: some Encodable, under key: any CodingKey) throws -> Item {
    try ItemEncoder.item(for: value, at: CodingPlace(under: self, key), depth: depth - 1)
  }
}
