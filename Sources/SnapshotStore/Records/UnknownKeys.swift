/// The treatment of tables that a schema does not know, and of keys that a record does not read.
enum UnknownKeys: Sendable {
  /// They are an error, for callers that would lose them.
  case refuse
  /// Unknown tables, and unknown keys of records, are kept and written again. Inside a property of a record they are an
  /// error. For example, an element of an array has no identity by which a key could be kept through a change.
  case keep
  /// They are counted and left out, at every level, for callers that only read.
  case leaveOut
}

/// A key, a table or a single value of a file that the schema does not know.
public struct UnknownKey: Hashable, Sendable, CustomStringConvertible {
  /// The name of the table or the single value.
  public let table: String
  /// The unknown key of its records; nil if the table or the value itself is unknown.
  public let key: String?
  /// The number of records with the key, or the number of records in the unknown table.
  public let count: Int
  /// Whether it is a single value, or a key of one.
  var isSingleValue = false

  /// Compares the names by their bytes.
  public static func == (a: UnknownKey, b: UnknownKey) -> Bool {
    a.exactNames == b.exactNames && a.count == b.count && a.isSingleValue == b.isSingleValue
  }

  /// Hashes the names.
  public func hash(into hasher: inout Hasher) { hasher.combine(exactNames) }

  private var exactNames: [ExactText?] { [ExactText(table), key.map { ExactText($0) }] }

  /// Such as `notes.color, in 3 records`.
  public var description: String {
    let table = table.escapedForMessage(limit: 60)
    if isSingleValue { return key.map { "\(table).\($0.escapedForMessage(limit: 60))" } ?? "the value \(table)" }
    let records = count.counted("record")
    return key.map { "\(table).\($0.escapedForMessage(limit: 60)), in \(records)" }
      ?? "the table \(table), with \(records)"
  }
}
