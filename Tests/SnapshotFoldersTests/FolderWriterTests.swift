import Foundation
import Synchronization
import Testing

@testable import SnapshotFolders
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A folder exists as a whole or not at all.
struct FolderWriterTests {
  private struct Stop: Error {}

  private func write(
    _ folder: FolderUnderTest, _ name: String = "out", intoExisting: Bool = false, throwing: Bool = false
  ) throws {
    try FolderWriter.write("\(folder.path)/\(name)", intoExisting: intoExisting, on: folder.fileSystem) { writer in
      try writer.write([1], to: "a", in: nil)
      try writer.write([2], to: "b", in: "inner", created: 1_000_000_000, modified: 2_500_000_000)
      try writer.makeFolder("empty")
      if throwing { throw Stop() }
    }
  }

  private func names(_ folder: FolderUnderTest) -> [String] {
    guard folder.kind == .real else { return folder.allNames }
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.filter { path in
      (try? FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(path)")[.type] as? FileAttributeType)
        == .typeRegular
    }.sorted()
  }

  @Test(arguments: FolderUnderTest.Kind.allCases) func aNewFolder(kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      try write(folder)
      #expect(names(folder) == ["out/a", "out/inner/b"])
      #expect(folder["out/a"] == [1] && folder["out/inner/b"] == [2])
      let reader = try FolderReader("\(folder.path)/out", on: folder.fileSystem, limits: .init())
      defer { reader.close() }
      #expect(try reader.listing().files.last?.status.modified == 2_500_000_000)
    }
  }

  @Test func anEmptyFolder() {
    each(FolderUnderTest.Kind.allCases, ["out", "out/", "out//"]) { (kind: FolderUnderTest.Kind, name: String) throws in
      try FolderUnderTest.with(kind) { folder in
        let parent = try folder.fileSystem.openDirectory(folder.path)
        try folder.fileSystem.makeDirectory("out", in: parent)
        folder.fileSystem.close(parent)
        try write(folder, name)
        #expect(names(folder) == ["out/a", "out/inner/b"])
      }
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases) func aFolderWithSomethingInIt(kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      try write(folder)
      folder["out/a"] = [9]
      folder["out/mine"] = [9]
      let error = #expect(throws: SnapshotError.self) { try write(folder) }
      #expect(error?.code == .fileExists)
      #expect(folder["out/a"] == [9])
      try write(folder, intoExisting: true)
      #expect(names(folder) == ["out/a", "out/inner/b", "out/mine"])
      #expect(folder["out/a"] == [1] && folder["out/mine"] == [9])
    }
  }

  @Test func whatIsNoFolder() {
    each(FolderUnderTest.Kind.allCases) { (kind: FolderUnderTest.Kind) throws in
      try FolderUnderTest.with(kind) { folder in
        folder["out"] = [9]
        for intoExisting in [false, true] {
          let error = #expect(throws: SnapshotError.self) { try write(folder, intoExisting: intoExisting) }
          #expect(error?.code == .fileExists)
        }
        #expect(#expect(throws: SnapshotError.self) { try write(folder, "none/out") }?.code == .fileNotFound)
        #expect(names(folder) == ["out"] && folder["out"] == [9])
      }
    }
  }

