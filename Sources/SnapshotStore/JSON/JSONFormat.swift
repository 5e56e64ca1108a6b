/// JSON (RFC 8259).
enum JSONFormat: TextFormat {
  /// The kinds of values that have no form of their own in JSON.
  static var standIns: StandIn.Kinds { [.wholeDates, .fractions, .negativeZero, .farDates, .nonFinite, .data] }
  static let name = "JSON"
  static let fileExtensions = ["json"]
  static let firstByte = UInt8(ascii: "{")
  static var writer: any TextWriter.Type { JSONWriter.self }
  typealias Grammar = JSONSalvage

  static func makeReader(_ source: SourceText, limits: ReadLimits) -> any DocumentReader {
    JSONReader(source, limits: limits)
  }

  static func root(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> Item {
    try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var scanner = JSONScanner(bytes, of: source, limits: limits)
      let root = try scanner.value(depth: 1)
      try scanner.expectEnd()
      return root
    }
  }

  static func prefix(checksum: UInt32) -> [UInt8] { Array("{\"snapshot\":{\"checksum\":\(checksum),\n".utf8) }
}

/// Newline-delimited JSON.
enum NDJSONFormat: TextFormat {
  static let name = "newline-delimited JSON"
  static let fileExtensions = ["ndjson", "jsonl"]
  static let tellsSingleValues = true
  static let firstByte = JSONFormat.firstByte
  static var writer: any TextWriter.Type { NDJSONWriter.self }
  typealias Grammar = JSONSalvage

  static func recognizes(_ source: SourceText) -> Bool { NDJSONReader.recognizes(source) }

  static func makeReader(_ source: SourceText, limits: ReadLimits) -> any DocumentReader {
    NDJSONReader(source, limits: limits)
  }

  static func root(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> Item {
    try JSONFormat.root(source, limits: limits)
  }

  static func prefix(checksum: UInt32) -> [UInt8] { Array("{\"snapshot\":{\"checksum\":\(checksum)}}\n".utf8) }
}
