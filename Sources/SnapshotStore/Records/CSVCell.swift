/// Values as fields of CSV.
extension CSVSink {
  /// Appends a field with any value. ``UntypedValue/init(cell:as:)`` and ``Table/records(csv:limits:path:)`` read it.
  ///
  /// A text is written as it is, safe from formulas, and quoted if it is empty. A missing value is an empty field
  /// without quotes. Any other value is its JSON, a date or data without the quotes of JSON.
  package mutating func append(_ value: UntypedValue?) {
    guard let value else { return append(verbatim: "") }
    switch value.kind {
    case .text: value.text == "" ? append(verbatim: "\"\"") : append(value.text ?? "")
    // A negative number is no formula. “-Infinity” may be one.
    case .integer, .decimal: append(verbatim: value.cellText)
    case .real where value.number?.isFinite == true: append(verbatim: value.cellText)
    default: append(value.cellText)
    }
  }
}

extension UntypedValue {
  /// The value in a field of CSV: a text as it is, anything else as JSON, without quotes if it has any.
  package var cellText: String {
    switch kind {
    case .text, .date, .data: return text ?? ""
    default:
      var sink = JSONSink(capacity: 64)
      sink.append(self)
      let json = String(decoding: sink.finish(), as: UTF8.self)
      return json.utf8.first == UInt8(ascii: "\"") ? String(json.dropFirst().dropLast()) : json
    }
  }

  /// The value of a field that a ``CSVSink`` has written.
  ///
  /// A field does not tell a text from other values. So the kinds of the column decide:
  ///
  /// - Without a text among them, the field is JSON, or a date, data or `NaN` without quotes.
  /// - With texts and other kinds, it is what its JSON is, if that is of one of these kinds; otherwise a text.
  /// - Without any kinds, it is JSON if it is valid JSON, otherwise a text.
  ///
  /// - Parameters:
  ///   - field: the field. Empty and without quotes, it is a missing value.
  ///   - kinds: the kinds of the values of the column, as far as they are known.
  /// - Returns: nil for a missing value. O(length).
  package init?(cell field: CSVLines.Field, as kinds: [Kind]) {
    if field.text.isEmpty, !field.isQuoted { return nil }
    let text = UntypedValue(field.text)
    if kinds == [.text] {
      self = text
    } else if kinds.isEmpty {
      self = Self.ofJSON(field.text) ?? text
    } else {
      let other = Self.ofJSONOrStandIn(field)
      let isOther = other.map { !kinds.contains(.text) || kinds.contains($0.kind) } ?? false
      self = isOther ? other ?? text : text
    }
    item = item.at(offset: field.offset)
  }

  /// The value of a field that is JSON, or the text for which JSON has an exact form; nil for any other text.
  static func ofJSONOrStandIn(_ field: CSVLines.Field) -> UntypedValue? {
    let value =
      ofJSON(field.text) ?? StandIn.content(of: field.text, among: JSONFormat.standIns).map { UntypedValue(Item($0)) }
    return value.map { UntypedValue($0.item.at(offset: field.offset)) }
  }

  /// The value of a text that is JSON as a whole; nil for any other text.
  private static func ofJSON(_ text: String) -> UntypedValue? {
    do {
      var lines = try UntypedLines(reading: Array(text.utf8))
      let value = try lines.next()
      return try lines.next() == nil ? value : nil
    } catch {
      return nil
    }
  }
}

extension Item {
  /// The same value, with all parts at one place.
  fileprivate func at(offset: Int) -> Item {
    switch content {
    case .array(let items): Item(.array(items.map { $0.at(offset: offset) }), offset: offset)
    case .dictionary(let members):
      Item(
        .dictionary(
          members.map { Member(key: $0.key, value: $0.value.at(offset: offset), keyOffset: offset) }), offset: offset)
    default: Item(content, offset: offset)
    }
  }
}
