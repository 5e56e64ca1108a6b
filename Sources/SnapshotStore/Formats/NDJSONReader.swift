/// Reads newline-delimited JSON: the header, then one object a line with `table` and `record`. Empty lines are skipped.
struct NDJSONReader: DocumentReader {
  let source: SourceText
  let limits: ReadLimits

  init(_ source: SourceText, limits: ReadLimits) {
    self.source = source
    self.limits = limits
  }

  /// Whether JSON text is a line for each object: the first object holds a header and nothing else and is not the last, or
  /// it begins as the line of a record does.
  static func recognizes(_ source: SourceText) -> Bool {
    var scanner = JSONScanner(source, limits: ReadLimits())
    guard scanner.skip("{"), scanner.peek() == UInt8(ascii: "\""), let key = try? scanner.string(), scanner.skip(":")
    else { return false }
    if key == "table" || key == "record" { return true }
    guard key == "snapshot", (try? scanner.value(depth: 2)) != nil, scanner.skip("}") else { return false }
    return scanner.peek() != nil
  }

  /// The members of the one or two header lines together.
  func header() throws(SnapshotError) -> Item? {
    var members: [Item.Member] = []
    var scanner = JSONScanner(source, limits: limits)
    while let line = try scanner.line(), let header = try headerMembers(of: line, scanner) { members += header }
    if let member = Item.duplicateKey(in: members) {
      throw scanner.failure("the key \(member.key.quotedForMessage()) occurs twice", at: member.keyOffset, .duplicate)
    }
    return members.isEmpty ? nil : Item(.dictionary(members))
  }

  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError) {
    var scanner = JSONScanner(source, limits: limits)
    var table: String?
    var isHeader = true
    while let line = try scanner.line() {
      if isHeader, try headerMembers(of: line, scanner) != nil { continue }
      isHeader = false
      guard case .dictionary(let members) = line.content, members.count == 2, let record = line["record"],
        case .string(let name)? = line["table"]?.content
      else {
        throw scanner.failure("expected an object of “table” and “record”", at: line.offset, .invalidValue)
      }
      if name != table {
        try visitor.beginTable(name, offset: line.offset)
        table = name
      }
      try visitor.record(record)
    }
  }

  /// What stands under `snapshot` in a line; nil if the line is none of the header. Nothing else may be in it, because it
  /// would be lost.
  private func headerMembers(of line: Item, _ scanner: JSONScanner) throws(SnapshotError) -> [Item.Member]? {
    guard case .dictionary(let members) = line.content, let header = line["snapshot"] else { return nil }
    if let other = members.first(where: { $0.key != "snapshot" }) {
      let message = "\(other.key.quotedForMessage()) may not stand beside “snapshot” on a line"
      throw scanner.failure(message, at: other.keyOffset, .unknownKey)
    }
    guard case .dictionary(let parts) = header.content else {
      throw scanner.failure("expected a dictionary, found \(header.kind)", at: header.offset, .wrongSchema)
    }
    return parts
  }
}

extension JSONScanner {
  /// The value on the next line that is not blank; nil at the end. It must not reach over the line, nor share it.
  fileprivate mutating func line() throws(SnapshotError) -> Item? {
    guard peek() != nil else { return nil }
    let value = try value(depth: 1)
    let rest = source.bytes[offset...].prefix { $0 != UInt8(ascii: "\n") }
    guard rest.allSatisfy(FileFormat.isWhitespace) else { throw failure("expected the end of the line") }
    guard !source.bytes[value.offset..<offset].contains(UInt8(ascii: "\n")) else {
      throw failure("the object does not end on the line where it begins", at: value.offset)
    }
    return value
  }
}
