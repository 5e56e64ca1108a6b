import Foundation
import SnapshotStore

/// A file that a command looks at four times a second.
struct WatchedFile {
  private let url: URL
  private var stamp: FileStamp?
  /// Why the file could not be read when it was looked at last.
  private var complaint = ""

  /// Begins to watch. A save that follows is noticed.
  ///
  /// - Throws: ``CommandFailure`` for standard input and an empty path.
  init(_ path: String) throws {
    url = try FileName.url(path)
    stamp = FileStamp(at: url)
    Self.unblockSignals()
  }

  /// Refuses what cannot be watched.
  static func requireFile(_ path: String, _ arguments: Arguments) throws {
    try FileName.requireFile(path, "only a file can be watched")
  }

  /// Waits until the file or its journal was written, made or removed.
  ///
  /// - Parameter end: when it gives up; nil for never. It looks once more then.
  /// - Returns: whether it was.
  mutating func waitForSave(until end: ContinuousClock.Instant? = nil) -> Bool {
    while true {
      let rest = end.map { ContinuousClock.now.duration(to: $0) / .seconds(1) } ?? .infinity
      if rest > 0 { Thread.sleep(forTimeInterval: min(0.25, rest)) }
      let new = FileStamp(at: url)
      if new != stamp {
        stamp = new
        return true
      }
      if rest <= 0 { return false }
    }
  }

  /// Reads the file. If it cannot be read, that is noted once, and nil returned. Another program may be in the middle
  /// of writing it.
  mutating func reading<Result>(_ read: () throws -> Result) rethrows -> Result? {
    do {
      let result = try read()
      complaint = ""
      return result
    } catch let error as SnapshotError {
      let message = CommandFailure(error).message
      if message != complaint { Terminal.error.printLine("note: \(message)") }
      complaint = message
      return nil
    }
  }

  /// A program that starts this one from a thread of its own may have left the signals blocked.
  private static func unblockSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
