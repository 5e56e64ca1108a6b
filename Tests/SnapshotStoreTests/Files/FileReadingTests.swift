import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Reading a whole file: all of it, or an error with the fault of the path.
struct FileReadingTests {
  @Test func allBytesAreRead() {
    each(FolderUnderTest.Kind.allCases, [0, 1, 65_535, 65_536, 65_537, 200_000]) {
      (kind: FolderUnderTest.Kind, size: Int) throws in
      try FolderUnderTest.with(kind) { folder in
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 17) }
        folder["file"] = bytes
        let observed = ObservedFileSystem(folder.fileSystem)
        let content = try observed.readFile(at: folder.location("file"), limit: size)
        #expect(content.bytes == bytes)
        #expect(content.status.size == size)
        #expect(content.status.kind == .regular)
        #expect(observed.open == [])
      }
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aFileBeyondTheLimitIsRefusedUnread(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      folder["file"] = [1, 2, 3, 4]
      let observed = ObservedFileSystem(folder.fileSystem)
      let error = #expect(throws: SnapshotError.self) { try observed.readFile(at: folder.location("file"), limit: 3) }
      #expect(error?.code == .tooLarge)
      #expect(error?.path == "\(folder.path)/file")
      #expect(!observed.steps.contains("read target"))
      #expect(observed.open == [])
    }
  }

  // Files of the kernel report a size of zero and have content. The limit counts the bytes read, not the reported size.
  #if os(Linux)
    @Test func aFileThatSaysItIsSmallerThanItIsIsReadInFull() throws {
      let fileSystem = POSIXFileSystem()
      let location = try FileLocation("/proc/cpuinfo", on: fileSystem)
      let content = try fileSystem.readFile(at: location, limit: 1 << 20)
      #expect(try fileSystem.statusIfAny(at: location)?.size == 0)
      #expect(!content.bytes.isEmpty && content.status.size == content.bytes.count)
      let error = #expect(throws: SnapshotError.self) { try fileSystem.readFile(at: location, limit: 10) }
      #expect(error?.code == .tooLarge)
    }
  #endif

  /// A date may exceed every number of nanoseconds.
  @Test func aDateFarAway() throws {
    try FolderUnderTest.with(.real) { folder in
      folder["old"] = [1]
      var times = [timespec(tv_sec: 10_000_000_000, tv_nsec: 0), timespec(tv_sec: 10_000_000_000, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, folder.path + "/old", &times, 0) == 0)
      let status = try folder.fileSystem.readFile(at: folder.location("old"), limit: 10).status
      #expect(status.modified == .max)
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aMissingFileIsNotFound(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let location = try folder.location("missing")
      let error = #expect(throws: SnapshotError.self) { try folder.fileSystem.readFile(at: location, limit: 100) }
      #expect(error?.code == .fileNotFound)
      #expect(error?.path == "\(folder.path)/missing")
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aDirectoryIsNoFile(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let observed = ObservedFileSystem(folder.fileSystem)
      let location = try FileLocation(folder.path, on: observed)
      let error = #expect(throws: SnapshotError.self) { try observed.readFile(at: location, limit: 100) }
      #expect(error?.code == .notRegularFile)
      #expect(observed.open == [])
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases)
  func aSymbolicLinkIsRead(_ kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      folder["file"] = [7]
      try folder.link("link", to: "file")
      #expect(try folder.fileSystem.readFile(at: folder.location("link"), limit: 100).bytes == [7])
    }
  }

  @Test func everyCallMayFail() {
    each(FolderUnderTest.Kind.allCases) { (kind: FolderUnderTest.Kind) throws in
      try FolderUnderTest.with(kind) { folder in
        folder["file"] = [1, 2, 3]
        let location = try folder.location("file")
        for number in 1...50 {
          let observed = ObservedFileSystem(folder.fileSystem) { call, _ in call == number ? EIO : nil }
          let result = Result { try observed.readFile(at: location, limit: 100).bytes }
          #expect(observed.open == [])
          if observed.faults.isEmpty {
            #expect(try result.get() == [1, 2, 3])
            return
          }
          let error = #expect(throws: SnapshotError.self) { try result.get() }
          #expect(error?.code == .ioFailed)
          #expect(error?.systemError == EIO)
          #expect(error?.path == location.path)
        }
        Issue.record("reading never succeeded")
      }
    }
  }
}
