/// Decodes the records of one table, or one single value, as its schema says. The schema has defaults for missing keys,
/// and decides what happens to unknown keys.
struct RecordDecoding<Value: SingleValue>: Sendable {
  let unknownKeys: UnknownKeys
  private let defaults: [ExactText: Item]

  init(table: String, defaults: [DefaultValue], _ unknownKeys: UnknownKeys) {
    self.unknownKeys = unknownKeys
    let own = defaults.filter { ExactText($0.table) == ExactText(table) }
    self.defaults = Dictionary(own.map { (ExactText($0.key), $0.value.item) }) { first, _ in first }
  }

  /// - Returns: the record and its unknown members. The members are empty if unknown keys are refused.
  func decode(_ item: Item) throws -> (Value, unknown: [Item.Member]) {
    let (value, unknown, _) = try decodeWithDefaults(item)
    try refuseUnread(unknown, in: value)
    return (value, unknown)
  }

  /// The missing keys without which an item cannot be decoded, with their defaults. Empty if it cannot be decoded.
  func neededDefaults(for item: Item) -> [ExactText: Item] { (try? decodeWithDefaults(item).needed) ?? [:] }

  /// Refuses a key that the type never reads, and under which it writes another value. `let id = UUID()` is one: the
  /// compiler reads no constant that has a value. The next save would replace what is in the file.
  private func refuseUnread(_ unknown: [Item.Member], in value: Value) throws {
    if unknown.isEmpty { return }
    guard let own = try? ItemEncoder.item(forRecord: value) else { return }
    func text(_ item: Item) -> [UInt8] {
      var sink = ByteSink()
      JSONText.append(item, to: &sink)
      return Array(sink.bytes)
    }
    for member in unknown {
      guard let written = own[member.key], !Item.areSame(written, member.value), text(written) != text(member.value)
      else { continue }
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [],
          debugDescription: "\(Value.self) never reads \(member.key.text.quotedForMessage()), and writes another value",
          underlyingError: UnreadKey(offset: member.keyOffset)))
    }
  }

  /// Decodes with defaults. A default is tried only after decoding has failed without it, one after the other. So
  /// records with all keys cost nothing, and a key that may be missing gets no default.
  private func decodeWithDefaults(
    _ item: Item
  ) throws -> (value: Value, unknown: [Item.Member], needed: [ExactText: Item]) {
    var (item, needed): (Item, [ExactText: Item]) = (item, [:])
    while true {
      do {
        let (value, unknown) = try ItemDecoder.decodeRecord(Value.self, from: item, unknownKeys)
        return (value, unknown, needed)
      } catch DecodingError.keyNotFound(let key, let context) where context.codingPath.isEmpty {
        let name = ExactText(key.stringValue)
        guard let value = defaults[name], let members = item.allMembers, !members.contains(where: { $0.key == name })
        else {
          throw DecodingError.keyNotFound(key, context)
        }
        let member = Item.Member(key: name, value: Item(value.content, offset: item.offset))
        item = Item(.dictionary(members + [member]), offset: item.offset)
        needed[name] = value
      }
    }
  }
}

/// The reason of a decoding error: a property of the type is never read.
struct UnreadKey: Error {
  let offset: Int?

  static let advice = "Declare the property with “var”, or without a value, so that it is read."
}
