import Foundation
import Testing

/// The files left by a signal, and the progress line.
@Suite struct SignalTests {
  let cli: CLI
  private let environment: [String: String]

  init() throws {
    cli = try CLI()
    environment = ["PATH": "/usr/bin:/bin", "TMPDIR": cli.folder.path, "TERM": "xterm"]
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func theTemporaryFolderIsRemoved(_ number: Int32) throws {
    var isSent = false
    let result = try Pseudoterminal.run(
      CLI.tool, ["demo", "--changes", "1000000"], in: cli.folder, environment: environment
    ) { text, process in
      // During the edits, with their progress line.
      guard text.contains("revision"), !isSent else { return }
      isSent = true
      kill(process.processIdentifier, number)
    }
    #expect(isSent && result.reason == .exit && result.status == 128 + number)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cli.folder.path) == [])
    #expect(result.text.hasSuffix("\r\u{1B}[K"))
    // No message about unsaved changes in a folder that is removed.
    #expect(!result.text.contains("SnapshotStore:"))
  }

  @Test func nothingOfTheProgressLineIsLeft() throws {
    let input = Pipe()
    var isGiven = false
    let result = try Pseudoterminal.run(
      CLI.tool, ["import", "csv", "-", "notes.json"], in: cli.folder, environment: environment, input: input
    ) { text, _ in
      guard text.contains("reading standard input…"), !isGiven else { return }
      isGiven = true
      try input.fileHandleForWriting.write(contentsOf: Data("text\nHello\n".utf8))
      try input.fileHandleForWriting.close()
    }
    #expect(isGiven && result.status == Exit.good)
    let last = try #require(result.text.split(separator: "\r\u{1B}[K").last)
    #expect(last.hasPrefix("added 1 note"), "\(result.text.debugDescription)")
  }

  /// A line that wraps cannot be rewritten.
  @Test(arguments: [20, 40]) func progressFitsIntoANarrowTerminal(_ columns: Int) throws {
    let rewriting = "\r\u{1B}[K"
    var isSent = false
    let result = try Pseudoterminal.run(
      CLI.tool, ["demo", "--changes", "1000000"], in: cli.folder, environment: environment, columns: columns
    ) { text, process in
      guard text.components(separatedBy: rewriting).count > 3, !isSent else { return }
      isSent = true
      kill(process.processIdentifier, SIGINT)
    }
    let lines = result.text.components(separatedBy: rewriting).dropFirst().dropLast()
    #expect(lines.count > 1 && lines.allSatisfy { $0.hasPrefix("   edits") && $0.count < columns }, "\(lines)")
  }

  // MARK: Without a descriptor

  private static let strace = URL(filePath: "/usr/bin/strace")
  /// Whether the tool exists, and may trace here.
  private static let canTrace: Bool = {
    let process = Process()
    process.executableURL = strace
    process.arguments = ["-f", "-qq", "-o", "/dev/null", "/bin/true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// The calls by which Dispatch makes its event loop. It ends the process if one of them fails.
  @Test(.enabled(if: canTrace), arguments: ["epoll_create1", "eventfd2", "epoll_ctl", "timerfd_create"])
  func noEventLoopIsNeeded(_ call: String) throws {
    try cli.write("text\nHello\n", to: "in.csv")
    // The leak check traces the process as well, and a process cannot be traced twice.
    let environment = environment.merging(["ASAN_OPTIONS": "detect_leaks=0"]) { _, new in new }
    for command in [["demo", "--changes", "4"], ["import", "csv", "in.csv", "notes.json"]] {
      let result = try Pseudoterminal.run(
        Self.strace,
        ["-f", "-qq", "-o", "/dev/null", "-e", "inject=\(call):error=EMFILE", CLI.tool.path] + command,
        in: cli.folder, environment: environment)
      #expect(result.reason == .exit && result.status == Exit.good, "\(command): \(result.text)")
    }
  }
}
