public import SnapshotFoundation

/// Values as the steps of a migration read them.
extension UntypedValue {
  /// The text; nil if the value is none.
  public var text: String? { item.text }

  /// Whether it is true; nil if the value is neither true nor false.
  public var bool: Bool? { if case .bool(let value) = item.content { value } else { nil } }

  /// The integer; nil if the value is none, or is beyond `Int64`.
  public var integer: Int64? { if case .integer(let value) = item.content { value } else { nil } }

  /// The number, with a fraction or without; nil if the value is none.
  public var number: Double? { item.number }

  /// The date, in any of the forms that the formats have; nil if the value is none.
  public var date: Date? { item.dateSeconds.map { Date(timeIntervalSinceReferenceDate: $0) } }

  /// The bytes: data in a property list, base64 elsewhere; nil if the value is none.
  public var data: [UInt8]? {
    switch item.content {
    case .data(let bytes): bytes
    case .string(let text): Representation.bytes(base64: text)
    default: nil
    }
  }

  /// The elements of an array; nil if the value is none.
  public var array: [UntypedValue]? {
    if case .array(let items) = item.content { items.map { UntypedValue($0) } } else { nil }
  }

  /// The members of a dictionary; nil if the value is none.
  public var record: UntypedRecord? { item.allMembers.map { UntypedRecord(members: $0, offset: item.offset) } }

  /// Whether it is null.
  public var isNull: Bool { if case .null = item.content { true } else { false } }

  /// A date.
  public init(_ date: Date) { self.init(Item(.date(date.timeIntervalSinceReferenceDate))) }

  /// A value as it stands in a file.
  ///
  /// - Throws: what its `encode(to:)` throws.
  public init(encoding value: some Encodable) throws { self.init(try ItemEncoder.item(forRecord: value)) }

  /// The value as one of a type, as strictly as a record is read.
  ///
  /// - Throws: `DecodingError`, and what its `init(from:)` throws.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try ItemDecoder.decode(type, from: item)
  }
}
