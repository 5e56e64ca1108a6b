/// Finds the key under which records of a known type write their ids, for readers without the type.
enum IDKeySearch {
  /// The key that a header has to name; nil if it is `id`, and for a table without records.
  ///
  /// A key counts if it has the id in the first and in the last record. Of several such keys `id` counts, then the one
  /// that has the id in the next records too, then the one that comes first. O(log n), and encodes two records. If
  /// several keys have the id, it encodes up to ``limit`` records.
  static func key<Value: Record>(of table: Table<Value>) -> IDKey? {
    guard let first = table.first, let last = table.last,
      // Saving this record will report why it cannot be written.
      let item = try? ItemEncoder.item(forRecord: first)
    else { return nil }
    var keys = (item.allMembers ?? []).filter { isID($0.value, of: first) }.map(\.key)
    keep(&keys, in: last)
    if keys.contains("id") { return nil }
    if keys.count > 1 { for record in table.prefix(limit).dropFirst() where keys.count > 1 { keep(&keys, in: record) } }
    if let key = keys.first { return .key(key) }
    // Without a key that has the id exactly, the name tells most.
    return item["id"] == nil ? .nowhere : nil
  }

  /// How many records decide between keys.
  private static let limit = 32

  /// Keeps the keys that have the id of this record.
  private static func keep(_ keys: inout [ExactText], in record: some Record) {
    guard let item = try? ItemEncoder.item(forRecord: record) else { return }
    keys.removeAll { key in item[key].map { isID($0, of: record) } != true }
  }

  /// Whether a value is the id of a record: as it encodes itself, or by its text.
  private static func isID(_ value: Item, of record: some Record) -> Bool {
    id(of: record).map { Item.areSame($0, value) } == true || value.shortText == "\(record.id)"
  }

  /// The id of a record as it encodes itself; nil if it cannot.
  static func id(of record: some Record) -> Item? {
    (record.id as? any Encodable).flatMap { try? ItemEncoder.item(forRecord: $0) }
  }
}
