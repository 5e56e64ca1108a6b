/// Reads an XML property list: one dictionary with the header, arrays of records and single values, in any order.
struct XMLReader: DocumentReader {
  let source: SourceText
  let limits: ReadLimits

  init(_ source: SourceText, limits: ReadLimits) {
    self.source = source
    self.limits = limits
  }

  func header() throws(SnapshotError) -> Item? {
    try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var header: Item?
      var parser = XMLParser(scanner: XMLScanner(bytes, of: source), limits: limits)
      try parser.root { parser, key, _ throws(SnapshotError) in
        let value = try parser.value(depth: 2)
        if key == "snapshot" { header = value }
        // `readTables` reads the rest, and reports its errors.
        return key == "snapshot" ? .stop : .goOn
      }
      return header
    }
  }

  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError) {
    try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var seen: Set<ExactText> = []
      var parser = XMLParser(scanner: XMLScanner(bytes, of: source), limits: limits)
      try parser.root { parser, key, offset throws(SnapshotError) in
        guard seen.insert(ExactText(key)).inserted else {
          throw parser.scanner.failure("the key \(key.quotedForMessage()) occurs twice", at: offset, .duplicate)
        }
        if key == "snapshot" {
          _ = try parser.value(depth: 2)
        } else {
          try readTable(key, offset, &parser, &visitor)
        }
        return .goOn
      }
    }
  }

  private func readTable(
    _ name: String, _ offset: Int, _ parser: inout XMLParser, _ visitor: inout some DocumentVisitor
  ) throws(SnapshotError) {
    guard parser.isAtArray() else {
      return try visitor.visit(name, offset: offset) { () throws(SnapshotError) in try parser.value(depth: 2) }
    }
    var records = XMLTableReader(parser, table: name)
    try visitor.visit(name, offset: offset, &records)
    parser = records.parser
  }
}
