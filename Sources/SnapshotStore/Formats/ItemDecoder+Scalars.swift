import Foundation

extension Item {
  /// The text, also where a property list had to hold it as data.
  var text: String? {
    switch content {
    case .string(let text): text
    case .data(let bytes): String(validating: bytes, as: UTF8.self)
    default: nil
    }
  }

  /// The number, also where it is not finite and stands as text.
  var number: Double? {
    switch content {
    case .real(let number), .rounded(let number): number
    case .integer(let integer): Double(integer)
    case .unsigned(let integer): Double(integer)
    case .string(let text): Representation.nonFinite(text)
    default: nil
    }
  }

  /// The seconds of a date in any of its forms. A number stands for a date only where there is no text for it: any other
  /// is someone's count from another year.
  var dateSeconds: Double? {
    switch content {
    case .date(let seconds): seconds
    case .string(let text): TextDate.seconds(text) ?? Representation.nonFinite(text)
    default: number.flatMap { TextDate.text($0) == nil ? $0 : nil }
    }
  }
}

extension Item.Content {
  fileprivate func isText(_ text: String) -> Bool {
    if case .string(let own) = self { own == text } else { false }
  }
}

extension ItemDecoder {
  static func bool(_ item: Item, _ path: [any CodingKey]) throws -> Bool {
    guard case .bool(let value) = item.content else { throw mismatch(Bool.self, "true or false", item, path) }
    return value
  }

  static func string(_ item: Item, _ path: [any CodingKey]) throws -> String {
    guard let text = item.text else { throw mismatch(String.self, "text", item, path) }
    return text
  }

  static func double(_ item: Item, _ path: [any CodingKey]) throws -> Double {
    guard let number = item.number else { throw mismatch(Double.self, "a number", item, path) }
    return number
  }

  static func float(_ item: Item, _ path: [any CodingKey]) throws -> Float {
    let number = try double(item, path)
    let float = FloatBits.float(number)
    if float.isInfinite, number.isFinite { throw corrupted("\(number) is out of range for Float", path) }
    return float
  }

  static func integer<T: FixedWidthInteger>(_ item: Item, _ path: [any CodingKey]) throws -> T {
    let value: T?
    switch item.content {
    case .integer(let integer): value = T(exactly: integer)
    case .unsigned(let integer): value = T(exactly: integer)
    // In its one spelling, and only where no integer of the file could hold it.
    case .string(let text) where T.bitWidth > 64 && T(text).map({ Item.Content.of($0).isText(text) }) == true:
      value = T(text)
    default: throw mismatch(T.self, "an integer", item, path)
    }
    guard let value else { throw corrupted("the integer is out of range for \(T.self)", path) }
    return value
  }

  /// The types that have a form of their own; nil for all others.
  static func special<T: Decodable>(_ type: T.Type, from item: Item, at path: [any CodingKey]) throws -> T? {
    switch type {
    case is Date.Type:
      guard let seconds = item.dateSeconds else { throw notADate(item, path) }
      return Date(timeIntervalSinceReferenceDate: seconds) as? T
    case is Data.Type: return Data(try data(item, path)) as? T
    case is URL.Type: return try url(item, path) as? T
    case is Decimal.Type: return try decimal(item, path) as? T
    default: return nil
    }
  }

  private static func notADate(_ item: Item, _ path: [any CodingKey]) -> DecodingError {
    let example = "a date such as 2026-11-21T09:30:00.125Z"
    guard let text = item.text else { return mismatch(Date.self, example, item, path) }
    return corrupted("\(text.quotedForMessage()) is not \(example)", path)
  }

  private static func data(_ item: Item, _ path: [any CodingKey]) throws -> [UInt8] {
    switch item.content {
    case .data(let bytes): return bytes
    case .string(let text):
      guard let bytes = Representation.bytes(base64: text) else { throw corrupted("the text is not base64", path) }
      return bytes
    default: throw mismatch(Data.self, "data", item, path)
    }
  }

  /// An absolute URL is text; one with a base is what `URL` itself encodes, and nil here.
  private static func url(_ item: Item, _ path: [any CodingKey]) throws -> URL? {
    guard let text = item.text else { return nil }
    guard let url = URL(string: text), url.absoluteString == text else {
      throw corrupted("\(text.quotedForMessage()) is not a URL", path)
    }
    return url
  }

  private static func decimal(_ item: Item, _ path: [any CodingKey]) throws -> Decimal {
    switch item.content {
    case .integer(let integer): return Decimal(integer)
    case .unsigned(let integer): return Decimal(integer)
    case .string("NaN"): return .nan
    case .string(let text) where isDecimal(text):
      if let decimal = Decimal(string: text) { return decimal }
    case .real(let number) where number.isFinite:
      // The shortest form has the digits that stood in the file.
      if let decimal = Decimal(string: number.description) { return decimal }
    case .rounded: throw corrupted("a decimal number of more than 17 digits must be text, in quotation marks", path)
    default: break
    }
    throw mismatch(Decimal.self, "a decimal number", item, path)
  }

  private static func isDecimal(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 || $0 == 46 } && Double(text) != nil
  }

  static func corrupted(_ description: String, _ path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(.init(codingPath: path, debugDescription: description))
  }
}
