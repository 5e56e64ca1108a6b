/// Reads an XML property list: a dictionary of the header and of arrays of records, in any order.
struct XMLReader: DocumentReader {
  let source: SourceText
  let limits: ReadLimits

  init(_ source: SourceText, limits: ReadLimits) {
    self.source = source
    self.limits = limits
  }

  func header() throws(SnapshotError) -> Item? {
    var header: Item?
    var parser = Parser(scanner: XMLScanner(source), limits: limits)
    try parser.root { parser, key, _ throws(SnapshotError) in
      let value = try parser.value(depth: 2)
      if key == "snapshot" { header = value }
      // What follows the header is read, and complained about, by `readTables`.
      return key == "snapshot" ? .stop : .goOn
    }
    return header
  }

  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError) {
    var seen: Set<String> = []
    var parser = Parser(scanner: XMLScanner(source), limits: limits)
    try parser.root { parser, key, offset throws(SnapshotError) in
      guard seen.insert(key).inserted else {
        throw parser.scanner.failure("the key \(key.quotedForMessage()) occurs twice", at: offset, .duplicate)
      }
      if key == "snapshot" {
        _ = try parser.value(depth: 2)
        return .goOn
      }
      guard parser.isAtArray() else {
        var nothing = EmptyTable()
        try visitor.visit(key, offset: offset, &nothing)
        let tag = try parser.valueTag()
        throw SnapshotError(
          .invalidValue, "expected an array of records, found <\(tag.name)>", position: source.position(tag.offset),
          dataPath: key.escapedForMessage(limit: 60))
      }
      var records = XMLTableReader(parser, table: key)
      try visitor.visit(key, offset: offset, &records)
      parser = records.parser
      return .goOn
    }
  }
}

extension XMLReader {
  /// The root value of any property list.
  static func root(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> Item {
    var parser = Parser(scanner: XMLScanner(source), limits: limits)
    try parser.scanner.prologue()
    let root = try parser.value(depth: 1)
    try parser.scanner.epilogue()
    return root
  }
}

/// The records of a table in an XML list: an array of dictionaries.
private struct XMLTableReader: TableReader {
  private(set) var parser: Parser
  private let table: String
  private var array: XMLScanner.Tag?
  private var isAtEnd = false
  private var index = 0

  init(_ parser: Parser, table: String) {
    self.parser = parser
    self.table = table
  }

  mutating func next() throws(SnapshotError) -> Item? {
    if isAtEnd { return nil }
    if array == nil { array = try parser.enterArray(depth: 2) }
    guard let array, try parser.hasElement(in: array) else {
      isAtEnd = true
      return nil
    }
    defer { index += 1 }
    do throws(SnapshotError) {
      return try parser.value(depth: 3)
    } catch {
      throw error.inRecord(index, of: table)
    }
  }
}

/// The grammar of property lists.
private struct Parser {
  var scanner: XMLScanner
  let limits: ReadLimits

  /// Reads a document; `member` reads the value after each key of the root dictionary, and may stop before its end.
  mutating func root(
    _ member: (inout Parser, String, Int) throws(SnapshotError) -> Walk
  ) throws(SnapshotError) {
    try scanner.prologue()
    let tag = try valueTag()
    guard tag.name == "dict" else {
      throw scanner.failure("expected <dict>, found <\(tag.name)>", at: tag.offset, .wrongSchema)
    }
    if try dictionary(tag, depth: 1, member) == .goOn { try scanner.epilogue() }
  }

  mutating func valueTag() throws(SnapshotError) -> XMLScanner.Tag {
    guard let tag = try scanner.openTag() else { throw scanner.failure("expected a value") }
    return tag
  }

  mutating func value(depth: Int) throws(SnapshotError) -> Item {
    let tag = try valueTag()
    switch tag.name {
    case "array":
      var items: [Item] = []
      try array(tag, depth: depth) { parser throws(SnapshotError) in
        items.append(try parser.value(depth: depth + 1))
      }
      return Item(.array(items), offset: tag.offset)
    case "dict":
      var members: [Item.Member] = []
      try dictionary(tag, depth: depth) { parser, key, offset throws(SnapshotError) in
        members.append(Item.Member(key: key, value: try parser.value(depth: depth + 1), keyOffset: offset))
        return .goOn
      }
      if let member = Item.duplicateKey(in: members) {
        let message = "the key \(member.key.quotedForMessage()) occurs twice"
        throw scanner.failure(message, at: member.keyOffset, .duplicate)
      }
      return Item(.dictionary(members), offset: tag.offset)
    default: return Item(try scalar(tag), offset: tag.offset)
    }
  }

  mutating func array(
    _ tag: XMLScanner.Tag, depth: Int, _ element: (inout Parser) throws(SnapshotError) -> Void
  ) throws(SnapshotError) {
    try refuseDepth(depth, tag)
    while try hasElement(in: tag) { try element(&self) }
  }

