import Foundation

/// A folder that goes away at the end, also when the program is interrupted.
struct TemporaryFolder {
  let url: URL
  private let interrupts: [any DispatchSourceSignal]

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "snapshot-cli-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    } catch {
      throw Failure("a temporary folder could not be made in \(url.deletingLastPathComponent().path)", .cannotCreate)
    }
    self.url = url
    // A closed pipe then is an error that is thrown, on whose way the folder is removed.
    signal(SIGPIPE, SIG_IGN)
    interrupts = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        try? FileManager.default.removeItem(at: url)
        exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  func remove() {
    for interrupt in interrupts { interrupt.cancel() }
    try? FileManager.default.removeItem(at: url)
  }
}
