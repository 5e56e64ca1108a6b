import Foundation
import Testing

@testable import SnapshotFolders
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Folders are read without leaving them.
struct FolderReaderTests {
  private static let limits = FolderReader.Limits(fileSize: 1_000, depth: 3, count: 20)

  private func listing(
    _ folder: FolderUnderTest, _ limits: FolderReader.Limits = limits, enters: (String) -> String? = { _ in nil }
  ) throws -> [String] {
    let reader = try FolderReader(folder.path, on: folder.fileSystem, limits: limits)
    defer { reader.close() }
    let listing = try reader.listing(enters: enters)
    for file in listing.files { #expect(try reader.bytes(of: file.path) == [1]) }
    return listing.files.map(\.path) + listing.skipped.map { "\($0.path) \($0.reason)" }
  }

  private func make(_ path: String, in folder: FolderUnderTest) throws {
    var handles = [try folder.fileSystem.openDirectory(folder.path)]
    for name in path.split(separator: "/") {
      try folder.fileSystem.makeDirectory(String(name), in: handles[handles.count - 1])
      handles.append(try folder.fileSystem.openDirectory(String(name), in: handles[handles.count - 1]))
    }
    for handle in handles { folder.fileSystem.close(handle) }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases) func foldersInFolders(kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      try make("a/b/c", in: folder)
      for name in ["z.txt", "a/x", "a/b/y", "a/b/c/deep", ".hidden"] { folder[name] = [1] }
      #expect(try listing(folder) == ["a/b/y", "a/x", "z.txt", "a/b/c lies deeper than 3 folders, which is the limit"])
      #expect(try listing(folder) { $0 == "a/b" ? "no" : nil } == ["a/x", "z.txt", "a/b no"])
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases) func linksAreNotFollowed(kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      folder["file"] = [1]
      try folder.link("link", to: "file")
      #expect(try listing(folder) == ["file", "link is a symbolic link"])
      let reader = try FolderReader(folder.path, on: folder.fileSystem, limits: Self.limits)
      defer { reader.close() }
      #expect(throws: SnapshotError.self) { try reader.bytes(of: "link") }
      #expect(reader.beginning(of: "link", count: 10) == [])
    }
  }

  @Test func pipesFoldersBehindLinksAndNamesThatAreNoText() throws {
    try FolderUnderTest.with(.real) { folder in
      try FileManager.default.createSymbolicLink(atPath: folder.path + "/up", withDestinationPath: "/")
      #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
      let illegible: [CChar] = (folder.path + "/x").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xFF), 0]
      let file = fopen(illegible, "w")
      #expect(file != nil)
      if let file { fclose(file) }
      defer { unlink(illegible) }
      let expected = [
        ". has files whose names are not UTF-8; they were not read", "pipe is not a regular file",
        "up is a symbolic link",
      ]
      #expect(try listing(folder) == expected)
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases) func limits(kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      for index in 0..<21 { folder["\(index)"] = [1] }
      #expect(#expect(throws: SnapshotError.self) { try listing(folder) }?.code == .limitExceeded)
      folder.remove("0")
      #expect(try listing(folder).count == 20)
      folder["1"] = [UInt8](repeating: 1, count: 1_001)
      let reader = try FolderReader(folder.path, on: folder.fileSystem, limits: Self.limits)
      defer { reader.close() }
      let error = #expect(throws: SnapshotError.self) { try reader.bytes(of: "1") }
      #expect(error?.code == .tooLarge && error?.path == "1")
      #expect(reader.beginning(of: "1", count: 3) == [1, 1, 1])
      #expect(reader.beginning(of: "2", count: 3) == [1])
    }
  }

  @Test func whatIsNoFolder() {
    each(FolderUnderTest.Kind.allCases) { (kind: FolderUnderTest.Kind) throws in
      try FolderUnderTest.with(kind) { folder in
        folder["file"] = [1]
        for (name, code) in [
          ("file", SnapshotError.Code.notRegularFile), ("none", .fileNotFound), ("a\0b", .fileNotFound),
        ] {
          let error = #expect(throws: SnapshotError.self) {
            try FolderReader("\(folder.path)/\(name)", on: folder.fileSystem, limits: Self.limits)
          }
          #expect(error?.code == code)
        }
      }
    }
  }

  /// Whatever call fails, nothing stays open, and all readable files are read.
  @Test func failingCalls() throws {
    for number in 1...60 {
      let memory = InMemoryFileSystem(directories: ["/f", "/f/a"])
      for name in ["/f/x", "/f/a/y"] { memory[name] = [1] }
      memory.injectFault { $0.number == number ? 5 : nil }
      if let reader = try? FolderReader("/f", on: memory, limits: Self.limits) {
        let listing = try? reader.listing()
        if let listing { #expect(listing.files.count + listing.skipped.count == 2) }
        reader.close()
      }
      #expect(memory.openCount == 0)
    }
  }

  #if os(Linux)
    /// Opening a socket is an error, so it was not opened.
    @Test func whatIsNoFileIsNotOpened() throws {
      try FolderUnderTest.with(.real) { folder in
        #expect(mknod(folder.path + "/socket", S_IFSOCK | 0o600, 0) == 0)
        #expect(try listing(folder) == ["socket is not a regular file"])
        let reader = try FolderReader(folder.path, on: folder.fileSystem, limits: Self.limits)
        defer { reader.close() }
        #expect(#expect(throws: SnapshotError.self) { try reader.bytes(of: "socket") }?.code == .notRegularFile)
      }
    }
  #endif
}
