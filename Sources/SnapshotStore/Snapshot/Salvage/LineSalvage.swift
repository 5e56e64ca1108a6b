/// Salvages newline-delimited JSON. Every line is read by itself, and names its table.
enum LineSalvage {
  static func read(_ source: SourceText, _ limits: ReadLimits, into found: inout FoundContent) {
    source.bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes, of: source, limits: limits)
      let lines = SalvageLines(bytes, hasCommas: false)
      var start = scanner.offset
      while start < bytes.count {
        let end = lines.nextLine(after: start)
        scanner.offset = lines.text(of: start)
        if scanner.offset < end, bytes[scanner.offset] != UInt8(ascii: "\n") {
          read(&scanner, scanner.offset..<end, into: &found)
        }
        start = end
      }
    }
  }

  private static func read(_ scanner: inout JSONScanner, _ range: Range<Int>, into found: inout FoundContent) {
    let whole = scanner
    do throws(SnapshotError) {
      guard let line = try scanner.line() else { return }
      if let header = line["snapshot"], line.allMembers?.count == 1 {
        found.add(header: header, range)
      } else if let (name, record) = line.recordLine, name != "snapshot" {
        found.begin(name, at: range.lowerBound)
        found.add(record, range)
      } else if let (name, value) = line.singleValueLine, name != "snapshot" {
        found.add(value: value, of: name, range)
      } else if let name = line.emptyTableLine, name != "snapshot" {
        found.begin(name, at: range.lowerBound)
      } else {
        throw scanner.failure(JSONScanner.expectedLine, at: range.lowerBound, .invalidValue)
      }
    } catch {
      let readable = Item(.dictionary(JSONSalvage(whole).members(depth: 1)))
      if let name = readable["field"]?.text { return found.lose(value: name, error, range) }
      found.lose(error, of: readable["table"]?.text, readable: readable["record"] ?? readable, range)
    }
  }
}
