/// A table of a file, before anything knows its type: records in the order of the file.
///
/// What changes it goes through all records: O(number of records), each time.
public struct UntypedTable: Sendable {
  /// The name in the file.
  public internal(set) var name: String
  var items: [Item]
  /// Whether it is an array that is known to be a single value, as newline-delimited JSON says it.
  var isSingleValue: Bool

  init(name: String, items: [Item] = [], isSingleValue: Bool = false) {
    self.name = name
    self.items = items
    self.isSingleValue = isSingleValue
  }

  /// How many records there are.
  public var count: Int { items.count }

  /// The records as values: for those that are no dictionaries of members, because they encode themselves otherwise.
  public var values: [UntypedValue] {
    get { items.map(UntypedValue.init) }
    set { items = newValue.map(\.item) }
  }

  /// Adds a record at the end. Records need no order; decoding sorts them.
  public mutating func append(_ record: UntypedRecord) { items.append(record.item) }
}
