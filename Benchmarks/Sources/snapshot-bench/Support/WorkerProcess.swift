import Foundation

/// This program again, as a process that stays. It takes commands and gives answers, each in a line.
final class WorkerProcess {
  private let process: Process
  private let commands = Pipe()
  private let answers = Pipe()
  private var unread: [UInt8] = []

  /// How long an answer may take. The slowest command takes some seconds.
  private static let patience = Duration.seconds(120)

  init(_ arguments: [String]) throws {
    // A worker that has ended is told by an error, not by a signal that ends this process.
    signal(SIGPIPE, SIG_IGN)
    process = ChildProcess.process(arguments)
    process.standardInput = commands
    process.standardOutput = answers
    try process.run()
  }

  func tell(_ command: String) throws {
    try commands.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
  }

  /// Waits for the next line, which begins with `word`. Returns the numbers behind it.
  func answer(_ word: String) throws -> [Int] {
    let line = try nextLine()
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard words.first == word[...], numbers.count == words.count - 1 else {
      throw BenchmarkFailure("a process of the row answered “\(line)”, not “\(word) …”")
    }
    return numbers
  }

  /// Closes the file of the worker, and waits for its end.
  func close() throws {
    try tell("close")
    _ = try answer("closed")
    try commands.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkFailure("a process of the row failed") }
  }

  private func nextLine() throws -> String {
    let end = ContinuousClock.now + Self.patience
    let file = answers.fileHandleForReading.fileDescriptor
    while true {
      if let newline = unread.firstIndex(of: 0x0A) {
        defer { unread.removeFirst(newline + 1) }
        return String(decoding: unread[..<newline], as: UTF8.self)
      }
      var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      let rest = max(0, (end - ContinuousClock.now).seconds)
      if poll(&waiting, 1, Int32(rest * 1e3)) == 0 { throw BenchmarkFailure("a process of the row does not answer") }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(file, &bytes, bytes.count)
      if count == 0 { throw BenchmarkFailure("a process of the row has ended") }
      unread += bytes.prefix(max(0, count))
    }
  }
}
