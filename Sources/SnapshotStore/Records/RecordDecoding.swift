/// Decodes the records of one table, or one single value, as its schema says: with defaults for keys that are missing, and with what is to be done
/// about those that are unknown.
struct RecordDecoding<Value: SingleValue>: Sendable {
  let unknownKeys: UnknownKeys
  private let defaults: [ExactText: Item]

  init(table: String, defaults: [DefaultValue], _ unknownKeys: UnknownKeys) {
    self.unknownKeys = unknownKeys
    let own = defaults.filter { ExactText($0.table) == ExactText(table) }
    self.defaults = Dictionary(own.map { (ExactText($0.key), $0.value.item) }) { first, _ in first }
  }

  /// - Returns: the record, and the members of the item that it does not know, if they are not to be refused.
  func decode(_ item: Item) throws -> (Value, unknown: [Item.Member]) {
    let result = try decodeWithDefaults(item)
    if unknownKeys == .keep, let lossy = result.unknown.first(where: { !$0.value.isKeptExactly }) {
      let message = "unknown key \(lossy.key.text.quotedForMessage()), with more digits than can be kept"
      let issue = DecodingIssue(code: .unknownKey, offset: lossy.keyOffset)
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message, underlyingError: issue))
    }
    return result
  }

  /// A default is looked for when decoding fails without it, one after the other. So nothing is spent on records that have all
  /// keys, and nothing is changed in one that may do without.
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
