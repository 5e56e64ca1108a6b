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

/// A tree under construction: `Encoder`s hand out containers that go on writing into it.
final class ItemBuilder {
  private enum State {
    case empty
    case scalar(Item)
    case array([Part])
    case dictionary([(key: String, value: Part)], positions: [String: Int])
  }

  private enum Part {
    case item(Item)
    case builder(ItemBuilder)

    var item: Item {
      switch self {
      case .item(let item): item
      case .builder(let builder): builder.item
      }
    }
  }

  private var state = State.empty
  private var isSorted = false

  /// What was encoded. A value that encoded nothing is an empty dictionary.
  var item: Item {
    switch state {
    case .empty: Item(.dictionary([]))
    case .scalar(let item): item
    case .array(let parts): Item(.array(parts.map(\.item)))
    case .dictionary(let parts, _): dictionary(of: parts)
    }
  }

  private func dictionary(of parts: [(key: String, value: Part)]) -> Item {
    let item = Item(.dictionary(parts.map { Item.Member(key: $0.key, value: $0.value.item) }))
    return isSorted ? item.sortedAsMap() : item
  }

  var count: Int {
    if case .array(let parts) = state { return parts.count }
    return 0
  }

  func set(_ item: Item) { state = .scalar(item) }

  func becomeArray() {
    if case .array = state { return }
    state = .array([])
  }

  /// - Parameter isSorted: whether the members have no order of their own.
  func becomeDictionary(isSorted: Bool) {
    self.isSorted = self.isSorted || isSorted
    if case .dictionary = state { return }
    state = .dictionary([], positions: [:])
  }

  func append(_ item: Item) { append(.item(item)) }
  func set(_ item: Item, for key: String) { set(.item(item), for: key) }

  func appendNested() -> ItemBuilder {
    let builder = ItemBuilder()
    append(.builder(builder))
    return builder
  }

  func setNested(for key: String) -> ItemBuilder {
    let builder = ItemBuilder()
    set(.builder(builder), for: key)
    return builder
  }

  private func append(_ part: Part) {
    guard case .array(var parts) = state else { return }
    state = .empty
    parts.append(part)
    state = .array(parts)
  }

  /// A key that is encoded twice keeps its place and takes the later value.
  private func set(_ part: Part, for key: String) {
    guard case .dictionary(var parts, var positions) = state else { return }
    state = .empty
    if let index = positions[key] {
      parts[index].value = part
    } else {
      positions[key] = parts.count
      parts.append((key, part))
    }
    state = .dictionary(parts, positions: positions)
  }
}

// MARK: - Collections without an order

protocol UnorderedMap { var count: Int { get } }
extension Dictionary: UnorderedMap {}

protocol UnorderedSet { var count: Int { get } }
extension Set: UnorderedSet {}

extension Item {
  /// A dictionary sorted by key: of members, or, when its keys are not texts, an array of keys and values in turn.
  fileprivate func sortedAsMap() -> Item {
    switch content {
    case .dictionary(let members):
      return Item(.dictionary(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
    case .array(let items):
      let pairs = stride(from: 0, to: items.count - 1, by: 2).map { (items[$0], items[$0 + 1]) }
      return Item(.array(pairs.sorted { Item.isOrderedBefore($0.0, $1.0) }.flatMap { [$0, $1] }))
    default: return self
    }
  }

  fileprivate func sortedAsSet() -> Item {
    guard case .array(let items) = content else { return self }
    return Item(.array(items.sorted(by: Item.isOrderedBefore)))
  }
}
