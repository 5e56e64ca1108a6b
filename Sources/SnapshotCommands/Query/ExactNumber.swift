import SnapshotStore

/// A number of a file or a condition: an integer, a `Double`, or a decimal of more digits. All are compared exactly.
struct ExactNumber: Sendable {
  private let value: UntypedValue

  /// The number in a value; nil if it is no number.
  init?(_ value: UntypedValue) {
    guard [.integer, .real, .decimal].contains(value.kind) else { return nil }
    self.value = value
  }

  /// Reads a number as JSON has it; nil for any other text.
  init?(_ text: some StringProtocol) {
    guard text.utf8.first != UInt8(ascii: "\"") else { return nil }
    self.init(UntypedValue(argument: String(text)))
  }

  /// Whether it is not a number, in the sense of IEEE 754.
  var isNaN: Bool { value.number?.isNaN == true }

  /// The order of two numbers; nil if one of them is NaN.
  static func order(_ a: ExactNumber, _ b: ExactNumber) -> QueryValue.Order? {
    guard let isLess = UntypedValue.isLess(a.value, than: b.value) else { return nil }
    if isLess { return .less }
    return UntypedValue.isLess(b.value, than: a.value) == true ? .greater : .equal
  }
}
