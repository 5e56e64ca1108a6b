/// The grammar of property lists.
struct XMLParser {
  var scanner: XMLScanner
  let limits: ReadLimits

  /// Reads a document. `member` reads the value after each key of the root dictionary, and may stop before its end.
  mutating func root(
    _ member: (inout XMLParser, String, Int) throws(SnapshotError) -> Walk
  ) throws(SnapshotError) {
    try scanner.prologue()
    let tag = try valueTag()
    guard tag.element == .dict else {
      throw scanner.failure("expected <dict>, found <\(scanner.name(of: tag))>", at: tag.offset, .wrongSchema)
    }
    if try dictionary(tag, depth: 1, member) == .goOn { try scanner.epilogue() }
  }

  mutating func valueTag() throws(SnapshotError) -> XMLScanner.Tag {
    guard let tag = try scanner.openTag() else { throw scanner.failure("expected a value") }
    return tag
  }

  mutating func value(depth: Int) throws(SnapshotError) -> Item {
    let tag = try valueTag()
    switch tag.element {
    case .array:
      var items: [Item] = []
      try array(tag, depth: depth) { parser throws(SnapshotError) in
        try parser.refuseCount(items.count)
        items.append(try parser.value(depth: depth + 1))
      }
      return Item(.array(items), offset: tag.offset)
    case .dict:
      var members: [Item.Member] = []
      try dictionary(tag, depth: depth) { parser, key, offset throws(SnapshotError) in
        try parser.refuseCount(members.count, at: offset)
        members.append(Item.Member(key: key, value: try parser.value(depth: depth + 1), keyOffset: offset))
        return .goOn
      }
      if let member = scanner.keys.duplicate(in: members) {
        let message = "the key \(member.key.text.quotedForMessage()) occurs twice"
        throw scanner.failure(message, at: member.keyOffset, .duplicate)
      }
      return Item(.dictionary(members), offset: tag.offset)
    default: return Item(try scalar(tag), offset: tag.offset)
    }
  }

  mutating func array(
    _ tag: XMLScanner.Tag, depth: Int, _ element: (inout XMLParser) throws(SnapshotError) -> Void
  ) throws(SnapshotError) {
    try refuseDepth(depth, tag)
    while try hasElement(in: tag) { try element(&self) }
  }

  /// Whether an array follows, in any form. The reader of the value reports text that is no value at all.
  mutating func isAtArray() -> Bool {
    var copy = self
    return (try? copy.scanner.openTag())?.element == .array
  }

  mutating func enterArray(depth: Int) throws(SnapshotError) -> XMLScanner.Tag {
    let tag = try valueTag()
    try refuseDepth(depth, tag)
    return tag
  }

  /// Whether another element follows. If not, skips the end of the array.
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
    _ member: (inout XMLParser, String, Int) throws(SnapshotError) -> Walk
  ) throws(SnapshotError) -> Walk {
    try refuseDepth(depth, tag)
    if tag.isEmpty { return .goOn }
    while let keyTag = try scanner.openTag() {
      guard keyTag.element == .key else {
        throw scanner.failure("expected <key>, found <\(scanner.name(of: keyTag))>", at: keyTag.offset)
      }
      if try member(&self, try key(of: keyTag), keyTag.offset) == .stop { return .stop }
    }
    if scanner.isAtEnd { throw scanner.failure("<dict> is not closed", at: tag.offset) }
    try scanner.closeTag("dict")
    return .goOn
  }

  private func refuseDepth(_ depth: Int, _ tag: XMLScanner.Tag) throws(SnapshotError) {
    if depth > limits.depth {
      throw scanner.failure("nested deeper than \(limits.depth.counted("level"))", at: tag.offset, .limitExceeded)
    }
  }

  /// Refuses an element beyond the limit.
  private func refuseCount(_ count: Int, at place: Int? = nil) throws(SnapshotError) {
    if count >= limits.elementCount { throw scanner.failure(limits.countMessage, at: place, .limitExceeded) }
  }

  /// The text of a key.
  mutating func key(of tag: XMLScanner.Tag) throws(SnapshotError) -> String {
    let (text, content) = try text(of: tag, among: .texts)
    if case .string(let text) = content { return text }
    return text
  }

  /// A text, and the value for which it stands, if any. A reference at its beginning says that it is only text.
  private mutating func text(
    of tag: XMLScanner.Tag, among kinds: StandIn.Kinds
  ) throws(SnapshotError) -> (String, Item.Content?) {
    let first = tag.isEmpty || scanner.isAtEnd ? 0 : scanner.bytes[scanner.offset]
    let text = try text(of: tag)
    guard StandIn.mayBegin(with: first) else { return (text, nil) }
    return (text, StandIn.content(of: text, among: kinds))
  }

  private mutating func text(of tag: XMLScanner.Tag) throws(SnapshotError) -> String {
    let text = try scanner.text(of: tag)
    if text.utf8.count > limits.textSize {
      throw scanner.failure(limits.textMessage(), at: tag.offset, .limitExceeded)
    }
    return text
  }

  private mutating func scalar(_ tag: XMLScanner.Tag) throws(SnapshotError) -> Item.Content {
    if tag.element == .other || tag.element == .key {
      let message = "expected a value, found <\(scanner.name(of: tag))>"
      let advice = tag.element == .key ? "Is an end tag missing before it?" : nil
      throw SnapshotError(.malformed, message, advice: advice, position: scanner.source.position(tag.offset))
    }
    if tag.element == .string {
      let (text, content) = try text(of: tag, among: XMLFormat.standIns)
      return content ?? Representation.unescapingNull(text)
    }
    let text = try text(of: tag)
    let trimmed = text.trimmingASCIIWhitespace()
    let content: Item.Content? =
      switch tag.element {
      case .true where text.isEmpty: .bool(true)
      case .false where text.isEmpty: .bool(false)
      case .integer: NumberText.integer(trimmed)
      case .real: real(trimmed)
      case .date: TextDate.seconds(trimmed).map(Item.Content.date)
      case .data: Representation.bytes(base64: text.withoutWhitespace()).map(Item.Content.data)
      default: nil
      }
    guard let content else {
      let message = "\(text.quotedForMessage(limit: 30)) is not a valid <\(scanner.name(of: tag))>, or out of range"
      throw scanner.failure(message, at: tag.offset, .invalidValue)
    }
    return content
  }

  /// A number, or one of the words that writers of property lists use for numbers that are not finite.
  private func real(_ text: String) -> Item.Content? {
    switch text.lowercased() {
    case "nan": .real(.nan)
    case "inf", "+inf", "infinity", "+infinity": .real(.infinity)
    case "-inf", "-infinity": .real(-.infinity)
    default: NumberText.isDecimal(text, isInteger: false) ? NumberText.content(text, isInteger: false) : nil
    }
  }
}

extension String {
  fileprivate func trimmingASCIIWhitespace() -> String {
    guard let first = utf8.first, let end = utf8.last else { return self }
    if !ByteText.isWhitespace(first), !ByteText.isWhitespace(end) { return self }
    let start = utf8.drop(while: ByteText.isWhitespace)
    guard let last = start.lastIndex(where: { !ByteText.isWhitespace($0) }) else { return "" }
    return String(self[start.startIndex...last])
  }
}

extension String {
  /// The text without white space as XML defines it.
  fileprivate func withoutWhitespace() -> String {
    String(decoding: utf8.lazy.filter { !ByteText.isWhitespace($0) }, as: UTF8.self)
  }
}
