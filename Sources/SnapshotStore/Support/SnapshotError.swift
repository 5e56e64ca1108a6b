public import SnapshotFoundation

/// The error of this library for what the world does: what went wrong, where, and what to do about it.
///
/// ```swift
/// do {
///   let store = try Store<Dashboard>.open(at: url)
///   try store.closeAndWait()
/// } catch let error as SnapshotError where error.code == .locked {
///   show("Another program has it open. \(error.advice ?? "")")
/// }
/// ```
///
/// A transaction with violations or conflicts throws ``TransactionRefusal``, which lists them.
/// Programmer errors (a `write` inside a `write`, an index that was never declared) trap instead, with a message.
/// New codes may be added in any version; compare `code` with the constants you handle and treat the rest alike.
public struct SnapshotError: Error, Sendable {
  /// The kind of failure.
  public let code: Code
  /// What went wrong: one sentence without a final full stop.
  public var message: String
  /// What the reader can do, in one sentence; nil if there is nothing.
  public var advice: String?
  /// The file concerned.
  public var path: String?
  /// The place in the bytes of the file.
  public var position: Position?
  /// The place in the data, for example `notes[17].sortDate`.
  public var dataPath: String?
  /// The `errno` of the system call that failed.
  public var systemError: Int32?
  /// The parts of the advice that name functions of this library.
  package private(set) var remedies: [Remedy] = []

  /// An error with a code and a message. Callers that know more fill in the places.
  public init(
    _ code: Code, _ message: String, advice: String? = nil, path: String? = nil, position: Position? = nil,
    dataPath: String? = nil, systemError: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.advice = advice
    self.path = path
    self.position = position
    self.dataPath = dataPath
    self.systemError = systemError
  }
}

extension SnapshotError {
  /// A place in a file. Lines and columns count from 1, columns in bytes. A binary file has an offset only.
  public struct Position: Equatable, Sendable {
    /// Bytes from the beginning of the file.
    public var offset: Int
    /// The line, if the file is text.
    public var line: Int?
    /// The column in that line, in bytes.
    public var column: Int?

    /// A place with a known offset.
    public init(offset: Int, line: Int? = nil, column: Int? = nil) {
      self.offset = offset
      self.line = line
      self.column = column
    }

    /// The line and the column of an offset in a text. O(offset).
    ///
    /// - Parameters:
    ///   - offset: bytes from the beginning. An offset behind the end has the line and the column of the end.
    ///   - bytes: all bytes of the text.
    public init(offset: Int, inText bytes: [UInt8]) {
      let (line, lineStart) = bytes.withUnsafeBufferPointer { bytes in
        var (line, lineStart) = (1, 0)
        for index in 0..<min(offset, bytes.count) where bytes[index] == UInt8(ascii: "\n") {
          line += 1
          lineStart = index + 1
        }
        return (line, lineStart)
      }
      self.init(offset: offset, line: line, column: min(offset, bytes.count) - lineStart + 1)
    }
  }
}

extension SnapshotError.Position: CustomStringConvertible {
  /// `line 2, column 9`, or in a binary file `byte 98`.
  public var description: String {
    guard let line, let column else { return "byte \(offset)" }
    return "line \(line), column \(column)"
  }
}

extension SnapshotError: CustomStringConvertible {
  /// `path:line:column: data path: message. Advice.` in one line. Without a path it begins `line 2, column 9:`.
  ///
  /// Text from outside is escaped. It contains nothing that a terminal could act on or that disguises its neighbours.
  public var description: String { plainDescription.escapedForMessage(limit: .max) }

  private var plainDescription: String {
    var places: [String] = []
    if let path { places.append(path.escapedForMessage() + (position.map(Self.suffix) ?? "")) }
    if path == nil, let position { places.append(position.description) }
    if let dataPath { places.append(dataPath) }
    let sentence = (places + [message]).joined(separator: ": ")
    return advice.map { "\(sentence). \($0)" } ?? sentence
  }

  private static func suffix(_ position: Position) -> String {
    guard let line = position.line, let column = position.column else { return ": byte \(position.offset)" }
    return ":\(line):\(column) (byte \(position.offset))"
  }
}

extension SnapshotError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension SnapshotError {
  /// A sentence of the advice. A command line tool has words of its own in its place.
  package struct Remedy: Sendable {
    /// What the sentence is about.
    package enum Kind: Sendable {
      /// Content that does not match its checksum.
      case edit
      /// A file of another schema.
      case otherSchema
      /// A record that lacks a property, or has a value of another type.
      case record
      /// The same in a line of a journal, which nobody can repair by hand.
      case line
      /// A journal that stands on another version of the file.
      case foreignJournal
      /// A damaged file with an older version, which was kept at a date.
      case keptVersion(String)
    }

    package let kind: Kind
    package let text: String
  }

  /// The same error with one more sentence of advice.
  func advising(_ kind: Remedy.Kind, _ text: String) -> SnapshotError {
    var error = self
    error.advice = advice.map { "\($0) \(text)" } ?? text
    error.remedies.append(Remedy(kind: kind, text: text))
    return error
  }

  /// The same error for a record in a line of a journal.
  var inLine: SnapshotError {
    var error = self
    error.remedies = remedies.map { remedy in
      if case .record = remedy.kind { Remedy(kind: .line, text: remedy.text) } else { remedy }
    }
    return error
  }

  /// The same error with this path, unless it already has one.
  public func at(path: String) -> SnapshotError {
    var error = self
    if error.path == nil { error.path = path }
    return error
  }

  /// Text from a file or a user, for a message. It stands in quotation marks and is cut if it is long. Control and
  /// formatting characters are shown as `\u{…}`.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - limit: the most Unicode scalars that are shown.
  public static func quoted(_ text: some StringProtocol, limit: Int = 60) -> String {
    text.quotedForMessage(limit: limit)
  }
}
