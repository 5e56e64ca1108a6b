/// Reads a JSON document: an object of the header and of arrays of records, in any order.
struct JSONReader: DocumentReader {
  let source: SourceText
  let limits: ReadLimits

  init(_ source: SourceText, limits: ReadLimits) {
    self.source = source
    self.limits = limits
  }

  func header() throws(SnapshotError) -> Item? {
    var header: Item?
    var scanner = JSONScanner(source, limits: limits)
    try scanner.object(depth: 1) { scanner, key, _ throws(SnapshotError) in
      let value = try scanner.value(depth: 2)
      if key == "snapshot" { header = value }
      // What follows the header is read, and complained about, by `readTables`.
      return key == "snapshot" ? .stop : .goOn
    }
    return header
  }

  func readTables(_ visitor: inout some DocumentVisitor) throws(SnapshotError) {
    var scanner = JSONScanner(source, limits: limits)
    var seen: Set<String> = []
    try scanner.object(depth: 1) { scanner, key, offset throws(SnapshotError) in
      guard seen.insert(key).inserted else {
        throw scanner.failure("the key \(key.quotedForMessage()) occurs twice", at: offset, .duplicate)
      }
      if key == "snapshot" {
        _ = try scanner.value(depth: 2)
        return .goOn
      }
      try visitor.beginTable(key, offset: offset)
      guard scanner.peek() == UInt8(ascii: "[") else {
        let item = try scanner.value(depth: 2)
        throw SnapshotError(
          .invalidValue, "expected an array of records, found \(item.kind)", position: source.position(item.offset),
          dataPath: key.escapedForMessage(limit: 60))
      }
      var index = 0
      try scanner.array(depth: 2) { scanner throws(SnapshotError) in
        let record: Item
        do throws(SnapshotError) {
          record = try scanner.value(depth: 3)
        } catch {
          throw error.inRecord(index, of: key)
        }
        try visitor.record(record)
        index += 1
      }
      return .goOn
    }
    try scanner.expectEnd()
  }
}
