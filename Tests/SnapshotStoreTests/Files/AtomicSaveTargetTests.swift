import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The targets that may be replaced: a regular file or nothing, at the path or at the target of a symbolic link there.
struct AtomicSaveTargetTests {
  static let old = Array("old".utf8)
  static let new = Array("new".utf8)

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aSymbolicLinkIsFollowedAndKept(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      folder["file"] = Self.old
      try folder.setMode(0o640, of: "file")
      try folder.link("link", to: "file")
      try folder.link("link to the link", to: "link")
      let location = try folder.location("link to the link")
      try AtomicSave(fileSystem: folder.fileSystem, location: location).replace(with: Self.new)
      #expect(location.name == "file")
      #expect(folder["file"] == Self.new)
      #expect(try folder.mode(of: "file") == 0o640)
      #expect(folder.target(ofLink: "link") == "file")
      #expect(folder.names == ["file", "link", "link to the link"])
    }
  }

  // A new file at a place that nobody named would have no owner.
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aLinkToNothingIsRefused(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      try folder.link("link", to: "nothing")
      let error = #expect(throws: SnapshotError.self) { try folder.location("link") }
      #expect(error?.code == .notRegularFile)
      #expect(error?.path == "\(folder.path)/link")
      #expect(folder.names == ["link"])
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func linksThatLeadInACircleAreRefused(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      try folder.link("a", to: "b")
      try folder.link("b", to: "a")
      let error = #expect(throws: SnapshotError.self) {
        let location = try folder.location("a")
        try AtomicSave(fileSystem: folder.fileSystem, location: location).replace(with: Self.new)
      }
      #expect(error?.code == .notRegularFile)
      #expect(folder.names == ["a", "b"])
    }
  }

  // A link that is put there after the path was resolved must not lead the save elsewhere, and must not be replaced by
  // a file.
  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aLinkThatAppearsLaterIsNotReplaced(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      folder["other"] = Self.old
      let save = AtomicSave(fileSystem: folder.fileSystem, location: try folder.location("file"))
      try folder.link("file", to: "other")
      let error = #expect(throws: SnapshotError.self) { try save.replace(with: Self.new) }
      #expect(error?.code == .notRegularFile)
      #expect(folder.target(ofLink: "file") == "other")
      #expect(folder["other"] == Self.old)
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aDirectoryIsRefused(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let observed = ObservedFileSystem(folder.fileSystem)
      let location = try FileLocation(folder.path, on: observed)
      let error = #expect(throws: SnapshotError.self) {
        try AtomicSave(fileSystem: observed, location: location).replace(with: Self.new)
      }
      #expect(error?.code == .notRegularFile)
      #expect(folder.names == [])
      #expect(observed.open == [])
      #expect(!observed.steps.contains("create temporary"))
    }
  }

  // Opening a pipe for reading waits for a writer, unless told otherwise.
  @Test(.timeLimit(.minutes(30))) func aPipeIsRefusedWithoutWaiting() throws {
    try FolderUnderTest.with(.real) { folder in
      #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
      let location = try folder.location("pipe")
      let saving = #expect(throws: SnapshotError.self) {
        try AtomicSave(fileSystem: folder.fileSystem, location: location).replace(with: Self.new)
      }
      #expect(saving?.code == .notRegularFile)
      let reading = #expect(throws: SnapshotError.self) { try folder.fileSystem.readFile(at: location, limit: 100) }
      #expect(reading?.code == .notRegularFile)
      #expect(folder.names == ["pipe"])
    }
  }

  @Test func aDeviceIsRefused() throws {
    let fileSystem = POSIXFileSystem()
    let location = try FileLocation("/dev/null", on: fileSystem)
    let saving = #expect(throws: SnapshotError.self) {
      try AtomicSave(fileSystem: fileSystem, location: location).replace(with: Self.new)
    }
    #expect(saving?.code == .notRegularFile)
    let reading = #expect(throws: SnapshotError.self) { try fileSystem.readFile(at: location, limit: 100) }
    #expect(reading?.code == .notRegularFile)
  }
}
