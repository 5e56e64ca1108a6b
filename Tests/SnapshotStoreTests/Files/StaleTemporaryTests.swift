import Testing

@testable import SnapshotStore

/// What a process that was killed during a save has left behind is removed by the next save of the same file, and nothing
/// else is.
struct StaleTemporaryTests {
  private static let others = [
    ".file.tmp", ".file..tmp", ".file.ABC.tmp", ".file.x y.tmp", ".file.abc.tmp2", ".files.abc.tmp", ".other.abc.tmp",
    "file.abc.tmp", ".file.abcdefghijklmn.tmp",
  ]

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func onlyTemporariesOfTheFileAreRemoved(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      for name in Self.others + [".file.abc.tmp", ".file.3w5e11264sgsf.tmp"] { folder[name] = [1] }
      let save = AtomicSave(fileSystem: folder.fileSystem, location: try folder.location("file"))
      _ = try save.replace(with: [2]) { _ in }
      #expect(folder["file"] == [2])
      #expect(folder[".file.abc.tmp"] == nil)
      #expect(folder[".file.3w5e11264sgsf.tmp"] == nil)
      for name in Self.others { #expect(folder[name] == [1], "\(name)") }
    }
  }

  /// Listing a large directory at every save would cost more than it is worth.
  @Test func aStoreLooksForThemOnce() throws {
    let fileSystem = InMemoryFileSystem(directories: ["/folder"])
    let file = try StoreFile.open(
      Notebook.self, at: "/folder/notes.json", StoreFileOptions(fileSystem: fileSystem, generations: .none)
    ).file
    var notebook = Notebook(sources: NotebookSources(noteIDs: SequentialNoteIDs()))
    for number in 0..<3 {
      _ = try notebook.addNote(text: "note \(number)")
      #expect(try file.save(notebook) != .skipped)
    }
    #expect(fileSystem.calls.filter { $0.name == "readdir" }.count == 1)
    #expect(notebook.allViolations() == [])
  }
}
