/// Reads newline-delimited JSON. The header is followed by one object on each line: `table` and `record`, `field` and
/// `value` for a single value, or `emptyTable` for a table without records. Empty lines are skipped.
///
/// A line of an empty table says only that the table exists. Records of the table may precede and follow it, because a
/// line-by-line merge may have added them.
struct NDJSONReader: DocumentReader {
  let source: SourceText
  let limits: ReadLimits

  init(_ source: SourceText, limits: ReadLimits) {
    self.source = source
    self.limits = limits
  }

  /// Whether JSON text is newline-delimited. Its first object holds only a header and is not the last, or it is the
  /// line of a record or a single value. A plain JSON document may begin in the same way, so the text behind it counts
  /// too.
  static func recognizes(_ source: SourceText) -> Bool {
    source.bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes, of: source, limits: ReadLimits())
      guard scanner.skip("{"), let key = scanner.keyIfAny() else { return false }
      switch key {
      case "snapshot":
        guard (try? scanner.value(depth: 2)) != nil, scanner.skip("}") else { return false }
        return scanner.peek() != nil
      case "table": return scanner.isLine(withNameThen: "record")
      case "field": return scanner.isLine(withNameThen: "value")
      case "record": return scanner.isLine(withContentThen: "table")
      case "value": return scanner.isLine(withContentThen: "field")
      case "emptyTable":
        return scanner.peek() == UInt8(ascii: "\"") && (try? scanner.string()) != nil && scanner.skip("}")
      default: return false
      }
    }
  }

  /// The members of the one or two header lines.
  func header() throws(SnapshotError) -> Item? {
    try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var members: [Item.Member] = []
      var scanner = JSONScanner(bytes, of: source, limits: limits)
      // `readTables` reads the lines behind the header, and reports their errors.
      do throws(SnapshotError) {
        while let line = try scanner.line(), let header = try scanner.headerMembers(of: line) { members += header }
      } catch {
        let isWhole = members.contains { $0.key == "schema" } && members.contains { $0.key == "version" }
        if !isWhole { throw error }
      }
      if let member = Item.duplicateKey(in: members) {
        throw scanner.failure(
          "the key \(member.key.text.quotedForMessage()) occurs twice", at: member.keyOffset, .duplicate)
      }
      return members.isEmpty ? nil : Item(.dictionary(members))
    }
  }

  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError) {
    try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var scanner = JSONScanner(bytes, of: source, limits: limits)
      var line = try scanner.line()
      while let header = line, try scanner.headerMembers(of: header) != nil { line = try scanner.line() }
      var next = try line.map { line throws(SnapshotError) in try scanner.content(of: line) }
      var values: Set<ExactText> = []
      while let current = next {
        switch current {
        case .record(let first):
          var table = NDJSONTableReader(scanner, table: first.table, pending: current)
          try visitor.visit(first.table, offset: first.offset, &table)
          scanner = table.scanner
          next = table.following
        case .empty(let name, let offset):
          next = try scanner.line().map { line throws(SnapshotError) in try scanner.content(of: line) }
          var table = NDJSONTableReader(scanner, table: name, pending: next)
          try visitor.visit(name, offset: offset, &table)
          scanner = table.scanner
          next = table.following
        case .value(let line):
          guard values.insert(ExactText(line.name)).inserted else {
            throw scanner.failure(
              "the value \(line.name.quotedForMessage()) occurs twice", at: line.offset, .duplicate)
          }
          try visitor.visit(line.name, offset: line.offset) { line.value }
          next = try scanner.line().map { line throws(SnapshotError) in try scanner.content(of: line) }
        }
      }
    }
  }
}

/// The line of a record.
private struct RecordLine {
  let table: String
  let record: Item
  let offset: Int
}

/// The line of a single value.
private struct ValueLine {
  let name: String
  let value: Item
  let offset: Int
}

private enum ContentLine {
  case record(RecordLine)
  case value(ValueLine)
  /// A table without records.
  case empty(String, offset: Int)
}

/// The records on consecutive lines that belong to one table.
private struct NDJSONTableReader: TableReader {
  private(set) var scanner: JSONScanner
  private let table: String
  private var pending: ContentLine?

  /// - Parameter pending: the line that was read last, behind which the scanner is.
  init(_ scanner: JSONScanner, table: String, pending: ContentLine?) {
    self.scanner = scanner
    self.table = table
    self.pending = pending
  }

  /// The first line after this table, once all its records have been read.
  var following: ContentLine? { pending }

