import Dispatch
import Synchronization
import Testing

@testable import SnapshotStore

/// Transactions that take a while, beside others, and nested in each other.
struct StoreBackgroundTests {
  private let store = Store(Counters())

  private var values: [Int: Int] {
    store.read { Dictionary(uniqueKeysWithValues: $0.left.map { ($0.id, $0.value) }) }
  }

  @Test func aBlockDoesNotMakeOthersWait() async throws {
    let result = try await store.performBackground(origin: "import") { [store] value in
      try value.set(1, to: 1)
      // It would wait for itself if the block held the lock.
      try store.write { try $0.set(2, to: 2) }
      return 3
    }
    #expect(result == 3 && values == [1: 1, 2: 2])
    #expect(store.revision == 2)
  }

  @Test func aBlockThatWasOvertakenRunsAgain() async throws {
    let runs = Mutex(0)
    try await store.performBackground { [store] value in
      let run = runs.withLock {
        $0 += 1
        return $0
      }
      try value.set(1, to: (value.left[1]?.value ?? 0) + 1)
      if run < 4 { try store.write { try $0.set(1, to: 10 * run) } }
    }
    // The fourth time, nobody comes in between.
    #expect(runs.withLock { $0 } == 4 && values == [1: 31])
  }

  @Test func changesArriveInTheirOrder() async throws {
    let changes = store.changes
    for number in 1...50 {
      store.performBackground(origin: Origin("\(number)"), { try $0.set(1, to: number) }, completion: { _ in })
    }
    try await store.performBackground { try $0.set(2, to: 2) }
    try await store.close()
    var seen: [Int] = []
    for await change in changes { seen.append(change.after.left[1]?.value ?? 0) }
    #expect(seen == Array(1...50) + [50])
  }

  @Test func whatIsCancelledLeavesNothing() throws {
    let (started, goesOn, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let isCancellation = Mutex(nil as Bool?)
    let task = Task { [store] in
      defer { ended.signal() }
      do {
        try await store.performBackground { value in
          try value.set(1, to: 1)
          started.signal()
          goesOn.wait()
        }
      } catch {
        isCancellation.withLock { $0 = error is CancellationError }
      }
    }
    started.wait()
    task.cancel()
    goesOn.signal()
    ended.wait()
    #expect(isCancellation.withLock { $0 } == true)
    #expect(values == [:] && store.revision == 0)
  }

  @Test func anErrorComesBack() async throws {
    try await store.close()
    await #expect(throws: SnapshotError.self) { try await store.performBackground { try $0.set(1, to: 1) } }
  }

  // Two threads that each change one store and then want the other: one gives way, the other goes on, nobody waits for ever.
  @Test func storesInOppositeOrdersDoNotBlockEachOther() throws {
    let (a, b) = (Store(Counters()), Store(Counters()))
    let (hasA, hasB) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let errors = Mutex([] as [any Error])
    let group = DispatchGroup()
    func run(_ outer: Store<Counters>, _ inner: Store<Counters>, _ has: DispatchSemaphore, _ other: DispatchSemaphore) {
      DispatchQueue.global().async(group: group) {
        do {
          try outer.write { value in
            try value.set(1, to: 1)
            has.signal()
            other.wait()
            try inner.write { try $0.set(2, to: 2) }
          }
        } catch {
          errors.withLock { $0.append(error) }
        }
      }
    }
    run(a, b, hasA, hasB)
    run(b, a, hasB, hasA)
    #expect(group.wait(timeout: .now() + 60) == .success)
    #expect(errors.withLock { $0.map { ($0 as? SnapshotError)?.code } } == [.wouldDeadlock])
    // The one that went on has changed both; of the other nothing remains.
    #expect(a.revision + b.revision == 2)
  }
}
