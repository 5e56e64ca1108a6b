/// Property lists in XML.
enum XMLFormat: TextFormat {
  static let name = "XML"
  static let fileExtensions = ["plist", "xml"]
  static let firstByte = UInt8(ascii: "<")
  static var writer: any TextWriter.Type { XMLWriter.self }
  typealias Grammar = XMLSalvage

  /// The kinds of values that have no element of their own in XML.
  static var standIns: StandIn.Kinds { [.fractions, .negativeZero, .farDates, .nonFinite, .texts] }

  static func makeReader(_ source: SourceText, limits: ReadLimits) -> any DocumentReader {
    XMLReader(source, limits: limits)
  }

  static func root(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> Item {
    try source.bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
      var parser = XMLParser(scanner: XMLScanner(bytes, of: source), limits: limits)
      try parser.scanner.prologue()
      let root = try parser.value(depth: 1)
      try parser.scanner.epilogue()
      return root
    }
  }

  static func prefix(checksum: UInt32) -> [UInt8] {
    Array((XMLWriter.prologue + "\t\t<integer>\(checksum)</integer>\n").utf8)
  }
}
