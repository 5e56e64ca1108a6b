/// Finds the key under which records of a known type write their ids, for readers without the type.
enum IDKeySearch {
  /// The key that a header has to name; nil if it is `id`, and for a table without records.
  ///
  /// A key counts if it has the id in the first and in the last record. Of several such keys `id` counts, then the one
  /// that comes first. O(log n), and encodes two records.
  static func key<Value: Record>(of table: Table<Value>) -> IDKey? {
    guard let first = table.first, let last = table.last,
      // Saving this record will report why it cannot be written.
      let item = try? ItemEncoder.item(forRecord: first), let other = try? ItemEncoder.item(forRecord: last)
    else { return nil }
    let keys = (item.allMembers ?? []).lazy.filter { member in
      isID(member.value, of: first) && other[member.key].map { isID($0, of: last) } == true
    }.map(\.key)
    if keys.contains("id") { return nil }
    if let key = keys.first { return .key(key) }
    // Without a key that has the id exactly, the name tells most.
    return item["id"] == nil ? .nowhere : nil
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
