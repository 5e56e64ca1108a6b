import SnapshotStore

/// The id of a record without its type: the member `id`, or the first member if there is none of that name.
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

  /// The id of a record; nil for a record without members.
  init?(of record: UntypedValue) {
    guard let value = record.record.flatMap({ $0["id"] ?? $0.first { _ in true }?.value }) else { return nil }
    self.init(value)
  }

  /// The key under which a record has its id.
  static func key(of record: UntypedRecord) -> String? { record["id"] == nil ? record.first { _ in true }?.key : "id" }

  /// The id as a user gives it: a text without quotes, anything else as JSON.
  var shown: String { value.text ?? json.text }

  /// The kind of the id, for messages.
  var kind: UntypedValue.Kind { value.kind }

  static func == (a: RecordID, b: RecordID) -> Bool { a.json == b.json }

  func hash(into hasher: inout Hasher) { hasher.combine(json) }

  /// Numbers before texts, numbers by value, texts by their bytes. Files have their records in this order.
  static func < (a: RecordID, b: RecordID) -> Bool {
    switch (QueryValue(a.value), QueryValue(b.value)) {
    case (.number(let x), .number(let y)): ExactNumber.order(x, y) == .less
    case (.number, .text): true
    case (.text, .number): false
    case (.text(let x), .text(let y)): ExactText(x) < ExactText(y)
    default: a.json < b.json
    }
  }
}
