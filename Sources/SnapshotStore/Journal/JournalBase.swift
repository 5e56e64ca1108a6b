import SnapshotFoundation

/// The identity of the file on which the changes of a journal stand.
struct JournalBase: Hashable, Sendable {
  enum Sum: Hashable, Sendable {
    /// The checksum in the header of the file, which is right.
    case checksum(UInt32)
    /// The number that `cksum` prints for all bytes of a file without a right checksum.
    case digest(UInt32)
  }

  var sum: Sum
  /// The number of bytes of the file.
  var size: Int
}

/// The place behind a line of a journal.
struct JournalPosition: Hashable, Sendable {
  /// The number of the line; 0 behind the header.
  var number: Int
  /// The `sum` of the line.
  var sum: UInt32
}

/// One line to append to a journal.
struct JournalText: Sendable {
  /// The bytes of the line, with its line feed.
  var bytes: [UInt8]
  /// The place behind the line.
  var end: JournalPosition

  /// Whether a reader takes it for the line that follows a place. For debug builds.
  func isLine(behind place: JournalPosition) -> Bool {
    let lines = JournalLines(bytes, isStrict: true).verified(ReadLimits(), threads: 1)
    guard lines.count == 1, case .line(let line, let after, let sum) = lines[0] else { return false }
    return after == place.sum && line.number == place.number + 1 && line.number == end.number && sum == end.sum
  }
}

/// What the first line of a journal says.
struct JournalHeader: Equatable, Sendable {
  let schema: String
  let version: Int
  var base: JournalBase
  var date: Date
  /// What the file was made from. Nil if nobody shared the file when the journal was made, and none was in its place.
  var past: JournalPast?
}

extension JournalHeader {
  /// A moment of a file with this journal.
  ///
  /// If a fold has put the file in place, the journal behind this one is on that file. So the moment has the place of
  /// this journal, whatever file is meant. A run does not go on from another file.
  ///
  /// - Parameters:
  ///   - file: the version of the file that is in place.
  ///   - start: the checksum of this line.
  ///   - end: the place behind the last line.
  func position(on file: JournalBase, start: UInt32, end: JournalPosition) -> FilePosition {
    FilePosition(base: file, journal: start, place: past?.place, end: end)
  }
}
