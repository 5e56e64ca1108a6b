import SnapshotFoundation

/// Numbers and texts for `Codable`.
extension Item {
  /// The number; nil if no `Double` says as much. A text may be the name of one that is not finite.
  var number: Double? {
    switch content {
    case .real(let number): number
    // An integer beyond 64 bits, as JavaScript writes a `Double`.
    case .decimal(let text): NumberText.double(text)
    case .integer(let integer): NumberText.double(integer)
    case .unsigned(let integer): NumberText.double(integer)
    case .string(let text): Representation.nonFinite(text)
    default: nil
    }
  }

  /// The seconds of a date in any of its forms. A number is a date only if the date has no text. Any other number is a
  /// count of another program, from another year.
  var dateSeconds: Double? {
    switch content {
    case .date(let seconds): seconds
    case .string(var text):
      TextDate.seconds(of: text) ?? text.withUTF8(StandIn.farDate) ?? Representation.nonFinite(text)
    default: number.flatMap { TextDate.text($0) == nil ? $0 : nil }
    }
  }

  /// The bytes of data. They may be text: base64, or a stand-in that another program has written in another spelling.
  var bytes: [UInt8]? {
    if case .data(let bytes) = content { return bytes }
    return text.flatMap { Representation.bytes(base64: $0) ?? StandIn.data($0) }
  }
}

extension Item.Content {
  fileprivate func isText(_ text: String) -> Bool {
    if case .string(let own) = self { own == text } else { false }
  }
}

extension ItemDecoder {
  static func bool(_ item: Item, _ place: CodingPlace) throws -> Bool {
    guard case .bool(let value) = item.content else { throw mismatch(Bool.self, "true or false", item, place) }
    return value
  }

  static func string(_ item: Item, _ place: CodingPlace) throws -> String {
    guard let text = item.text else { throw mismatch(String.self, "text", item, place) }
    return text
  }

  static func double(_ item: Item, _ place: CodingPlace) throws -> Double {
    if let number = item.number { return number }
    guard item.kind == .integer || item.kind == .decimal else { throw mismatch(Double.self, "a number", item, place) }
    throw corrupted("a Double cannot keep the number \(digits(of: item))", place)
  }

  static func float(_ item: Item, _ place: CodingPlace) throws -> Float {
    let number = try double(item, place)
    let float = FloatBits.float(number)
    if number.isFinite, float.isInfinite || (float == 0 && number != 0) {
      throw corrupted("\(number) is out of range for Float", place)
    }
    // The exact number of a text may lie on either side of the halfway point between two floats.
    if FloatBits.isBetweenFloats(number), DecimalDigits(number) != DecimalDigits(number.description) {
      throw corrupted("the number has more digits than a Float can be told by", place)
    }
    return float
  }

  static func integer<T: FixedWidthInteger>(_ item: Item, _ place: CodingPlace) throws -> T {
    let value: T?
    switch item.content {
    case .integer(let integer): value = T(exactly: integer)
    case .unsigned(let integer): value = T(exactly: integer)
    // Only in canonical form, and only if no integer of the file could hold it.
    case .string(let text) where T.bitWidth > 64 && T(text).map({ Item.Content.of($0).isText(text) }) == true:
      value = T(text)
    case .decimal(let text) where NumberText.isDecimal(text, isInteger: true): value = T(text)
    default: throw mismatch(T.self, "an integer", item, place)
    }
    guard let value else { throw corrupted("the integer is out of range for \(T.self)", place) }
    return value
  }

  /// Decodes types with a special form; nil for all others.
  static func special<T: Decodable>(_ type: T.Type, from item: Item, at place: CodingPlace) throws -> T? {
    if type == Date.self {
      guard let seconds = item.dateSeconds else { throw notADate(item, place) }
      return identityCast(Date(timeIntervalSinceReferenceDate: seconds), to: type)
    }
    if type == [String].self { return texts(item).map { identityCast($0, to: type) } }
    if type == Data.self { return identityCast(Data(try data(item, place)), to: type) }
    if type == URL.self { return try url(item, place).map { identityCast($0, to: type) } }
    if type == Decimal.self { return identityCast(try decimal(item, place), to: type) }
    return nil
  }

  /// An array that contains only texts. Nil for any other one: `Array` decodes it and reports what is wrong.
  private static func texts(_ item: Item) -> [String]? {
    guard case .array(let items) = item.content else { return nil }
    var texts: [String] = []
    texts.reserveCapacity(items.count)
    for item in items {
      guard let text = item.text else { return nil }
      texts.append(text)
    }
    return texts
  }

  private static func notADate(_ item: Item, _ place: CodingPlace) -> DecodingError {
    let example = "a date such as 2026-11-21T09:30:00.125Z"
    guard let text = item.text else { return mismatch(Date.self, example, item, place) }
    return corrupted("\(text.quotedForMessage()) is not \(example)", place)
  }

  private static func data(_ item: Item, _ place: CodingPlace) throws -> [UInt8] {
    if let bytes = item.bytes { return bytes }
    if case .string = item.content { throw corrupted("the text is not base64", place) }
    throw mismatch(Data.self, "data", item, place)
  }

  /// An absolute URL is text. A URL with a base has the form that `URL` itself encodes, and gives nil here.
  private static func url(_ item: Item, _ place: CodingPlace) throws -> URL? {
    guard let text = item.text else { return nil }
    guard let url = URL(string: text), url.absoluteString == text else {
      throw corrupted("\(text.quotedForMessage()) is not a URL", place)
    }
    return url
  }

  private static func decimal(_ item: Item, _ place: CodingPlace) throws -> Decimal {
    switch item.content {
    case .integer(let integer): return Decimal(integer)
    case .unsigned(let integer): return Decimal(integer)
    case _ where item.text == "NaN": return .nan
    case .string(let text) where isDecimal(text): return try decimal(text, place)
    // The shortest form has the digits of the file, unless these are too many.
    case .real(let number)
    where number.isFinite && !item.hasManyDigits
      && NumberText.digitCount(number.description) <= NumberText.exactDigits:
      return try decimal(number.description, place)
    case .real(let number) where number.isFinite: fallthrough
    case .decimal: throw corrupted("a decimal number of more than 15 digits must be text, in quotation marks", place)
    default: throw mismatch(Decimal.self, "a decimal number", item, place)
    }
  }

  private static func decimal(_ text: String, _ place: CodingPlace) throws -> Decimal {
    guard let decimal = Decimal(string: text), let digits = DecimalDigits(decimal.description),
      digits == DecimalDigits(text)
    else { throw corrupted("a Decimal cannot keep the number \(text.quotedForMessage(limit: 50))", place) }
    return decimal
  }

  /// The digits of a number in the file.
  private static func digits(of item: Item) -> String {
    var sink = ByteSink()
    JSONText.append(item, to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self).escapedForMessage(limit: 50)
  }

  private static func isDecimal(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 || $0 == 46 } && Double(text) != nil
  }

  static func corrupted(_ description: String, _ place: CodingPlace) -> DecodingError {
    .dataCorrupted(.init(codingPath: place.path, debugDescription: description))
  }
}
