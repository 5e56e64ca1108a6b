/// What differs in one record, or in one single value; see ``ModelDifference``.
public struct RecordDifference: Sendable {
  /// What became of a record.
  public enum Change: String, Sendable {
    /// Only the newer value has it.
    case inserted
    /// Both have it, with different content.
    case updated
    /// Only the older value has it.
    case removed
  }

  /// The name of the table, or of the single value, in the file.
  public let table: String
  /// The id, described; empty for a single value.
  public let id: String
  /// What became of the record.
  public let change: Change
  /// The properties that differ, in the order in which the record encodes them; all of them for a record that only one
  /// value has.
  public let properties: [PropertyDifference]
  /// The id as the record writes it.
  let idItem: Item

  /// Nil if nothing differs. The items are those of the records, and stand for the same id.
  init?(table: String, old: (id: String, item: Item)?, new: (id: String, item: Item)?) {
    guard let record = new ?? old else { return nil }
    self.table = table
    id = record.id
    idItem = record.item["id"] ?? Item(.string(record.id))
    change = old == nil ? .inserted : new == nil ? .removed : .updated
    var comparison = PropertyComparison()
    comparison.compare(old?.item, new?.item)
    properties = comparison.properties
    if properties.isEmpty, change == .updated { return nil }
  }

  /// A single value; nil if nothing differs.
  init?(value name: String, old: Item?, new: Item?) {
    table = name
    id = ""
    idItem = Item(.null)
    change = old == nil ? .inserted : new == nil ? .removed : .updated
    var comparison = PropertyComparison()
    comparison.compare(old, new)
    properties = comparison.properties
    if properties.isEmpty { return nil }
  }
}

/// One property of a record that is not the same on both sides.
public struct PropertyDifference: Sendable {
  /// The key under which the property is written. Of a property in a property, all keys, with points between them.
  public let name: String
  let old: Item?
  let new: Item?

  /// The older value as JSON; nil if there was none.
  public var oldJSON: String? { old.map(\.json) }

  /// The newer value as JSON; nil if there is none.
  public var newJSON: String? { new.map(\.json) }
}

extension Item {
  /// The value as it stands in a JSON file.
  var json: String {
    var sink = ByteSink()
    JSONText.append(self, to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }
}

/// Finds what differs in two trees.
private struct PropertyComparison {
  private(set) var properties: [PropertyDifference] = []

  /// Compares two records. One that is no dictionary has a single property without a name.
  mutating func compare(_ old: Item?, _ new: Item?) {
    switch (old?.content, new?.content) {
    case (.dictionary(let old)?, nil): compare(old, [], in: "")
    case (nil, .dictionary(let new)?): compare([], new, in: "")
    default: compare(old, new, at: "")
    }
  }

  private mutating func compare(_ old: Item?, _ new: Item?, at name: String) {
    if let old, let new {
      if Item.areSame(old, new) { return }
      if case (.dictionary(let old), .dictionary(let new)) = (old.content, new.content) {
        return compare(old, new, in: name.isEmpty ? "" : name + ".")
      }
    }
    properties.append(PropertyDifference(name: name, old: old, new: new))
  }

  private mutating func compare(_ old: [Item.Member], _ new: [Item.Member], in prefix: String) {
    var added: [ExactText: Item] = [:]
    for member in new { added[member.key] = member.value }
    for member in old {
      compare(member.value, added.removeValue(forKey: member.key), at: prefix + member.key.text)
    }
    for member in new where added[member.key] != nil { compare(nil, member.value, at: prefix + member.key.text) }
  }
}
