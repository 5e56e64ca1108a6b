import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A failing save is logged once for each cause, and so is the end of the failures.
struct SaverLogTests {
  private let test = StoreUnderTest()
  private let messages = Messages()
  private var name: String { "the store “/dir/store.json”" }

  private func open(_ policy: SavePolicy = .automatic()) throws -> Store<Counters> {
    var options = StoreOptions(policy: policy)
    options.generations.interval = .seconds(1)
    options.log = { [messages] in messages.add($0) }
    return try test.open(Counters.self, options)
  }

  private func fail(_ call: String, with error: Int32) {
    test.fileSystem.injectFault { $0.name == call ? error : nil }
  }

  @Test func eachCauseIsLoggedOnce() throws {
    let store = try open()
    try store.write { try $0.set(1, to: 1) }
    fail("write", with: ENOSPC)
    test.scheduler.advance(by: .seconds(100))
    #expect(store.status.failedSaves > 5)
    let full =
      "\(name) cannot be saved: write failed: No space left on device; nothing was replaced. Its changes stay in memory, "
      + "and saving is tried again."
    #expect(messages.all == [full])
    // Another cause is another line. The first cause is not logged again.
    fail("renameat", with: EIO)
    test.scheduler.advance(by: .seconds(100))
    #expect(messages.all.count == 2)
    #expect(messages.all.last?.contains("renameat failed: Input/output error") == true)
    fail("write", with: ENOSPC)
    test.scheduler.advance(by: .seconds(100))
    #expect(messages.all.count == 2)
    // The failures end here.
    test.fileSystem.injectFault(nil)
    test.scheduler.advance(by: .seconds(100))
    #expect(messages.all.last == "\(name) is saved again")
    // From here on it is logged again.
    fail("write", with: ENOSPC)
    try store.write { try $0.set(1, to: 2) }
    test.scheduler.advance(by: .seconds(100))
    #expect(messages.all.count == 4 && messages.all.last == full)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // The line is there when the flush returns.
  @Test func aFlushThatFailsIsLoggedToo() throws {
    let store = try open(.manual)
    try store.write { try $0.set(1, to: 1) }
    fail("write", with: ENOSPC)
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(messages.all.count == 1 && messages.all[0].hasSuffix("and the next flush tries again."))
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(messages.all.count == 1)
    test.fileSystem.injectFault(nil)
    try store.closeAndWait()
    #expect(messages.all.last == "\(name) is saved again")
  }

  // A suspension ends a save that was decided before. That is no failure for the log, so neither is there an end of it.
  @Test func aSaveThatASuspensionEndsIsNotLogged() throws {
    let test = StoreUnderTest(savesAtOnce: false)
    var options = StoreOptions(policy: .immediate)
    options.log = { [messages] in messages.add($0) }
    let store = try test.open(Counters.self, options)
    for value in 1...3 {
      try store.write { try $0.set(1, to: value) }
      try store.suspendAndWait(flushing: false)
      test.runSaves()
      #expect(store.status.isDirty)
      store.resume()
      test.runSaves()
      #expect(!store.status.isDirty)
    }
    #expect(messages.all == [])
    // A failure that was told before the suspension has its end told after it.
    test.setDiskFull(true)
    try store.write { try $0.set(1, to: 4) }
    test.runSaves()
    try store.suspendAndWait(flushing: false)
    test.setDiskFull(false)
    store.resume()
    test.runSaves()
    #expect(messages.all.count == 2)
    #expect(messages.all.first?.hasPrefix("\(name) cannot be saved: ") == true)
    #expect(messages.all.last == "\(name) is saved again")
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func anExternalChangeIsLogged() throws {
    let store = try open()
    try store.write { try $0.set(1, to: 1) }
    test.bytes = try SaverExternalChangeTests.externalBytes(99)
    test.scheduler.advance(by: .seconds(100))
    #expect(messages.all.count == 1)
    #expect(messages.all[0].contains("was changed by someone else since it was opened or saved; it is not overwritten"))
    #expect(messages.all[0].hasSuffix("Open it again and repeat the change, or move one of the two aside."))
    #expect(store.snapshot().value.allViolations() == [])
  }

  // A save that could not keep the older version succeeded, but promises less.
  @Test func anOlderVersionThatIsNotKeptIsLogged() throws {
    let store = try open()
    func save(_ value: Int) throws {
      test.scheduler.advance(by: .seconds(2))
      try store.write { try $0.set(1, to: value) }
      try store.flushAndWait()
    }
    try save(1)
    #expect(messages.all == [])
    fail("linkat", with: ENOSPC)
    for value in 2...4 { try save(value) }
    #expect(messages.all.count == 1)
    #expect(messages.all.first?.hasPrefix("\(name) is saved, but no older version was kept: ") == true)
    test.fileSystem.injectFault(nil)
    try save(5)
    fail("linkat", with: ENOSPC)
    try save(6)
    #expect(messages.all.count == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aStoreThatIsDeallocatedGoesOnLogging() throws {
    try {
      let store = try open()
      try store.write { try $0.set(1, to: 1) }
      fail("write", with: ENOSPC)
    }()
    test.scheduler.advance(by: .seconds(100))
    test.fileSystem.injectFault(nil)
    test.scheduler.advance(by: .seconds(100))
    #expect(messages.all.count == 3)
    #expect(messages.all.last == "\(name) is saved again")
    #expect(try test.stored(Counters.self).left[1]?.value == 1)
  }
}
