import SnapshotStore

/// The value of a column that may be a key: an integer or a text.
enum SQLID: Hashable {
  case integer(Int64)
  case unsigned(UInt64)
  case text(ExactText)

  init?(_ value: UntypedValue) {
    switch value.kind {
    case .integer:
      if let integer = value.integer {
        self = .integer(integer)
      } else {
        self = .unsigned(value.unsignedInteger ?? 0)
      }
    case .text: self = .text(ExactText(value.text ?? ""))
    default: return nil
    }
  }

  /// The slot with the ids of the records of a root. Nil if a record has none, if two have the same, or if they are no
  /// integers or moderate texts. O(records).
  static func slot(of table: SQLTable, _ root: SQLLayout.Root, _ dialect: SQLDialect) -> Int? {
    guard !table.isBare, let key = root.idKey,
      let slot = table.places[ExactText(key)], table.slots[slot].mayBeKey(in: dialect)
    else { return nil }
    var ids = Set<SQLID>(minimumCapacity: root.values.count)
    for record in root.values {
      guard let id = record.record?[key].flatMap(SQLID.init), ids.insert(id).inserted else { return nil }
    }
    return slot
  }
}

extension SQLSlot {
  /// Whether the values may be in a primary key or an index.
  func mayBeKey(in dialect: SQLDialect) -> Bool {
    guard child == nil, columns.count == 1, facts.longestText <= MemberCensus.longestKey else { return false }
    switch columns[0].type {
    case .integer, .unsigned, .text, .uuid: return true
    case .bool, .real, .signedZero, .dateText, .timestamp, .data, .json: return false
    }
  }
}
