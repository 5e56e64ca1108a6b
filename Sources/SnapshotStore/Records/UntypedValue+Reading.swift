public import SnapshotFoundation

/// Access to values in the steps of a migration.
extension UntypedValue {
  /// The text; nil if the value is not a text. A value of another kind counts if some format shows it as text: a date,
  /// data, and a number that is not finite. Another program may have made a text such a value; see ``UntypedValue``.
  public var text: String? { item.text }

  /// The truth value; nil if the value is neither true nor false.
  public var bool: Bool? { if case .bool(let value) = item.content { value } else { nil } }

  /// The integer; nil if the value is not an integer, or is beyond `Int64`.
  public var integer: Int64? { if case .integer(let value) = item.content { value } else { nil } }

  /// The integer; nil if the value is not an integer, or is negative.
  public var unsignedInteger: UInt64? {
    switch item.content {
    case .integer(let value): UInt64(exactly: value)
    case .unsigned(let value): value
    default: nil
    }
  }

  /// The number, with or without a fraction; nil if the value is neither a number nor the name of one, such as `NaN`.
  public var number: Double? { item.number }

  /// The date, in any form of the formats; nil if the value is not a date.
  public var date: Date? { item.dateSeconds.map { Date(timeIntervalSinceReferenceDate: $0) } }

  /// The bytes of data, or of a text in base64; nil if the value is neither.
  public var data: [UInt8]? { item.bytes }

  /// The elements of an array; nil if the value is not an array.
  public var array: [UntypedValue]? {
    if case .array(let items) = item.content { items.map { UntypedValue($0) } } else { nil }
  }

  /// The members of a dictionary; nil if the value is not a dictionary.
  public var record: UntypedRecord? { item.allMembers.map { UntypedRecord(members: $0, offset: item.offset) } }

  /// Whether it is null.
  public var isNull: Bool { if case .null = item.content { true } else { false } }

  /// A date.
  public init(_ date: Date) { self.init(Item(.date(date.timeIntervalSinceReferenceDate))) }

  /// A value in the form that it has in a file.
  ///
  /// - Throws: the errors of its `encode(to:)`.
  public init(encoding value: some Encodable) throws { self.init(try ItemEncoder.item(forRecord: value)) }

  /// Decodes the value as a type, as strictly as a record.
  ///
  /// - Throws: `DecodingError`, and other errors of its `init(from:)`.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try ItemDecoder.decode(type, from: item)
  }
}

/// Numbers of any size, compared without rounding.
extension UntypedValue {
  /// Whether a number is less than another one, by the exact values of both; nil if one is no number, or NaN.
  ///
  /// 9007199254740993 is not 9007199254740992.0, and 0.1234567890123456789 is more than the `Double` next to it.
  /// O(digits).
  public static func isLess(_ a: UntypedValue, than b: UntypedValue) -> Bool? {
    switch (a.item.content, b.item.content) {
    case (.integer(let a), .integer(let b)): return a < b
    case (.real(let a), .real(let b)): return a.isNaN || b.isNaN ? nil : a < b
    case (.integer(let a), .real(let b)): return isLess(a, than: b)
    case (.real(let a), .integer(let b)): return isLess(b, than: a).map { !$0 && Double(exactly: b) != a }
    case (.real(let a), _) where !a.isFinite: return b.digits == nil || a.isNaN ? nil : a < 0
    case (_, .real(let b)) where !b.isFinite: return a.digits == nil || b.isNaN ? nil : b > 0
    default: return a.digits.flatMap { a in b.digits.map { a < $0 } }
    }
  }

  /// Compares an integer with a `Double` without rounding: first with its whole part, then with its fraction.
  private static func isLess(_ a: Int64, than b: Double) -> Bool? {
    if b.isNaN { return nil }
    let whole = b.rounded(.towardZero)
    guard let integer = Int64(exactly: whole) else { return b > 0 }
    return a != integer ? a < integer : b > whole
  }

  /// The exact value; nil if it is no number, or not finite.
  private var digits: DecimalDigits? {
    switch item.content {
    case .integer(let integer): DecimalDigits("\(integer)")
    case .unsigned(let integer): DecimalDigits("\(integer)")
    case .real(let number): number.isFinite ? DecimalDigits(number) : nil
    case .decimal(let text): DecimalDigits(text)
    default: nil
    }
  }
}
