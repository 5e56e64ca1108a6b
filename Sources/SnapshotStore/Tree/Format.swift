/// A format in which snapshots can be kept. Each format has a room of its own, which knows no other format.
protocol Format {
  /// The name of the format in messages.
  static var name: String { get }
  /// The extensions of file names in this format, in lower case.
  static var fileExtensions: [String] { get }
  /// Whether files are UTF-8 text, so that messages give positions as line and column.
  static var isText: Bool { get }
  /// Whether the content of a file distinguishes single values that are arrays from tables. Otherwise the header names
  /// such values.
  static var tellsSingleValues: Bool { get }

  /// Whether a snapshot that begins with these bytes may have this format.
  static func mayBegin(_ bytes: [UInt8]) -> Bool
  /// Whether a file has this format, for formats that begin alike.
  static func recognizes(_ source: SourceText) -> Bool
  /// A damaged file, prepared for salvage.
  static func salvageSource(of bytes: [UInt8]) -> SourceText

  static func makeReader(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> any DocumentReader
  /// The whole file as one value, which need not be a snapshot.
  static func root(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> Item

  /// The first bytes of a file, up to and including its checksum. These bytes are fixed, and the checksum covers all
  /// bytes that follow. So every bit of a file is guarded.
  static func prefix(checksum: UInt32) -> [UInt8]
}

extension Format {
  static var tellsSingleValues: Bool { false }
  static func recognizes(_ source: SourceText) -> Bool { true }
}

/// A text format, in which every record has its own bytes.
protocol TextFormat: Format {
  /// The first byte of a snapshot, after white space and a byte order mark.
  static var firstByte: UInt8 { get }
  static var writer: any TextWriter.Type { get }
  /// The tokens and marks that salvage uses.
  associatedtype Grammar: SalvageGrammar
}

extension TextFormat {
  static var isText: Bool { true }

  static func mayBegin(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: ByteText.byteOrderMark) ? ByteText.byteOrderMark.count : 0
    return bytes[start...].first { !ByteText.isWhitespace($0) } == firstByte
  }

  /// Replaces each byte that is not UTF-8 by a control character. No format accepts one in a record, so only the record
  /// with the wrong byte is lost.
  static func salvageSource(of bytes: [UInt8]) -> SourceText {
    SourceText(unchecked: UTF8Check.masked(bytes), isText: true)
  }
}
