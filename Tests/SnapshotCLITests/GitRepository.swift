import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// A real repository with a store, configured as Docs/COMMAND-LINE.md says.
final class GitRepository {
  static let tool = URL(filePath: "/usr/bin/git")
  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: tool.path) }

  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.makeStore()
    try git("init", "--quiet", "--initial-branch=main")
    try runShell(try Self.configuration())
    try git("add", "notes.json", ".gitattributes", ".gitignore")
    try git("commit", "--quiet", "--message", "The store")
  }

  /// The lines of the page that configure git for stores.
  static func configuration() throws -> String {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Docs/COMMAND-LINE.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let blocks = text.components(separatedBy: "```sh\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    return try #require(blocks.first { $0.contains("git config merge.snapshot.driver") })
  }

  @discardableResult
  func git(_ arguments: String..., failing: Bool = false) throws -> String {
    try run(Self.tool, ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"] + arguments, failing: failing)
  }

  private func runShell(_ script: String) throws {
    try run(URL(filePath: "/bin/sh"), ["-e", "-c", script], failing: false)
  }

  /// Runs a tool, with the built command line tool in the path.
  @discardableResult
  private func run(_ tool: URL, _ arguments: [String], failing: Bool) throws -> String {
    let process = Process()
    let output = cli.url(".git-output")
    try Data().write(to: output)
    process.executableURL = tool
    process.arguments = arguments
    process.currentDirectoryURL = cli.folder
    process.environment = [
      "PATH": "\(CLI.tool.deletingLastPathComponent().path):/usr/bin:/bin", "HOME": cli.folder.path,
      "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C", "GIT_PAGER": "cat", "GIT_EDITOR": "true",
    ]
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let text = try cli.text(".git-output")
    #expect((process.terminationStatus != 0) == failing, "\(tool.lastPathComponent) \(arguments): \(text)")
    return text
  }

  /// Makes a branch, changes the store on it, and goes back.
  func onBranch(_ name: String, from start: String = "main", _ change: (inout Notebook) throws -> Void) throws {
    try git("checkout", "--quiet", "-b", name, start)
    try edit("notes.json", change)
    try git("commit", "--quiet", "--all", "--message", name)
    try git("checkout", "--quiet", "main")
  }

  /// Changes the store on the current branch.
  func edit(_ name: String = "notes.json", _ change: (inout Notebook) throws -> Void) throws {
    let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
    try Store<Notebook>.update(at: cli.url(name)) { notebook in
      notebook.sources.now = { date }
      try change(&notebook)
    }
  }

  func commit(_ message: String, _ change: (inout Notebook) throws -> Void) throws {
    try edit("notes.json", change)
    try git("commit", "--quiet", "--all", "--message", message)
  }

  var notebook: Notebook {
    get throws { try SnapshotFile.read(at: cli.url("notes.json")) }
  }

  /// Requires that no other files are left: no temporary files, no locks.
  func requireNothingLeftBehind() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: cli.folder.path)
    #expect(!names.contains { $0.contains("merge_file") || $0.hasSuffix(".tmp") }, "\(names)")
  }
}
