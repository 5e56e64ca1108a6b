import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Random schedules: any order of changes, flushes, timers, failures and sleeps. No two saves overlap, no waiter waits
/// for ever, and no change is forgotten.
struct SaveScheduleRandomTests {
  static let policies: [SavePolicy] = [
    .automatic(), .automatic(delay: .zero, maxDelay: .zero), .automatic(delay: .seconds(10), maxDelay: .seconds(2)),
    .immediate, .manual,
  ]

  @Test func randomSchedulesKeepEveryPromise() {
    each(Self.policies, SeededGenerator.seeds(20)) { (policy: SavePolicy, seed: UInt64) in
      var world = RandomScheduleWorld(policy: policy, seed: seed)
      for _ in 0..<4_000 { world.step() }
      world.settle()
      #expect(world.violations.prefix(5) == [])
      // A world without events would keep every promise.
      #expect(world.saves > 20)
    }
  }

  @Test func randomSchedulesWithAJournalKeepEveryPromise() {
    each(Self.policies, SeededGenerator.seeds(20)) { (policy: SavePolicy, seed: UInt64) in
      var world = RandomScheduleWorld(policy: policy, hasJournal: true, seed: seed)
      for _ in 0..<4_000 { world.step() }
      world.settle()
      #expect(world.violations.prefix(5) == [])
      #expect(world.saves > 20 && world.folds > 5)
    }
  }
}
