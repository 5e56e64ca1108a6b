import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

@testable import TestSupport

/// A store in a folder that cannot be written: every command that changes it fails in the same way.
@Suite struct FailedWriteTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.makeStore()
  }

  /// Root may write everything, so the tool runs as another user then.
  private static let asNobody = geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"] : []

  /// Not if that user cannot run the tool in its folder.
  private static let canRun =
    (try? CLI().run(["--version"], through: asNobody)).map { $0.status == Exit.good } ?? false

  private func setMode(_ mode: mode_t, _ url: URL) { #expect(chmod(url.path, mode) == 0) }

  @Test(.enabled(if: canRun)) func theExitCodeIsTheSame() throws {
    for arguments in [["set", "notes.json", "notes", "1002", "text=Set"], ["dump", "notes.json", "-o", "made.json"]] {
      #expect(try cli.run(arguments).status == Exit.good)
    }
    // Everybody may read all of it.
    for name in try FileManager.default.subpathsOfDirectory(atPath: cli.folder.path) { setMode(0o755, cli.url(name)) }
    setMode(0o555, cli.folder)
    defer { setMode(0o755, cli.folder) }
    each([
      ["set", "notes.json", "notes", "1001", "text=Set"], ["put", "notes.json", "notes", "--force"],
      ["remove", "notes.json", "notes", "1001"], ["add", "A note", "--store", "notes.json"],
      ["delete", "1001", "--store", "notes.json"], ["tag", "1001", "Urgent", "--store", "notes.json"],
      ["tags", "rename", "Later", "Soon", "--store", "notes.json"], ["fold", "notes.json"], ["migrate", "notes.json"],
      ["restore", "made.json", "notes.json", "--force"], ["dump", "made.json", "--output", "notes.json", "--force"],
      ["generations", "notes.json", "restore", "1"],
    ]) { (command: [String]) throws in
      let result = try cli.run(command, through: Self.asNobody, input: #"{"id": 5, "text": "Put"}"#)
      #expect(result.status == Exit.cannotCreate, "\(command): \(result.error)")
      #expect(result.error.contains("Permission denied"), "\(command): \(result.error)")
      #expect(result.error.contains("The folder or the lock file cannot be written"), "\(command): \(result.error)")
    }
  }

  @Test func aMissingStoreIsNoInput() {
    each([
      ["set", "gone.json", "notes", "1001", "text=Set"], ["delete", "1001", "--store", "gone.json"],
      ["fold", "gone.json"], ["migrate", "gone.json"],
    ]) { (command: [String]) throws in
      let result = try cli.run(command)
      #expect(result.status == Exit.noInput, "\(command): \(result.error)")
    }
  }
}
