import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The status shows the time in which changes can be lost. Programs can follow it.
@Suite(.timeLimit(.minutes(30)))
struct StoreStatusTests {
  /// Makes each save take this long by the clock of the test.
  private func makeSavesTake(_ duration: Duration, _ test: StoreUnderTest) {
    let scheduler = test.scheduler
    test.fileSystem.injectFault { call in
      if call.name == "renameat" { scheduler.advance(by: duration) }
      return nil
    }
  }

  // A large store, after a save of 90 ms: the change is saved after 0.9 seconds, not after half a second.
  @Test func theDelayGrowsWithTheTimeOfASave() {
    each([(20, 500), (90, 900), (470, 4_700), (700, 5_000), (60_000, 5_000)]) { (took: Int, delay: Int) throws in
      let test = StoreUnderTest()
      let store = try test.open(Counters.self)
      #expect(store.status.saveDelay == .milliseconds(500))
      #expect(store.status.savesWithin == nil)
      makeSavesTake(.milliseconds(took), test)
      try store.write { try $0.set(1, to: 1) }
      try store.flushAndWait()
      #expect(store.status.lastSaveTook == .milliseconds(took))
      #expect(store.status.saveDelay == .milliseconds(delay))
      #expect(store.status.savesWithin == nil)

      try store.write { try $0.set(1, to: 2) }
      #expect(store.status.savesWithin == .seconds(5))
      test.scheduler.advance(by: .milliseconds(delay - 1))
      #expect(store.status.isDirty)
      #expect(store.status.savesWithin == .milliseconds(5_001 - delay))
      test.scheduler.advance(by: .milliseconds(1))
      #expect(!store.status.isDirty)
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  // Whatever follows, the save of the oldest change begins at the time in the status.
  @Test func theOldestChangeIsOnItsWayInTime() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 0) }
    let savesWithin = try #require(store.status.savesWithin)
    for value in 1...49 {
      test.scheduler.advance(by: .milliseconds(100))
      #expect(store.status.savesWithin == savesWithin - .milliseconds(100 * value))
      #expect(store.durableRevision == 0)
      try store.write { try $0.set(1, to: value) }
    }
    test.scheduler.advance(by: .milliseconds(100))
    #expect(store.durableRevision == 50)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func theTimeOfTheNextAttempt() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    try store.write { try $0.set(1, to: 1) }
    test.setDiskFull(true)
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    #expect(store.status.savesWithin == .milliseconds(500))
    test.scheduler.advance(by: .milliseconds(500))
    #expect(store.status.savesWithin == .seconds(1))
    test.scheduler.advance(by: .seconds(1_000))
    #expect(try #require(store.status.savesWithin) <= .seconds(30))
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func otherPolicies() throws {
    let waiting = StoreUnderTest(savesAtOnce: false)
    let store = try waiting.open(Counters.self, .immediate)
    #expect(store.status.saveDelay == .zero)
    try store.write { try $0.set(1, to: 1) }
    #expect(store.status.savesWithin == .zero)
    waiting.runSaves()
    #expect(store.status.savesWithin == nil)
    let manual = try StoreUnderTest().open(Counters.self, .manual)
    try manual.write { try $0.set(1, to: 1) }
    #expect(manual.status.saveDelay == nil && manual.status.savesWithin == nil)
    #expect(Store<Counters>().status.saveDelay == nil)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // MARK: Following

  @Test func eachFollowerGetsTheNewestState() async throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self)
    var (first, second) = (store.statuses.makeAsyncIterator(), store.statuses.makeAsyncIterator())
    #expect(await first.next()?.isDirty == false)
    try store.write { try $0.set(1, to: 1) }
    try store.write { try $0.set(1, to: 2) }
    var status = try #require(await first.next())
    #expect(status.isDirty && status.revision == 2)
    test.setDiskFull(true)
    test.scheduler.advance(by: .seconds(1))
    status = try #require(await first.next())
    #expect(status.isDirty && status.lastError?.systemError == ENOSPC)
    test.setDiskFull(false)
    test.scheduler.advance(by: .seconds(60))
    status = try #require(await first.next())
    #expect(!status.isDirty && status.lastError == nil && status.durableRevision == 2)
    // A follower that took nothing in between receives the newest status, not all of them.
    #expect(await second.next()?.durableRevision == 2)
    try store.closeAndWait()
    #expect(await second.next() == nil)
    #expect(await first.next() == nil)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Followers do not keep a store alive, and end when it is deallocated and saved.
  @Test(arguments: [true, false])
  func followingEndsWithTheStore(_ isChanged: Bool) async throws {
    let test = StoreUnderTest(savesAtOnce: false)
    func statusesOfAStoreThatEnds() throws -> StoreStatus.Updates {
      let store = try test.open(Counters.self)
      let statuses = store.statuses
      if isChanged { try store.write { try $0.set(1, to: 1) } }
      return statuses
    }
    var iterator = try statusesOfAStoreThatEnds().makeAsyncIterator()
    test.runSaves()
    #expect(await iterator.next()?.isDirty == false)
    #expect(await iterator.next() == nil)
    #expect(try test.stored().left[1]?.value == (isChanged ? 1 : nil))
  }

  @Test func followingAStoreInMemory() async throws {
    let store = Store<Counters>()
    var iterator = store.statuses.makeAsyncIterator()
    #expect(await iterator.next()?.isDirty == false)
    try store.closeAndWait()
    #expect(await iterator.next() == nil)
    var late = store.statuses.makeAsyncIterator()
    #expect(await late.next()?.isDirty == false)
    #expect(await late.next() == nil)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Nobody closes it, and it saves nothing.
  @Test(.timeLimit(.minutes(1))) func theStatesOfAStoreInMemoryEndWithIt() async {
    var store: Store<Counters>? = Store()
    let statuses = store?.statuses
    store = nil
    var count = 0
    if let statuses { for await _ in statuses { count += 1 } }
    #expect(count == 1)
  }
}
