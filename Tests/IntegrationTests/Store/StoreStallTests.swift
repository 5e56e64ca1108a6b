import Dispatch
import Foundation
import Synchronization
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The waiting time of other writers during a large change. It is measured as comparisons of ids under the writer lock,
/// which must not grow with the size of the change.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct StoreStallTests {
  /// A transaction on another thread.
  private static func elsewhere(_ store: Store<Pile>, _ ids: Range<Int>, value: Int = -1) {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for id in ids {
        #expect(throws: Never.self) { try store.write { _ = try $0.items.upsert(Piece(id, value)) } }
      }
      isDone.signal()
    }
    isDone.wait()
  }

  /// The greatest number of comparisons during one hold of the lock, while `body` changes a store with this number of
  /// records. Others write all the time.
  private static func work(_ count: Int, _ body: (Store<Pile>) throws -> Void) throws -> Int {
    let store = Store<Pile>()
    try store.write { pile in pile.items = try Table((0..<count).map { Piece(2 * $0, 0) }) }
    let number = Mutex(-100)
    CountedID.begin(store.writerLock, revision: { store.revision }) {
      let id = number.withLock { number in
        number -= 1
        return number
      }
      elsewhere(store, id..<id + 1)
    }
    try body(store)
    let work = CountedID.end()
    #expect(store.read { $0.items.count } >= 2 * count)
    #expect(store.snapshot().value.allViolations() == [])
    return work
  }

  /// At most 64 records are merged under the lock, each in a table and an index.
  private static func requireBounded(_ body: (Store<Pile>, Int) throws -> Void) throws {
    for count in [500, 2_000] {
      let comparisons = try work(count) { try body($0, count) }
      #expect(comparisons > 0 && comparisons < 64 * 50, "beside \(count) records")
    }
  }

  /// Adds records between the existing ones, and changes one for each ten of them.
  private static func change(_ pile: inout Pile, _ count: Int) throws {
    for id in 2..<count { try pile.items.insert(Piece(2 * id + 1, 1)) }
    for id in stride(from: 10, to: count, by: 10) { try pile.items.upsert(Piece(2 * id, 2)) }
  }

  @Test func aBackgroundBlock() throws {
    try Self.requireBounded { store, count in
      let isDone = DispatchSemaphore(value: 0)
      store.performBackground { pile in
        try Self.change(&pile, count)
        Self.elsewhere(store, -10..<4)
      } completion: { result in
        #expect(throws: Never.self) { try result.get() }
        isDone.signal()
      }
      isDone.wait()
    }
  }

  @Test func aScratchpad() throws {
    try Self.requireBounded { store, count in
      let pad = store.scratchpad()
      try pad.write { try Self.change(&$0, count) }
      Self.elsewhere(store, -10..<0)
      #expect(try pad.commit() == MergeOutcome())
    }
  }

  @Test func anImport() throws {
    try Self.requireBounded { store, count in
      try store.importRecords((0..<count).lazy.map { Piece(2 * $0 + 1, 1) }, into: \.items, batch: 100) { count in
        if count == 100 { Self.elsewhere(store, -10..<0) }
      }
    }
  }

  // Both draw an id, from state beside the tables.
  @Test func aBlockThatAddsANoteBesideAnother() throws {
    let store = Store(Notebook())
    let isDone = DispatchSemaphore(value: 0)
    let runs = Mutex(0)
    store.performBackground { notebook in
      runs.withLock { $0 += 1 }
      try notebook.addNote(text: "block")
      let hasWritten = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        #expect(throws: Never.self) { try store.write { _ = try $0.addNote(text: "write") } }
        hasWritten.signal()
      }
      hasWritten.wait()
    } completion: { _ in
      isDone.signal()
    }
    isDone.wait()
    #expect(runs.withLock { $0 } == 1)
    #expect(store.read { Set($0.notes.map(\.text)) } == ["block", "write"])
    #expect(store.snapshot().value.allViolations() == [])
  }
}

private struct Pile: Model {
  var items = Table<Piece>()
  static let schema = Schema<Pile>("pile", version: 1, Field("items", \.items))
}

private struct Piece: Record {
  let id: CountedID
  var value: Int

  init(_ id: Int, _ value: Int) { (self.id, self.value) = (CountedID(id), value) }

  static var indexes: Indexes<Self> { Indexes(Index("byValue") { $0.value }) }
}

/// An id that counts its comparisons while a lock is held. It lets others write after each thousand comparisons without
/// it.
private struct CountedID: Comparable, Hashable, Codable, Sendable {
  private struct State: Sendable {
    var lock: WriterLock?
    var revision: @Sendable () -> Int = { 0 }
    var interrupt: @Sendable () -> Void = {}
    /// The comparisons under the lock, by the base revision of a transaction.
    var counts: [Int: Int] = [:]
    var others = 0
    var isInterrupting = false
  }

  private static let state = Mutex(State())

  let number: Int

  init(_ number: Int) { self.number = number }

  static func begin(
    _ lock: WriterLock, revision: @escaping @Sendable () -> Int, interrupt: @escaping @Sendable () -> Void
  ) {
    state.withLock { $0 = State(lock: lock, revision: revision, interrupt: interrupt) }
  }

  static func end() -> Int {
    state.withLock { state in
      defer { state = State() }
      return state.counts.values.max() ?? 0
    }
  }

  private static func note() {
    let interrupt = state.withLock { state -> (@Sendable () -> Void)? in
      guard let lock = state.lock else { return nil }
      if lock.isHeldByThisThread {
        state.counts[state.revision(), default: 0] += 1
        return nil
      }
      if state.isInterrupting { return nil }
      state.others += 1
      state.isInterrupting = state.others.isMultiple(of: 1_000)
      return state.isInterrupting ? state.interrupt : nil
    }
    guard let interrupt else { return }
    interrupt()
    state.withLock { $0.isInterrupting = false }
  }

  static func < (a: CountedID, b: CountedID) -> Bool {
    note()
    return a.number < b.number
  }

  static func == (a: CountedID, b: CountedID) -> Bool {
    note()
    return a.number == b.number
  }
}
