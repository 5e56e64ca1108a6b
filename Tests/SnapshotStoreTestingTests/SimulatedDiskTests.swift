import Foundation
import SnapshotStore
import SnapshotStoreTesting
import Synchronization
import Testing

/// Each feature of a simulated disk, with a store.
struct SimulatedDiskTests {
  private let url = URL(fileURLWithPath: "/data/app/shelf.json")
  private let disk = SimulatedDisk(directories: [URL(fileURLWithPath: "/data/app")])

  private func open(_ disk: SimulatedDisk? = nil) throws -> Store<Shelf> {
    try Store<Shelf>.open(at: url, options: StoreOptions(policy: .manual), on: disk ?? self.disk)
  }

  private func add(_ id: Int, to store: Store<Shelf>) throws {
    try store.write { try $0.books.insert(Book(id: id, title: "Volume \(id)")) }
  }

  @Test func filesAndCallsCanBeLookedAt() throws {
    #expect(disk.files == [])
    let store = try open()
    #expect(disk.files.map(\.lastPathComponent) == [".shelf.json.lock", "shelf.json"])
    try store.closeAndWait()
    #expect(disk.files == [url])
    #expect(disk[url]?.isEmpty == false)
    #expect(disk.calls.map(\.number) == Array(1...disk.calls.count))
    #expect(disk.calls.contains { $0.operation == .rename && $0.name == "shelf.json" })
  }

  @Test func aKindOfCallFailsUntilItIsRepaired() throws {
    let store = try open()
    try add(1, to: store)
    disk.fail(.rename, with: EIO)
    let error = #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(error?.systemError == EIO)
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    disk.repair()
    try store.flushAndWait()
    #expect(store.durableRevision == 1)
  }

  // A test of faults would drown in the log of each fault.
  @Test func faultsAreNotLogged() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let disk = SimulatedDisk()
      let store = try Store<Shelf>.open(at: URL(fileURLWithPath: "/shelf.json"), on: disk)
      try store.write { try $0.books.insert(Book(id: 1, title: "Molloy")) }
      disk.fail(.rename, with: EIO)
      #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!text.contains("cannot be saved"))
  }

  @Test func everyCallFailsInTurnAndTheNextAttemptSucceeds() throws {
    let before = SimulatedDisk(directories: [url.deletingLastPathComponent()])
    var count = 0
    for disk in SimulatedDisk.failingAtEveryCall(with: EIO, startingFrom: before) {
      count += 1
      guard let store = (try? open(disk)) ?? (try? open(disk)) else {
        Issue.record("call \(count) keeps the store from opening")
        continue
      }
      try add(1, to: store)
      do { try store.flushAndWait() } catch { try store.flushAndWait() }
      try? store.closeAndWait()
      #expect(store.durableRevision == 1)
    }
    #expect(count > 20)
  }

  @Test func shortWritesAreGoneOnWith() throws {
    disk.shortenWrites(to: 3)
    let store = try open()
    try add(1, to: store)
    try store.closeAndWait()
    #expect(disk.calls.count { $0.operation == .write } > 20)
    #expect(try open().read { $0.books.count } == 1)
  }

  @Test func somethingHappensBeforeACall() throws {
    let happened = Mutex(0)
    disk.beforeCall(3) { happened.withLock { $0 += 1 } }
    try open().closeAndWait()
    #expect(happened.withLock { $0 } == 1)
  }

  @Test func nothingWorksAfterACrash() throws {
    let store = try open()
    try add(1, to: store)
    disk.crash(atCall: disk.calls.count + 1)
    #expect(!disk.hasCrashed)
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(disk.hasCrashed)
    disk.repair()
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    for state in disk.possibleStatesAfterCrash() { #expect(try open(state).read { $0.books.count } == 0) }
  }

  // Writes of a program without a sync are not safe; this test shows that the disk forgets them.
  @Test func whatWasNotSyncedMayBeGone() throws {
    disk.failCall(1, with: EIO)
    #expect(throws: SnapshotError.self) { try open() }
    disk.fail(.sync, with: EIO)
    #expect(throws: SnapshotError.self) { try open() }
    let states = disk.possibleStatesAfterCrash()
    #expect(states.contains { $0[url] == nil })
    disk.repair()
    let store = try open()
    #expect(disk.possibleStatesAfterCrash().allSatisfy { $0[url] != nil })
    try store.closeAndWait()
  }

  @Test func damageIsPutOnTheDisk() throws {
    disk[url] = Data("{".utf8)
    #expect(throws: SnapshotError.self) { try open() }
    #expect(disk[url] == Data("{".utf8))
    disk[url] = nil
    #expect(try open().read { $0.books.isEmpty })
  }

  @Test func sessionsWorkOnItToo() throws {
    try Store<Shelf>.update(at: url, on: disk) { try $0.books.insert(Book(id: 1, title: "Flatland")) }
    #expect(try open().read { $0.books.count } == 1)
  }
}
