/// A table of a file without its type: records in the order of the file.
///
/// ```swift
/// let shorter = Migration("shorter", to: 2) { tree in
///   try tree["posts"].remove { $0["isDraft"]?.bool == true }
///   try tree["posts"].rename("text", to: "body")
///   try tree["posts"].drop("isDraft")
/// }
/// ```
///
/// Every change visits all records: O(number of records), except for one by place.
public struct UntypedTable: Sendable {
  /// The name in the file.
  public internal(set) var name: String
  var items: [Item]
  /// Whether the array is known to be a single value. Files that this library wrote say it.
  var isSingleValue: Bool
  /// Where the records have their ids, as the header of the file says. Nil if it says nothing.
  var statedIDKey: IDKey?

  init(name: String, items: [Item] = [], isSingleValue: Bool = false, idKey: IDKey? = nil) {
    self.name = name
    self.items = items
    self.isSingleValue = isSingleValue
    statedIDKey = idKey
  }

  /// The number of records.
  public var count: Int { items.count }

  /// The records as values, for records that encode themselves as another kind of value than a dictionary.
  public var values: [UntypedValue] {
    get { items.map(UntypedValue.init) }
    set { items = newValue.map(\.item) }
  }

  /// The record at a place, from 0, as a value. O(1).
  public subscript(place: Int) -> UntypedValue {
    get { UntypedValue(items[place]) }
    set { items[place] = newValue.item }
  }

  /// The key under which the records have their ids; nil if it is not known, or if no key has them.
  ///
  /// It is `id`, unless the file names another one. A store names it if its records have their ids under another key.
  /// For a file that names none, the key is not known if no record has a key `id`. O(1) if the first record has one,
  /// otherwise O(keys of all records).
  public var idKey: String? {
    switch statedIDKey {
    case .key(let key)?: key.text
    case .nowhere?: nil
    case nil: items.contains { $0["id"] != nil } ? "id" : nil
    }
  }

  /// Whether the file says that no key has the ids. An id may be made of several properties.
  public var hasNoIDKey: Bool { statedIDKey == .nowhere }

  /// Adds a record at the end. Records need no order, because decoding sorts them.
  public mutating func append(_ record: UntypedRecord) { items.append(record.item) }
}
