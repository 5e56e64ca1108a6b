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
    let result = try decodeWithDefaults(item)
    if unknownKeys == .keep, let lossy = result.unknown.first(where: { !$0.value.isKeptExactly }) {
      let message = "unknown key \(lossy.key.text.quotedForMessage()), with more digits than can be kept"
      let issue = DecodingIssue(code: .unknownKey, offset: lossy.keyOffset)
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message, underlyingError: issue))
    }
    return result
  }

  /// Decodes with defaults. A default is tried only after decoding has failed without it, one after the other. So
  /// records with all keys cost nothing, and a key that may be missing gets no default.
  private func decodeWithDefaults(_ item: Item) throws -> (Value, unknown: [Item.Member]) {
    var item = item
    while true {
      do {
        return try ItemDecoder.decodeRecord(Value.self, from: item, unknownKeys)
      } catch DecodingError.keyNotFound(let key, let context) where context.codingPath.isEmpty {
        let name = ExactText(key.stringValue)
        guard let value = defaults[name], let members = item.allMembers, !members.contains(where: { $0.key == name })
        else {
          throw DecodingError.keyNotFound(key, context)
        }
        let member = Item.Member(key: name, value: Item(value.content, offset: item.offset))
        item = Item(.dictionary(members + [member]), offset: item.offset)
      }
    }
  }
}
