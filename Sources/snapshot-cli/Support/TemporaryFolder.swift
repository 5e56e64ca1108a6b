import Foundation

/// A folder that goes away at the end, also when the program is interrupted.
struct TemporaryFolder {
  let url: URL

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "snapshot-cli-\(UUID().uuidString)")
    // A closed pipe then is an error that is thrown, on whose way the folder is removed.
    signal(SIGPIPE, SIG_IGN)
    // Before the folder is there, so that no signal finds it unguarded.
    TerminationSignals.handle {
      Self.remove(url)
      try? Terminal.output.rewriteLine("")
    }
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    } catch {
      throw Failure("a temporary folder could not be made in \(url.deletingLastPathComponent().path)", .cannotCreate)
    }
    self.url = url
  }

  func remove() { Self.remove(url) }

  /// More than once if need be: a save may put a file into it meanwhile.
  private static func remove(_ url: URL) {
    for _ in 0..<10 where FileManager.default.fileExists(atPath: url.path) {
      try? FileManager.default.removeItem(at: url)
    }
  }
}
