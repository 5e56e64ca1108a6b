/// Reads newline-delimited JSON: the header, then one object a line with `table` and `record`. Empty lines are skipped.
struct NDJSONReader: DocumentReader {
  let source: SourceText
  let limits: ReadLimits

  init(_ source: SourceText, limits: ReadLimits) {
    self.source = source
    self.limits = limits
  }

  /// Whether the first line is a whole object, which it is in no JSON document that this library writes, and which names
  /// a header or a table.
  static func looksLikeNDJSON(_ text: ArraySlice<UInt8>) -> Bool {
    let line = text.drop(while: FileFormat.isWhitespace).prefix { $0 != UInt8(ascii: "\n") }
    let starts = ["{\"snapshot\":{\"checksum\":", "{\"snapshot\":{\"schema\":", "{\"table\":"]
    return line.count < text.count && starts.contains { line.starts(with: $0.utf8) }
      && line.reversed().first { !FileFormat.isWhitespace($0) } == UInt8(ascii: "}")
  }

  /// The members of the one or two header lines together.
  func header() throws(SnapshotError) -> Item? {
    var members: [Item.Member] = []
    var scanner = JSONScanner(source, limits: limits)
    while scanner.peek() != nil {
      let line = try scanner.value(depth: 1)
      guard case .dictionary(let parts)? = line["snapshot"]?.content else { break }
      members += parts
    }
    if let member = Item.duplicateKey(in: members) {
      throw scanner.failure("the key \(member.key.quotedForMessage()) occurs twice", at: member.keyOffset, .duplicate)
    }
    return members.isEmpty ? nil : Item(.dictionary(members))
  }

  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError) {
    var scanner = JSONScanner(source, limits: limits)
    var table: String?
    var isHeader = true
    while scanner.peek() != nil {
      let line = try scanner.value(depth: 1)
      isHeader = isHeader && line["snapshot"] != nil
      if isHeader { continue }
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
}
