/// One row of a table: a plain `Codable` value with an ordered, stable identity.
///
/// ```swift
/// struct Post: Record {
///   let id: String
///   var blogName: String
///   var body: String
/// }
/// ```
///
/// Any type that can encode itself works, with nested structures, enumerations, optionals, arrays and dictionaries. It
/// must decode all keys that it encodes. A key in a file that `init(from:)` never reads is reported as unknown. It is
/// not dropped silently.
///
/// `==` decides what counts as a change in a change set. It does not decide what is stored. If a record is replaced by
/// an equal one with different bytes, the new bytes are stored. Examples are a text in another Unicode normalisation,
/// or `-0.0` for `0.0`.
public protocol Record: Codable, Equatable, Identifiable, Sendable where ID: Comparable & Sendable {
  /// The indexes that a table of these records keeps, in any order. None by default.
  static var indexes: Indexes<Self> { get }

  /// Properties that are merged together when two sides changed one record, and properties that are dates of change.
  /// None by default: each property is then merged by itself.
  static var mergeRules: [MergeRule] { get }
}

extension Record {
  /// There are no indexes.
  public static var indexes: Indexes<Self> { Indexes() }

  /// There are no rules.
  public static var mergeRules: [MergeRule] { [] }
}
