/// The difference of one record, or of one single value; see ``ModelDifference``.
public struct RecordDifference: Sendable {
  /// The kind of a difference.
  public enum Change: String, Sendable {
    /// Only the newer value has the record.
    case inserted
    /// Both values have the record, with different content.
    case updated
    /// Only the older value has the record.
    case removed
  }

  /// One property of a record that differs.
  public struct Property: Sendable {
    /// The key of the property; for a nested property, the way to it: `size.width`, `names["a b"]`. The tools take it.
    public let name: String
    let old: Item?
    let new: Item?
  }

  /// The name of the table, or of the single value, in the file.
  public let table: String
  /// The id as text; empty for a single value.
  public let id: String
  /// Whether the record was inserted, updated or removed.
  public let change: Change
  /// The properties that differ, in the order in which the record encodes them. If only one value has the record, these
  /// are all its properties.
  public let properties: [Property]
  /// The id as the record writes it.
  let idItem: Item

  /// Nil if nothing differs. Both items belong to records with the same id.
  ///
  /// - Parameter idItem: the id as the record writes it; nil if it is not known.
  init?(table: String, id: String, idItem: Item?, old: Item?, new: Item?) {
    self.table = table
    self.id = id
    self.idItem = idItem ?? Item(.string(id))
    change = old == nil ? .inserted : new == nil ? .removed : .updated
    var comparison = PropertyComparison()
    comparison.compare(old, new)
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

extension Item {
  /// The value as JSON, as in a file.
  var json: String {
    var sink = ByteSink()
    JSONText.append(self, to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }
}

/// Finds the differing properties of two values.
private struct PropertyComparison {
  private(set) var properties: [RecordDifference.Property] = []

  /// Compares two records. A record that is not a dictionary has one property without a name.
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
        return compare(old, new, in: name)
      }
    }
    properties.append(RecordDifference.Property(name: name, old: old, new: new))
  }

  private mutating func compare(_ old: [Item.Member], _ new: [Item.Member], in parent: String) {
    var added: [ExactText: Item] = [:]
    for member in new { added[member.key] = member.value }
    for member in old {
      let name = RecordDifference.Property.name(of: member.key.text, in: parent)
      compare(member.value, added.removeValue(forKey: member.key), at: name)
    }
    for member in new where added[member.key] != nil {
      compare(nil, member.value, at: RecordDifference.Property.name(of: member.key.text, in: parent))
    }
  }
}
