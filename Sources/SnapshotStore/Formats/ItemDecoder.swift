import Foundation

/// Turns an ``Item`` into any `Decodable` value, and is strict about it.
///
/// An integer must be written as one and be in range; a key that the value never asks for is an error, because it would
/// be lost at the next save. Errors are `DecodingError`s; `ItemDecoder.failure` gives them their place in the file.
struct ItemDecoder: Decoder {
  let item: Item
  let codingPath: [any CodingKey]
  let scope: KeyScope
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<T: Decodable>(_ type: T.Type, from item: Item, at path: [any CodingKey]) throws -> T {
    if let value = try special(type, from: item, at: path) { return value }
    let scope = KeyScope()
    let value = try T(from: ItemDecoder(item: item, codingPath: path, scope: scope))
    try scope.refuseUnusedKeys()
    try refuseLoss(in: value, from: item, at: path)
    return value
  }

  /// A dictionary or a set with fewer elements than were written had two that it holds equal.
  private static func refuseLoss(in value: some Decodable, from item: Item, at path: [any CodingKey]) throws {
    let counts: (found: Int, written: Int)? =
      switch (value, item.content) {
      case (let map as any UnorderedMap, .dictionary(let members)): (map.count, members.count)
      case (let map as any UnorderedMap, .array(let items)): (map.count, items.count / 2)
      case (let set as any UnorderedSet, .array(let items)): (set.count, items.count)
      default: nil
      }
    guard let counts, counts.found != counts.written else { return }
    let issue = DecodingIssue(code: .duplicate, offset: item.offset)
    throw DecodingError.dataCorrupted(
      .init(codingPath: path, debugDescription: "two keys or elements are equal", underlyingError: issue))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ItemKeyedDecoding(members: try scope.members(of: self), decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let items) = item.content else { throw mismatch([Any].self, "an array") }
    return ItemUnkeyedDecoding(items: items, decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { ItemSingleValueDecoding(decoder: self) }

  /// A decoder for a value that stands under a key of this one, whose unused keys are reported with this one's.
  func nested(_ key: any CodingKey, _ item: Item) -> ItemDecoder {
    ItemDecoder(item: item, codingPath: codingPath + [key], scope: scope.makeChild())
  }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    Self.mismatch(type, expected, item, codingPath)
  }

  static func mismatch(
    _ type: Any.Type, _ expected: String, _ item: Item, _ path: [any CodingKey]
  ) -> DecodingError {
    .typeMismatch(type, .init(codingPath: path, debugDescription: "expected \(expected), found \(item.kind)"))
  }
}

/// Which keys of a value were asked for while it was decoded.
final class KeyScope {
  private var members: MemberList?
  private var path: [any CodingKey] = []
  private var children: [KeyScope] = []
  /// Whether the value was decoded as another one, which sees to its own keys.
  var delegates = false

  func makeChild() -> KeyScope {
    let child = KeyScope()
    children.append(child)
    return child
  }

  /// The members of the decoder's item; one list, however many containers are made of it.
  func members(of decoder: ItemDecoder) throws -> MemberList {
    if let members { return members }
    guard let list = MemberList(decoder.item) else { throw decoder.mismatch([String: Any].self, "a dictionary") }
    members = list
    path = decoder.codingPath
    return list
  }

  func refuseUnusedKeys() throws {
    for child in children { try child.refuseUnusedKeys() }
    guard !delegates, let members, let unused = members.firstUnused else { return }
    let issue = DecodingIssue(code: .unknownKey, offset: unused.keyOffset)
    throw DecodingError.dataCorrupted(
      .init(
        codingPath: path, debugDescription: "unknown key \(unused.key.quotedForMessage())", underlyingError: issue))
  }
}

/// The members of a dictionary, found by key, each marked once it was asked for.
final class MemberList {
  let members: [Item.Member]
  private var isUsed: [Bool]
  private lazy var positions = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.key, $0) })

  /// Nil if the item is no dictionary, in either of the forms that ``Representation`` has for one.
  init?(_ item: Item) {
    switch item.content {
    case .dictionary(let members): self.members = members
    case .array(let items):
      guard let members = Self.members(fromPairs: items) else { return nil }
      self.members = members
    default: return nil
    }
    isUsed = Array(repeating: false, count: members.count)
  }

  /// The keys that are keys of some type; whoever asks for all of them may be expected to know them.
  func keys<Key>(_ make: (String) -> Key?) -> [Key] {
    members.indices.compactMap { index in
      let key = make(members[index].key)
      if key != nil { isUsed[index] = true }
      return key
    }
  }

  var firstUnused: Item.Member? { isUsed.firstIndex(of: false).map { members[$0] } }

  func value(_ key: String) -> Item? {
    let position = members.count <= 16 ? members.firstIndex { $0.key == key } : positions[key]
    guard let position else { return nil }
    isUsed[position] = true
    return members[position].value
  }

  /// Keys and values in turn, at least one key being data.
  private static func members(fromPairs items: [Item]) -> [Item.Member]? {
    guard items.count % 2 == 0 else { return nil }
    var hasData = false
    var members: [Item.Member] = []
    for index in stride(from: 0, to: items.count, by: 2) {
      if case .data = items[index].content { hasData = true }
      guard let key = items[index].text else { return nil }
      members.append(Item.Member(key: key, value: items[index + 1], keyOffset: items[index].offset))
    }
    return hasData && Item.duplicateKey(in: members) == nil ? members : nil
  }
}

/// What a `DecodingError` of ours carries beside its own fields.
struct DecodingIssue: Error {
  let code: SnapshotError.Code
  let offset: Int?
}
