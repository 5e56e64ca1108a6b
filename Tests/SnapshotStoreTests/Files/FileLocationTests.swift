import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// From a user's path to a directory and a name in it.
struct FileLocationTests {
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aFileNeedNotExist(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let observed = ObservedFileSystem(folder.fileSystem)
      let location = try folder.location("file", on: observed)
      #expect(location.directory == folder.path)
      #expect(location.name == "file")
      #expect(location.path == "\(folder.path)/file")
      #expect(observed.open == [])
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func itsDirectoryMustExist(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let error = #expect(throws: SnapshotError.self) { try folder.location("missing/file") }
      #expect(error?.code == .fileNotFound)
      #expect(error?.path == "\(folder.path)/missing/file")
      #expect(error?.message.contains("missing") == true)
      #expect(error?.advice == "Create it first.")
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aFileIsNoDirectory(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      folder["file"] = [1]
      let error = #expect(throws: SnapshotError.self) { try folder.location("file/other") }
      #expect(error?.code == .notRegularFile)
    }
  }

  // Nothing is made under an invalid name.
  @Test func aPathThatNamesNoFileIsRefused() {
    each(FolderUnderTest.Kind.allCases, ["", "missing/", "missing/.", "missing/.."]) {
      (kind: FolderUnderTest.Kind, name: String) throws in
      try FolderUnderTest.with(kind) { folder in
        let path = name.isEmpty ? "" : "\(folder.path)/\(name)"
        let error = #expect(throws: SnapshotError.self) { try FileLocation(path, on: folder.fileSystem) }
        #expect(error?.code == .notRegularFile)
      }
    }
  }

  @Test func aPathWithoutDirectoryIsInTheCurrentOne() throws {
    let location = try FileLocation("no file of this name \(UUID().uuidString)", on: POSIXFileSystem())
    #expect(location.directory == (try POSIXFileSystem().resolve(".")))
    #expect(location.name.hasPrefix("no file of this name"))
  }

  // The directory is resolved once: a later change of the working directory does not redirect a save.
  @Test func aRelativePathBecomesAnAbsoluteOne() throws {
    try FolderUnderTest.with(.real) { folder in
      let depth = try POSIXFileSystem().resolve(".").split(separator: "/").count
      let relative = Array(repeating: "..", count: depth).joined(separator: "/") + folder.path + "/file"
      let location = try FileLocation(relative, on: POSIXFileSystem())
      #expect(location.directory == folder.path)
      #expect(location.path == relative)
      try AtomicSave(fileSystem: folder.fileSystem, location: location).replace(with: [1])
      #expect(folder["file"] == [1])
    }
  }

  // A name has up to 255 bytes, including the parts that a save adds to it. Names are cut between characters.
  @Test func theLongestNameCanBeSaved() {
    each(["x", "ü", "日", "👩‍👩‍👧‍👦", "e\u{301}"]) { (character: String) throws in
      try FolderUnderTest.with(.real) { folder in
        let count = 255 / character.utf8.count
        let name =
          String(repeating: character, count: count) + String(repeating: "x", count: 255 % character.utf8.count)
        #expect(name.utf8.count == 255)
        for bytes: [UInt8] in [[1], [2, 2]] {
          try AtomicSave(fileSystem: folder.fileSystem, location: folder.location(name)).replace(with: bytes)
          #expect(folder[name] == bytes)
        }
        #expect(folder.names == [name])
      }
    }
  }

  @Test func aNameThatIsTooLongIsAnError() throws {
    try FolderUnderTest.with(.real) { folder in
      let name = String(repeating: "x", count: 256)
      let error = #expect(throws: SnapshotError.self) { try folder.location(name) }
      #expect(error?.code == .ioFailed)
      #expect(error?.systemError == ENAMETOOLONG)
    }
  }
}
