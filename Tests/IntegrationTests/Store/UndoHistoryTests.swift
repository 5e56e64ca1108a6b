import Foundation
import Synchronization
import Testing

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// Steps that are undone and redone.
struct UndoHistoryTests {
  private let store = Store(Counters())

  private var values: [Int: Int] {
    store.read { Dictionary(uniqueKeysWithValues: $0.left.map { ($0.id, $0.value) }) }
  }

  /// Another thread makes a step, and ends before this one goes on.
  private func setOnAnotherThread(_ number: Int) {
    let ended = DispatchSemaphore(value: 0)
    Thread { [store] in
      #expect(throws: Never.self) { try store.write { try $0.set(number, to: number) } }
      ended.signal()
    }.start()
    ended.wait()
  }

  @Test func stepsAreUndoneAndRedone() throws {
    let history = UndoHistory(of: store)
    #expect(try history.undo() == nil && history.redo() == nil)
    try history.perform("One") { try $0.set(1, to: 1) }
    try store.write { try $0.set(1, to: 2) }
    #expect(history.undoNames == ["One", nil])
    #expect(try history.undo()?.conflicts == [])
    #expect(values == [1: 1])
    #expect(try history.undo() == MergeOutcome() && history.redoNames.last == "One")
    #expect(values == [:] && history.undoNames.isEmpty && history.redoNames == [nil, "One"])
    try history.redo()
    #expect(values == [1: 1])
    try history.redo()
    #expect(values == [1: 2] && history.redoNames.isEmpty && history.undoNames == ["One", nil])
    try history.undo()
    try store.write { try $0.set(2, to: 2) }
    #expect(history.redoNames.isEmpty && history.undoNames == ["One", nil])
    history.clear()
    #expect(try history.undo() == nil)
  }

  @Test func aGroupIsOneStep() throws {
    let history = UndoHistory(of: store)
    try store.write { try $0.set(9, to: 9) }
    try history.group("Many") {
      try store.write { try $0.set(1, to: 1) }
      // Changes by others in between are not part of it.
      try store.write(origin: .file) { try $0.set(8, to: 8) }
      try history.perform("Inside") { try $0.set(2, to: 2) }
    }
    #expect(history.undoNames == [nil, "Many"])
    try history.undo()
    #expect(values == [9: 9, 8: 8])
    try history.redo()
    #expect(values == [9: 9, 8: 8, 1: 1, 2: 2])
  }

  // Also if another thread makes a step in the meantime. An undo inside the group is not part of it.
  @Test func aGroupIsOneStepAmongOthers() throws {
    let history = UndoHistory(of: store)
    try history.group("Move") {
      try store.write { try $0.set(1, to: 1) }
      setOnAnotherThread(5)
      try store.write { try $0.set(2, to: 2) }
    }
    #expect(history.undoNames == [nil, "Move"])
    try history.undo()
    #expect(values == [5: 5])
    try history.redo()
    try history.group("Undo") {
      try history.undo()
      try store.write { try $0.set(3, to: 3) }
    }
    #expect(history.undoNames == [nil, "Undo"] && values == [5: 5, 3: 3])
    try history.undo()
    #expect(values == [5: 5])
  }

  // Undoing an edit does not restore a record that others have removed.
  @Test func whatOthersRemovedStaysRemoved() throws {
    let history = UndoHistory(of: store, excluding: ["sync"])
    try store.write(origin: "sync") { try $0.set(1, to: 0) }
    try store.write { try $0.set(1, to: 1) }
    try store.write(origin: "sync") { $0.left.remove(1) }
    #expect(try history.undo()?.conflicts.map(\.resolution) == [.removed])
    #expect(values == [:])
    // An added record stays if others have changed it.
    try store.write { try $0.set(2, to: 2) }
    try store.write(origin: "sync") { try $0.set(2, to: 3) }
    #expect(try history.undo()?.conflicts.map(\.resolution) == [.keptOurChange])
    #expect(values == [2: 3])
  }

  @Test func eachAuthorHasAHistory() throws {
    let alice = UndoHistory(of: store, excluding: ["bob"])
    let bob = UndoHistory(of: store, excluding: ["alice"])
    try alice.perform("A", origin: "alice") { try $0.set(1, to: 1) }
    try bob.perform("B", origin: "bob") { try $0.set(2, to: 2) }
    try bob.perform("C", origin: "bob") { try $0.set(3, to: 3) }
    try bob.undo()
    try alice.undo()
    #expect(values == [2: 2] && alice.undoNames == [] && bob.undoNames == ["B"] && bob.redoNames == ["C"])
    try bob.undo()
    try alice.redo()
    #expect(values == [1: 1])
  }

  // The step is not used up: the record is nowhere else.
  @Test func whatDoesNotFitIsNotLost() throws {
    let store = Store(ThreeWayMergeTests.NamedList())
    let history = UndoHistory(of: store, excluding: ["sync"])
    try store.write(origin: "sync") { try $0.list.insert(.init(id: 1, name: "a")) }
    try store.write { _ = $0.list.remove(1) }
    try store.write(origin: "sync") { try $0.list.insert(.init(id: 2, name: "a")) }
    let refusal = #expect(throws: TransactionRefusal.self) { try history.undo() }
    #expect(refusal?.description == "list 1: theirs does not fit: another record here has its unique key")
    try store.write(origin: "sync") { try $0.list.update(2) { $0.name = "b" } }
    try history.undo()
    #expect(store.read { $0.list.map(\.name) } == ["a", "b"])
  }

