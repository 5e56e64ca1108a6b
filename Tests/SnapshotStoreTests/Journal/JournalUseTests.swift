import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// How a store knows, before each line, that its journal is as it wrote it.
struct JournalUseTests {
  private static let journal = ".store.json.journal"

  /// The date of the journal is not asked for: the next sync would have to write a new one.
  @Test func aLineTakesFewCalls() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .journaled())
    for value in 1...2 {
      try store.write { try $0.set(value, to: value) }
      try store.flushAndWait()
    }
    let before = test.fileSystem.calls.count
    try store.write { try $0.set(3, to: 3) }
    try store.flushAndWait()
    let calls = test.fileSystem.calls[before...].map { "\($0.name) \($0.target)" }
    // The last one tells other processes how far the journal counts. It is not synced.
    #expect(calls == ["stat /dir", "lseek ", "stat /dir/store.json", "pwrite ", "fdatasync ", "pwrite "])
  }

  /// A program that follows the journal reads it after each line.
  @Test func readersCauseNoFolds() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .journaled())
    for value in 1...20 {
      try store.write { try $0.set(value, to: value) }
      try store.flushAndWait()
      #expect(try test.fileSystem.readJournal(beside: FileLocation(test.path, on: test.fileSystem), limit: .max) != nil)
    }
    #expect(store.status.folds == 0)
    // Its content is compared after the first reading, and its date from then on.
    let before = test.fileSystem.calls.count
    try store.write { try $0.set(21, to: 21) }
    try store.flushAndWait()
    let calls = test.fileSystem.calls[before...].map(\.name)
    #expect(calls == ["stat", "stat", "pwrite", "fdatasync", "fstat", "pwrite"])
    try store.closeAndWait()
    #expect(try test.stored() == store.snapshot().value)
  }

  /// What other programs do to a real journal.
  enum Deed: CaseIterable {
    case read, edit, truncateInPlace, remove, rename, replace, replaceFolder, linkFolder
  }

  @Test func whateverOthersDoNothingIsLost() {
    each(Deed.allCases) { (deed: Deed) throws in
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(at: folder.url("a"), withIntermediateDirectories: false)
      let url = folder.url("a").appending(path: "store.json")
      var options = StoreOptions.journaled()
      options.log = { _ in }
      let store = try Store<Counters>.open(at: url, options: options)
      for value in 1...3 {
        try store.write { try $0.set(value, to: value) }
        try store.flushAndWait()
      }
      try Self.interfere(deed, folder)
      for value in 4...6 {
        try store.write { try $0.set(value, to: value) }
        try store.flushAndWait()
        #expect(try SnapshotFile.read(Counters.self, at: url) == store.snapshot().value)
      }
      // In another folder there is another journal.
      #expect((store.status.folds == 0) == [.read, .replaceFolder, .linkFolder].contains(deed))
      try store.closeAndWait()
      #expect(try SnapshotFile.read(Counters.self, at: url) == store.snapshot().value)
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  private static func interfere(_ deed: Deed, _ folder: TemporaryFolder) throws {
    let url = folder.url("a").appending(path: journal)
    switch deed {
    case .read: _ = try Data(contentsOf: url)
    case .edit:
      let handle = try FileHandle(forUpdating: url)
      try handle.seek(toOffset: 20)
      try handle.write(contentsOf: Data("x".utf8))
      try handle.close()
    case .truncateInPlace:
      // As editors do: the same file, with the same size.
      let bytes = try Data(contentsOf: url)
      let handle = try FileHandle(forUpdating: url)
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: bytes.prefix(100) + Data(count: bytes.count - 100))
      try handle.close()
    case .remove: try FileManager.default.removeItem(at: url)
    case .rename: try FileManager.default.moveItem(at: url, to: folder.url("kept"))
    case .replace: try (try Data(contentsOf: url)).write(to: url, options: .atomic)
    case .replaceFolder, .linkFolder:
      try FileManager.default.moveItem(at: folder.url("a"), to: folder.url("b"))
      try FileManager.default.createDirectory(at: folder.url("a"), withIntermediateDirectories: false)
      let (old, new) = (folder.url("b").appending(path: "store.json"), folder.url("a").appending(path: "store.json"))
      if deed == .linkFolder {
        try FileManager.default.linkItem(at: old, to: new)
      } else {
        try FileManager.default.copyItem(at: old, to: new)
      }
    }
  }
}
