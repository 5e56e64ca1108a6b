import SnapshotFoundation

/// A journal as read from its bytes. Every line is verified.
struct Journal: Sendable {
  /// A line behind the header.
  struct Line: Sendable {
    enum Kind: Equatable, Sendable {
      case changes
      /// From here on the changes stand on this file.
      case fold(JournalBase)
    }

    /// The number of the line; 1 for the first one behind the header.
    let number: Int
    let kind: Kind
    let date: Date
    /// The place of its bytes, without the line feed.
    let range: Range<Int>
  }

  /// Bytes that are no line, found by a salvage.
  struct Loss: Equatable, Sendable {
    /// The number that the line says it has; nil if it is not known.
    let number: Int?
    /// The line in the file, from 1.
    let fileLine: Int
    /// The place of its bytes.
    let range: Range<Int>
  }

  let bytes: [UInt8]
  /// What the first line says; nil if there is only a torn one.
  let header: JournalHeader?
  /// The lines behind the header.
  let lines: [Line]
  /// The number of bytes behind the last line.
  let tornBytes: Int
  /// The place behind the last line. Without a header it means nothing.
  let end: JournalPosition
  /// What a salvage could not read. Empty for a journal that was read strictly.
  let losses: [Loss]

  /// Reads a journal strictly. A last line that was not written to its end is left out.
  ///
  /// - Parameter threads: the most threads that verify lines.
  /// - Throws: `damagedJournal` with the place of the line; `newerVersion`; `tooLarge`.
  init(_ bytes: [UInt8], limits: ReadLimits, threads: Int = 1) throws(SnapshotError) {
    fatalError("not yet")
  }

  /// Reads every line that verifies. The others are in `losses`.
  init(salvaging bytes: [UInt8], limits: ReadLimits) {
    fatalError("not yet")
  }

  /// The lines to replay onto a file. Nil if the journal stands on another file; empty if there is nothing to replay.
  func lines(since base: JournalBase) -> ArraySlice<Line>? {
    fatalError("not yet")
  }
}
