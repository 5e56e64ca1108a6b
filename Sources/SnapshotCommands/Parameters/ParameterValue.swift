/// What the value of a parameter is. Words and numbers are checked before a command runs. The rest serves completions.
public enum ParameterValue: Sendable {
  /// Any text.
  case text
  /// A file. Completions offer those with one of the extensions, or all without extensions.
  case file(extensions: [String])
  /// A store or a dump.
  case store
  /// A folder.
  case folder
  /// The name of a table of the store.
  case table
  /// The id of a record of the table.
  case recordID
  /// A property of the records of the table.
  case property
  /// Properties with commas between them.
  case properties
  /// A property and a value: `KEY=VALUE`.
  case assignment
  /// A single value of the store and what it becomes: `NAME=VALUE`.
  case valueAssignment
  /// A condition on records.
  case condition
  /// One of some words.
  case words([Candidate])
  /// A whole number.
  case number(ClosedRange<Int>)
  /// A day in UTC: `2026-01-31`.
  case day
  /// A value that completions look up in the store with the path.
  case listed(@Sendable (_ store: String) throws -> [Candidate])

  /// One of the raw values of a type.
  public static func words<Value>(_ type: Value.Type) -> ParameterValue
  where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    words(type.allCases.map { Candidate($0.rawValue) })
  }

  /// Any file.
  public static var anyFile: ParameterValue { .file(extensions: []) }

  /// The words that a value must be one of; nil if it is free.
  var choices: [Candidate]? { if case .words(let words) = self { words } else { nil } }
}

/// A value of a parameter with a description: a word of an option, or a record of a store.
///
/// ```swift
/// let newest = Candidate("newest", "the newest first")
/// let order = ParameterValue.words([newest, Candidate("oldest")])
/// ```
public struct Candidate: Sendable, Equatable {
  /// The value, as the user gives it.
  public let value: String
  /// A description in one line. It may be empty.
  public let help: String

  /// A candidate.
  public init(_ value: String, _ help: String = "") {
    self.value = value
    self.help = help
  }
}
