import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Long transactions, beside others, and nested in each other.
struct StoreBackgroundTests {
  private let store = Store(Counters())

  private var values: [Int: Int] {
    store.read { Dictionary(uniqueKeysWithValues: $0.left.map { ($0.id, $0.value) }) }
  }

  /// A transaction on another thread. It would wait for ever if the waiting thread held the lock.
  private static func elsewhere(_ store: Store<Counters>, _ body: @escaping @Sendable (inout Counters) throws -> Void) {
    let ended = DispatchSemaphore(value: 0)
    Thread {
      #expect(throws: Never.self) { try store.write(body) }
      ended.signal()
    }.start()
    ended.wait()
  }

  /// A conflict is decided by what is published at the end, not by what was there for a moment.
  @Test func aConflictThatOthersTakeBackIsNone() throws {
    func counters(_ value: Int) throws -> Counters {
      var counters = Counters()
      try counters.set(1, to: value)
      return counters
    }
    let (base, draft, other) = (try counters(0), try counters(1), try counters(2))
    var change = MergedChange(draft, madeFrom: base, policy: .ours, isTransaction: true) { _ in }
    _ = change.rebase(from: base, onto: other, isQuick: false)
    #expect(change.conflicts.count == 1 && change.value == other)
    _ = change.rebase(from: other, onto: base, isQuick: false)
    #expect(change.conflicts.isEmpty && change.value == draft)
  }

  @Test func aBlockDoesNotMakeOthersWait() async throws {
    let result = try await store.performBackground(origin: "import") { [store] value in
      try value.set(1, to: 1)
      Self.elsewhere(store) { try $0.set(2, to: 2) }
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
      if run < 4 { Self.elsewhere(store) { try $0.set(1, to: 10 * run) } }
    }
    // The fourth time, no other transaction comes in between.
    #expect(runs.withLock { $0 } == 4 && values == [1: 31])
  }

  // Two blocks that each count from five to six have not counted to seven; two that take the same job have not taken
  // two.
  @Test func whatBothDidIsDoneTwice() async throws {
    try store.write { try $0.set(1, to: 5) }
    let isFirst = Mutex(true)
    try await store.performBackground { [store] value in
      try value.set(1, to: (value.left[1]?.value ?? 0) + 1)
      if isFirst.withLock({ exchange(&$0, with: false) }) {
        Self.elsewhere(store) { try $0.set(1, to: ($0.left[1]?.value ?? 0) + 1) }
      }
    }
    #expect(values == [1: 7])

    try store.write { for id in 2...4 { try $0.set(id, to: id) } }
    isFirst.withLock { $0 = true }
    let taken = try await store.performBackground { [store] value in
      let job = value.left.map(\.id).max()
      value.left.remove(job ?? 0)
      if isFirst.withLock({ exchange(&$0, with: false) }) { Self.elsewhere(store) { $0.left.remove(4) } }
      return job
    }
    #expect(taken == 3 && values == [1: 7, 2: 2])
  }

  private func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
    defer { value = new }
    return value
  }

  /// State beside the tables is part of the transaction too, and cannot be merged.
  @Test func whatIsBesideTheTablesIsNotLost() async throws {
    let store = Store(Numbered())
    for expected in [2, 4] {
      let isFirst = Mutex(true)
      try await store.performBackground { [store] value in
        try value.append()
        guard isFirst.withLock({ exchange(&$0, with: false) }) else { return }
        let ended = DispatchSemaphore(value: 0)
        Thread {
          #expect(throws: Never.self) { try store.write { try $0.append() } }
          ended.signal()
        }.start()
        ended.wait()
      }
      #expect(store.read { ($0.next, $0.list.count) } == (expected, expected))
    }
    // Where only the block changes it, the changes of others in the tables are merged.
    let runs = Mutex(0)
    try await store.performBackground { [store] value in
      runs.withLock { $0 += 1 }
      try value.append()
      let ended = DispatchSemaphore(value: 0)
      Thread {
        #expect(throws: Never.self) { try store.write { try $0.list.upsert(Counter(id: 100, value: 1)) } }
        ended.signal()
      }.start()
      ended.wait()
    }
    #expect(runs.withLock { $0 } == 1 && store.read { ($0.next, $0.list.count) } == (5, 6))
  }

  struct Numbered: Model {
    var list = Table<Counter>()
    @Transient var next = 0
    static let schema = Schema<Numbered>("numbered", version: 1, Field("list", \.list))

    mutating func append() throws {
      try list.insert(Counter(id: next, value: 0))
      next += 1
    }
  }

  // Not only when others are faster.
  @Test func aWriteInsideOfABlockTraps() async {
    await #expect(processExitsWith: .failure) {
      let store = Store(Counters())
      try await store.performBackground { [store] _ in try store.write { try $0.set(1, to: 1) } }
    }
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

  @Test func whatIsCancelledLeavesNothing() async throws {
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
    #expect(await started.arrives())
    task.cancel()
    goesOn.signal()
    #expect(await ended.arrives())
    #expect(isCancellation.withLock { $0 } == true)
    #expect(values == [:] && store.revision == 0)
  }

  @Test func anErrorComesBack() async throws {
    try await store.close()
    await #expect(throws: SnapshotError.self) { try await store.performBackground { try $0.set(1, to: 1) } }
  }

  // Two threads that each change one store and then want the other: one gets an error, the other continues, and neither
  // waits for ever.
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
    #expect(group.wait(timeout: .now() + 600) == .success)
    #expect(errors.withLock { $0.map { ($0 as? SnapshotError)?.code } } == [.wouldDeadlock])
    // The continuing one has changed both; the other is rolled back.
    #expect(a.revision + b.revision == 2)
  }
}
