import Dispatch
import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The place of a step whose undo or redo fails while other threads make steps.
@Suite(.timeLimit(.minutes(30)))
struct UndoOrderTests {
  private let store = Store(Directory())
  private let history: UndoHistory<Directory>

  init() { self.init(levels: 100) }

  private init(levels: Int) { history = UndoHistory(of: store, levels: levels, excluding: ["other"]) }

  /// Makes a step that can be undone only as long as no other person has the address.
  private func removePerson() throws {
    try store.write(origin: "other") { try $0.people.insert(Person(id: 1, email: "a@example.org")) }
    try history.perform("Delete") { $0.people.remove(1) }
    try store.write(origin: "other") { try $0.people.insert(Person(id: 2, email: "a@example.org")) }
  }

  /// Makes a step on another thread. Meanwhile this thread begins an undo or redo that fails after it.
  ///
  /// - Parameter isTaken: whether the other thread has taken its step.
  private func fail(
    beside name: String, coalescing key: String? = nil, _ takeBack: () throws -> MergeOutcome?,
    until isTaken: @escaping @Sendable () -> Bool
  ) {
    let (isBegun, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread { [history] in
      #expect(throws: Never.self) {
        try history.perform(name, coalescing: key) { directory in
          isBegun.signal()
          // The other thread has taken its step, and waits for this transaction.
          while !isTaken() { sched_yield() }
          _ = try directory.words.upsert(Word(id: "w", count: (directory.words["w"]?.count ?? 0) + 1))
        }
      }
      isDone.signal()
    }
    isBegun.wait()
    #expect(throws: TransactionRefusal.self) { try takeBack() }
    isDone.wait()
  }

  @Test func aFailedUndoStaysBelowNewerSteps() throws {
    try removePerson()
    fail(beside: "Type", { try history.undo() }, until: { [history] in history.undoNames == [] })
    #expect(history.undoNames == ["Delete", "Type"])
    // What was made last is undone first.
    try history.undo()
    #expect(store.read { $0.words.isEmpty })
    #expect(history.undoNames == ["Delete"])
    // The other person gives the address back.
    try store.write(origin: "other") { _ = $0.people.remove(2) }
    try history.undo()
    #expect(store.read { $0.people[1]?.email } == "a@example.org")
    #expect(store.snapshot().value.allViolations() == [])
  }

  // The step that is joined is newer too, although it was begun before.
  @Test func aFailedUndoStaysBelowAStepThatGrows() throws {
    try history.perform("Type", coalescing: "w") { try $0.words.insert(Word(id: "w")) }
    try removePerson()
    fail(
      beside: "Type", coalescing: "w", { try history.undo() }, until: { [history] in history.undoNames == ["Type"] })
    #expect(history.undoNames == ["Delete", "Type"])
    try history.undo()
    #expect(store.read { $0.words.isEmpty })
    #expect(store.snapshot().value.allViolations() == [])
  }

  // The oldest step is removed, even if it is the one whose undo fails.
  @Test func aFailedUndoKeepsNoMoreStepsThanThereMayBe() throws {
    let world = UndoOrderTests(levels: 1)
    let history = world.history
    try world.removePerson()
    world.fail(beside: "Type", { try history.undo() }, until: { history.undoNames == [] })
    #expect(history.undoNames == ["Type"])
    #expect(world.store.snapshot().value.allViolations() == [])
  }

  // A new step ends the redo of older ones. So it does for one whose redo is under way, and fails.
  @Test func aFailedRedoIsGoneAfterANewStep() throws {
    try history.perform("Insert") { try $0.people.insert(Person(id: 1, email: "a@example.org")) }
    try history.undo()
    try store.write(origin: "other") { try $0.people.insert(Person(id: 2, email: "a@example.org")) }
    fail(beside: "Type", { try history.redo() }, until: { [history] in history.redoNames == [] })
    #expect(history.undoNames == ["Type"])
    #expect(history.redoNames == [])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aFailedUndoIsGoneAfterAllStepsWereRemoved() throws {
    try removePerson()
    fail(
      beside: "Type", { try history.undo() },
      until: { [history] in
        if history.undoNames != [] { return false }
        history.clear()
        return true
      })
    #expect(history.undoNames == ["Type"])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aFailedRedoCanBeRepeated() throws {
    try history.perform("Insert") { try $0.people.insert(Person(id: 1, email: "a@example.org")) }
    try history.perform("Type") { try $0.words.insert(Word(id: "w")) }
    try history.undo()
    try history.undo()
    try store.write(origin: "other") { try $0.people.insert(Person(id: 2, email: "a@example.org")) }
    #expect(throws: TransactionRefusal.self) { try history.redo() }
    #expect(history.redoNames == ["Type", "Insert"])
    try store.write(origin: "other") { _ = $0.people.remove(2) }
    try history.redo()
    try history.redo()
    #expect(history.undoNames == ["Insert", "Type"])
    #expect(history.redoNames == [])
    #expect(store.snapshot().value.allViolations() == [])
  }

  // Of two threads, one undoes a step while the redo of another one fails. Whichever comes first, the step that was
  // undone last is redone first.
  @Test func aFailedRedoStaysBelowStepsThatWereUndoneLater() throws {
    for _ in 0..<50 {
      let store = Store(Directory())
      let history = UndoHistory(of: store, excluding: ["other"])
      try history.perform("Type") { try $0.words.insert(Word(id: "w")) }
      try history.perform("Insert") { try $0.people.insert(Person(id: 1, email: "a@example.org")) }
      try history.undo()
      try store.write(origin: "other") { try $0.people.insert(Person(id: 2, email: "a@example.org")) }
      let (isBegun, areDone) = (DispatchSemaphore(value: 0), DispatchGroup())
      let works: [@Sendable () -> Void] = [
        { #expect(throws: TransactionRefusal.self) { try history.redo() } },
        { #expect(throws: Never.self) { try history.undo() } },
        {
          #expect(throws: Never.self) {
            try store.write(origin: "other") { _ in
              isBegun.signal()
              while history.undoNames != [] || history.redoNames != [] { sched_yield() }
            }
          }
        },
      ]
      for (index, work) in works.reversed().enumerated() {
        areDone.enter()
        Thread.detachNewThread {
          work()
          areDone.leave()
        }
        if index == 0 { isBegun.wait() }
      }
      areDone.wait()
      #expect(history.redoNames == ["Insert", "Type"])
    }
  }
}
