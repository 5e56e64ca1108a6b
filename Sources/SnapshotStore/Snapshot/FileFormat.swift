/// The formats of a snapshot file. All hold the same tree and are exact; a value has one sequence of bytes in each.
///
/// A file is created in the format of its extension and recognised by its content when it is opened, so that renaming
/// a file does no harm.
public enum FileFormat: String, CaseIterable, Sendable {
  /// JSON (RFC 8259), one record a line.
  case json
  /// An XML property list.
  case xml
  /// A binary property list (`bplist00`).
  case binary
  /// Newline-delimited JSON: every line an object, one record a line. For streams and for `jq`.
  case ndjson

  /// The format that a file name asks for; nil if its extension says nothing. `.plist` means XML, which people can read.
  public init?(fileName: String) {
    let name = fileName.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "json": self = .json
    case "plist", "xml": self = .xml
    case "bplist": self = .binary
    case "ndjson", "jsonl": self = .ndjson
    default: return nil
    }
  }

  /// Whether positions in the file are best told by line and column.
  var isText: Bool { self != .binary }
}

extension FileFormat {
  /// Recognises a format by the first bytes of a file; newline-delimited JSON is taken for JSON here.
  ///
  /// - Throws: `emptyFile`, or `unknownFormat` for everything else that none of the readers would accept.
  static func recognize(_ bytes: [UInt8]) throws(SnapshotError) -> FileFormat {
    if bytes.isEmpty {
      throw SnapshotError(
        .emptyFile, "the file is empty", advice: "Restore it from a backup, or remove it to start anew.")
    }
    if bytes.starts(with: "bplist".utf8) { return .binary }
    if bytes.prefix(64).allSatisfy({ $0 == 0 }) {
      throw SnapshotError(.unknownFormat, "the file begins with zeros only", advice: "Restore it from a backup.")
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(4).contains(0) {
      throw SnapshotError(
        .unknownFormat, "the file is not UTF-8 text", advice: "Convert it from UTF-16 or UTF-32 to UTF-8.")
    }
    let text = bytes.dropFirst(bytes.starts(with: utf8ByteOrderMark) ? 3 : 0)
    switch text.first(where: { !isWhitespace($0) }) {
    case UInt8(ascii: "<"): return .xml
    case UInt8(ascii: "{"): return .json
    case UInt8(ascii: "["):
      throw SnapshotError(.wrongSchema, "the file is not a snapshot: it holds an array, not the key “snapshot”")
    default:
      throw SnapshotError(.unknownFormat, "the file is neither JSON nor a property list")
    }
  }

  static let utf8ByteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// White space as JSON and XML have it.
  static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