  @Test(arguments: FolderUnderTest.Kind.allCases) func whatIsThrownLeavesNothing(kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      #expect(throws: Stop.self) { try write(folder, throwing: true) }
      #expect(folder.allNames == [])
    }
  }

  /// Whatever call fails, the folder is complete or does not exist, and nothing stays open.
  @Test func failingCalls() throws {
    var failures = 0
    for number in 1...80 {
      let memory = InMemoryFileSystem(directories: ["/f"])
      memory.injectFault { $0.number == number ? 28 : nil }
      do {
        try FolderWriter.write("/f/out", intoExisting: false, on: memory, random: { 7 }) { writer in
          for name in ["a", "b"] { try writer.write([1, 2, 3], to: name, in: "inner", created: 1, modified: 2) }
        }
        #expect(memory.paths == ["/f/out/inner/a", "/f/out/inner/b"])
      } catch {
        failures += 1
        #expect(error is SnapshotError)
        #expect(memory.paths == [])
      }
      #expect(memory.openCount == 0)
    }
    #expect(failures > 10)
  }

  /// In an existing folder each file is complete: the old one or the new one.
  @Test func failingCallsInPlace() throws {
    for number in 1...60 {
      let memory = InMemoryFileSystem(directories: ["/f"])
      memory["/f/a"] = [9]
      memory.limitWrites(to: 1)
      memory.injectFault { $0.number == number ? 28 : nil }
      do {
        try FolderWriter.write("/f", intoExisting: true, on: memory) { writer in
          for name in ["a", "b"] { try writer.write([1, 2, 3], to: name, in: nil) }
        }
      } catch {
        #expect(error is SnapshotError)
      }
      let contents = memory.contents
      #expect(contents.keys.allSatisfy { ["/f/a", "/f/b"].contains($0) })
      #expect([[9], [1, 2, 3]].contains(contents["/f/a"]))
      #expect([nil, [1, 2, 3]].contains(contents["/f/b"]))
      #expect(memory.openCount == 0)
    }
  }

  /// A crash leaves at most a hidden folder, never a part of the folder itself.
  @Test func crashes() throws {
    for number in 1...60 {
      let memory = InMemoryFileSystem(directories: ["/f"])
      memory.injectEvent { $0.number == number ? .crash : nil }
      try? FolderWriter.write("/f/out", intoExisting: false, on: memory, random: { 7 }) { writer in
        for name in ["a", "b"] { try writer.write([1, 2, 3], to: name, in: "inner") }
      }
      let out = memory.contents.filter { $0.key.hasPrefix("/f/out/") }
      #expect(out.isEmpty || out == ["/f/out/inner/a": [1, 2, 3], "/f/out/inner/b": [1, 2, 3]])
    }
  }

  // An entry that cannot be opened still exists: a file that is set aside must not take its name.
  @Test func linksKeepTheirNames() throws {
    try FolderUnderTest.with(.real) { folder in
      let files = FileManager.default
      try files.createDirectory(atPath: "\(folder.path)/out", withIntermediateDirectories: false)
      folder["out/a"] = [1]
      try files.createSymbolicLink(atPath: "\(folder.path)/out/a.old", withDestinationPath: "elsewhere")
      #expect(mkfifo("\(folder.path)/out/a.2.old", 0o600) == 0)
      try FolderWriter.write("\(folder.path)/out", intoExisting: true, on: folder.fileSystem) { writer throws in
        #expect(try writer.holds("a.old", in: nil))
        #expect(try writer.holds("a.2.old", in: nil))
        #expect(try writer.holds("b", in: nil) == false)
        #expect(try writer.setAside("a", in: nil) == "a.3.old")
      }
      #expect(try files.destinationOfSymbolicLink(atPath: "\(folder.path)/out/a.old") == "elsewhere")
      #expect(folder["out/a.3.old"] == [1])
    }
  }

  /// A folder with a name similar to the library's may belong to another program.
  @Test(arguments: FolderUnderTest.Kind.allCases) func foldersOfOthersStay(kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let parent = try folder.fileSystem.openDirectory(folder.path)
      defer { folder.fileSystem.close(parent) }
      let names = [".out.abc1.tmp", ".out.3w5e11264sgsf.tmp", ".out.abcdefghijklmnopqrst.tmp", ".other.abc1.tmp"]
      for name in names {
        try folder.fileSystem.makeDirectory(name, in: parent)
        folder["\(name)/x"] = [1]
      }
      folder[".out.mine.or.yours.tmp"] = [1]
      try write(folder)
      for name in names { #expect(folder["\(name)/x"] == [1], "\(name)") }
      #expect(folder[".out.mine.or.yours.tmp"] == [1])
    }
  }

  /// The next process removes the remnants of a killed one, but not a folder that another process is writing.
  @Test(arguments: FolderUnderTest.Kind.allCases) func abandonedFoldersAreRemoved(kind: FolderUnderTest.Kind) throws {
    try FolderUnderTest.with(kind) { folder in
      let parent = try folder.fileSystem.openDirectory(folder.path)
      defer { folder.fileSystem.close(parent) }
      let (own, other) = (TemporaryName(for: "out").with(7), TemporaryName(for: "other").with(7))
      for name in [own, "\(own)/inner", other] { try folder.fileSystem.makeDirectory(name, in: parent) }
      for name in [own, "\(own)/inner", other] { folder["\(name)/x"] = [1] }
      try write(folder)
      #expect(names(folder) == ["\(other)/x", "out/a", "out/inner/b"].sorted())
      #expect(throws: SystemError.self) { try folder.fileSystem.openDirectory(own, in: parent) }
      try FolderWriter.write("\(folder.path)/second", intoExisting: false, on: folder.fileSystem) { outer in
        try outer.write([1], to: "a", in: nil)
        #expect(throws: Stop.self) { try write(folder, "second", throwing: true) }
        try outer.write([1], to: "b", in: nil)
      }
      #expect(folder["second/a"] == [1] && folder["second/b"] == [1])
    }
  }

  /// A folder with files that no export makes stays as it is.
  @Test func aFolderWithWorkOfOthersStays() throws {
    for odd in ["link", "deep/deeper/file"] {
      try FolderUnderTest.with(.real) { folder in
        let name = TemporaryName(for: "out").with(7)
        let path = "\(folder.path)/\(name)"
        try FileManager.default.createDirectory(atPath: "\(path)/deep/deeper", withIntermediateDirectories: true)
        folder["\(name)/x"] = [1]
        switch odd {
        case "link": try FileManager.default.createSymbolicLink(atPath: "\(path)/link", withDestinationPath: "x")
        default: folder["\(name)/\(odd)"] = [1]
        }
        try write(folder)
        #expect(folder["\(name)/x"] == [1])
        #expect(folder["out/a"] == [1])
      }
    }
  }

  /// A process that looks for remnants takes a folder that is not locked yet; then another one is made.
  @Test func aFolderThatIsTakenAwayBeforeItIsLocked() throws {
    for call in ["openat", "flock"] {
      let memory = InMemoryFileSystem(directories: ["/f"])
      let isFirst = Mutex(true)
      memory.injectEvent { [unowned memory] made in
        let temporary = memory.directories.first { $0.hasSuffix(".tmp") }
        guard made.name == call, let temporary,
          isFirst.withLock({ first in
            defer { first = false }
            return first
          })
        else { return nil }
        memory.removeDirectory(temporary)
        return nil
      }
      try FolderWriter.write("/f/out", intoExisting: false, on: memory) { try $0.write([1], to: "a", in: nil) }
      #expect(memory.paths == ["/f/out/a"])
      #expect(memory.openCount == 0)
    }
  }

  #if os(Linux)
    /// A file that is replaced keeps its access and its attributes. A new one is for its user only.
    @Test func aReplacedFileKeepsItsAccess() throws {
      try FileWithAccess.with(list: FileWithAccess.list()) { folder, file in
        try FolderWriter.write(at: URL(filePath: folder.path), intoExisting: true) { writer in
          try writer.write([1], to: file.name, in: nil)
          try writer.write([1], to: "new", in: nil)
        }
        #expect(folder[file.name] == [1])
        #expect(try file.list == FileWithAccess.list() && file.mode == 0o640)
        #expect(try file.attribute("user.place") == [1, 2, 3])
        #expect(try FileWithAccess(folder: folder, name: "new").mode == 0o600)
      }
    }
  #endif
}
