import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The fate of unsaved changes when the store is deallocated, or the process ends.
@Suite(.timeLimit(.minutes(10)))
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
