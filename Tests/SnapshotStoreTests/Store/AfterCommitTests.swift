import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Work that a transaction leaves for the time after it.
struct AfterCommitTests {
  private struct Failure: Error {}

  private struct Positive: Model {
    var counters = Table<Counter>()
    static let schema = Schema<Positive>(
      "positive", version: 1, Field("counters", \.counters),
      validations: [Validation("positive", on: \.counters) { counter, _ in counter.value < 0 ? "is negative" : nil }])
  }

  @Test func itIsDoneWhenTheValueIsVisible() throws {
    let store = Store(Counters())
    var seen: [String] = []
    try store.write { value in
      store.afterCommit { seen.append("first \(store.read { $0.left.count })") }
      try value.set(1, to: 1)
      store.afterCommit { seen.append("second") }
      seen.append("inside \(store.read { $0.left.count })")
    }
    #expect(seen == ["inside 0", "first 1", "second"])
    try store.write { try $0.set(2, to: 2) }
    #expect(seen.count == 3)
  }

  @Test func itIsNotDoneIfTheTransactionFails() throws {
    let store = Store(Counters())
    var count = 0
    #expect(throws: Failure.self) {
      try store.write { _ in
        store.afterCommit { count += 1 }
        throw Failure()
      }
    }
    try store.write { try $0.set(1, to: 1) }
    #expect(count == 0)
  }

  /// It may write, and leave work of its own. A transaction without an effect has succeeded too.
  @Test func itMayWrite() throws {
    let (store, other) = (Store(Counters()), Store(Counters()))
    var order: [String] = []
    try store.write { _ in
      store.afterCommit {
        try? store.write { value in
          try value.set(7, to: 7)
          store.afterCommit { order.append("inner") }
        }
        order.append("outer")
      }
      try other.write { value in
        try value.set(1, to: 1)
        other.afterCommit { order.append("other") }
      }
      order.append("body")
    }
    #expect(order == ["other", "body", "inner", "outer"])
    #expect(store.read { $0.left[7]?.value } == 7)
  }

  @Test func aRuleThatRefusesDropsIt() throws {
    let store = Store(Positive())
    var count = 0
    #expect(throws: TransactionRefusal.self) {
      try store.write { value in
        store.afterCommit { count += 1 }
        try value.counters.insert(Counter(id: 1, value: -1))
      }
    }
    #expect(count == 0)
  }

  /// What is not done is freed when the store can be written again.
  @Test func droppedWorkIsFreedOutsideTheLock() throws {
    let store = Store(Counters())
    #expect(throws: Failure.self) {
      try store.write { _ in
        let last = Last { try? store.write { try $0.set(9, to: 9) } }
        store.afterCommit { withExtendedLifetime(last) {} }
        throw Failure()
      }
    }
    #expect(store.read { $0.left[9] != nil })
  }

  private final class Last {
    private let atEnd: () -> Void
    init(_ atEnd: @escaping () -> Void) { self.atEnd = atEnd }
    deinit { atEnd() }
  }

  /// Only the transaction itself is the step of an undo.
  @Test func itIsNoPartOfAStep() throws {
    let store = Store(Counters())
    let history = UndoHistory(of: store)
    try history.perform("Add") { value in
      try value.set(1, to: 1)
      store.afterCommit { try? store.write { try $0.set(2, to: 2) } }
    }
    #expect(history.undoNames == ["Add", nil])
    try history.undo()
    #expect(store.read { $0.left.map(\.id) } == [1])
    try history.undo()
    #expect(store.read { $0.left.isEmpty })
  }

  /// Not even if the transaction changes nothing, or would join the step before.
  @Test func itIsNoPartOfAStepThatIsNone() throws {
    let store = Store(Counters())
    let history = UndoHistory(of: store, now: { .day(1) })
    try history.perform("Add") { _ in store.afterCommit { try? store.write { try $0.set(1, to: 1) } } }
    #expect(history.undoNames == [nil])
    try history.perform("Type", coalescing: "key") { try $0.set(2, to: 1) }
    try history.perform("Type", coalescing: "key") { value in
      try value.set(2, to: 2)
      store.afterCommit { try? store.write { try $0.set(3, to: 1) } }
    }
    #expect(history.undoNames == [nil, "Type", nil])
    try history.undo()
    try history.undo()
    #expect(store.read { $0.left.map(\.id) } == [1])
  }

  @Test func outsideOfATransactionItTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Store(Counters()).afterCommit {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("outside of Store.write"))
  }
}
