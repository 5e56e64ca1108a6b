import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// One writer for each file, and short sessions that take turns.
@Suite(.timeLimit(.minutes(30)))
struct StoreSessionTests {
  @Test func aSecondStoreIsRefused() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self) }
    #expect(error?.code == .locked)
    // Readers need no lock.
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    let reader = try test.open(Counters.self, .readOnly)
    #expect(reader.read { $0.left[1]?.value } == 1)
    #expect(reader.openReport?.readOnlyReason == nil)
    try store.closeAndWait()
    let next = try test.open(Counters.self)
    try next.write { try $0.set(1, to: 2) }
    try next.closeAndWait()
    #expect(try test.stored().left[1]?.value == 2)
    #expect(test.paths == [test.path])
  }

  // With any spelling of the path.
  @Test func anotherSpellingIsTheSameFile() {
    each(["./store.json", "../folder/store.json", "link.json", "folder/store.json"]) { (spelling: String) throws in
      try FolderUnderTest.with(.real) { folder in
        let store = try Store<Counters>.open(at: folder.url("store.json"))
        try folder.link("link.json", to: "store.json")
        try folder.link("folder", to: ".")
        let spelling = spelling.replacing("../folder/", with: "../\(folder.url("").lastPathComponent)/")
        let error = #expect(throws: SnapshotError.self) { try Store<Counters>.open(at: folder.url(spelling)) }
        #expect(error?.code == .locked)
        try store.closeAndWait()
        try Store<Counters>.open(at: folder.url(spelling)).closeAndWait()
      }
    }
  }

  @Test func readingOnlyIsTheWayOutIfAskedFor() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    var options = StoreOptions()
    options.fallsBackToReadOnly = true
    let second = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: test.fileSystem, scheduler: test.scheduler)
    #expect(second.openReport?.readOnlyReason?.code == .locked)
    #expect(second.read { $0.left[1]?.value } == 1)
    let error = #expect(throws: SnapshotError.self) { try second.write { try $0.set(2, to: 2) } }
    #expect(error?.code == .readOnly)
    #expect(error?.message.contains("has the file open for writing") == true)
    try store.closeAndWait()
  }

  // Where nothing can be written, opening says so; on request, it opens for reading.
  @Test(arguments: [EACCES, EROFS])
  func aMediumThatCannotBeWritten(_ number: Int32) throws {
    let test = StoreUnderTest()
    try test.open(Counters.self).closeAndWait()
    test.fileSystem.injectFault { $0.target == ".store.json.lock" ? number : nil }
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self) }
    #expect(error?.code == .ioFailed)
    #expect(error?.systemError == number)
    #expect(error?.description.contains("can be opened for reading only") == true)
    var options = StoreOptions()
    options.fallsBackToReadOnly = true
    let store = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: test.fileSystem, scheduler: test.scheduler)
    #expect(store.openReport?.readOnlyReason?.systemError == number)
    #expect(store.read { $0.left.isEmpty })
    // Other failures are no reason to open in another mode.
    test.fileSystem.injectFault { $0.target == ".store.json.lock" ? EIO : nil }
    #expect(throws: SnapshotError.self) {
      try Store<Counters>.open(
        at: URL(fileURLWithPath: test.path), options: options, fileSystem: test.fileSystem, scheduler: test.scheduler)
    }
  }

  @Test func aSessionIsAllOrNothing() throws {
    let test = StoreUnderTest()
    func update<Result>(_ body: (inout Counters) throws -> Result) throws -> Result {
      try Store<Counters>.update(
        at: URL(fileURLWithPath: test.path), options: StoreOptions(), waitingAtMost: .zero,
        fileSystem: test.fileSystem, scheduler: test.scheduler, body)
    }
    #expect(
      try update {
        try $0.set(1, to: 1); return 7
      } == 7)
    #expect(try test.stored().left[1]?.value == 1)
    #expect(throws: CancellationError.self) {
      try update { counters in
        try counters.set(1, to: 2)
        throw CancellationError()
      }
    }
    #expect(try test.stored().left[1]?.value == 1)
    // A session that cannot be saved is rolled back, and lets the next one in.
    test.setDiskFull(true)
    #expect(throws: SnapshotError.self) { try update { try $0.set(1, to: 3) } }
    test.setDiskFull(false)
    #expect(try test.stored().left[1]?.value == 1)
    try update { try $0.set(1, to: $0.left[1]!.value + 1) }
    #expect(try test.stored().left[1]?.value == 2)
    #expect(test.openCount == 0)
    #expect(test.paths == [test.path])
  }

  @Test func sessionsOfManyThreadsLoseNothing() throws {
    try FolderUnderTest.with(.real) { folder in
      let url = folder.url("store.json")
      onThreads(6) { thread in
        for number in 0..<10 {
          do {
            try Store<Counters>.update(at: url, waitingAtMost: .seconds(300)) { counters in
              try counters.set(0, to: (counters.left[0]?.value ?? 0) + 1)
              try counters.set(1 + thread * 10 + number, to: number)
            }
          } catch {
            Issue.record("\(error)")
          }
        }
      }
      let counters = try SnapshotFile.read(Counters.self, at: url)
      #expect(counters.left[0]?.value == 60)
      #expect(counters.left.count == 61)
      #expect(folder.allNames == [".store.json.generations", "store.json"])
    }
  }

  // A deallocated store reports the fate of its changes, and lets the next one in.
  @Test(arguments: [SavePolicy.automatic(), .immediate, .manual])
  func aStoreThatIsDeallocatedSaysSo(_ policy: SavePolicy) throws {
    let test = StoreUnderTest()
    let messages = Mutex<[String]>([])
    func deallocate(changing: Bool) throws {
      var options = StoreOptions(policy: policy)
      options.log = { message in messages.withLock { $0.append(message) } }
      let store = try Store<Counters>.open(
        at: URL(fileURLWithPath: test.path), options: options, fileSystem: test.fileSystem, scheduler: test.scheduler)
      if changing { try store.write { try $0.set(1, to: 1) } }
    }
    try deallocate(changing: false)
    #expect(messages.withLock { $0 } == [])
    try deallocate(changing: true)
    let expected =
      policy == .manual
      ? ["was deallocated without close(); its policy is manual, so its last changes are lost"]
      : policy == .immediate ? [] : ["was deallocated without close(); its last changes are being saved"]
    #expect(messages.withLock { $0 } == expected.map { "the store “/dir/store.json” \($0)" })
    #expect(try test.stored().left[1]?.value == (policy == .manual ? nil : 1))
    try test.open(Counters.self).closeAndWait()
    #expect(test.openCount == 0)
  }

  @Test func aStoreThatIsDeallocatedKeepsTryingAndThenLetsOthersIn() throws {
    let test = StoreUnderTest()
    let messages = Mutex<[String]>([])
    do {
      var options = StoreOptions()
      options.log = { message in messages.withLock { $0.append(message) } }
      let store = try Store<Counters>.open(
        at: URL(fileURLWithPath: test.path), options: options, fileSystem: test.fileSystem, scheduler: test.scheduler)
      try store.write { try $0.set(1, to: 1) }
      test.setDiskFull(true)
    }
    #expect(messages.withLock { $0.last }?.contains("cannot be saved: write failed") == true)
    #expect(throws: SnapshotError.self) { try test.open(Counters.self) }
    test.setDiskFull(false)
    test.scheduler.advance(by: .seconds(60))
    #expect(try test.stored().left[1]?.value == 1)
    try test.open(Counters.self).closeAndWait()
  }

  // A refused session leaves nothing, not even an empty file.
  @Test(arguments: ["store.json", "store.plist", "store.ndjson"]) func aRefusedFirstSessionLeavesNothing(_ name: String)
    throws
  {
    try FolderUnderTest.with(.real) { folder in
      let url = folder.url(name)
      #expect(throws: CancellationError.self) {
        try Store<Counters>.update(at: url) { _ in throw CancellationError() }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url("").path) == [])
      // A session without a change makes the file, as requested.
      try Store<Counters>.update(at: url) { _ in }
      #expect(try SnapshotFile.read(Counters.self, at: url).left.isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url("").path) == [name])
      // An existing file stays as it was.
      let bytes = try Data(contentsOf: url)
      #expect(throws: CancellationError.self) {
        try Store<Counters>.update(at: url) { counters in
          try counters.set(1, to: 1)
          throw CancellationError()
        }
      }
      #expect(try Data(contentsOf: url) == bytes)
    }
  }
}
