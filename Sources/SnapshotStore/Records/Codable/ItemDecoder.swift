/// Turns an ``Item`` into any `Decodable` value, and is strict about it.
///
/// An integer must be written as one and be in range; a key that the value never asks for is an error, because it would
/// be lost at the next save. Errors are `DecodingError`s; `SnapshotError.decoding` gives them their place in the file.
final class ItemDecoder: Decoder, CodingParent {
  let item: Item
  let place: CodingPlace
  /// Whether the value was decoded as another one, which sees to its own keys.
  var delegates = false
  /// Whether the value is a dictionary or a set, which must have as many elements as were written.
  private var isCounted = false
  /// Whether the value has asked for what is in the item.
  private var isRead = false
  /// What is done with keys that nobody asks for, if this is a record.
  private var unknownKeys = UnknownKeys.refuse
  /// Such keys, if they are to be kept or left out.
  private var unknown: [Item.Member] = []
  private var members: MemberList?
  /// Decoders of values under keys of this one, whose unused keys are reported with this one's.
  private var children: [ItemDecoder] = []

  init(item: Item, at place: CodingPlace) {
    self.item = item
    self.place = place
  }

  var codingPath: [any CodingKey] { place.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<T: Decodable>(_ type: T.Type, from item: Item, at place: CodingPlace = .record) throws -> T {
    if let value = try special(type, from: item, at: place) { return value }
    return try ItemDecoder(item: item, at: place).decode(type)
  }

  /// A record, and the members that it does not know, if they are not to be refused.
  static func decodeRecord<T: Decodable>(
    _ type: T.Type, from item: Item, _ unknownKeys: UnknownKeys
  ) throws -> (T, unknown: [Item.Member]) {
    if let value = try special(type, from: item, at: .record) { return (value, []) }
    let decoder = ItemDecoder(item: item, at: .record)
    decoder.unknownKeys = unknownKeys
    return (try decoder.decode(type), decoder.unknown)
  }

  private func decode<T: Decodable>(_ type: T.Type) throws -> T {
    isCounted = type is any UnorderedMap.Type || type is any UnorderedSet.Type
    let value = try T(from: self)
    if !isRead { try refuseUnread(value) }
    try refuseUnusedKeys()
    if isCounted {
      try Self.refuseLoss(in: value, from: item, at: place)
    }
    return value
  }

  /// A dictionary or a set with fewer elements than were written had two that it holds equal.
  private static func refuseLoss(in value: some Decodable, from item: Item, at place: CodingPlace) throws {
    let counts: (found: Int, written: Int)? =
      switch (value, item.content) {
      case (let map as any UnorderedMap, .dictionary(let members)): (map.count, members.count)
      case (let map as any UnorderedMap, .array(let items)): (map.count, items.count / 2)
      case (let set as any UnorderedSet, .array(let items)): (set.count, items.count)
      default: nil
      }
    guard let counts, counts.found != counts.written else { return }
    try refuseEqualKeys(in: item, at: place)
    throw Self.duplicate("two keys or elements are equal", item.offset, place)
  }

  /// A dictionary holds only one of two keys that are equal in Swift, though they are two in the file.
  private static func refuseEqualKeys(in item: Item, at place: CodingPlace) throws {
    var seen: [String: ExactText] = [:]
    for member in item.allMembers ?? [] {
      guard let other = seen.updateValue(member.key, forKey: member.key.text) else { continue }
      let keys = "\(other.text.spelledForMessage()) and \(member.key.text.spelledForMessage())"
      throw duplicate("the keys \(keys) are equal in Swift, so no dictionary holds both", member.keyOffset, place)
    }
  }

  private static func duplicate(_ message: String, _ offset: Int, _ place: CodingPlace) -> DecodingError {
    let issue = DecodingIssue(code: .duplicate, offset: offset)
    return .dataCorrupted(.init(codingPath: place.path, debugDescription: message, underlyingError: issue))
  }

  /// A value that stands for this one, and sees to all of its keys.
  func decodeDelegate<T: Decodable>(_ type: T.Type) throws -> T {
    defer { delegates = true }
    if let value = try Self.special(type, from: item, at: place) { return value }
    let delegate = ItemDecoder(item: item, at: place)
    delegate.unknownKeys = unknownKeys
    let value = try delegate.decode(type)
    unknown += delegate.unknown
    return value
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    isRead = true
    // One list of members, however many containers are made of it.
    if members == nil {
      guard let list = MemberList(item) else { throw mismatch([String: Any].self, "a dictionary") }
      members = list
      // A dictionary that a property wrapper decodes: nobody counts its elements.
      if !isCounted, DictionaryKeys.isKeyType(type) { try Self.refuseEqualKeys(in: item, at: place) }
    }
    return KeyedDecodingContainer(ItemKeyedDecoding(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    isRead = true
    guard case .array(let items) = item.content else { throw mismatch([Any].self, "an array") }
    return ItemUnkeyedDecoding(items: items, decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    isRead = true
    return ItemSingleValueDecoding(decoder: self)
  }

  /// A decoder for a value that stands under a key of this one, whose unused keys are reported with this one's.
  func nested(_ key: any CodingKey, _ item: Item) -> ItemDecoder {
    let child = ItemDecoder(item: item, at: CodingPlace(under: self, key))
    children.append(child)
    return child
  }

  private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    Self.mismatch(type, expected, item, place)
  }

  static func mismatch(_ type: Any.Type, _ expected: String, _ item: Item, _ place: CodingPlace) -> DecodingError {
    .typeMismatch(type, .init(codingPath: place.path, debugDescription: "expected \(expected), found \(item.kind)"))
  }
}

// MARK: - Keys

extension ItemDecoder {
  /// The value of a member, which counts as asked for.
  func value(for key: some CodingKey) -> Item? { members?.value(ExactText(key.stringValue)) }

  /// A member whose key looks like another one, but is written in another way.
  func member(like key: some CodingKey) -> Item.Member? {
    item.allMembers?.first { $0.key.text == key.stringValue && $0.key != ExactText(key.stringValue) }
  }

  /// The members' keys that are keys of some type.
  func keys<Key>(_ make: (String) -> Key?) -> [Key] { members?.keys(make) ?? [] }

  /// A value that asks for nothing, such as a structure without properties, knows only what it writes itself.
  private func refuseUnread(_ value: some Decodable) throws {
    guard let value = value as? any Encodable, let written = try? ItemEncoder.item(forRecord: value),
      case .dictionary(let known) = written.content
    else { return }
    guard var list = MemberList(item) else { throw mismatch([String: Any].self, "a dictionary") }
    for member in known { _ = list.value(member.key) }
    members = list
  }

  private func refuseUnusedKeys() throws {
    for child in children { try child.refuseUnusedKeys() }
    guard !delegates, let unused = members?.firstUnused else { return }
    let record = place.record as? ItemDecoder ?? self
    switch record.unknownKeys {
    case .keep where record === self: return unknown += members?.unused ?? []
    case .leaveOut:
      let path = place.path.map { "\($0.stringValue)." }.joined()
      return record.unknown += (members?.unused ?? []).map { Item.Member(key: path + $0.key.text, value: $0.value) }
    case .keep, .refuse: break
    }
    let issue = DecodingIssue(code: .unknownKey, offset: unused.keyOffset)
    throw DecodingError.dataCorrupted(
      .init(
        codingPath: place.path, debugDescription: "unknown key \(unused.key.text.quotedForMessage())",
        underlyingError: issue))
  }
}

/// What a `DecodingError` of ours carries beside its own fields.
struct DecodingIssue: Error {
  let code: SnapshotError.Code
  let offset: Int?
}
