import Foundation

/// Turns any `Encodable` value into an ``Item``.
///
/// Members keep the order in which they were encoded, except those of a `Dictionary`, which are sorted by key; the
/// elements of a `Set` are sorted too. So equal values give equal trees, whatever the seed of the hashing.
struct ItemEncoder: Encoder {
  let codingPath: [any CodingKey]
  let builder: ItemBuilder
  /// How many more levels may be nested below this value.
  let depth: Int
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The tree of a record that will stand in a table of a file.
  static func item(forRecord record: some Encodable) throws -> Item {
    let depth = ReadLimits.standardDepth - 2
    let item = try item(for: record, at: [], depth: depth)
    // Containers that a value nests by hand cannot throw when they are made, so they are counted at the end.
    if item.levels > depth { throw tooDeep(record, []) }
    return item
  }

  static func item<T: Encodable>(for value: T, at path: [any CodingKey], depth: Int) throws -> Item {
    if let scalar = scalar(for: value) { return Item(scalar) }
    // What is no container does not count; how deep containers are is known at the end.
    guard depth >= 0 else { throw tooDeep(value, path) }
    let encoder = ItemEncoder(codingPath: path, builder: ItemBuilder(), depth: depth)
    try value.encode(to: encoder)
    let item = encoder.builder.item
    if depth == 0, item.levels > 0 { throw tooDeep(value, path) }
    switch value {
    case is any UnorderedMap: return item.sortedAsMap()
    case is any UnorderedSet: return item.sortedAsSet()
    default: return item
    }
  }

  /// The types that have a form of their own. The standard library's own reach the containers' typed methods.
  private static func scalar(for value: some Encodable) -> Item.Content? {
    switch value {
    case let date as Date: .date(date.timeIntervalSinceReferenceDate)
    case let data as Data: .data(Array(data))
    case let url as URL where url.baseURL == nil: .string(url.absoluteString)
    case let decimal as Decimal: .string(decimal.description)
    default: nil
    }
  }

  private static func tooDeep(_ value: some Encodable, _ path: [any CodingKey]) -> EncodingError {
    let description = "nested deeper than \(ReadLimits.standardDepth) levels"
    return EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: description))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    builder.becomeDictionary(isSorted: DictionaryKeys.isKeyType(type))
    return KeyedEncodingContainer(ItemKeyedEncoding(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    builder.becomeArray()
    return ItemUnkeyedEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { ItemSingleValueEncoding(encoder: self) }

  /// An encoder for a value that will stand under a key of this one.
  func nested(_ key: any CodingKey, _ builder: ItemBuilder) -> ItemEncoder {
    ItemEncoder(codingPath: codingPath + [key], builder: builder, depth: depth - 1)
  }

  func item<T: Encodable>(for value: T, under key: any CodingKey) throws -> Item {
    try Self.item(for: value, at: codingPath + [key], depth: depth - 1)
  }
}
