import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The fate of unsaved changes when the store is deallocated, or the process ends.
@Suite(.timeLimit(.minutes(30)))
struct StoreLifetimeTests {
  // The value outlives the store until it is saved.
  @Test func aStoreThatIsDroppedIsStillSaved() throws {
    let test = StoreUnderTest()
    do {
      let store = try test.open(Counters.self)
      try store.write { try $0.set(1, to: 1) }
      #expect(store.snapshot().value.allViolations() == [])
    }
    #expect(try test.stored().left[1]?.value == 1)
    #expect(test.openCount == 0)
  }

  @Test func aStoreMayBeDroppedWhileASaveWaits() throws {
    let test = StoreUnderTest(savesAtOnce: false)
    do {
      let store = try test.open(Counters.self, .immediate)
      try store.write { try $0.set(1, to: 1) }
      #expect(store.status.isSaving)
      #expect(store.snapshot().value.allViolations() == [])
    }
    test.runSaves()
    #expect(try test.stored().left[1]?.value == 1)
  }

  @Test func aStoreMayBeDroppedWhileItsSavesFail() throws {
    let test = StoreUnderTest()
    do {
      let store = try test.open(Counters.self)
      try store.write { try $0.set(1, to: 1) }
      test.setDiskFull(true)
      #expect(throws: SnapshotError.self) { try store.flushAndWait() }
      #expect(store.snapshot().value.allViolations() == [])
    }
    test.scheduler.advance(by: .seconds(60))
    test.setDiskFull(false)
    test.scheduler.advance(by: .seconds(30))
    #expect(try test.stored().left[1]?.value == 1)
  }

  // A saved store, and one in memory, are deallocated when nothing needs them.
  @Test func aStoreThatIsSavedIsDeallocated() throws {
    let test = StoreUnderTest()
    weak var dropped: Store<Counters>?
    do {
      let store = try test.open(Counters.self)
      dropped = store
      try store.write { try $0.set(1, to: 1) }
      try store.closeAndWait()
      #expect(store.snapshot().value.allViolations() == [])
    }
    #expect(dropped == nil)
  }

  /// A model with an object of the program, to see whether its value is freed.
  private struct Holder: Model {
    var counters = Table<Counter>()
    var token: Token? = nil

    final class Token: Sendable {}

    static let schema = Schema<Holder>("holder", version: 1, Field("counters", \.counters))
  }

  /// Opens a store on this folder and changes it.
  private func openHolder(
    _ test: StoreUnderTest, _ policy: SavePolicy, _ journal: JournalPolicy
  ) throws -> (Store<Holder>, Holder.Token) {
    var options = StoreOptions(policy: policy, journal: journal)
    options.log = { _ in }
    let store = try test.open(Holder.self, options)
    let token = Holder.Token()
    try store.write { holder in
      holder.token = token
      try holder.counters.insert(Counter(id: 1, value: 1))
    }
    return (store, token)
  }

  // A timer may be set that fires in a minute, or in a day.
  @Test(arguments: [
    (SavePolicy.manual, JournalPolicy.none), (.automatic(), .none), (.automatic(), .beside()),
    (.automatic(delay: .seconds(86_400), maxDelay: .seconds(86_400)), .none), (.immediate, .beside()),
  ])
  func theValueOfAClosedStoreIsFreed(_ policy: SavePolicy, _ journal: JournalPolicy) throws {
    let test = StoreUnderTest()
    weak var token: Holder.Token?
    do {
      let (store, strong) = try openHolder(test, policy, journal)
      token = strong
      try store.flushAndWait()
      test.scheduler.advance(by: .seconds(1))
      try store.write { try $0.counters.insert(Counter(id: 2, value: 2)) }
      try store.closeAndWait()
    }
    #expect(token == nil)
    #expect(try test.stored(Holder.self).counters.count == 2)
  }

  // Until it is saved, nothing but the saver itself holds the value.
  @Test(arguments: [JournalPolicy.none, .beside()])
  func theValueOfADroppedStoreIsFreedOnceItIsSaved(_ journal: JournalPolicy) throws {
    let test = StoreUnderTest()
    weak var token: Holder.Token?
    do {
      let (store, strong) = try openHolder(test, .automatic(), journal)
      token = strong
      test.setDiskFull(true)
      #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    }
    test.scheduler.advance(by: .seconds(600))
    #expect(token != nil)
    test.setDiskFull(false)
    test.scheduler.advance(by: .seconds(30))
    #expect(token == nil)
    #expect(try test.stored(Holder.self).counters.count == 1)
    #expect(test.openCount == 0)
  }

  // With the real clock. Nothing crashes, whether the save comes before the end of the process or not.
  @Test func manyStoresAreDroppedWithChangesPending() throws {
    let fileSystem = InMemoryFileSystem(directories: ["/dir"])
    for number in 0..<50 {
      let policy: SavePolicy = number % 2 == 0 ? .immediate : .automatic(delay: .zero, maxDelay: .zero)
      let store = try Store<Counters>.open(
        at: URL(fileURLWithPath: "/dir/store \(number).json"), options: StoreOptions(policy: policy),
        fileSystem: fileSystem, scheduler: DispatchScheduler())
      try store.write { try $0.set(1, to: number) }
      #expect(store.snapshot().value.allViolations() == [])
    }
  }
}
