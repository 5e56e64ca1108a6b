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
