import Foundation
import SnapshotStore

/// Exit codes after `sysexits.h`.
public enum ExitCode: Int32, Error {
  /// Problems, differences or conflicts were found.
  case found = 1
  /// Wrong usage.
  case usage = 64
  /// Bad data.
  case badData = 65
  /// There is no such file or record.
  case noInput = 66
  /// A file cannot be made.
  case cannotCreate = 73
  /// An input or output error.
  case ioError = 74
  /// In use, or changed by someone else in the meantime.
  case temporary = 75
  /// The time that was given is over. `timeout` of the shell has the same code.
  case timedOut = 124
  /// The code that shells use for a program ended by SIGINT.
  case interrupted = 130

  func exit() -> Never { Foundation.exit(rawValue) }
}

/// A failure, as the user sees it.
///
/// ```swift
/// guard let post = dashboard.posts[id] else {
///   throw CommandFailure("there is no post \(id)", .noInput)
/// }
/// ```
public struct CommandFailure: Error {
  /// What happened: one sentence without a final full stop.
  public let message: String
  /// The exit code of the tool.
  public let exitCode: ExitCode

  /// A failure with a message.
  public init(_ message: String, _ exitCode: ExitCode) {
    self.message = message
    self.exitCode = exitCode
  }

  /// Wrong usage.
  public static func usage(_ message: String) -> CommandFailure { CommandFailure(message, .usage) }

  /// Another error, with the exit code that belongs to it.
  ///
  /// - Parameter creating: whether the error comes from making a file. A missing directory then is not a missing input.
  public init(_ error: any Error, creating: Bool = false) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as SnapshotError:
      self.init(error.shownInFolder.inWordsOfTool.description, Self.exitCode(error, creating: creating))
    case let refusal as TransactionRefusal: self.init(refusal.description.forTerminalLines, .badData)
    default: self.init("\(error)".forTerminal, .ioError)
    }
  }

  private static func exitCode(_ error: SnapshotError, creating: Bool) -> ExitCode {
    switch error.code {
    case .fileNotFound, .notRegularFile: creating ? .cannotCreate : .noInput
    case .recordNotFound: .noInput
    case .fileExists, .reservedName: .cannotCreate
    case .changedExternally, .locked: .temporary
    case .indeterminate: .ioError
    case .ioFailed: exitCode(errno: error.systemError ?? 0, creating: creating)
    default: .badData
    }
  }

  private static func exitCode(errno number: Int32, creating: Bool) -> ExitCode {
    switch number {
    case EACCES, EPERM, EROFS, ENAMETOOLONG, ENOENT, ENOTDIR, ELOOP: creating ? .cannotCreate : .noInput
    default: .ioError
    }
  }

  /// Runs a body that makes a file.
  public static func creating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw CommandFailure(error, creating: true)
    }
  }
}

extension SnapshotError {
  /// The same error, with advice that names commands in place of functions of the library.
  var inWordsOfTool: SnapshotError {
    let (tool, file) = (Tool.runningName, path ?? "FILE")
    var error = self
    for remedy in remedies {
      let words =
        switch remedy.kind {
        case .edit:
          "If the edit is yours, accept it with “\(tool) check \(file) --accept”, or delete the checksum. If it is not, "
            + "“\(tool) generations \(file)” lists older versions, and “\(tool) recover” saves what can be read."
        case .otherSchema: "“\(tool) info \(file)” shows what is in it; open it with the program that made it."
        case .record:
          "Repair it by hand, and accept the edit with “\(tool) check \(file) --accept”; "
            + "or save the rest with “\(tool) recover \(file) -o OUT”."
        case .line:
          "The program that wrote the journal can read it. To go on without its changes, move the journal away."
        case .foreignJournal: "“\(tool) fold \(file)” merges both."
        case .keptVersion(let date): "A version of \(date) was kept: see “\(tool) generations \(file)”."
        }
      error.advice = error.advice?.replacing(remedy.text, with: words)
    }
    return error
  }

  /// The same error, with a path below the current folder in relative form.
  var shownInFolder: SnapshotError {
    var error = self
    let folder = FileManager.default.currentDirectoryPath + "/"
    if let path, path.hasPrefix(folder) { error.path = path == folder ? "." : String(path.dropFirst(folder.count)) }
    return error
  }
}
