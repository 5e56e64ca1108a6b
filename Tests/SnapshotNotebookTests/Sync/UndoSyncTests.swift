import Foundation
import Synchronization
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// An undo is an edit: no sync reverts it.
struct UndoSyncTests {
  /// A clock that both copies share.
  private final class Clock: Sendable {
    private let time = Mutex(Date.day(1))
    var now: Date { time.withLock { $0 } }
    func advance(by seconds: Double) { time.withLock { $0 += seconds } }
  }

  /// A store and its history on one copy, and a value as the other copy.
  private struct World {
    let clock = Clock()
    let store: Store<Notebook>
    let history: UndoHistory<Notebook>
    var other: Notebook

    init() throws {
      var notebook = Notebook(sources: NotebookSources(now: { [clock] in clock.now }, nextNoteID: sequentialNoteIDs()))
      for name in ["a", "b", "c"] { notebook.tag(named: name) }
      for number in 1...3 { try notebook.addNote(text: "\(number)", tags: ["a"]) }
      other = notebook
      // Later changes belong to a later second.
      clock.advance(by: 60)
      store = Store(notebook)
      history = UndoHistory(of: store, excluding: ["sync"], now: { [clock] in clock.now })
    }

    var value: Notebook { store.snapshot().value }

    /// In both directions, directly or through the file of another program, which has no modification date of a note as
    /// a whole.
    mutating func sync(inVespersFormat: Bool = false) throws {
      func content(_ notebook: Notebook) throws -> SyncContent {
        inVespersFormat ? try SyncContent(vesper: notebook.vesperJSON()) : SyncContent(notebook)
      }
      let outgoing = try content(value)
      let incoming = try content(other)
      try other.merge(outgoing)
      try store.write(origin: "sync") { try $0.merge(incoming) }
    }
  }

  @Test(arguments: [false, true]) func anUndoneEditStaysUndone(inVespersFormat: Bool) throws {
    var world = try World()
    world.clock.advance(by: 10)
    try world.store.write { try $0.setText("edited", of: 1000) }
    try world.sync(inVespersFormat: inVespersFormat)
    #expect(world.other.notes[1000]?.text == "edited")
    let since = world.clock.now
    // Within the second of the edit.
    world.clock.advance(by: 0.25)
    try world.history.undo()
    #expect(world.value.notes(modifiedSince: since).map(\.id) == [1000])
    #expect(world.value.changed(since: since).notes.ids == [1000])
    try world.sync(inVespersFormat: inVespersFormat)
    #expect(world.value.notes[1000]?.text == "1" && world.other.notes[1000]?.text == "1")
    try world.history.redo()
    try world.sync(inVespersFormat: inVespersFormat)
    #expect(world.value.notes[1000]?.text == "edited" && world.other.notes[1000]?.text == "edited")
    #expect(world.value.allViolations() == [] && world.other.allViolations() == [])
  }

  @Test(arguments: [false, true]) func aNoteThatIsBackOutlivesItsTombstone(inVespersFormat: Bool) throws {
    var world = try World()
    world.clock.advance(by: 10)
    try world.history.perform("Delete") { _ = $0.deleteNotes([1000]) }
    try world.sync(inVespersFormat: inVespersFormat)
    #expect(!world.other.notes.contains(1000) && world.other.deletedNotes.contains(1000))
    try world.history.undo()
    #expect(world.value.notes[1000]?.text == "1" && !world.value.deletedNotes.contains(1000))
    try world.sync(inVespersFormat: inVespersFormat)
    for notebook in [world.value, world.other] {
      #expect(notebook.notes[1000]?.text == "1" && notebook.notes[1000]?.tags == ["a"])
      #expect(!notebook.deletedNotes.contains(1000) && notebook.allViolations() == [])
    }
    // Deleted again, it stays deleted.
    try world.history.redo()
    try world.sync(inVespersFormat: inVespersFormat)
    #expect(!world.value.notes.contains(1000) && !world.other.notes.contains(1000))
    #expect(world.value.allViolations() == [] && world.other.allViolations() == [])
  }

