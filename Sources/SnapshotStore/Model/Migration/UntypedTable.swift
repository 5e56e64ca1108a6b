/// A table of a file without its type: records in the order of the file.
///
/// Every change visits all records: O(number of records), except for one by place.
public struct UntypedTable: Sendable {
  /// The name in the file.
  public internal(set) var name: String
  var items: [Item]
  /// Whether the array is known to be a single value. Files that this library wrote say it.
  var isSingleValue: Bool

  init(name: String, items: [Item] = [], isSingleValue: Bool = false) {
    self.name = name
    self.items = items
    self.isSingleValue = isSingleValue
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

  /// Adds a record at the end. Records need no order, because decoding sorts them.
  public mutating func append(_ record: UntypedRecord) { items.append(record.item) }
}