  // The basis of the bridge to an undo manager.
  @Test func aStepIsTakenBackByItsNumber() throws {
    let history = UndoHistory(of: store, excluding: ["sync"])
    try history.perform("One") { try $0.set(1, to: 1) }
    let one = try #require(history.next(isUndo: true))
    try history.perform("Two") { try $0.set(2, to: 2) }
    let two = try #require(history.next(isUndo: true))
    #expect(one.name == "One" && two.name == "Two" && history.next(isUndo: false) == nil)
    #expect(try !history.takeBack(one.id, isUndo: true))
    #expect(values == [1: 1, 2: 2])
    #expect(try history.takeBack(two.id, isUndo: true))
    #expect(try history.takeBack(two.id, isUndo: false))
    #expect(values == [1: 1, 2: 2])
    // If others have changed all of it, nothing is left to redo.
    try store.write(origin: "sync") { try $0.set(2, to: 3) }
    #expect(try !history.takeBack(two.id, isUndo: true))
    #expect(history.next(isUndo: false) == nil && values == [1: 1, 2: 3])
  }

  @Test func typingIsOneStep() throws {
    let time = Mutex(Date(timeIntervalSinceReferenceDate: 0))
    let history = UndoHistory(of: store) { time.withLock { $0 } }
    func type(_ value: Int, _ key: String, after seconds: Double) throws {
      time.withLock { $0 += seconds }
      try history.perform("Typing", coalescing: key) { try $0.set(1, to: value) }
    }
    try type(1, "a", after: 0)
    try type(2, "a", after: 1)
    try type(3, "a", after: 1)
    try type(4, "a", after: 3)
    try type(5, "b", after: 0)
    #expect(history.undoNames.count == 3)
    for expected in [4, 3, nil] {
      try history.undo()
      #expect(values[1] == expected)
    }
    // An undone step is not continued.
    try history.redo()
    try type(6, "a", after: 0)
    try history.undo()
    #expect(values[1] == 3)
  }

  // An editor commits a scratchpad while one types. Each commit is a group, because it is not made in `perform`.
  @Test func committedTypingIsOneStep() throws {
    let time = Mutex(Date(timeIntervalSinceReferenceDate: 0))
    let history = UndoHistory(of: store) { time.withLock { $0 } }
    func type(_ value: Int, _ key: String?, after seconds: Double) throws {
      time.withLock { $0 += seconds }
      let pad = store.scratchpad()
      try pad.write { try $0.set(1, to: value) }
      try history.group("Typing", coalescing: key) {
        try pad.commit()
        try store.write { try $0.set(2, to: value) }
      }
    }
    try type(1, "a", after: 0)
    try type(2, "a", after: 1)
    try type(3, "a", after: 3)
    try type(4, "b", after: 0)
    try type(5, nil, after: 0)
    try type(6, nil, after: 0)
    #expect(history.undoNames.count == 5)
    for expected in [5, 4, 3, 2, nil] {
      try history.undo()
      #expect(values[1] == expected && values[2] == expected)
    }
    // An undone step is not continued.
    try history.redo()
    try type(7, "a", after: 0)
    #expect(history.undoNames.count == 2)
    try history.undo()
    #expect(values[1] == 2 && values[2] == 2)
  }

  // A group that joins a step is still one, if another thread makes a step in the meantime.
  @Test func aGroupThatJoinsAStepIsOneStepAmongOthers() throws {
    let history = UndoHistory(of: store)
    try history.group("Typing", coalescing: "a") { try store.write { try $0.set(1, to: 1) } }
    try history.group("Typing", coalescing: "a") {
      try store.write { try $0.set(1, to: 2) }
      setOnAnotherThread(5)
      try store.write { try $0.set(2, to: 2) }
    }
    #expect(history.undoNames == [nil, "Typing"])
    try history.undo()
    #expect(values == [5: 5])
  }

  @Test func theOldestStepsAreForgotten() throws {
    let history = UndoHistory(of: store, levels: 2)
    for value in 1...4 { try store.write { try $0.set(1, to: value) } }
    while try history.undo() != nil {}
    #expect(values == [1: 2])
  }

  @Test func whatOthersChangedSinceStays() throws {
    let history = UndoHistory(of: store, excluding: ["sync"])
    try store.write { try $0.set(1, to: 1) }
    try store.write { value in
      try value.set(1, to: 2)
      try value.set(2, to: 2)
    }
    try store.write(origin: "sync") { try $0.set(1, to: 3) }
    #expect(history.undoNames.count == 2)
    let outcome = try #require(try history.undo())
    #expect(values == [1: 3])
    #expect(outcome.conflicts == [MergeConflict(table: "left", id: "1", properties: ["value"], resolution: .tookOurs)])
    try history.redo()
    #expect(values == [1: 3, 2: 2])
  }

  @Test func anUndoThatFailsCanBeRepeated() async throws {
    let history = UndoHistory(of: store)
    try store.write { try $0.set(1, to: 1) }
    try await store.close()
    #expect(throws: SnapshotError.self) { try history.undo() }
    #expect(history.undoNames.count == 1)
  }

  @Test func aHistoryLetsItsStoreGo() throws {
    weak var weakHistory: UndoHistory<Counters>?
    do {
      let history = UndoHistory(of: store)
      weakHistory = history
      try store.write { try $0.set(1, to: 1) }
    }
    #expect(weakHistory == nil)
    try store.write { try $0.set(1, to: 2) }
  }
}
