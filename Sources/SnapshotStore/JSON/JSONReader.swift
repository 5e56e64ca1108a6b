/// Reads a JSON document: one object with the header, arrays of records and single values, in any order.
struct JSONReader: DocumentReader {
  let source: SourceText
  let limits: ReadLimits

  init(_ source: SourceText, limits: ReadLimits) {
    self.source = source
    self.limits = limits
  }

  func header() throws(SnapshotError) -> Item? {
    try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var header: Item?
      var scanner = JSONScanner(bytes, of: source, limits: limits)
      try scanner.object(depth: 1) { scanner, key, _ throws(SnapshotError) in
        let value = try scanner.value(depth: 2)
        if key == "snapshot" { header = value }
        // `readTables` reads the rest, and reports its errors.
        return key == "snapshot" ? .stop : .goOn
      }
      return header
    }
  }

  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError) {
    try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var scanner = JSONScanner(bytes, of: source, limits: limits)
      var seen: Set<ExactText> = []
      try scanner.object(depth: 1) { scanner, key, offset throws(SnapshotError) in
        guard seen.insert(ExactText(key)).inserted else {
          throw scanner.failure("the key \(key.quotedForMessage()) occurs twice", at: offset, .duplicate)
        }
        if key == "snapshot" {
          _ = try scanner.value(depth: 2)
        } else {
          try readTable(key, offset, &scanner, &visitor)
        }
        return .goOn
      }
      try scanner.expectEnd()
    }
  }

  private func readTable(
    _ name: String, _ offset: Int, _ scanner: inout JSONScanner, _ visitor: inout some DocumentVisitor
  ) throws(SnapshotError) {
    // The visitor reports an unknown name before the value under it is read.
    guard scanner.peek() == UInt8(ascii: "[") else {
      return try visitor.visit(name, offset: offset) { () throws(SnapshotError) in try scanner.value(depth: 2) }
    }
    var records = JSONTableReader(scanner, table: name)
    try visitor.visit(name, offset: offset, &records)
    scanner = records.scanner
  }
}
