/// A value in a file without its type.
///
/// ```swift
/// let value = try UntypedDocument(reading: bytes).root
/// print(value.kind)                               // a dictionary
/// print(value.record?["title"]?.text ?? "")       // A walk
/// print(value.record?["tags"]?.array?.count ?? 0) // 1
/// ```
///
/// A value has the same kind in every format. A format that lacks dates or data writes them as texts of one exact form,
/// such as `2026-11-21T15:30:00Z`. A real text of that form has its first character escaped. A program that does not
/// know this may write such a text without the escape, or a date in another form. So ``date``, ``data`` and ``text``
/// accept both kinds, and a migration that uses them works with every file. Literals and initialisers make values.
public struct UntypedValue: Sendable {
  var item: Item

  init(_ item: Item) { self.item = item }

  /// A text.
  public init(_ text: String) { item = Item(.string(text)) }

  /// An integer.
  public init(_ integer: Int64) { item = Item(.integer(integer)) }

  /// An integer.
  public init(_ integer: Int) { item = Item(.integer(Int64(integer))) }

  /// A number.
  public init(_ number: Double) { item = Item(.real(number)) }

  /// True or false.
  public init(_ bool: Bool) { item = Item(.bool(bool)) }

  /// Bytes.
  public init(data: [UInt8]) { item = Item(.data(data)) }

  /// Values in their order.
  public init(_ values: [UntypedValue]) { item = Item(.array(values.map(\.item))) }

  /// The members of a record or of a value in it.
  public init(_ record: UntypedRecord) { item = record.item }

  /// Null, the inner nil of a property that is an optional of an optional. A property that is nil has no key at all.
  public static var null: UntypedValue { UntypedValue(Item(.null)) }

  /// A total order, in which a table without types has its ids: by kind, then by content. Texts are ordered by their
  /// bytes, and dictionaries by their members.
  public static func isOrderedBefore(_ a: UntypedValue, _ b: UntypedValue) -> Bool {
    Item.isOrderedBefore(a.item, b.item)
  }

  /// The kind of the value. Messages use its words: `text`, `an integer`.
  ///
  /// In JSON, a text in the exact form of a date is a date; see ``UntypedValue``.
  public var kind: Kind { item.kind }

  /// The kinds of values in a file. The raw values are the words for messages: “expected text, found an integer”.
  public enum Kind: String, CustomStringConvertible, Sendable {
    /// Null.
    case null
    /// True or false.
    case bool = "true or false"
    /// An integer, which may be beyond `Int64`.
    case integer = "an integer"
    /// A number that is written with a fraction or an exponent.
    case real = "a number with a fraction"
    /// A number that neither an integer of 64 bits nor a `Double` holds: `0.1234567890123456789`. Its digits are kept.
    case decimal = "a number that no Double keeps"
    /// Text.
    case text
    /// A date.
    case date = "a date"
    /// Data.
    case data
    /// Values in their order.
    case array = "an array"
    /// Keys and values.
    case dictionary = "a dictionary"

    /// The words for messages.
    public var description: String { rawValue }
  }
}

extension UntypedValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self.init(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self.init(value) }
  /// A number.
  public init(floatLiteral value: Double) { self.init(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self.init(value) }
  /// Values in their order.
  public init(arrayLiteral elements: UntypedValue...) { self.init(elements) }
}
