import SnapshotStore

/// The id of a record without its type: the value under the key of its table.
///
/// Ids are equal if they are written alike. So the text `"7"` is another id than the number 7.
struct RecordID: Hashable, Comparable {
  /// The id as JSON.
  let json: ExactText
  let value: UntypedValue

  init(_ value: UntypedValue) {
    self.value = value
    json = ExactText(value.json)
  }

  /// The id of a record; nil if it has none.
  ///
  /// - Parameter key: the key of the ids of its table.
  init?(of record: UntypedValue, under key: String?) {
    guard let key, let value = record.record?[key] else { return nil }
    self.init(value)
  }

  /// The key under which the records of a table have their ids; nil if the file says that no key has them.
  ///
  /// It is the key that the file names, otherwise `id`. If no record has that, it is the first key of the first record.
  static func key(of table: UntypedTable) -> String? {
    if table.hasNoIDKey { return nil }
    return table.idKey ?? (0..<table.count).lazy.compactMap { table[$0].record?.first { _ in true }?.key }.first ?? "id"
  }

  /// The id as a user gives it: a text without quotes, anything else as JSON.
  var shown: String { value.text ?? json.text }

  /// The kind of the id, for messages.
  var kind: UntypedValue.Kind { value.kind }

  static func == (a: RecordID, b: RecordID) -> Bool { a.json == b.json }

  func hash(into hasher: inout Hasher) { hasher.combine(json) }

  /// The order of untyped values: by kind, then numbers by value, texts by their bytes, and others part by part.
  static func < (a: RecordID, b: RecordID) -> Bool { UntypedValue.isOrderedBefore(a.value, b.value) }
}
