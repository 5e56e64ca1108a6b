import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The result of a save at the path without faults, on both file systems.
struct AtomicSaveTests {
  static let old = Array("the old content, which is longer".utf8)
  static let new = Array("the new content".utf8)

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func theContentIsReplacedAsAWhole(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      folder["file"] = Self.old
      let saved = try AtomicSave(fileSystem: folder.fileSystem, location: folder.location("file")).replace(
        with: Self.new)
      #expect(folder["file"] == Self.new)
      #expect(folder.names == ["file"])
      #expect(saved.directoryFailure == nil)
      // The store tells external changes by this status, so it must be that of the file which is now there.
      let status = try folder.fileSystem.readFile(at: folder.location("file"), limit: 100).status
      #expect(status.withoutLinks == saved.status.withoutLinks)
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aNewFileIsForItsOwnerOnly(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      try AtomicSave(fileSystem: folder.fileSystem, location: folder.location("file")).replace(with: Self.new)
      #expect(folder["file"] == Self.new)
      #expect(try folder.mode(of: "file") == 0o600)
    }
  }

  @Test func theModeOfAFileIsKept() {
    each(FolderUnderTest.Kind.allCases, [UInt32(0o600), 0o640, 0o664, 0o777, 0o200]) {
      (kind: FolderUnderTest.Kind, mode: UInt32) throws in
      try FolderUnderTest.with(kind) { folder in
        folder["file"] = Self.old
        try folder.setMode(mode, of: "file")
        let save = AtomicSave(fileSystem: folder.fileSystem, location: try folder.location("file"))
        // Only root may read a file of mode 0200.
        guard mode & 0o400 != 0 || kind == .inMemory || geteuid() == 0 else { return }
        for bytes in [Self.new, Self.old] {
          try save.replace(with: bytes)
          #expect(folder["file"] == bytes)
          #expect(try folder.mode(of: "file") == mode)
        }
      }
    }
  }

  // A rename depends on the directory only. A user who makes a file read-only does not expect it to change all the
  // same.
  @Test func aFileThatMayNotBeWrittenIsNotReplaced() {
    each(FolderUnderTest.Kind.allCases, [UInt32(0o444), 0o400]) { (kind: FolderUnderTest.Kind, mode: UInt32) throws in
      // Root may write every file.
      if kind == .real, geteuid() == 0 { return }
      try FolderUnderTest.with(kind) { folder in
        folder["file"] = Self.old
        try folder.setMode(mode, of: "file")
        let save = AtomicSave(fileSystem: folder.fileSystem, location: try folder.location("file"))
        let error = #expect(throws: SnapshotError.self) { try save.replace(with: Self.new) }
        #expect(error?.code == .ioFailed)
        #expect(error?.systemError == EACCES)
        #expect(error?.advice == "Change the permissions of the file and its folder, or save to another folder.")
        #expect(folder["file"] == Self.old)
        #expect(folder.names == ["file"])
      }
    }
  }

  private static let bytes = (0..<(3 << 20) + 7).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }

  // One byte less and more than one write takes, and nothing at all.
  @Test func everySizeIsWrittenInFull() {
    each(FolderUnderTest.Kind.allCases, [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (3 << 20) + 7]) {
      (kind: FolderUnderTest.Kind, size: Int) throws in
      try FolderUnderTest.with(kind) { folder in
        let bytes = Array(Self.bytes[..<size])
        folder["file"] = Self.old
        let saved = try AtomicSave(fileSystem: folder.fileSystem, location: folder.location("file")).replace(
          with: bytes)
        #expect(folder["file"] == bytes)
        #expect(saved.status.size == size)
      }
    }
  }

  @Test func shortWritesAreContinued() {
    each(FolderUnderTest.Kind.allCases, [1, 2, 7]) { (kind: FolderUnderTest.Kind, limit: Int) throws in
      try FolderUnderTest.with(kind) { folder in
        folder["file"] = Self.old
        let observed = ObservedFileSystem(folder.fileSystem, writeLimit: limit)
        try AtomicSave(fileSystem: observed, location: folder.location("file")).replace(with: Self.new)
        #expect(folder["file"] == Self.new)
        #expect(observed.steps.count { $0 == "write temporary" } == (Self.new.count + limit - 1) / limit)
      }
    }
  }

  @Test func shortWritesOfTheFileSystemInMemoryAreContinued() throws {
    let fileSystem = InMemoryFileSystem(directories: ["/folder"])
    fileSystem.limitWrites(to: 3)
    let location = try FileLocation("/folder/file", on: fileSystem)
    try AtomicSave(fileSystem: fileSystem, location: location).replace(with: Self.new)
    #expect(fileSystem["/folder/file"] == Self.new)
  }

  // A disk that takes nothing and reports no error must not be called for ever.
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aWriteThatTakesNothingIsAnError(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      folder["file"] = Self.old
      let observed = ObservedFileSystem(folder.fileSystem, writeLimit: 0)
      let save = AtomicSave(fileSystem: observed, location: try folder.location("file"))
      let error = #expect(throws: SnapshotError.self) { try save.replace(with: Self.new) }
      #expect(error?.code == .ioFailed)
      #expect(folder["file"] == Self.old)
      #expect(folder.names == ["file"])
      #expect(observed.open == [])
    }
  }

  // An existing file with the drawn name is not overwritten; the retry draws another name.
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aTemporaryNameThatIsTakenIsLeftAlone(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let temporary = TemporaryName(for: "file").with(35)
      folder["file"] = Self.old
      folder[temporary] = [1, 2, 3]
      var save = AtomicSave(fileSystem: folder.fileSystem, location: try folder.location("file"))
      save.random = { 35 }
      #expect(throws: SnapshotError.self) { try save.replace(with: Self.new, cleansUp: false) { _ in } }
      #expect(folder["file"] == Self.old)
      #expect(folder[temporary] == [1, 2, 3])
      save.random = { 36 }
      _ = try save.replace(with: Self.new, cleansUp: false) { _ in }
      #expect(folder["file"] == Self.new)
      #expect(folder[temporary] == [1, 2, 3])
    }
  }
}
