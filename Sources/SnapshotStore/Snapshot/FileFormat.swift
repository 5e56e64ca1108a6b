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
    let wanted = name[name.index(after: dot)...].lowercased()
    guard let format = Self.allCases.first(where: { $0.parts.fileExtensions.contains(wanted) }) else { return nil }
    self = format
  }

  /// Whether positions in the file are best told by line and column.
  var isText: Bool { parts.isText }
}

extension FileFormat {
  /// What a format gives. This is the one switch over formats: a new one is a room of its own and a case here.
  var parts: any SnapshotFormat.Type {
    switch self {
    case .json: JSONFormat.self
    case .xml: XMLFormat.self
    case .binary: BinaryFormat.self
    case .ndjson: NDJSONFormat.self
    }
  }

  /// Recognises a format by the first bytes of a file; newline-delimited JSON is taken for JSON here.
  ///
  /// - Throws: `emptyFile`, or `unknownFormat` for everything else that none of the readers would accept.
  static func recognize(_ bytes: [UInt8]) throws(SnapshotError) -> FileFormat {
    if bytes.isEmpty {
      throw SnapshotError(
        .emptyFile, "the file is empty", advice: "Restore it from a backup, or remove it to start anew.")
    }
    if let format = allCases.first(where: { !$0.isText && $0.parts.mayBegin(bytes) }) { return format }
    if bytes.prefix(64).allSatisfy({ $0 == 0 }) {
      throw SnapshotError(.unknownFormat, "the file begins with zeros only", advice: "Restore it from a backup.")
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(4).contains(0) {
      throw SnapshotError(
        .unknownFormat, "the file is not UTF-8 text", advice: "Convert it from UTF-16 or UTF-32 to UTF-8.")
    }
    if let format = allCases.first(where: { $0.isText && $0.parts.mayBegin(bytes) }) { return format }
    let text = bytes.dropFirst(bytes.starts(with: ByteText.byteOrderMark) ? 3 : 0)
    if text.first(where: { !ByteText.isWhitespace($0) }) == UInt8(ascii: "[") {
      throw SnapshotError(.wrongSchema, "the file is not a snapshot: it holds an array, not the key “snapshot”")
    }
    throw SnapshotError(.unknownFormat, "the file is neither JSON nor a property list")
  }

  /// Recognises the format of a file, and checks that it is UTF-8 if it is text.
  static func open(_ bytes: [UInt8], threads: Int = 1) throws(SnapshotError) -> (FileFormat, SourceText) {
    let format = try recognize(bytes)
    let source = try SourceText(bytes, isText: format.isText, threads: threads)
    return (format.refined(by: source), source)
  }

  /// The format of a file that begins as some of this one do: of those that begin alike, the last that recognises it.
  func refined(by source: SourceText) -> FileFormat {
    Self.allCases.last { $0.parts.mayBegin(source.bytes) && $0.parts.recognizes(source) } ?? self
  }
}
