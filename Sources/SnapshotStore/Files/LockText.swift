import SnapshotFoundation

/// The text in a lock file: lines. The first names the holder of the lock for messages, and proves that the file is
/// a lock file. The second is a ``JournalEnd``. ``LockUsers`` has the others.
///
/// `SnapshotStore lock: snapshot-cli (process 42) since 2026-11-21T15:30:12Z`, filled up with spaces to 256 bytes. A
/// holder that releases it after a save adds `, for a save`, and one that removes the file adds `, closing`. The last
/// byte is a line feed. All texts have the same length, so each replaces the previous one completely.
enum LockText {
  /// The length of each line in bytes.
  static let length = 256
  private static let mark = "SnapshotStore lock: "

  /// How long a holder has the lock.
  enum HoldingTime: String {
    case whileOpen = ""
    case forASave = ", for a save"
    case closing = ", closing"
  }

  /// The text of this process.
  static func own(_ time: HoldingTime = .whileOpen) -> [UInt8] { line(mark + process() + time.rawValue) }

  /// The text of a lock file without a holder.
  static var nobody: [UInt8] { line(mark) }

  /// The name of this process, its number, and the time.
  static func process(_ number: Int32 = ProcessInfo.processInfo.processIdentifier) -> String {
    let date = Date(timeIntervalSinceReferenceDate: Date.now.timeIntervalSinceReferenceDate.rounded(.down))
    return "\(processName) (process \(number)) since \(date.formatted(.iso8601))"
  }

  /// It is written for each save.
  private static let processName = ProcessInfo.processInfo.processName.escapedForMessage(limit: 40)

  /// The bytes of a line, filled up with spaces.
  static func line(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(length - 1))
    return bytes + Array(repeating: UInt8(ascii: " "), count: length - 1 - bytes.count) + [UInt8(ascii: "\n")]
  }

  /// The part of the text that names this process.
  static var processID: String { "(process \(ProcessInfo.processInfo.processIdentifier))" }

  /// The content of a file with the name of a lock.
  enum Content: Equatable {
    /// Empty. The holder has just made the file, or was killed before it wrote. After a power cut the bytes may be
    /// zero.
    case nothing
    /// The text of a lock.
    case text
    /// Other content.
    case other
  }

  /// - Parameter file: the first two lines, and the beginning of the third.
  static func content(of file: [UInt8]) -> Content {
    let rest = file.dropFirst(length)
    // A short write leaves a part of the second line; a power cut zeros in place of any part of it.
    let isCut = rest.count < length
    let isEnd = zip(rest, JournalEnd.mark.utf8).allSatisfy { $0 == $1 || !isCut && $0 == 0 }
    let users = rest.dropFirst(length)
    let isFree = users.allSatisfy { [0, UInt8(ascii: " ")].contains($0) }
    if !isEnd || !isFree && !users.starts(with: LockUsers.mark.utf8.prefix(users.count)) { return .other }
    let bytes = Array(file.prefix(length))
    // The text is not synced. After a power cut, any part of it may be zero.
    let isMarked = zip(bytes, mark.utf8).allSatisfy { $0 == $1 || $0 == 0 }
    if isMarked, bytes.prefix(mark.utf8.count).contains(where: { $0 != 0 }) { return .text }
    if isMarked, bytes.allSatisfy({ [0, UInt8(ascii: " "), UInt8(ascii: "\n")].contains($0) }) { return .nothing }
    return isUnmarked(bytes) ? .text : .other
  }

  /// Whether bytes are a text without the mark, as the first versions of the library wrote it.
  private static func isUnmarked(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == length, bytes.firstIndex(of: UInt8(ascii: "\n")) == length - 1 else { return false }
    return String(decoding: bytes, as: UTF8.self)
      .wholeMatch(of: /.* \(process [0-9]+\) since [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z *\n/) != nil
  }

  /// The end of the journal in the second line; nil if there is none.
  static func journalEnd(in file: [UInt8]) -> JournalEnd? {
    guard file.count >= 2 * length else { return nil }
    return JournalEnd(line: file[length..<2 * length - 1])
  }

  /// The holder of the lock, for a message; nil if the text does not name one.
  static func holder(in bytes: [UInt8]) -> String? {
    guard content(of: bytes) == .text else { return nil }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
    let text = String(decoding: line.starts(with: mark.utf8) ? line.dropFirst(mark.utf8.count) : line, as: UTF8.self)
    let isSpace = { (scalar: Unicode.Scalar) in
      scalar.properties.generalCategory == .spaceSeparator || scalar == "\t" || scalar == "\u{200B}"
    }
    let scalars = text.unicodeScalars.drop(while: isSpace)
    guard let end = scalars.lastIndex(where: { !isSpace($0) }) else { return nil }
    return String(scalars[...end]).escapedForMessage(limit: length)
  }
}
