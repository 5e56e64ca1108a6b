/// What a format gives, so that snapshots can be kept in it: all of it is in a room of its own, which knows no other format.
protocol Format {
  /// What messages call it.
  static var name: String { get }
  /// The extensions of file names that ask for it, in lower case.
  static var fileExtensions: [String] { get }
  /// Whether files are UTF-8, and positions in them are best told by line and column.
  static var isText: Bool { get }
  /// Whether files tell single values from tables, and have no tables without records: one that is missing is none that was lost.
  static var tellsSingleValues: Bool { get }

  /// Whether a snapshot that begins with these bytes may be of this format.
  static func mayBegin(_ bytes: [UInt8]) -> Bool
  /// Whether a file that may be of this format is, where several begin alike.
  static func recognizes(_ source: SourceText) -> Bool
  /// A damaged file, as it is read by salvage.
  static func salvageSource(of bytes: [UInt8]) -> SourceText

  static func makeReader(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> any DocumentReader
  /// The value that a file consists of, which need not be a snapshot.
  static func root(_ source: SourceText, limits: ReadLimits) throws(SnapshotError) -> Item

  /// The first bytes of a file, up to and including its checksum. The checksum covers all that follows, and these bytes
  /// are fixed, so no bit of a file is unguarded.
  static func prefix(checksum: UInt32) -> [UInt8]
  /// Whether every character of a text has a place in a file; nil if there are no others.
  static var canHold: ((String) -> Bool)? { get }
}

extension Format {
  static var tellsSingleValues: Bool { false }
  static func recognizes(_ source: SourceText) -> Bool { true }
  static var canHold: ((String) -> Bool)? { nil }
}

/// A format that is text, in which every record has bytes of its own.
protocol TextFormat: Format {
  /// The first byte of a snapshot that is neither white space nor of a byte order mark.
  static var firstByte: UInt8 { get }
  static var writer: any TextWriter.Type { get }
  /// How salvage reads it.
  associatedtype Grammar: SalvageGrammar
}

extension TextFormat {
  static var isText: Bool { true }

  static func mayBegin(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: ByteText.byteOrderMark) ? ByteText.byteOrderMark.count : 0
    return bytes[start...].first { !ByteText.isWhitespace($0) } == firstByte
  }

  /// Each byte that is not UTF-8 is replaced by a control character, which no format accepts where it would matter: so only the record is
  /// lost in which it stands.
  static func salvageSource(of bytes: [UInt8]) -> SourceText {
    SourceText(unchecked: UTF8Check.masked(bytes), isText: true)
  }
}
