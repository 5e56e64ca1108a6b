import SnapshotStore

/// A number of a file or a condition: an integer of 64 bits, with or without a sign, a `Double`, or a longer decimal.
///
/// All are compared exactly. So 9007199254740993 is not 9007199254740992.0.
enum ExactNumber: Sendable {
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsigned(UInt64)
  case real(Double)
  /// A number that no `Double` says, such as 0.1234567890123456789.
  case decimal(DecimalDigits)

  /// The number in a value; nil if it is no number.
  init?(_ value: UntypedValue) {
    if let integer = value.integer {
      self = .integer(integer)
    } else if let integer = value.unsignedInteger {
      self = .unsigned(integer)
    } else if value.kind == .decimal, let digits = DecimalDigits(value.json) {
      self = .decimal(digits)
    } else if let number = value.number {
      self = .real(number)
    } else {
      return nil
    }
  }

  /// Reads a number as JSON has it; nil for any other text.
  init?(_ text: some StringProtocol) {
    guard text.utf8.first != UInt8(ascii: "\"") else { return nil }
    self.init(UntypedValue(argument: String(text)))
  }

  /// The order of two numbers; nil if one of them is NaN.
  static func order(_ a: ExactNumber, _ b: ExactNumber) -> QueryValue.Order? {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): order(a, b)
    case (.unsigned(let a), .unsigned(let b)): order(a, b)
    case (.integer, .unsigned): .less
    case (.unsigned, .integer): .greater
    case (.real(let a), .real(let b)): QueryValue.order(a, b)
    case (.integer(let a), .real(let b)): order(a, to: b)
    case (.unsigned(let a), .real(let b)): order(a, to: b)
    case (.real(let a), .integer(let b)): order(b, to: a)?.reversed
    case (.real(let a), .unsigned(let b)): order(b, to: a)?.reversed
    case (.decimal, .real(let b)) where !b.isFinite: QueryValue.order(0, b)
    case (.real(let a), .decimal) where !a.isFinite: QueryValue.order(a, 0)
    case (.decimal, _), (_, .decimal): a.digits.flatMap { a in b.digits.map { order(a, $0) } }
    }
  }

  /// The exact value; nil for a `Double` that is not finite.
  private var digits: DecimalDigits? {
    switch self {
    case .integer(let integer): DecimalDigits("\(integer)")
    case .unsigned(let integer): DecimalDigits("\(integer)")
    case .real(let number): number.isFinite ? DecimalDigits(number) : nil
    case .decimal(let digits): digits
    }
  }

  private static func order<Number: Comparable>(_ a: Number, _ b: Number) -> QueryValue.Order {
    a < b ? .less : a == b ? .equal : .greater
  }

  /// Compares an integer with a `Double` without rounding: first with its whole part, then with its fraction.
  private static func order<Number: FixedWidthInteger>(_ a: Number, to b: Double) -> QueryValue.Order? {
    if b.isNaN { return nil }
    let whole = b.rounded(.towardZero)
    guard let integer = Number(exactly: whole) else { return b < 0 ? .greater : .less }
    if a != integer { return order(a, integer) }
    return QueryValue.order(0, b - whole)
  }
}

extension QueryValue.Order {
  fileprivate var reversed: QueryValue.Order {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }
}
