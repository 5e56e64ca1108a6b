import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A write without an effect is no step, and removes no step.
struct UndoNothingTests {
  private let store = Store(Counters())
  private let history: UndoHistory<Counters>

  init() throws {
    history = UndoHistory(of: store, now: { .day(1) })
    try history.perform("One") { try $0.set(1, to: 1) }
  }

  // A record that was replaced by an equal one is another object, and no change.
  private func writeNothing() throws {
    let revision = store.revision
    try history.perform("Nothing") { try $0.set(1, to: 1) }
    #expect(store.revision == revision)
  }

  @Test func aWriteThatChangesNothingIsNoStep() throws {
    try writeNothing()
    #expect(history.undoNames == ["One"])
    try history.undo()
    #expect(store.read { $0.left.isEmpty })
  }

  @Test func aWriteThatChangesNothingLeavesWhatCanBeRedone() throws {
    try history.perform("Two") { try $0.set(2, to: 2) }
    try history.undo()
    try writeNothing()
    #expect(history.redoNames == ["Two"] && history.undoNames == ["One"])
    try history.redo()
    #expect(store.read { $0.left.map(\.id) } == [1, 2])
  }

  // Text that was typed and deleted again.
  @Test func aStepThatHasCancelledItselfOutIsGone() throws {
    for value in [2, 3, 1] { try history.perform("Typing", coalescing: "a") { try $0.set(1, to: value) } }
    #expect(history.undoNames == ["One"])
    try history.group("Back and forth") {
      try store.write { try $0.set(1, to: 5) }
      try store.write { try $0.set(1, to: 1) }
    }
    #expect(history.undoNames == ["One"])
    try history.undo()
    #expect(store.read { $0.left.isEmpty })
  }

  // The date of a change means nothing if nothing else has changed. An undo would not revert it either.
  @Test func aDateAloneIsNoStep() throws {
    let store = Store(try Notebook.small())
    let history = UndoHistory(of: store)
    try store.write { try $0.notes.update(1000) { $0.modificationDate = .day(2) } }
    #expect(history.undoNames == [])
    // The same if a later change has cancelled an earlier one.
    let text = store.read { $0.notes[1000]?.text ?? "" }
    try history.group("Back and forth") {
      for text in [text + " and more", text] { try store.write { try $0.setText(text, of: 1000) } }
    }
    #expect(history.undoNames == [])
    // A text in another Unicode form is equal, but not the same.
    try store.write { try $0.setText("caf\u{E9}", of: 1000) }
    try store.write { try $0.setText("cafe\u{301}", of: 1000) }
    #expect(history.undoNames.count == 2)
    #expect(store.read { $0.allViolations() } == [])
  }

  private struct Diary: Model {
    struct Entry: Record {
      let id: Int
      var text = ""
      var changed = Date.day(1)
      static let mergeRules: [MergeRule] = [.modified("changed")]
    }

    var entries = Table<Entry>()
    static let schema = Schema<Diary>("diary", version: 1, Field("entries", \.entries))
  }

  @Test func aStepOfWhichOnlyTheDateIsLeftIsGone() throws {
    let store = Store(Diary())
    try store.write { try $0.entries.insert(Diary.Entry(id: 1)) }
    let history = UndoHistory(of: store)
    try history.group("Back and forth") {
      for (day, text) in [(2, "more"), (3, "")] {
        try store.write { diary in
          try diary.entries.update(1) { ($0.text, $0.changed) = (text, .day(day)) }
        }
      }
    }
    #expect(history.undoNames == [])
    #expect(store.read { $0.entries[1]?.changed == .day(3) && $0.allViolations() == [] })
  }

  @Test func anUndoThatChangesNothingLeavesNothingToRedo() throws {
    try history.perform("Two", origin: "local") { try $0.set(1, to: 2) }
    try store.write(origin: .file) { try $0.set(1, to: 3) }
    try history.undo()
    #expect(history.redoNames == [] && history.undoNames == ["One"])
  }
}
