/// What a record of a table, or a single value, has under a key that its file lacks.
///
/// ```swift
/// Schema<Library>(name: "library", version: 1, defaults: [DefaultValue("books", "isLent", false)]) { … }
/// ```
///
/// It counts where decoding a record would fail because the key is missing, and nowhere else. An optional property that is nil
/// has no key in a file, and stays nil.
public struct DefaultValue: Sendable {
  /// The table, or the single value.
  public let table: String
  /// The key of the record itself, not of a value in it.
  public let key: String
  let value: UntypedValue

  /// The value for a key that is missing in records of a table.
  public init(_ table: String, _ key: String, _ value: UntypedValue) {
    self.table = table
    self.key = key
    self.value = value
  }
}

extension [DefaultValue] {
  /// What is wrong with the list in a schema of these tables, in words; nil if nothing is.
  func problem(in tables: [String]) -> String? {
    if let stray = first(where: { !tables.contains($0.table) }) {
      return "a default for “\(stray.table)”, which is no field of the schema"
    }
    for (index, value) in enumerated() where self[..<index].contains(where: { $0.isSameKey(as: value) }) {
      return "two defaults for “\(value.table).\(value.key)”"
    }
    return nil
  }
}

extension DefaultValue {
  fileprivate func isSameKey(as other: DefaultValue) -> Bool {
    ExactText(table) == ExactText(other.table) && ExactText(key) == ExactText(other.key)
  }
}
