/// What is done with tables that a schema does not know, and with keys that a record does not ask for.
enum UnknownKeys: Sendable {
  /// They are an error, for whoever could only lose them.
  case refuse
  /// Those of tables and records are kept, to be written again with them. Within the values of a record they are an error: an
  /// element of an array, say, has nothing by which what belongs to it would be known after a change.
  case keep
  /// They are counted and left out, at every level, by who only reads.
  case leaveOut
}

/// A key, a table or a single value of a file that the schema does not know.
public struct UnknownKey: Hashable, Sendable, CustomStringConvertible {
  /// The table, or the single value.
  public let table: String
  /// The key in its records; nil if the table or the value itself is unknown.
  public let key: String?
  /// In how many records it is, or how many the unknown table has.
  public let count: Int
  /// Whether it is a single value, or in one.
  var isSingleValue = false

  /// Whether both are the same, byte for byte.
  public static func == (a: UnknownKey, b: UnknownKey) -> Bool {
    a.exactNames == b.exactNames && a.count == b.count && a.isSingleValue == b.isSingleValue
  }

  /// Hashes the names.
  public func hash(into hasher: inout Hasher) { hasher.combine(exactNames) }

  private var exactNames: [ExactText?] { [ExactText(table), key.map { ExactText($0) }] }

  /// `notes.color, in 3 records`.
  public var description: String {
    let table = table.escapedForMessage(limit: 60)
    if isSingleValue { return key.map { "\(table).\($0.escapedForMessage(limit: 60))" } ?? "the value \(table)" }
    let records = count.counted("record")
    return key.map { "\(table).\($0.escapedForMessage(limit: 60)), in \(records)" }
      ?? "the table \(table), with \(records)"
  }
}
