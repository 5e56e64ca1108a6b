import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Stores with a journal on a real file system: readers beside the writer, and names that lead to something else.
@Suite(.timeLimit(.minutes(30))) struct JournalReaderTests {
  private static let journal = ".store.json.journal"

  private func open(
    _ folder: FolderUnderTest, size: Int = 1 << 20, _ policy: SavePolicy = .manual
  ) throws -> Store<Counters> {
    var options = StoreOptions.journaled(policy)
    options.journal = .beside(size: size, share: 0)
    options.externalChanges = policy == .readOnly ? .reload : .fail
    return try Store<Counters>.open(at: folder.url("store.json"), options: options)
  }

  /// The writer folds after every few lines.
  @Test func everyValueThatIsReadHasExisted() throws {
    try FolderUnderTest.with(.real) { folder in
      let store = try open(folder, size: 900)
      let durable = Atomic(0)
      let isOver = Atomic(false)
      let wrong = Mutex<[String]>([])
      let count = 150
      onThreads(3) { thread in
        if thread == 0 {
          for value in 1...count {
            do {
              try store.write { try $0.set(value % 7, to: value) }
              try store.flushAndWait()
              durable.store(value, ordering: .sequentiallyConsistent)
            } catch {
              wrong.withLock { $0.append("\(error)") }
            }
          }
          return isOver.store(true, ordering: .sequentiallyConsistent)
        }
        while !isOver.load(ordering: .sequentiallyConsistent) {
          let least = durable.load(ordering: .sequentiallyConsistent)
          do {
            let read = try SnapshotFile.read(Counters.self, at: folder.url("store.json"))
            let newest = read.left.map(\.value).max() ?? 0
            let expected = (max(1, newest - 6)...max(1, newest)).filter { newest > 0 && $0 <= newest }
            if newest < least || read.left.map(\.value).sorted() != expected {
              wrong.withLock { $0.append("\(least): \(read.left.map(\.value))") }
            }
          } catch {
            wrong.withLock { $0.append("\(error)") }
          }
        }
      }
      #expect(wrong.withLock { $0 } == [])
      #expect(store.status.folds > 10)
      try store.closeAndWait()
      #expect(folder.names == ["store.json"])
    }
  }

  @Test func aStoreThatOnlyReadsIsToldOfEveryLine() async throws {
    try await FolderUnderTest.with(.real) { folder in
      let store = try open(folder)
      let reader = try open(folder, .readOnly)
      var changes = reader.changes.makeAsyncIterator()
      for value in 1...5 {
        try store.write { try $0.set(1, to: value) }
        try await store.flush()
        while reader.read({ $0.left[1]?.value }) != value { _ = await changes.next() }
      }
      #expect(store.status.folds == 0)
      try await reader.close()
      try await store.close()
    }
  }

  /// The dates of a real file system do not look like a change by someone else.
  @Test func savesStayInTheJournalUntilItIsRemoved() throws {
    try FolderUnderTest.with(.real) { folder in
      let store = try open(folder)
      for value in 1...30 {
        try store.write { try $0.set(value, to: value) }
        try store.flushAndWait()
      }
      #expect(store.status.folds == 0)
      #expect(folder[Self.journal]?.count(where: { $0 == 0x0A }) == 31)
      folder.remove(Self.journal)
      try store.write { try $0.set(31, to: 31) }
      try store.flushAndWait()
      #expect(try SnapshotFile.read(Counters.self, at: folder.url("store.json")) == store.snapshot().value)
      try store.write { try $0.set(32, to: 32) }
      try store.flushAndWait()
      #expect(folder[Self.journal]?.count(where: { $0 == 0x0A }) == 2)
      try store.closeAndWait()
      #expect(folder.names == ["store.json"])
    }
  }

  /// None of these makes opening hang, and none is removed.
  @Test func whatIsNoFileIsAnError() {
    each(["directory", "link", "pipe"]) { kind in
      try FolderUnderTest.with(.real) { folder in
        try open(folder).closeAndWait()
        let path = folder.url(Self.journal).path
        switch kind {
        case "directory": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "link": try folder.link(Self.journal, to: "store.json")
        default: #expect(mkfifo(path, 0o600) == 0)
        }
        for policy in [SavePolicy.manual, .readOnly] {
          let error = #expect(throws: SnapshotError.self) { try open(folder, policy) }
          #expect(error?.code == .notRegularFile && error?.path == path, "\(String(describing: error))")
        }
        #expect(folder.names.count == 2)
      }
    }
  }

  /// The same while the store is open: it writes the file.
  @Test func whatIsNoFileDoesNotStopSaves() {
    each(["directory", "link", "pipe"]) { kind in
      try FolderUnderTest.with(.real) { folder in
        let store = try open(folder)
        try store.write { try $0.set(1, to: 1) }
        try store.flushAndWait()
        folder.remove(Self.journal)
        let path = folder.url(Self.journal).path
        switch kind {
        case "directory": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "link": try folder.link(Self.journal, to: "store.json")
        default: #expect(mkfifo(path, 0o600) == 0)
        }
        for value in 2...3 {
          try store.write { try $0.set(value, to: value) }
          try store.flushAndWait()
        }
        try store.closeAndWait()
        let bytes = try #require(folder["store.json"])
        #expect(try SnapshotFile.decode(Counters.self, from: bytes) == store.snapshot().value)
      }
    }
  }
}
