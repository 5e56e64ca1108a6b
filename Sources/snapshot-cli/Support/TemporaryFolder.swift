import Foundation
import SnapshotCommands

/// A folder that is removed at the end, also after an interruption.
struct TemporaryFolder {
  let url: URL

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "snapshot-cli-\(UUID().uuidString)")
    // A closed pipe is then an error that is thrown, and the folder is removed.
    signal(SIGPIPE, SIG_IGN)
    // Installed before the folder exists, so that no signal leaves it behind.
    TerminationSignals.handle {
      Self.remove(url)
      try? Terminal.output.rewriteLine("")
    }
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    } catch {
      throw CommandFailure(
        "a temporary folder could not be made in \(url.deletingLastPathComponent().path)", .cannotCreate)
    }
    self.url = url
  }

  func remove() { Self.remove(url) }

  /// Several attempts: a save may add a file in the meantime.
  private static func remove(_ url: URL) {
    for _ in 0..<10 where FileManager.default.fileExists(atPath: url.path) {
      try? FileManager.default.removeItem(at: url)
    }
  }
}
