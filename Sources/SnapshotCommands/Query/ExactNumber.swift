import SnapshotStore

/// A number of a file or a condition: an integer of 64 bits, with or without a sign, or a `Double`.
///
/// Integers are compared exactly with each other and with a `Double`. So 9007199254740993 is not 9007199254740992.0.
enum ExactNumber: Sendable {
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsigned(UInt64)
  case real(Double)

  /// The number in a value; nil if it is no number.
  init?(_ value: UntypedValue) {
    if let integer = value.integer {
      self = .integer(integer)
    } else if let integer = value.unsignedInteger {
      self = .unsigned(integer)
    } else if let number = value.number {
      self = .real(number)
    } else {
      return nil
    }
  }

  /// Reads a number as JSON has it; nil for any other text. An integer beyond 64 bits is the nearest `Double`.
  init?(_ text: some StringProtocol) {
    guard Self.isJSON(text.utf8) else { return nil }
    if let integer = Int64(text) {
      self = .integer(integer)
    } else if let integer = UInt64(text) {
      self = .unsigned(integer)
    } else if let number = Double(text), number.isFinite {
      self = .real(number)
    } else {
      return nil
    }
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

  /// Whether a text is a number of JSON: `-1.5e3`, and not `+1`, `.5`, `1.` or `01`.
  private static func isJSON(_ text: some Collection<UInt8>) -> Bool {
    var rest = Array(text)[...]
    func digits() -> Int {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let beginsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    if whole == 0 || whole > 1 && beginsWithZero { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      if digits() == 0 { return false }
    }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
      if digits() == 0 { return false }
    }
    return rest.isEmpty
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
