/// The value of a key that is missing in a file, in records of a table or in a single value.
///
/// ```swift
/// struct Library: Model {
///   var books = Table<Book>()
///   static let schema = Schema(
///     "library", version: 1,
///     Field("books", \Library.books),
///     defaults: [DefaultValue("books", "isLent", false)])
/// }
/// ```
///
/// It is used only if decoding a record would fail because the key is missing. An optional property that is nil has no
/// key in a file, and stays nil.
public struct DefaultValue: Sendable {
  /// The name of the table or the single value.
  let table: String
  /// The key of the record itself, not of a nested value.
  let key: String
  let value: UntypedValue

  /// The value for a key that is missing in records of a table.
  public init(_ table: String, _ key: String, _ value: UntypedValue) {
    self.table = table
    self.key = key
    self.value = value
  }
}

extension [DefaultValue] {
  /// The error in this list for a schema with these tables, in words; nil if there is none.
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
