/// Finds the key that names the records of a table in a journal.
///
/// A reader without types has to find the one record that is meant among all of a table. So a key counts only if it
/// determines the id. A property that merely has the same value in some records would lead to another record.
enum JournalIDKey {
  /// The key for two versions of a table. `nowhere` if the id is not `Codable`, or if no key has it. O(log n).
  ///
  /// It decodes a record for each key that has the id.
  ///
  /// - Returns: the key, and whether all records of the type have their ids there. One record alone does not tell.
  static func find<Value: Record>(_ old: Table<Value>, _ new: Table<Value>) -> (key: IDKey, isCertain: Bool) {
    guard Value.ID.self is any Codable.Type else { return (.nowhere, true) }
    let records = [new.first, new.last, old.first, old.last].compactMap { $0 }
    guard let one = records.first, let item = try? ItemEncoder.item(forRecord: one), let id = IDKeySearch.id(of: one)
    else { return (.nowhere, false) }
    let keys = (item.allMembers ?? []).filter { Item.areSame($0.value, id) }.map(\.key)
    let ordered = keys.filter { $0 == "id" } + keys.filter { $0 != "id" }
    guard let other = records.first(where: { $0.id != one.id }) else {
      return (ordered.first.map(IDKey.key) ?? .nowhere, false)
    }
    let proven = ordered.first { determinesID($0, in: item, other) }
    return (proven.map(IDKey.key) ?? .nowhere, true)
  }

  /// Whether a record with the id of another one under a key has that id.
  private static func determinesID<Value: Record>(_ key: ExactText, in item: Item, _ other: Value) -> Bool {
    guard let id = IDKeySearch.id(of: other), let members = item.allMembers,
      let again = try? decode(Value.ID.self, from: id), again == other.id
    else { return false }
    let changed = members.map { $0.key == key ? Item.Member(key: key, value: id) : $0 }
    let decoded = try? ItemDecoder.decodeWritten(Value.self, from: Item(.dictionary(changed)))
    return decoded.map { $0.id == other.id && Item.areSame(IDKeySearch.id(of: $0), id) } == true
  }

  /// Decodes an id.
  ///
  /// - Throws: the error of decoding; an error for a type that is not `Decodable`, of which no line has ids.
  static func decode<ID>(_ type: ID.Type, from item: Item) throws -> ID {
    func decoded<Known: Decodable>(_ type: Known.Type) throws -> Any { try ItemDecoder.decode(type, from: item) }
    if let known = type as? any Decodable.Type, let id = try decoded(known) as? ID { return id }
    throw SnapshotError(.invalidValue, "the ids of these records cannot be read")
  }

  /// The member of records under a key.
  struct Member {
    let key: IDKey
    /// The key as JSON.
    private let text: [UInt8]

    init(_ key: IDKey) {
      self.key = key
      guard case .key(let key) = key else {
        text = []
        return
      }
      var sink = ByteSink(capacity: 64)
      JSONText.append(plain: key.text, to: &sink)
      text = Array(sink.bytes)
    }

    /// The value under the key in the text of a record. Nil if it is not the id of the record.
    ///
    /// - Parameter append: appends the id as JSON; returns false if the id cannot be written.
    func id(
      in object: UnsafeBufferPointer<UInt8>, _ append: (inout ByteSink) -> Bool
    ) -> UnsafeBufferPointer<UInt8>? {
      guard let place = JSONMember.value(under: text, in: object) else { return nil }
      let value = UnsafeBufferPointer(rebasing: object[place])
      var sink = ByteSink(capacity: 64)
      guard append(&sink), value.count == sink.count, value.elementsEqual(sink.bytes) else { return nil }
      return value
    }
  }

  /// Appends an id as JSON. Returns false if it cannot be written.
  static func append<Value: Record>(idOf record: Value, to sink: inout ByteSink) -> Bool {
    if let id = PlainID(of: record) {
      append(id, to: &sink)
    } else if let id = IDKeySearch.id(of: record) {
      JSONText.append(id, to: &sink)
    } else {
      return false
    }
    return true
  }

  static func append(_ id: PlainID, to sink: inout ByteSink) {
    switch id {
    case .integer(let id): sink.append(decimal: id)
    case .text(let id): JSONText.append(id, to: &sink)
    }
  }
}
