import Foundation
import SnapshotStore

/// What the type of a column needs to know about the scalar values in it.
struct ColumnFacts {
  private(set) var kinds: Kinds = []
  /// Whether an integer is above `Int64.max`.
  private(set) var hasUnsigned = false
  /// Whether an integer has no equal `Double`.
  private(set) var hasLongInteger = false
  private(set) var hasNegativeZero = false
  /// Whether there is a NaN with other bits than usual.
  private(set) var hasOddNaN = false
  /// Whether all texts are UUIDs as Swift writes them.
  private(set) var hasOnlyUUIDs = true
  /// Whether a text has the character U+0000.
  private(set) var hasNUL = false
  /// The length in bytes of the longest text.
  private(set) var longestText = 0
  /// The most digits after the second in a date.
  private(set) var digits = 0
  /// Whether a date is outside the years 1 to 9999, or not finite.
  private(set) var hasFarDate = false

  struct Kinds: OptionSet {
    let rawValue: UInt16

    static var null: Kinds { Kinds(rawValue: 1) }
    static var bool: Kinds { Kinds(rawValue: 2) }
    static var integer: Kinds { Kinds(rawValue: 4) }
    static var real: Kinds { Kinds(rawValue: 8) }
    static var text: Kinds { Kinds(rawValue: 16) }
    static var date: Kinds { Kinds(rawValue: 32) }
    static var data: Kinds { Kinds(rawValue: 64) }
    static var array: Kinds { Kinds(rawValue: 128) }
    static var dictionary: Kinds { Kinds(rawValue: 256) }
    static var decimal: Kinds { Kinds(rawValue: 512) }
  }

  mutating func note(_ value: UntypedValue) {
    switch value.kind {
    case .null: kinds.insert(.null)
    case .bool: kinds.insert(.bool)
    case .integer: note(integer: value.integer)
    case .real: note(real: value.number ?? 0)
    case .decimal: kinds.insert(.decimal)
    case .text: note(text: value.text ?? "")
    case .date: note(date: value.text ?? "")
    case .data: kinds.insert(.data)
    case .array: kinds.insert(.array)
    case .dictionary: kinds.insert(.dictionary)
    }
  }

  mutating func removeNull() { kinds.remove(.null) }

  private mutating func note(integer: Int64?) {
    kinds.insert(.integer)
    if integer == nil { hasUnsigned = true }
    if integer.flatMap({ Double(exactly: $0) }) == nil { hasLongInteger = true }
  }

  private mutating func note(real: Double) {
    kinds.insert(.real)
    if real == 0, real.sign == .minus { hasNegativeZero = true }
    if real.isNaN, real.bitPattern != Double.nan.bitPattern { hasOddNaN = true }
  }

  private mutating func note(text: String) {
    kinds.insert(.text)
    longestText = max(longestText, text.utf8.count)
    if !hasNUL, text.hasNUL { hasNUL = true }
    if hasOnlyUUIDs, !text.isUUID { hasOnlyUUIDs = false }
  }

  private mutating func note(date text: String) {
    kinds.insert(.date)
    switch DateText(text) {
    case .calendar(let digits): self.digits = max(self.digits, digits)
    case .far: hasFarDate = true
    }
  }

  /// The facts of both.
  mutating func merge(_ other: ColumnFacts) {
    kinds.formUnion(other.kinds)
    hasUnsigned = hasUnsigned || other.hasUnsigned
    hasLongInteger = hasLongInteger || other.hasLongInteger
    hasNegativeZero = hasNegativeZero || other.hasNegativeZero
    hasOddNaN = hasOddNaN || other.hasOddNaN
    hasOnlyUUIDs = hasOnlyUUIDs && other.hasOnlyUUIDs
    hasNUL = hasNUL || other.hasNUL
    longestText = max(longestText, other.longestText)
    digits = max(digits, other.digits)
    hasFarDate = hasFarDate || other.hasFarDate
  }

  /// The types of the columns for the values: one, or for dates that PostgreSQL cannot hold exactly, two. The second
  /// one is then exact.
  func types(in dialect: SQLDialect) -> [SQLType] {
    switch kinds.subtracting(.null) {
    case []: [.text]
    case .bool: [.bool]
    case .integer: [hasUnsigned ? .unsigned : .integer]
    case .real: [realType(in: dialect)]
    case [.integer, .real]: [hasLongInteger ? .json : realType(in: dialect)]
    case .text: [hasOnlyUUIDs ? .uuid : .text]
    case .date: dateTypes(in: dialect)
    case .data: [.data]
    default: [.json]
    }
  }

  private func realType(in dialect: SQLDialect) -> SQLType {
    switch dialect {
    case .sqlite: hasNegativeZero ? .signedZero : .real
    // PostgreSQL has a single NaN.
    case .postgresql: hasOddNaN ? .json : .real
    }
  }

  private func dateTypes(in dialect: SQLDialect) -> [SQLType] {
    switch dialect {
    case .sqlite: [.dateText(digits: digits)]
    case .postgresql: digits > 6 || hasFarDate ? [.timestamp, .dateText(digits: digits)] : [.timestamp]
    }
  }
}

/// The form of a date as text.
enum DateText {
  /// `2026-11-21T15:30:00.25Z`, with the number of digits after the second.
  case calendar(digits: Int)
  /// `2001-01-01T00:00:00Z` and the seconds since then.
  case far

  init(_ text: String) {
    let count = text.utf8.count
    if text.utf8.last != UInt8(ascii: "Z") {
      self = .far
    } else {
      // “2026-11-21T15:30:00Z” has 20 characters, and the point is one more.
      self = .calendar(digits: max(0, count - 21))
    }
  }
}

extension String {
  /// Whether it has the character U+0000.
  var hasNUL: Bool { utf8.contains(0) }

  /// Whether it is a UUID in upper case, which is how `UUID` encodes itself.
  var isUUID: Bool {
    guard utf8.count == 36 else { return false }
    for (index, byte) in utf8.enumerated() {
      switch index {
      case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
      default:
        let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        if !isDigit, !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) { return false }
      }
    }
    return true
  }
}
