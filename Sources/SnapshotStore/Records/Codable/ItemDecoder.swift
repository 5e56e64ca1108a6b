/// Decodes an ``Item`` as any `Decodable` value, strictly.
///
/// An integer must be written as an integer and be in range. A key that the value never reads is an error, because the
/// next save would lose it. Errors are `DecodingError`s; `SnapshotError.decoding` adds their place in the file.
final class ItemDecoder: Decoder, CodingParent {
  let item: Item
  let place: CodingPlace
  /// Whether the value was decoded as another one, which checks its own keys.
  var delegates = false
  /// Whether the value is a dictionary or a set. It must have as many elements as the file.
  private var isCounted = false
  /// Whether the value has read the content of the item.
  private var isRead = false
  /// The treatment of keys that the value does not read, if it is a record.
  private var unknownKeys = UnknownKeys.refuse
  /// The keys that were not read, if they are kept or left out.
  private var unknown: [Item.Member] = []
  private var members: MemberList?
  /// The decoders of values under keys of this one. Their unused keys are reported with those of this one.
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

  /// Decodes a record. Also returns the members that it does not know, unless they are refused.
  static func decodeRecord<T: Decodable>(
    _ type: T.Type, from item: Item, _ unknownKeys: UnknownKeys
  ) throws -> (T, unknown: [Item.Member]) {
    if let value = try special(type, from: item, at: .record) { return (value, []) }
    let decoder = ItemDecoder(item: item, at: .record)
    decoder.unknownKeys = unknownKeys
    return (try decoder.decode(type), decoder.unknown)
  }

  /// Decodes what was put together of members that records of this type have written.
  ///
  /// - Throws: also if it does not read a member, and writes it in another way or not at all. That would be lost.
  static func decodeWritten<T: Codable>(_ type: T.Type, from item: Item) throws -> T {
    let (value, unread) = try decodeRecord(type, from: item, .keep)
    if unread.isEmpty { return value }
    let written = try ItemEncoder.item(forRecord: value)
    if unread.allSatisfy({ member in written[member.key].map { Item.areSame($0, member.value) } == true }) {
      return value
    }
    return try decode(type, from: item)
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

  /// Refuses a dictionary or a set with fewer elements than the file: two elements are equal in Swift.
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

  /// Refuses two keys that are different in the file but equal in Swift, because a dictionary holds only one of them.
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

  /// Decodes another value that represents this one and reads all of its keys.
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
    // All containers of this value share one list of members.
    if members == nil {
      guard let list = MemberList(item) else { throw mismatch([String: Any].self, "a dictionary") }
      members = list
      // A property wrapper decodes this dictionary, so its elements are not counted.
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

  /// A decoder for a value under a key of this one. Its unused keys are reported with those of this one.
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
  /// The value of a member, which is marked as read.
  func value(for key: some CodingKey) -> Item? { members?.value(ExactText(key.stringValue)) }

  /// A member whose key is equal in Swift but has different bytes.
  func member(like key: some CodingKey) -> Item.Member? {
    item.allMembers?.first { $0.key.text == key.stringValue && $0.key != ExactText(key.stringValue) }
  }

  /// The keys of members, converted to a type of keys.
  func keys<Key>(_ make: (String) -> Key?) -> [Key] { members?.keys(make) ?? [] }

  /// A value that reads nothing, such as a structure without properties, knows only the members that it writes itself.
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

/// Additional information in a `DecodingError` of this library.
struct DecodingIssue: Error {
  let code: SnapshotError.Code
  let offset: Int?
}
