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
/// Any type that can encode itself works, with nested structures, enumerations, optionals, arrays and dictionaries. The
/// keys it encodes must be the keys it decodes: a key in a file that `init(from:)` never asks for is reported as
/// unknown instead of being dropped.
///
/// `==` decides what a change set calls a change. It does not decide what is stored: a record that was replaced by an
/// equal one (a text in another Unicode normalisation, `-0.0` for `0.0`) is stored as it was given.
public protocol Record: Codable, Equatable, Identifiable, Sendable where ID: Comparable & Sendable {
  /// The indexes that a table of these records keeps, in any order. None by default.
  static var indexes: [any RecordIndex<Self>] { get }

  /// Which properties go together when two sides have changed one record, and which are dates of changes. None by default:
  /// each property is then merged by itself.
  static var mergeRules: [MergeRule] { get }
}

extension Record {
  /// No indexes.
  public static var indexes: [any RecordIndex<Self>] { [] }

  /// No rules.
  public static var mergeRules: [MergeRule] { [] }
}

/// A record on the heap, as a table keeps it: moving it costs one reference, and a record that was not touched is the
/// same object.
///
/// Code that works on very many large records takes boxes from a table and puts boxes in; see ``Table/box(_:)``. A
/// record that is only looked at is then never copied.
public final class RecordBox<Value: Record>: Sendable {
  /// The record.
  public let record: Value

  /// Puts a record on the heap.
  @inlinable
  public init(_ record: Value) { self.record = record }
}
