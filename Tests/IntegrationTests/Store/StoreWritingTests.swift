import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Transactions and snapshots: when a revision is made, the effects of a failed transaction, the content of a snapshot.
struct StoreWritingTests {
  struct Refusal: Error {}

  /// Dates that stand still and ids that count from 1000.
  static let sources = NotebookSources(
    now: { Date(timeIntervalSinceReferenceDate: 0) }, nextNoteID: sequentialNoteIDs(first: 1_000))

  @Test func aTransactionIsPublishedAsAWhole() throws {
    let store = Store(Counters())
    let old = try store.write { counters in
      try counters.set(1, to: 1)
      try counters.set(2, to: 2)
      // The draft belongs to this transaction until it ends.
      #expect(store.read { $0.left.isEmpty })
      #expect(store.revision == 0)
      return counters.left.count
    }
    #expect(old == 2)
    #expect(store.revision == 1)
    #expect(store.read { $0.left.map(\.value) } == [1, 2])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aThrowingTransactionLeavesNoTrace() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .immediate)
    try store.write { try $0.set(1, to: 1) }
    let (before, bytes, status) = (store.snapshot(), test.bytes, store.status)
    #expect(throws: Refusal.self) {
      try store.write { counters in
        try counters.set(1, to: 2)
        counters.left.removeAll()
        try counters.set(3, to: 3)
        throw Refusal()
      }
    }
    #expect(store.snapshot().value == before.value)
    #expect(store.snapshot().value.hasSameTables(as: before.value))
    #expect(store.revision == before.revision)
    #expect(test.bytes == bytes)
    #expect(store.status.counters == status.counters)
    // The store still works.
    try store.write { try $0.set(1, to: 4) }
    #expect(store.revision == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // The source of ids is part of the value: ids of a failed transaction are drawn again.
  @Test func aThrowingTransactionGivesItsIDsBack() throws {
    let store = Store(Notebook(sources: Self.sources))
    let first = try store.write { try $0.addNote(text: "one").id }
    #expect(throws: Refusal.self) {
      try store.write { notebook in
        for _ in 0..<10 { try notebook.addNote(text: "never") }
        notebook.tag(named: "never")
        throw Refusal()
      }
    }
    let second = try store.write { try $0.addNote(text: "two").id }
    #expect([first, second] == [1_000, 1_001])
    #expect(store.read { $0.tags.isEmpty })
    #expect(store.read { $0.notes.count } == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aTransactionThatChangesNothingMakesNoRevision() throws {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .immediate)
    try store.write { try $0.set(1, to: 1) }
    let calls = test.fileSystem.calls.count
    #expect(try store.write { $0.left.count } == 1)
    try store.write { _ = $0.left.remove(77) }
    try store.write { $0.right.removeAll() }
    try store.write { $0.left = $0.left }
    #expect(store.revision == 1)
    #expect(test.fileSystem.calls.count == calls)
    #expect(store.snapshot().value.allViolations() == [])
  }

  // State outside the tables is kept all the same: the source of ids continues.
  @Test func aTransactionThatChangesNoTableKeepsTheRest() throws {
    let store = Store(Notebook(sources: Self.sources))
    try store.write { $0.sources.nextNoteID = sequentialNoteIDs(first: 5_000) }
    #expect(store.revision == 0)
    #expect(try store.write { try $0.addNote(text: "").id } == 5_000)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aSnapshotStaysAsItWas() throws {
    let store = Store(Counters())
    var snapshots = [store.snapshot()]
    for value in 1...100 {
      try store.write { try $0.set(value % 7, to: value) }
      snapshots.append(store.snapshot())
    }
    var expected: [Int: Int] = [:]
    for (revision, snapshot) in snapshots.enumerated() {
      if revision > 0 { expected[revision % 7] = revision }
      #expect(snapshot.revision == revision)
      #expect(Dictionary(uniqueKeysWithValues: snapshot.value.left.map { ($0.id, $0.value) }) == expected)
      #expect(snapshot.value.allViolations() == [])
    }
  }

  @Test func readGivesWhatItsBodyReturnsOrThrows() throws {
    let store = Store(Counters())
    #expect(store.read { $0.left.count } == 0)
    #expect(throws: Refusal.self) { try store.read { _ in throw Refusal() } }
    #expect(store.snapshot().value.allViolations() == [])
  }
}
