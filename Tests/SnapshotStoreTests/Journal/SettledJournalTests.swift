import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Operations on whole files that find a journal: it loses its name only if the file is replaced.
struct SettledJournalTests {
  private static let journal = ".store.json.journal"

  /// A file with a journal that cannot be folded, because the file was edited.
  private func edited(in folder: FolderUnderTest) throws {
    let (disk, _) = try JournalStoreTests.abandoned()
    folder["store.json"] = try SnapshotFile.encode(Counters(), as: .xml)
    folder[Self.journal] = disk[JournalStoreTests.journalPath]
  }

  @Test func aFileThatMayNotBeReplacedKeepsItsJournal() throws {
    try FolderUnderTest.with(.real) { folder in
      try edited(in: folder)
      let journal = folder[Self.journal]
      let write = { (mayReplace: Bool) in
        try SnapshotFile.write(to: folder.url("store.json"), replacing: { _ in mayReplace }) {
          append throws(SnapshotError) in try append(Array("text".utf8))
        }
      }
      #expect { try write(false) } throws: { ($0 as? SnapshotError)?.code == .fileExists }
      #expect(folder[Self.journal] == journal)
      try write(true)
      #expect(folder[Self.journal] == nil)
      #expect(folder["store.json"] == Array("text".utf8))
      let kept = try #require(folder.names.first { $0.contains(".journal-") })
      #expect(folder[kept] == journal)
    }
  }

  @Test func aRestoreThatFailsLeavesTheJournalInItsPlace() throws {
    let test = StoreUnderTest()
    var options = StoreOptions.journaled()
    options.generations = Generation.Policy(count: 3, interval: .zero)
    let store = try test.open(Counters.self, options)
    for id in 1...2 {
      try store.write { try $0.set(id, to: id) }
      try store.flushAndWait(folding: true)
    }
    try store.write { try $0.set(3, to: 3) }
    try store.flushAndWait()
    let disk = test.fileSystem.copyOfFiles()
    disk.overwrite(JournalStoreTests.journalPath) { $0[5] ^= 1 }
    let journal = try #require(disk[JournalStoreTests.journalPath])
    let generation = try #require(try test.generations.first)
    let restore = {
      try SnapshotFile.restore(
        generation, as: Counters.self, at: test.path, limits: ReadLimits(), on: disk, date: test.scheduler.date)
    }
    disk.injectFault { $0.name == "renameat" ? EIO : nil }
    #expect(throws: SnapshotError.self) { try restore() }
    #expect(disk[JournalStoreTests.journalPath] == journal)
    disk.injectFault(nil)
    _ = try restore()
    #expect(disk[JournalStoreTests.journalPath] == nil)
    #expect(disk.contents.values.contains(journal))
    #expect(try SnapshotFile.decode(Counters.self, from: #require(disk[test.path])).left.map(\.id) == [1])
  }

  @Test func withoutItsFileAJournalIsNotFolded() throws {
    try FolderUnderTest.with(.real) { folder in
      let (disk, _) = try JournalStoreTests.abandoned()
      folder[Self.journal] = disk[JournalStoreTests.journalPath]
      #expect { try SnapshotFile.fold(at: folder.url("store.json")) } throws: {
        ($0 as? SnapshotError)?.code == .foreignJournal
      }
      #expect(folder.names == [Self.journal])
    }
  }

  /// The types of the reader would accept the file alone, without what the journal has.
  @Test func anEditedFileIsNotReadWithoutItsJournal() throws {
    try FolderUnderTest.with(.real) { folder in
      var value = Counters()
      try value.set(7, to: 7)
      var bytes = try SnapshotFile.encode(value, as: .json)
      let digit = try #require(bytes.lastIndex(of: UInt8(ascii: "7")))
      bytes[digit] = UInt8(ascii: "8")
      folder["store.json"] = bytes
      let options = ReadOptions(acceptsChecksumMismatch: true)
      let read = { try SnapshotFile.read(Counters.self, at: folder.url("store.json"), options: options) }
      #expect(try read().left.map(\.value) == [8])
      let (disk, _) = try JournalStoreTests.abandoned()
      folder[Self.journal] = disk[JournalStoreTests.journalPath]
      #expect { try read() } throws: { ($0 as? SnapshotError)?.code == .foreignJournal }
    }
  }

  #if os(Linux)
    @Test func afterAFoldNothingIsOpen() throws {
      try FolderUnderTest.with(.real) { folder in
        let (disk, value) = try JournalStoreTests.abandoned()
        folder["store.json"] = disk["/dir/store.json"]
        folder[Self.journal] = disk[JournalStoreTests.journalPath]
        try SnapshotFile.fold(at: folder.url("store.json"))
        #expect(try SnapshotFile.read(Counters.self, at: folder.url("store.json")) == value)
        #expect(folder.allNames == ["store.json"])
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let open = descriptors.compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        #expect(open.filter { $0.hasPrefix(folder.path) } == [])
      }
    }
  #endif
}