  // A note without any known date has no date that could be renewed.
  @Test func aNoteWithoutDatesOutlivesItsTombstone() throws {
    var world = try World()
    try world.store.write(origin: "sync") { try $0.upsert(SyncFixtures.undatedNote(7)) }
    try world.sync()
    try world.store.write { _ = $0.deleteNotes([7]) }
    try world.sync(inVespersFormat: true)
    try world.history.undo()
    try world.sync(inVespersFormat: true)
    #expect(world.value.notes.contains(7) && world.other.notes.contains(7))
  }

  // The other copy knows the note, so undoing its addition is a deletion.
  @Test func anUndoneNoteDoesNotComeBack() throws {
    var world = try World()
    world.clock.advance(by: 10)
    let id = try world.store.write { try $0.addNote(text: "new").id }
    try world.sync()
    try world.history.undo()
    try world.sync()
    #expect(!world.value.notes.contains(id) && !world.other.notes.contains(id))
    try world.history.redo()
    try world.sync()
    #expect(world.value.notes[id]?.text == "new" && world.other.notes[id]?.text == "new")
    #expect(world.value.allViolations() == [] && world.other.allViolations() == [])
  }

  // Steps are undone one after the other, although each undo gave new dates to the records that it restored.
  @Test func aNoteIsTakenBackThroughAllItsSteps() throws {
    let world = try World()
    let id = try world.store.write { try $0.addNote(text: "new").id }
    try world.store.write { try $0.setText("newer", of: id) }
    try world.store.write { try $0.setTags(["b"], of: id) }
    try world.store.write { _ = $0.deleteNotes([id]) }
    var outcomes: [MergeOutcome] = []
    while let outcome = try world.history.undo() { outcomes.append(outcome) }
    #expect(outcomes.count == 4 && outcomes.allSatisfy { $0.conflicts.isEmpty && $0.repaired.isEmpty })
    #expect(world.value.notes.ids == [1000, 1001, 1002])
    for _ in 0..<3 { try world.history.redo() }
    #expect(world.value.notes[id]?.text == "newer" && world.value.notes[id]?.tags == ["b"])
    #expect(world.value.allViolations() == [])
  }

  // Edits, undos and redos on one of two copies, with syncs in between. Both copies have the final state of the
  // history.
  @Test func theUndoneStateWins() {
    each(1...30 as ClosedRange<UInt64>) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var world = try World()
      for _ in 0..<40 {
        world.clock.advance(by: [0, 0.2, 1, 60].randomElement(using: &random) ?? 0)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try world.history.undo()
        case 1: try world.history.redo()
        case 2:
          let before = world.value
          try world.sync(inVespersFormat: Bool.random(using: &random))
          #expect(Self.contents(world.value) == Self.contents(before), "seed \(seed)")
          #expect(Self.contents(world.other) == Self.contents(before), "seed \(seed)")
          // Dates count to the second between copies. Each undo within a second is dated one second later than the one
          // before.
          world.clock.advance(by: 60)
        default:
          try world.store.write { notebook in
            for _ in 0..<Int.random(in: 1...2, using: &random) { try Self.edit(&notebook, &random) }
          }
        }
      }
      #expect(world.value.allViolations() == [] && world.other.allViolations() == [])
    }
  }

  private static func edit(_ notebook: inout Notebook, _ random: inout SeededGenerator) throws {
    guard let id = notebook.notes.ids.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: notebook.deleteNotes([id])
    case 1: try notebook.addNote(text: "new")
    case 2: try notebook.setArchived(Bool.random(using: &random), of: id)
    case 3: try notebook.setTags(["a", "b", "c"].filter { _ in Bool.random(using: &random) }, of: id)
    default: try notebook.setText("\(Int.random(in: 0..<3, using: &random))", of: id)
    }
  }

  private static func contents(_ notebook: Notebook) -> [String] {
    notebook.notes.map { "\($0.id) \($0.text) \($0.archived) \($0.tags)" }
  }
}
