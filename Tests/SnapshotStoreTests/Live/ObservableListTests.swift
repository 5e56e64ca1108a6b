import Observation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The object for user interfaces.
@MainActor
@Suite(.timeLimit(.minutes(30)))
struct ObservableListTests {
  @Test func itFollowsAndTells() async throws {
    let store = Store(try House([Chore(id: 1)]))
    let list = ObservableList(store.observe(\.chores, sortedBy: \.rank))
    #expect(list.records.map(\.id) == [1])
    let isInvalidated = Mutex(false)
    withObservationTracking {
      _ = list.records.count
    } onChange: {
      isInvalidated.withLock { $0 = true }
    }
    var batches = 0
    list.onBatch = { [unowned list] batch in
      #expect(batch.after.elementsEqual(list.records))
      batches += 1
    }
    try store.set(Chore(id: 2))
    while batches == 0 { await Task.yield() }
    #expect(isInvalidated.withLock { $0 })
    #expect(list.records.map(\.id) == [1, 2])
  }

  @Test func whoIsDeallocatedStopsFollowing() async throws {
    let store = Store(House())
    let watch = LiveSource(store, \.chores).watch
    var list: ObservableList<Chore, NoSections>? = ObservableList(store.observe(\.chores, sortedBy: \.rank))
    await watch.untilWaiting()
    weak let object = list
    #expect(object != nil)
    list = nil
    #expect(object == nil)
    await watch.untilWaiting(0)
  }

  @Test func theNumberBeyondTheLimitIsToldOf() async throws {
    let store = Store(try House([Chore(id: 1)]))
    let list = ObservableList(store.observe(\.chores, sortedBy: \.rank, limit: 1))
    var isEmpty: Bool?
    list.onBatch = { isEmpty = $0.isEmpty }
    try store.set(Chore(id: 2))
    while isEmpty == nil { await Task.yield() }
    #expect(isEmpty == true)
    #expect(list.records.matchCount == 2)
  }
}