  mutating func next() throws(SnapshotError) -> Item? {
    guard case .record(let line)? = pending, ExactText(line.table) == ExactText(table) else { return nil }
    pending = try scanner.line().map { line throws(SnapshotError) in try scanner.content(of: line) }
    return line.record
  }
}

extension JSONScanner {
  /// The next key, read with its colon.
  fileprivate mutating func keyIfAny() -> String? {
    guard peek() == UInt8(ascii: "\""), let key = try? string(), skip(":") else { return nil }
    return key
  }

  /// Whether a line continues with a name, and then this key and its value. If the value cannot be read, the line is
  /// damaged, but it is still such a line.
  fileprivate mutating func isLine(withNameThen key: String) -> Bool {
    guard peek() == UInt8(ascii: "\""), (try? string()) != nil, skip(","), keyIfAny() == key else { return false }
    return (try? value(depth: 2)) == nil || skip("}")
  }

  /// Whether a line continues with a value, and then this key and a name.
  fileprivate mutating func isLine(withContentThen key: String) -> Bool {
    guard (try? value(depth: 2)) != nil, skip(","), keyIfAny() == key, peek() == UInt8(ascii: "\"") else {
      return false
    }
    return (try? string()) != nil && skip("}")
  }

  /// The value on the next line that is not blank; nil at the end. It must end on that line and be alone there.
  mutating func line() throws(SnapshotError) -> Item? {
    guard peek() != nil else { return nil }
    let value = try value(depth: 1)
    let rest = bytes[offset...].prefix { $0 != UInt8(ascii: "\n") }
    guard rest.allSatisfy(ByteText.isWhitespace) else { throw failure("expected the end of the line") }
    guard !bytes[value.offset..<offset].contains(UInt8(ascii: "\n")) else {
      throw failure("the object does not end on the line where it begins", at: value.offset)
    }
    return value
  }

  fileprivate func content(of line: Item) throws(SnapshotError) -> ContentLine {
    if let (name, value) = line.singleValueLine {
      try refuseHeader(name, at: line.offset)
      return .value(ValueLine(name: name, value: value, offset: line.offset))
    }
    if let name = line.emptyTableLine {
      try refuseHeader(name, at: line.offset)
      return .empty(name, offset: line.offset)
    }
    guard let (name, record) = line.recordLine else { throw failure(Self.expectedLine, at: line.offset, .invalidValue) }
    try refuseHeader(name, at: line.offset)
    return .record(RecordLine(table: name, record: record, offset: line.offset))
  }

  /// The message for an object that is no line.
  static var expectedLine: String {
    "expected an object of “table” and “record”, of “field” and “value”, or of “emptyTable”"
  }

  /// Refuses `snapshot` as a name. Other formats keep the header and the content in one dictionary, in which a name
  /// occurs once.
  private func refuseHeader(_ name: String, at offset: Int) throws(SnapshotError) {
    if name == "snapshot" {
      throw failure("“snapshot” is the name of the header; a table or a value cannot have it", at: offset, .duplicate)
    }
  }

  /// The members under `snapshot` in a line; nil if the line is not part of the header. Other members on the line are
  /// refused, because they would be lost.
  fileprivate func headerMembers(of line: Item) throws(SnapshotError) -> [Item.Member]? {
    guard case .dictionary(let members) = line.content, let header = line["snapshot"] else { return nil }
    if let other = members.first(where: { $0.key != "snapshot" }) {
      let message = "\(other.key.text.quotedForMessage()) may not stand beside “snapshot” on a line"
      throw failure(message, at: other.keyOffset, .unknownKey)
    }
    guard case .dictionary(let parts) = header.content else {
      throw failure("expected a dictionary, found \(header.kind)", at: header.offset, .wrongSchema)
    }
    return parts
  }
}

/// Lines of newline-delimited JSON.
extension Item {
  /// The name of the table and the record in the line of a record; nil for any other line.
  var recordLine: (table: String, record: Item)? {
    guard allMembers?.count == 2, let record = self["record"], let table = self["table"]?.text else { return nil }
    return (table, record)
  }

  /// The name and the value in the line of a single value; nil for any other line.
  var singleValueLine: (name: String, value: Item)? {
    guard allMembers?.count == 2, let value = self["value"], let name = self["field"]?.text else { return nil }
    return (name, value)
  }

  /// The name of the table in the line of a table without records; nil for any other line.
  var emptyTableLine: String? { allMembers?.count == 1 ? self["emptyTable"]?.text : nil }
}
