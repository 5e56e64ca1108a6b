import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Reading a file that is large enough for several threads.
struct LargeFileReadingTests {
  private static let expected = 9 << 20

  /// The file may have become shorter or longer since its size was asked.
  @Test func allBytesAreRead() {
    each(FolderUnderTest.Kind.allCases, [0, 5 << 20, Self.expected, Self.expected + 100_000]) {
      (kind: FolderUnderTest.Kind, size: Int) throws in
      try FolderUnderTest.with(kind) { folder in
        var bytes = [UInt8](repeating: 7, count: size)
        for place in stride(from: 0, to: size, by: 4_093) { bytes[place] = UInt8(truncatingIfNeeded: place >> 8) }
        folder["file"] = bytes
        let file = try folder.open("file")
        defer { folder.fileSystem.close(file) }
        let read = try folder.fileSystem.readAll(file, expected: Self.expected, limit: size)
        #expect(read == bytes)
      }
    }
  }

  @Test func theLimitCountsBytesThatCameLater() throws {
    try FolderUnderTest.with(.inMemory) { folder in
      folder["file"] = [UInt8](repeating: 7, count: Self.expected + 1)
      let file = try folder.open("file")
      defer { folder.fileSystem.close(file) }
      let error = #expect(throws: SnapshotError.self) {
        try folder.fileSystem.readAll(file, expected: Self.expected, limit: Self.expected)
      }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test func everyCallMayFail() throws {
    try FolderUnderTest.with(.inMemory) { folder in
      let bytes = [UInt8](repeating: 7, count: Self.expected)
      folder["file"] = bytes
      let location = try folder.location("file")
      for number in 1...50 {
        let observed = ObservedFileSystem(folder.fileSystem) { call, _ in call == number ? EIO : nil }
        let result = Result { try observed.readFile(at: location, limit: Self.expected).bytes }
        #expect(observed.open == [])
        if observed.faults.isEmpty {
          #expect(try result.get() == bytes)
          return
        }
        let error = #expect(throws: SnapshotError.self) { try result.get() }
        #expect(error?.systemError == EIO)
      }
      Issue.record("reading never succeeded")
    }
  }
}

extension FolderUnderTest {
  fileprivate func open(_ name: String) throws -> OpenFile {
    let directory = try fileSystem.openDirectory(path)
    defer { fileSystem.close(directory) }
    return try fileSystem.open(name, in: directory)
  }
}
