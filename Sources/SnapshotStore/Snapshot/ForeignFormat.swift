/// Formats that people take for those of this library, or that hold one of them.
enum ForeignFormat: CaseIterable {
  case gzip, zip, sqlite, openStep

  /// Whether a file has this format, by its first bytes.
  func recognizes(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .gzip: bytes.starts(with: [0x1F, 0x8B])
    case .zip: bytes.starts(with: [0x50, 0x4B, 0x03, 0x04])
    case .sqlite: bytes.starts(with: "SQLite format 3\0".utf8)
    case .openStep: Self.isOpenStep(bytes.prefix(1_000))
    }
  }

  /// The error for a file in this format.
  var error: SnapshotError {
    let (what, advice) =
      switch self {
      case .gzip: ("the file is compressed with gzip", "Uncompress it first, with “gunzip”.")
      case .zip: ("the file is a ZIP archive", "Take the file out of it first, with “unzip”.")
      case .sqlite: ("the file is a database of SQLite", "Export it as JSON first.")
      case .openStep:
        ("the file is a property list in the old form of OpenStep", "Convert it with “plutil -convert xml1”.")
      }
    return SnapshotError(.unknownFormat, what, advice: advice)
  }

  /// Whether a text begins with a brace, then a key, and then an equals sign: `{ name = value; }`.
  private static func isOpenStep(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes.drop(while: ByteText.isWhitespace)
    guard rest.popFirst() == UInt8(ascii: "{") else { return false }
    rest = rest.drop(while: ByteText.isWhitespace)
    if rest.first == UInt8(ascii: "\"") {
      rest = rest.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst()
    } else {
      rest = rest.drop {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
      }
    }
    return rest.drop(while: ByteText.isWhitespace).first == UInt8(ascii: "=")
  }
}
