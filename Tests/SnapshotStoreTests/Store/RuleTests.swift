import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Derived values, and refused values.
struct RuleTests {
  /// The right table has, under the id 0, the sum of the left one; and under the id 1 twice that.
  struct Sums: Model {
    var left = Table<Counter>()
    var right = Table<Counter>()

    static let schema = Schema<Sums>(
      "sums", version: 1,
      Field("left", \.left),
      Field("right", \.right),
      rules: [
        // Declared before the rule that it depends on, so it takes two rounds.
        Rule("double", on: \.right) { changes, value in
          guard let sum = changes.first(where: { $0.id == 0 })?.after else { return }
          try value.right.upsert(Counter(id: 1, value: 2 * sum.value))
        },
        Rule("sum", on: \.left) { changes, value in
          let difference = changes.reduce(0) { $0 + ($1.after?.value ?? 0) - ($1.before?.value ?? 0) }
          let old = value.right[0]?.value ?? 0
          try value.right.upsert(Counter(id: 0, value: old + difference))
        },
        // Writes an equal record: that is no change, and must not go on for ever.
        Rule("same") { _, value in
          if let sum = value.right[0] { try value.right.upsert(sum) }
        },
        Rule("endless", on: \.left) { changes, value in
          guard let counter = changes.lazy.compactMap(\.after).first(where: { $0.value < 0 }) else { return }
          try value.left.upsert(Counter(id: counter.id, value: counter.value - 1))
        },
      ],
      validations: [
        Validation("small", on: \.left) { counter, _ in counter.value > 1000 ? "is more than 1000" : nil },
        Validation("few") { change in
          change.after.left.count > 5 ? [Violation(place: "left", message: "holds more than 5")] : []
        },
      ])
  }

  private let store = Store(Sums())

  private var right: [Int] { store.read { $0.right.map(\.value) } }

  @Test func valuesFollowOthers() throws {
    try store.write { value in
      try value.left.insert(Counter(id: 1, value: 5))
      try value.left.insert(Counter(id: 2, value: 6))
    }
    #expect(right == [11, 22] && store.revision == 1)
    try store.write { _ = $0.left.remove(1) }
    #expect(right == [6, 12])
  }

  // A file is not validated when it is opened. The check of a whole value is the way to find such records.
  @Test func recordsThatBreakAValidationAreViolations() throws {
    var sums = Sums()
    for id in 1...6 { try sums.left.insert(Counter(id: id, value: 1_000 * (id / 6 + 1))) }
    // “few” is about a transaction, and “small” about each record.
    #expect(sums.allViolations() == ["left 6: is more than 1000"])
    try sums.left.update(6) { $0.value = 1 }
    #expect(sums.allViolations() == [])
  }

  @Test func rulesThatNeverRestAreFoundOut() throws {
    let refusal = #expect(throws: TransactionRefusal.self) {
      try store.write { try $0.left.insert(Counter(id: 1, value: -1)) }
    }
    #expect(refusal?.description.contains("“endless”") == true)
    #expect(refusal?.description.contains("after 100 rounds") == true)
    #expect(store.revision == 0 && store.read { $0.left.isEmpty })
  }

  @Test func allReasonsAreGiven() throws {
    let refusal = #expect(throws: TransactionRefusal.self) {
      try store.write { value in
        for id in 1...6 { try value.left.insert(Counter(id: id, value: id < 3 ? 2000 : 0)) }
      }
    }
    #expect(
      refusal?.violations.map(\.description) == [
        "left 1: is more than 1000", "left 2: is more than 1000", "left: holds more than 5",
      ])
    #expect(store.revision == 0)
  }

  // A scratchpad may have values that are not valid yet. A rule that adds up sees each change once.
  @Test func rulesWaitForTheCommit() throws {
    let pad = store.scratchpad()
    try pad.write { try $0.left.insert(Counter(id: 1, value: 2000)) }
    #expect(pad.read { $0.right.isEmpty })
    #expect(throws: TransactionRefusal.self) { try pad.commit() }
    #expect(!pad.changes.isEmpty && store.revision == 0)
    try pad.write { try $0.left.upsert(Counter(id: 1, value: 7)) }
    try pad.commit()
    #expect(right == [7, 14] && pad.read { $0.right.map(\.value) } == [7, 14] && pad.changes.isEmpty)
  }

  // An undo restores values exactly, whatever the rules would compute.
  @Test func rulesDoNotRunWhenAChangeIsUndone() throws {
    let history = UndoHistory(of: store)
    try store.write { try $0.left.insert(Counter(id: 1, value: 5)) }
    try store.write { try $0.right.upsert(Counter(id: 0, value: 100)) }
    #expect(right == [100, 200])
    try history.undo()
    #expect(right == [5, 10])
    try history.undo()
    #expect(right == [])
    try history.redo()
    #expect(right == [5, 10])
  }

  /// Records the revisions of external changes, and allows no negative value from there.
  struct Guarded: Model {
    var counters = Table<Counter>()
    var foreign = Table<Counter>()

    static let schema = Schema<Guarded>(
      "guarded", version: 1,
      Field("counters", \.counters),
      Field("foreign", \.foreign),
      rules: [
        Rule("foreign") { change, value in
          if change.origin == "sync" { try value.foreign.upsert(Counter(id: change.revision, value: 0)) }
        }
      ],
      validations: [
        Validation("positive") { change in
          let isBad = change.origin == "sync" && change.after.counters.contains { $0.value < 0 }
          return isBad ? [Violation(place: "counters", message: "revision \(change.revision) is negative")] : []
        }
      ])
  }

  // Rules can tell a sync from a user.
  @Test func rulesKnowWhoseTransactionTheyAreIn() throws {
    let store = Store(Guarded())
    try store.write { try $0.counters.insert(Counter(id: 1, value: 1)) }
    try store.write(origin: "sync") { try $0.counters.insert(Counter(id: 2, value: 2)) }
    #expect(store.read { $0.foreign.map(\.id) } == [2] && store.revision == 2)
    let refusal = #expect(throws: TransactionRefusal.self) {
      try store.write(origin: "sync") { try $0.counters.upsert(Counter(id: 1, value: -1)) }
    }
    #expect(refusal?.violations.map(\.description) == ["counters: revision 3 is negative"])
    try store.write { try $0.counters.upsert(Counter(id: 1, value: -1)) }
    #expect(store.read { $0.foreign.count } == 1)
  }

  @Test func rulesDoNotRunOnLoad() throws {
    let test = StoreUnderTest()
    let written = try test.open(Sums.self)
    try written.write { try $0.left.insert(Counter(id: 1, value: 5)) }
    try written.closeAndWait()
    var value = try test.stored(Sums.self)
    #expect(value.right.map(\.value) == [5, 10])
    value.right.remove(1)
    test.bytes = try Array(SnapshotFile.encode(value, as: .json))
    #expect(try test.open(Sums.self).read { $0.right.map(\.value) } == [5])
  }
}
