import Observation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The object for one result in user interfaces.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct ObservableValueTests {
  @Test func itFollowsAndTells() async throws {
    let store = Store(try House([Chore(id: 1)]))
    let count = ObservableValue(store.observe { $0.chores.count })
    #expect(count.value == 1)
    let isInvalidated = Mutex(false)
    withObservationTracking {
      _ = count.value
    } onChange: {
      isInvalidated.withLock { $0 = true }
    }
    try store.set(Chore(id: 2))
    while count.value != 2 { await Task.yield() }
    #expect(isInvalidated.withLock { $0 })
  }

  @Test func aFunctionGetsTheFirstResultAtOnceAndEachLaterOne() async throws {
    let store = Store(try House([Chore(id: 1)]))
    var counts: [Int] = []
    var count: ObservableValue<Int>? = ObservableValue(store.observe { $0.chores.count }) { counts.append($0) }
    #expect(counts == [1])
    for id in 2...3 {
      try store.set(Chore(id: id))
      while count?.value != id { await Task.yield() }
    }
    #expect(counts == [1, 2, 3])
    count = nil
    try store.set(Chore(id: 4))
    await Task.yield()
    #expect(counts.count == 3)
  }

  /// A commit that does not change the result does not draw the view again.
  @Test func anEqualResultIsNoChange() async throws {
    let store = Store(try House([Chore(id: 1)]))
    let count = ObservableValue(store.observe { $0.chores.count })
    let watch = store.companions.companion("value") { LiveWatch<Void, Void> { 0 } }
    await watch.untilWaiting()
    withObservationTracking {
      _ = count.value
    } onChange: {
      Issue.record("the result is the same")
    }
    try store.set(Chore(id: 1, text: "changed"))
    await watch.untilWaiting()
    #expect(count.value == 1)
  }

  @Test func whoIsDeallocatedStopsFollowing() async throws {
    let store = Store(House())
    let watch = store.companions.companion("value") { LiveWatch<Void, Void> { 0 } }
    var count: ObservableValue<Int>? = ObservableValue(store.observe { $0.chores.count })
    weak let object = count
    #expect(object != nil)
    count = nil
    #expect(object == nil)
    await watch.untilWaiting(0)
  }
}
