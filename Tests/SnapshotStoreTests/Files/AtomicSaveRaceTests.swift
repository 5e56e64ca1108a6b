import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Other programs that use the same file without a lock: their changes are noticed until the rename.
struct AtomicSaveRaceTests {
  static let old = Array("old".utf8)
  static let new = Array("new".utf8)
  static let external = Array("somebody's work".utf8)

  // The permission is asked before anything is made, and receives the file that would be replaced.
  @Test func aSaveMayBeRefused() {
    each(FolderUnderTest.Kind.allCases, [true, false]) { (kind: FolderUnderTest.Kind, hasOldFile: Bool) throws in
      try FolderUnderTest.with(kind) { folder in
        if hasOldFile { folder["file"] = Self.old }
        let observed = ObservedFileSystem(folder.fileSystem)
        let save = AtomicSave(fileSystem: observed, location: try folder.location("file"))
        let error = #expect(throws: SnapshotError.self) {
          try save.replace(with: Self.new) { status throws(SnapshotError) in
            #expect(status?.size == (hasOldFile ? Self.old.count : nil))
            throw .diskFull
          }
        }
        #expect(error?.message == SnapshotError.diskFull.message)
        #expect(!observed.steps.contains("create temporary"))
        #expect(folder["file"] == (hasOldFile ? Self.old : nil))
        #expect(observed.open == [])
      }
    }
  }

  enum Interference: CaseIterable, Sendable { case replaced, removed, appeared }

  // An editor without a lock saves while the new file is being written.
  @Test func aChangeDuringASaveIsKept() {
    each(FolderUnderTest.Kind.allCases, Interference.allCases) {
      (kind: FolderUnderTest.Kind, interference: Interference) throws in
      for step in ["create temporary", "write temporary", "fsync temporary"] {
        try FolderUnderTest.with(kind) { folder in
          if interference != .appeared { folder["file"] = Self.old }
          let observed = ObservedFileSystem(folder.fileSystem) { _, name in
            guard name == step else { return nil }
            if interference == .removed { folder.remove("file") } else { folder["file"] = Self.external }
            return nil
          }
          let save = AtomicSave(fileSystem: observed, location: try folder.location("file"))
          let error = #expect(throws: SnapshotError.self, "\(step)") { try save.replace(with: Self.new) }
          #expect(error?.code == .changedExternally)
          #expect(error?.path == "\(folder.path)/file")
          #expect(error?.message.contains("nothing was replaced") == true)
          #expect(folder["file"] == (interference == .removed ? nil : Self.external))
          #expect(folder.names == (interference == .removed ? [] : ["file"]))
          #expect(observed.open == [])
        }
      }
    }
  }

  // Many threads save to one file, as processes would: the file is always complete, and every save counts once.
  @Test(.timeLimit(.minutes(30))) func savesOfManyThreadsDoNotMix() throws {
    try FolderUnderTest.with(.real) { folder in
      let contents = (0..<8).map { index in [UInt8](repeating: UInt8(index), count: 1_000 + index) }
      let location = try folder.location("file")
      onThreads(contents.count) { index in
        for _ in 0..<20 {
          do throws(SnapshotError) {
            let lock = try FileLock(of: location, on: folder.fileSystem, waiting: .opening(.seconds(300)))
            defer { lock.end() }
            try AtomicSave(fileSystem: folder.fileSystem, location: location).replace(with: contents[index])
          } catch {
            Issue.record("a save under the lock was disturbed: \(error)")
          }
          let read = try? folder.fileSystem.readFile(at: location, limit: 10_000).bytes
          #expect(read.map(contents.contains) == true)
        }
      }
      #expect(folder.names == ["file"])
    }
  }
}
