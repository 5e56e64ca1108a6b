/// The formats of a snapshot file. All hold the same tree exactly. In each format a value has one sequence of bytes.
///
/// ```swift
/// let format = FileFormat(fileName: url.lastPathComponent) ?? .json
/// let bytes = try SnapshotFile.encode(dashboard, as: format)
/// ```
///
/// A file is created in the format of its extension. When it is opened, its content determines the format, so renaming
/// a file does no harm.
public enum FileFormat: String, CaseIterable, Sendable {
  /// JSON (RFC 8259), one record a line.
  case json
  /// An XML property list.
  case xml
  /// A binary property list (`bplist00`).
  case binary
  /// Newline-delimited JSON: every line is an object, and each record has one line. For streams and for `jq`.
  case ndjson

  /// The format that belongs to the extension of a file name; nil for an unknown extension. `.plist` means XML, because
  /// people can read it.
  public init?(fileName: String) {
    let name = fileName.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let wanted = name[name.index(after: dot)...].lowercased()
    guard let format = Self.allCases.first(where: { $0.parts.fileExtensions.contains(wanted) }) else { return nil }
    self = format
  }

  /// Whether a file is UTF-8 text. Positions in it are told by line and column, and a terminal can show it.
  public var isText: Bool { parts.isText }
}

extension FileFormat {
  /// The implementation of the format. This is the one switch over formats. A new format is a room and a case here.
  var parts: any SnapshotFormat.Type {
    switch self {
    case .json: JSONFormat.self
    case .xml: XMLFormat.self
    case .binary: BinaryFormat.self
    case .ndjson: NDJSONFormat.self
    }
  }

  /// Recognises a format by the first bytes of a file. Newline-delimited JSON is recognised as JSON here.
  ///
  /// - Throws: `emptyFile`, or `unknownFormat` for other bytes that no reader would accept.
  static func recognize(_ bytes: [UInt8]) throws(SnapshotError) -> FileFormat {
    if bytes.isEmpty {
      throw SnapshotError(
        .emptyFile, "the file is empty", advice: "Restore it from a backup, or remove it to start anew.")
    }
    if let format = allCases.first(where: { !$0.isText && $0.parts.mayBegin(bytes) }) { return format }
    if let foreign = ForeignFormat.allCases.first(where: { $0.recognizes(bytes) }) { throw foreign.error }
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

  /// Recognises the format of a file. Checks that a text file is UTF-8.
  static func open(_ bytes: [UInt8], threads: Int = 1) throws(SnapshotError) -> (FileFormat, SourceText) {
    let format = try recognize(bytes)
    let source = try SourceText(bytes, isText: format.isText, threads: threads)
    return (format.refined(by: source), source)
  }

  /// The exact format, among those that begin like this one: the last that recognises the file.
  func refined(by source: SourceText) -> FileFormat {
    Self.allCases.last { $0.parts.mayBegin(source.bytes) && $0.parts.recognizes(source) } ?? self
  }
}
