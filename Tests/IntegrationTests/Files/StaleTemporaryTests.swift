import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The next save of a file removes the remnants of a process that was killed during a save of the same file. It removes
/// no other file.
struct StaleTemporaryTests {
  private static let others = [
    ".file.tmp", ".file..tmp", ".file.ABC.tmp", ".file.x y.tmp", ".file.abc.tmp2", ".files.abc.tmp", ".other.abc.tmp",
    "file.abc.tmp", ".file.abcdefghijklmn.tmp", ".file.backup.tmp", ".file.3w5e11264sgsf.tmp", ".file.copy.tmp",
    ".file.abcdefghijklmnopqrst.tmp", ".file.00000000000000000000.tmp",
  ]

  /// Every digit of a name counts, so a name that a person chose is not one of these.
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func onlyTemporariesOfTheFileAreRemoved(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      for name in Self.others { folder[name] = [1] }
      let save = AtomicSave(fileSystem: folder.fileSystem, location: try folder.location("file"))
      _ = try save.replace(with: [2]) { _ in }
      #expect(folder["file"] == [2])
      for name in Self.others { #expect(folder[name] == [1], "\(name)") }
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aTemporaryOfTheFileIsRemoved(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let location = try folder.location("file")
      let names = [0, 1, .max, 0x1234_5678_9ABC_DEF0].map(TemporaryName(for: location).with)
      for name in names {
        #expect(TemporaryName.isMade(name) && TemporaryName(for: location).isForm(of: name))
        folder[name] = [1]
      }
      let other = TemporaryName(for: "other").with(7)
      folder[other] = [1]
      try AtomicSave(fileSystem: folder.fileSystem, location: location).replace(with: [2])
      #expect(folder.allNames == [other, "file"].sorted())
    }
  }

  /// The name is one proof, the file another. Root may save a file, and then the temporary belongs to the file's owner.
  @Test func whatIsNotTheUsersStays() throws {
    let fileSystem = InMemoryFileSystem(directories: ["/folder"])
    let location = try FileLocation("/folder/file", on: fileSystem)
    let name = TemporaryName(for: location)
    fileSystem["/folder/file"] = [1]
    fileSystem.setOwner(501, of: "/folder/file")
    let paths = (0..<4 as Range<UInt64>).map { "/folder/\(name.with($0))" }
    for path in paths[..<3] { fileSystem[path] = [1] }
    fileSystem.setOwner(501, of: paths[1])
    fileSystem.setOwner(502, of: paths[2])
    fileSystem.placeDirectory(paths[3])
    try AtomicSave(fileSystem: fileSystem, location: location).replace(with: [2])
    #expect(fileSystem.paths == [paths[2], "/folder/file"])
    #expect(fileSystem.directories == ["/", "/folder", paths[3]])
  }

  /// A file system without hard links copies a file that it keeps. The copy must not replace another file.
  @Test func keepingAFileRemovesNoOther() throws {
    let fileSystem = InMemoryFileSystem(directories: ["/folder"])
    for name in Self.others + ["file"] { fileSystem["/folder/\(name)"] = [1] }
    fileSystem.injectFault { $0.name == "linkat" ? EPERM : nil }
    let location = try FileLocation("/folder/file", on: fileSystem)
    _ = try Quarantine.keep(location, on: fileSystem, date: Date(timeIntervalSince1970: 0))
    for name in Self.others { #expect(fileSystem["/folder/\(name)"] == [1], "\(name)") }
    #expect(fileSystem.paths.count == Self.others.count + 2)
    // The next process removes a copy that a killed one has begun.
    let begun = "/folder/" + TemporaryName(for: "file").with(1)
    fileSystem[begun] = [1]
    _ = try Quarantine.keep(location, on: fileSystem, date: Date(timeIntervalSince1970: 0))
    #expect(fileSystem[begun] == nil && fileSystem.paths.count == Self.others.count + 3)
  }

  /// Listing a large directory at every save would cost too much.
  @Test func aStoreLooksForThemOnce() throws {
    let fileSystem = InMemoryFileSystem(directories: ["/folder"])
    let file = try StoreFile<Notebook>.open(
      at: "/folder/notes.json", StoreFileOptions(fileSystem: fileSystem, generations: .none)
    ).file
    var notebook = Notebook(sources: NotebookSources(nextNoteID: sequentialNoteIDs()))
    for number in 0..<3 {
      _ = try notebook.addNote(text: "note \(number)")
      #expect(try file.save(notebook) != .skipped)
    }
    #expect(fileSystem.calls.filter { $0.name == "readdir" }.count == 1)
    #expect(notebook.allViolations() == [])
  }
}
