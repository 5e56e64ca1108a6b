import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A file is set back to an older version, and its present content is kept.
struct GenerationRestoreTests {
  @Test func aGenerationIsRestored() throws {
    let test = StoreUnderTest()
    try GenerationTests.save(1...3, in: test, every: .seconds(4000))
    let oldest = try #require(try test.generations.last)
    func restore(_ generation: Generation) throws -> String? {
      try SnapshotFile.restore(
        generation, as: Counters.self, at: test.path, limits: ReadLimits(), on: test.fileSystem,
        date: test.scheduler.date)
    }
    #expect(try restore(oldest) == nil)
    #expect(try test.stored().left[1]?.value == 1)
    // The old file is kept, so this can be undone too, and no other one had to be removed.
    #expect(try test.generations.map { try GenerationTests.value(of: $0, in: test) } == [3, 2, 1])
    #expect(try restore(try #require(try test.generations.first)) == nil)
    #expect(try test.stored().left[1]?.value == 3)

    // In place of a damaged file, which stays under another name.
    test.bytes = Array("{".utf8)
    let damaged = try #require(try restore(oldest))
    #expect(damaged.hasPrefix("/dir/store.damaged-2026-"))
    #expect(test.fileSystem[damaged] == Array("{".utf8))
    #expect(try test.stored().left[1]?.value == 1)

    // A damaged generation does not replace any file.
    let newest = try #require(try test.generations.first)
    test.fileSystem["/dir/.store.json.generations/\(newest.url.lastPathComponent)"] = Array("{".utf8)
    #expect(throws: SnapshotError.self) { try restore(newest) }
    #expect(try test.stored().left[1]?.value == 1)
    // An open store has its value in memory, and must not be surprised.
    let store = try test.open(Counters.self, .manual)
    #expect(throws: SnapshotError.self) { try restore(oldest) }
    try store.closeAndWait()
  }

  // One sync for the folder of generations, and one for the folder of the file.
  @Test func aKeptFileIsSyncedOnce() throws {
    let test = StoreUnderTest()
    try GenerationTests.save(1...2, in: test, every: .seconds(4000))
    let disk = test.fileSystem
    let before = disk.calls.count
    try GenerationFolder(fileSystem: disk, location: FileLocation(test.path, on: disk)).keepFile(
      date: test.scheduler.date)
    #expect(disk.calls[before...].count { $0.name == "fsync" } == 2)
  }

  @Test func whatSomeoneWritesDuringARestoreIsNotReplaced() throws {
    let test = StoreUnderTest()
    try GenerationTests.save(1...2, in: test, every: .seconds(4000))
    let oldest = try #require(try test.generations.last)
    let theirs = try SnapshotFile.encode(Counters(), as: .json)
    let (disk, path) = (test.fileSystem, test.path)
    let isKept = Atomic(false)
    disk.injectEvent { call in
      // After the content of the file was kept, and before it is replaced.
      if call.name == "linkat" { isKept.store(true, ordering: .relaxed) }
      if call.name != "linkat", isKept.exchange(false, ordering: .relaxed) { disk[path] = theirs }
      return nil
    }
    let error = #expect(throws: SnapshotError.self) {
      try SnapshotFile.restore(
        oldest, as: Counters.self, at: path, limits: ReadLimits(), on: disk, date: test.scheduler.date)
    }
    #expect(error?.code == .changedExternally)
    #expect(test.bytes == theirs)
  }
}
