import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Main thread, background, scratchpads, undo, flushes and observers at once, on a real file. `SNAPSHOT_STRESS_SECONDS`
/// sets the time. `Scripts/stress` runs a minute of it under the thread sanitizer.
struct ChangeStressTests {
  /// Runs bodies on threads of their own until the time is over, and each at least a few times.
  private struct Crew {
    let group = DispatchGroup()
    let end = Date(
      timeIntervalSinceNow: Double(ProcessInfo.processInfo.environment["SNAPSHOT_STRESS_SECONDS"] ?? "0") ?? 0)

    func run(_ body: @escaping @Sendable (_ round: Int) throws -> Void) {
      let (group, end) = (group, end)
      group.enter()
      Thread {
        var round = 0
        while round < 50 || Date() < end {
          round += 1
          do { try body(round) } catch { Issue.record(error) }
        }
        group.leave()
      }.start()
    }

    /// Whether all threads ended. Waits on a thread of its own, so that tasks keep theirs.
    func finish() async -> Bool {
      await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: group.wait(timeout: .now() + 600) == .success) }.start()
      }
    }
  }

  private static func increment(_ value: inout Counters, _ id: Int) throws {
    try value.set(id, to: (value.left[id]?.value ?? 0) + 1)
  }

  @Test func everythingAtOnce() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("store.json")
    let store = try Store<Counters>.open(at: url)
    let counts = Mutex([:] as [Int: Int])
    @Sendable func done(_ id: Int) { counts.withLock { $0[id, default: 0] += 1 } }
    // From the first transaction on.
    let changes = store.changes
    let crew = Crew()

    // Transactions as from a main thread; their observers report them in order.
    crew.run { _ in
      try store.write(origin: "main") { try Self.increment(&$0, 1) }
      done(1)
    }
    // Background blocks, nested in transactions and the other way round.
    crew.run { _ in
      let ended = DispatchSemaphore(value: 0)
      try store.write(origin: "main") { value in
        store.performBackground(origin: "background") { value in
          _ = store.read { $0.left.count }
          try Self.increment(&value, 2)
        } completion: { _ in
          ended.signal()
        }
        try Self.increment(&value, 3)
      }
      ended.wait()
      done(2)
      done(3)
    }
    // A chain of scratchpads, committed to the end; another one that is always a step behind.
    crew.run { _ in
      let outer = store.scratchpad()
      let inner = outer.scratchpad()
      try inner.write { try Self.increment(&$0, 4) }
      try inner.commit()
      try outer.write { try Self.increment(&$0, 5) }
      try outer.commit(origin: "pad")
      done(4)
      done(5)
    }
    let shared = store.scratchpad()
    for id in [6, 7] {
      crew.run { round in
        try shared.write { try Self.increment(&$0, id) }
        done(id)
        _ = round.isMultiple(of: 3) ? try shared.refresh() : try shared.commit(origin: "pad")
      }
    }
    // Steps that are undone and redone; two of three are undone in the end.
    let history = UndoHistory(of: store, levels: 1_000_000, excluding: ["main", "background", "pad", "observer"])
    crew.run { round in
      try history.group("group") {
        try history.perform("step") { try Self.increment(&$0, 8) }
        try store.write { try Self.increment(&$0, 8) }
      }
      try history.undo()
      if round.isMultiple(of: 3) {
        try history.redo()
        done(8)
        done(8)
      }
    }
    crew.run { _ in try store.flushAndWait() }
    // An observer that writes.
    let last = Mutex(0)
    let observer = Task {
      for await change in changes {
        last.withLock { last in
          #expect(change.revision == last + 1)
          last = change.revision
        }
        if change.origin == "pad" { try store.write(origin: "observer") { try Self.increment(&$0, 9) } }
      }
    }
    // Lists that follow as long as the store is open. One is slow, and receives several commits at once.
    let lists = [false, true].map { isSlow in
      Task {
        var records: [Counter] = []
        for await update in store.observe(\.left, sortedBy: { $0.value }, sectionedBy: { $0.value % 3 }) {
          if let batch = update.batch { batch.apply(to: &records) } else { records = Array(update.list) }
          #expect(records.elementsEqual(update.list))
          if isSlow { for _ in 0..<100 { await Task.yield() } }
        }
        return records
      }
    }
    let sums = Task {
      var last = 0
      for await sum in store.observe({ $0.left.reduce(0) { $0 + $1.value } }) { last = sum }
      return last
    }
    #expect(await crew.finish(), "a deadlock")
    try shared.commit(origin: "pad")
    try await store.close()
    observer.cancel()

    let final = withExtendedLifetime(folder) { store.snapshot().value }
    let ordered = final.left.sorted { ($0.value % 3, $0.value, $0.id) < ($1.value % 3, $1.value, $1.id) }
    for list in lists { #expect(await list.value == ordered) }
    #expect(await sums.value == final.left.reduce(0) { $0 + $1.value })
    #expect(final.allViolations() == [])
    for (id, count) in counts.withLock({ $0 }) { #expect(final.left[id]?.value == count, "counter \(id)") }
    #expect(try SnapshotFile.read(Counters.self, at: url) == final)
  }
}
