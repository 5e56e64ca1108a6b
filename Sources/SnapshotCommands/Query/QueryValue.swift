import Foundation
import SnapshotStore

/// A value as conditions compare it.
///
/// | both sides are | `==` | `<` |
/// |---|---|---|
/// | numbers | by value, exact: `1 == 1.0`; NaN equals nothing | by value |
/// | texts | by their bytes | by their bytes |
/// | dates, or a date and a text that is a date | by time | by time |
/// | null, bools, data, arrays, dictionaries | by content; keys in any order | never |
/// | of different kinds, or missing | never | never |
///
/// `a != b` is always the opposite of `a == b`. `a <= b` needs an order, so it never holds for two bools.
enum QueryValue: Sendable {
  case missing
  case null
  case bool(Bool)
  case number(ExactNumber)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case text(String)
  case data([UInt8])
  case array([UntypedValue])
  case dictionary(UntypedRecord)

  enum Order { case less, equal, greater }

  init(_ value: UntypedValue?) {
    guard let value else {
      self = .missing
      return
    }
    switch value.kind {
    case .null: self = .null
    case .bool: self = .bool(value.bool == true)
    case .integer, .real, .decimal: self = ExactNumber(value).map(QueryValue.number) ?? .null
    case .date: self = .date(value.date?.timeIntervalSinceReferenceDate ?? .nan)
    case .text: self = .text(value.text ?? "")
    case .data: self = .data(value.data ?? [])
    case .array: self = .array(value.array ?? [])
    case .dictionary: self = value.record.map(QueryValue.dictionary) ?? .null
    }
  }

  /// The text that `contains` and its like look at: a text, or the text of a date.
  var text: String? {
    switch self {
    case .text(let text): text
    case .date(let seconds): TextDate.text(of: Date(timeIntervalSinceReferenceDate: seconds))
    default: nil
    }
  }

  /// Whether an array has an element, or a dictionary a key.
  func has(_ value: QueryValue) -> Bool {
    switch (self, value) {
    case (.array(let elements), _): elements.contains { Self.areEqual(QueryValue($0), value) }
    case (.dictionary(let record), .text(let key)): record[key] != nil
    default: false
    }
  }

  static func areEqual(_ a: QueryValue, _ b: QueryValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.text(let a), .text(let b)): ExactText(a) == ExactText(b)
    case (.data(let a), .data(let b)): a == b
    case (.array(let a), .array(let b)): a.elementsEqual(b) { areEqual(QueryValue($0), QueryValue($1)) }
    case (.dictionary(let a), .dictionary(let b)): haveSameMembers(a, b)
    default: order(a, b) == .equal
    }
  }

  /// The order of two values; nil if they have none.
  static func order(_ a: QueryValue, _ b: QueryValue) -> Order? {
    switch (a, b) {
    case (.number(let a), .number(let b)): return ExactNumber.order(a, b)
    case (.date(let a), .date(let b)): return order(a, b)
    case (.text(let a), .text(let b)):
      return ExactText(a) < ExactText(b) ? .less : ExactText(a) == ExactText(b) ? .equal : .greater
    case (.text(let text), .date(let b)): return QueryDate.seconds(text).flatMap { order($0, b) }
    case (.date(let a), .text(let text)): return QueryDate.seconds(text).flatMap { order(a, $0) }
    default: return nil
    }
  }

  /// The order of two numbers; nil if one is not a number.
  static func order(_ a: Double, _ b: Double) -> Order? {
    a < b ? .less : a > b ? .greater : a == b ? .equal : nil
  }

  private static func haveSameMembers(_ a: UntypedRecord, _ b: UntypedRecord) -> Bool {
    guard a.underestimatedCount == b.underestimatedCount else { return false }
    let others = Dictionary(b.map { (ExactText($0.key), $0.value) }) { first, _ in first }
    return a.allSatisfy { key, value in
      others[ExactText(key)].map { areEqual(QueryValue(value), QueryValue($0)) } ?? false
    }
  }
}

/// Dates in conditions, and texts that are dates.
enum QueryDate {
  /// The seconds of a day, `2026-01-01`, which begins at 00:00 UTC, or of a text of `TextDate`; nil for any other text.
  static func seconds(_ text: String) -> Double? {
    // Most texts are no dates, and need no more than this.
    guard let first = text.utf8.first, (0x30...0x39).contains(first) else { return nil }
    let whole = text.utf8.count == 10 ? text + "T00:00:00Z" : text
    return TextDate.date(from: whole)?.timeIntervalSinceReferenceDate
  }
}