  /// Whether an array follows, in whatever form. What is no value at all is left to whoever reads it.
  mutating func isAtArray() -> Bool {
    var copy = self
    return (try? copy.scanner.openTag())?.name == "array"
  }

  mutating func enterArray(depth: Int) throws(SnapshotError) -> XMLScanner.Tag {
    let tag = try valueTag()
    try refuseDepth(depth, tag)
    return tag
  }

  /// Whether another element follows; if not, steps over the end of the array.
  mutating func hasElement(in array: XMLScanner.Tag) throws(SnapshotError) -> Bool {
    if array.isEmpty { return false }
    try scanner.skipFiller()
    if !scanner.isNext("</") {
      if scanner.isAtEnd { throw scanner.failure("<array> is not closed", at: array.offset) }
      return true
    }
    try scanner.closeTag("array")
    return false
  }

  @discardableResult
  mutating func dictionary(
    _ tag: XMLScanner.Tag, depth: Int,
    _ member: (inout Parser, String, Int) throws(SnapshotError) -> Walk
  ) throws(SnapshotError) -> Walk {
    try refuseDepth(depth, tag)
    if tag.isEmpty { return .goOn }
    while let keyTag = try scanner.openTag() {
      guard keyTag.name == "key" else {
        throw scanner.failure("expected <key>, found <\(keyTag.name)>", at: keyTag.offset)
      }
      if try member(&self, try scanner.text(of: keyTag), keyTag.offset) == .stop { return .stop }
    }
    if scanner.isAtEnd { throw scanner.failure("<dict> is not closed", at: tag.offset) }
    try scanner.closeTag("dict")
    return .goOn
  }

  private func refuseDepth(_ depth: Int, _ tag: XMLScanner.Tag) throws(SnapshotError) {
    if depth > limits.depth {
      throw scanner.failure("nested deeper than \(limits.depth) levels", at: tag.offset, .limitExceeded)
    }
  }

  private mutating func scalar(_ tag: XMLScanner.Tag) throws(SnapshotError) -> Item.Content {
    guard ["string", "true", "false", "integer", "real", "date", "data"].contains(tag.name) else {
      let message = "expected a value, found <\(tag.name)>"
      let advice = tag.name == "key" ? "Is an end tag missing before it?" : nil
      throw SnapshotError(.malformed, message, advice: advice, position: scanner.source.position(tag.offset))
    }
    let text = try scanner.text(of: tag)
    if tag.name == "string" { return Representation.unescapingNull(text) }
    let trimmed = text.trimmingASCIIWhitespace()
    let content: Item.Content? =
      switch tag.name {
      case "true" where text.isEmpty: .bool(true)
      case "false" where text.isEmpty: .bool(false)
      case "integer" where trimmed.isDecimalNumber(isInteger: true): NumberText.content(trimmed, isInteger: true)
      case "real": real(trimmed)
      case "date": TextDate.seconds(trimmed).map(Item.Content.date)
      case "data": Representation.bytes(base64: text.filter { !$0.isWhitespace }).map(Item.Content.data)
      default: nil
      }
    guard let content else {
      let message = "\(text.quotedForMessage(limit: 30)) is not a valid <\(tag.name)>, or out of range"
      throw scanner.failure(message, at: tag.offset, .invalidValue)
    }
    return content
  }

  /// A number, or one of the words that property list writers have for numbers that are not finite.
  private func real(_ text: String) -> Item.Content? {
    switch text.lowercased() {
    case "nan": .real(.nan)
    case "inf", "+inf", "infinity", "+infinity": .real(.infinity)
    case "-inf", "-infinity": .real(-.infinity)
    default: text.isDecimalNumber(isInteger: false) ? NumberText.content(text, isInteger: false) : nil
    }
  }
}

extension String {
  fileprivate func trimmingASCIIWhitespace() -> String {
    let start = utf8.drop(while: FileFormat.isWhitespace)
    guard let last = start.lastIndex(where: { !FileFormat.isWhitespace($0) }) else { return "" }
    return String(self[start.startIndex...last])
  }

  /// Whether the text is a decimal number, with or without sign, fraction and exponent. Only ASCII digits count.
  fileprivate func isDecimalNumber(isInteger: Bool) -> Bool {
    var rest = utf8[...]
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func skipSign() { if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() } }
    func skipDigits() -> Int {
      let digits = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(digits)
      return digits
    }
    skipSign()
    var digits = skipDigits()
    if !isInteger {
      if rest.first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
        digits += skipDigits()
      }
      if digits > 0, rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
        rest = rest.dropFirst()
        skipSign()
        digits = skipDigits()
      }
    }
    return digits > 0 && rest.isEmpty
  }
}
