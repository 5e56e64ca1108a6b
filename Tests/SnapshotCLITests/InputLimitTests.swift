import Foundation
import SnapshotStore
import Testing

/// No source of bytes is read without a limit.
@Suite struct InputLimitTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.makeStore()
  }

  /// Kibibytes, so that unlimited reading fails here and does not harm the machine. A sanitizer reserves more than any
  /// limit.
  #if SNAPSHOT_ADDRESS_SANITIZER || SNAPSHOT_THREAD_SANITIZER
    private static let memoryLimit = ""
  #else
    private static let memoryLimit = "ulimit -v 6000000; "
  #endif

  /// Runs a line of the shell with little memory, and returns the exit code.
  private func shell(_ line: String, environment: [String: String] = [:]) throws -> (status: Int32, error: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.currentDirectoryURL = cli.folder
    process.arguments = ["-c", "\(Self.memoryLimit)\(line) 2> error"]
    process.environment = [
      "PATH": "\(CLI.tool.deletingLastPathComponent().path):/usr/bin:/bin", "TMPDIR": cli.folder.path,
    ]
    .merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try cli.text("error"))
  }

  // A note of that length is a mistake: a device, or the wrong file.
  @Test func aNoteFromADeviceEnds() throws {
    let result = try shell("snapshot-cli add - --store notes.json < /dev/zero")
    #expect(result.status == Exit.badData)
    #expect(result.error.hasPrefix("snapshot-cli: standard input: the text is longer than the limit of "))
    #expect(try cli.run("check", "notes.json").output.hasPrefix("notes.json: ok, 2 notes"))
  }

  @Test func aFileThatIsTooLargeIsRefusedBeforeItIsRead() throws {
    let result = try shell("truncate -s 3G large; snapshot-cli check - < large")
    #expect(result.status == Exit.badData)
    #expect(
      result.error.hasPrefix("snapshot-cli: standard input: it has more than 2147483648 bytes, which is the limit"))
  }

  // The text stays where the editor has left it.
  @Test func whatAnEditorLeavesEnds() throws {
    let result = try shell(
      "snapshot-cli edit 1001 --store notes.json", environment: ["EDITOR": "truncate -s 3G"])
    #expect(result.status == Exit.badData)
    #expect(result.error.hasPrefix("snapshot-cli: the edited file: the text is longer than the limit of "))
    #expect(result.error.contains("your text is in "))
    #expect(try cli.run("check", "notes.json").output.hasPrefix("notes.json: ok, 2 notes"))
    #expect(try shell("truncate -s 0 snapshot-cli-*/*; rm -r snapshot-cli-*").status == 0)
  }

  // Anything but a regular file, such as a link to a device or a folder.
  @Test func anEditorLeavesAFile() throws {
    let result = try shell(
      "snapshot-cli edit 1001 --store notes.json", environment: ["EDITOR": "ln -sf /dev/zero"])
    #expect(result.status == Exit.ioError || result.status == Exit.badData)
    #expect(try cli.run("check", "notes.json").output.hasPrefix("notes.json: ok, 2 notes"))
  }
}
