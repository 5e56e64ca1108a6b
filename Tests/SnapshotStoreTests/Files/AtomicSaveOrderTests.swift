import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The order of the system calls of a save, which makes it survive a power cut. Also proof that the check of the order
/// can fail.
struct AtomicSaveOrderTests {
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aFileIsReplacedInThisOrder(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      folder["file"] = [1, 2, 3]
      let observed = ObservedFileSystem(folder.fileSystem, writeLimit: 2)
      try AtomicSave(fileSystem: observed, location: folder.location("file")).replace(with: [4, 5, 6])
      #expect(
        observed.steps == [
          "open directory", "fstatat", "faccessat", "readdir",
          "create temporary", "write temporary", "write temporary", "fchmod temporary", "fstat temporary",
          "fsync temporary", "fstatat", "fstatat", "renameat", "fsync directory",
        ])
      #expect(Self.problems(in: observed.steps) == [])
      #expect(observed.open == [])
    }
  }

  // The same order in the file system in memory, without the observer in between.
  @Test func aNewFileIsMadeInThisOrder() throws {
    let fileSystem = InMemoryFileSystem(directories: ["/folder"])
    var save = AtomicSave(fileSystem: fileSystem, location: try FileLocation("/folder/file", on: fileSystem))
    save.random = { 36 }
    let before = fileSystem.calls.count
    try save.replace(with: [1])
    let temporary = TemporaryName(for: "file").with(36)
    #expect(
      fileSystem.calls[before...].map { "\($0.name) \($0.target)" } == [
        "open /folder", "fstatat file", "readdir ", "create \(temporary)", "write ", "fstat ", "fsync ",
        "fstatat file", "fstatat file", "renameat file", "fsync ",
      ])
    #expect(fileSystem.openCount == 0)
  }

  // The negative controls: the check that the tests above pass catches writers with a missing step.
  @Test func aWriterThatForgetsToSyncIsCaught() {
    each(
      FolderUnderTest.Kind.allCases,
      [["fsync temporary"], ["fsync directory"], ["fsync temporary", "fsync directory"]]
    ) { (kind: FolderUnderTest.Kind, forgotten: [String]) throws in
      try FolderUnderTest.with(kind) { folder in
        folder["file"] = [1, 2, 3]
        let observed = ObservedFileSystem(folder.fileSystem, leavingOut: Set(forgotten))
        try AtomicSave(fileSystem: observed, location: folder.location("file")).replace(with: [4, 5, 6])
        #expect(folder["file"] == [4, 5, 6])
        #expect(Self.problems(in: observed.steps).count == forgotten.count)
      }
    }
  }

  @Test func aWrongOrderIsCaught() {
    each([
      ["create temporary", "write temporary", "renameat", "fsync temporary", "fsync directory"],
      ["create temporary", "fsync temporary", "write temporary", "renameat", "fsync directory"],
      ["create temporary", "write temporary", "fsync temporary", "fsync directory", "renameat"],
      ["open target", "write target", "fsync target", "fsync directory"],
      ["create temporary", "write temporary", "fsync temporary"],
    ]) { (steps: [String]) in
      #expect(Self.problems(in: steps) != [])
    }
  }

  /// The faults in a sequence of calls that could lose data at a power cut.
  static func problems(in steps: [String]) -> [String] {
    var problems: [String] = []
    if steps.contains("write target") { problems.append("written in place") }
    guard let rename = steps.lastIndex(of: "renameat") else { return problems + ["never renamed"] }
    let lastWrite = steps.lastIndex(of: "write temporary") ?? steps.startIndex
    if steps[rename...].contains("write temporary") { problems.append("written after the rename") }
    if lastWrite > rename || !steps[lastWrite..<rename].contains("fsync temporary") {
      problems.append("renamed before the content was synced")
    }
    if !steps[rename...].contains("fsync directory") { problems.append("the rename was not synced") }
    return problems
  }
}
