import Foundation
import Synchronization
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The ids of new notes: proposed by a source, free, and returned when a transaction is rolled back.
struct NoteIDTests {
  static let greatest: Note.ID = (1 << 53) - 1

  @Test func proposalsInUseAreSkipped() throws {
    var notebook = Notebook.empty()
    for id in [Note.ID(1000), 1001, 1003] { try notebook.upsert(Note(id: id, text: "", creationDate: .day(1))) }
    #expect(try notebook.addNote(text: "").id == 1002)
    // The source continues with 1003, which is in use.
    #expect(try notebook.addNote(text: "").id == 1004)
    #expect(notebook.allViolations() == [])
  }

  /// The ids in use are passed once, not again for each new note.
  @Test func aSourceContinuesAfterTheIDThatWasTaken() throws {
    let seen = Mutex<[Note.ID?]>([])
    var notebook = Notebook(
      sources: NotebookSources(now: { .day(1) }) { last in
        seen.withLock { $0.append(last) }
        return (last ?? 999) + 1
      })
    for id in Note.ID(1000)..<1100 { try notebook.upsert(Note(id: id, text: "", creationDate: .day(1))) }
    #expect(try notebook.addNote(text: "").id == 1100)
    try notebook.importNotes([ForeignNote(text: "imported", place: "")])
    #expect(try notebook.addNote(text: "").id == 1102)
    #expect(seen.withLock { $0 } == [nil, 1100, 1101])
    #expect(notebook.allViolations() == [])
  }

  /// A reused id would give the new note the place of a deleted note in other copies of the notebook.
  @Test func idsOfDeletedNotesAreNotUsedAgain() throws {
    var notebook = Notebook(sources: NotebookSources(now: { .day(1) }, nextNoteID: stubbornNoteIDs(id: 2000)))
    let first = try notebook.addNote(text: "")
    notebook.deleteNotes([first.id])
    #expect(try notebook.addNote(text: "").id == 2001)
    #expect(notebook.deletedNotes.ids == [2000])
    #expect(notebook.allViolations() == [])
  }

  /// After the greatest id comes the smallest, and no id is out of bounds.
  @Test(arguments: [greatest, greatest + 1, Int64.max])
  func theSearchGoesRoundAtTheUpperBound(proposal: Note.ID) throws {
    var notebook = Notebook(sources: NotebookSources(now: { .day(1) }, nextNoteID: stubbornNoteIDs(id: proposal)))
    try notebook.upsert(Note(id: 1001, text: "", creationDate: .day(1)))
    try notebook.upsert(Note(id: proposal, text: "", creationDate: .day(1)))
    #expect(try notebook.addNote(text: "").id == 1000)
    #expect(try notebook.addNote(text: "").id == 1002)
    #expect(notebook.allViolations() == [])
  }

  @Test func theGreatestIDIsUsed() throws {
    let source = stubbornNoteIDs(id: Self.greatest - 1)
    var notebook = Notebook(sources: NotebookSources(now: { .day(1) }, nextNoteID: source))
    #expect(try (0..<3).map { _ in try notebook.addNote(text: "").id } == [Self.greatest - 1, Self.greatest, 1000])
    #expect(notebook.allViolations() == [])
  }

  @Test(arguments: [-1, Int64.min])
  func aNegativeProposalIsNotTaken(proposal: Note.ID) throws {
    var notebook = Notebook(sources: NotebookSources(now: { .day(1) }, nextNoteID: stubbornNoteIDs(id: proposal)))
    #expect(try notebook.addNote(text: "").id == 1000)
    #expect(try notebook.addNote(text: "").id == 1001)
    #expect(notebook.allViolations() == [])
  }

  @Test func randomIDsAreHeldExactlyByEveryReader() throws {
    var source = NoteIDs(NotebookSources())
    for _ in 0..<10_000 {
      let id = source.next { _ in true }
      if !(1000...Self.greatest).contains(id) || Int64(Double(id)) != id { Issue.record("\(id)") }
    }
    var notebook = Notebook()
    for _ in 0..<100 { try notebook.addNote(text: "") }
    #expect(notebook.notes.count == 100)
    #expect(notebook.allViolations() == [])
  }

  /// An import has a random source of its own. It must not give two copies of a notebook the same ids.
  @Test func theIDsOfAnImportAreRandomToo() throws {
    let notes = (0..<1_000).map { ForeignNote(text: "\($0)", place: "") }
    let ids = try (0..<2).map { _ in
      var notebook = Notebook()
      try notebook.importNotes(notes)
      #expect(notebook.allViolations() == [])
      return Array(notebook.notes.ids)
    }
    #expect(Set(ids[0] + ids[1]).count == 2_000)
    #expect((ids[0] + ids[1]).allSatisfy { (1000...Self.greatest).contains($0) })
  }

  @Test func anImportGoesOnWithTheSourceOfTheNotebook() throws {
    var notebook = Notebook.empty()
    try notebook.addNote(text: "before")
    try notebook.importNotes((0..<3).map { ForeignNote(text: "\($0)", place: "") })
    #expect(try notebook.addNote(text: "after").id == 1004)
    #expect(notebook.allViolations() == [])
  }

  @Test func aTransactionThatIsThrownAwayGivesItsIDsBack() throws {
    struct Stop: Error {}
    let store = Store(Notebook.empty())
    #expect(throws: Stop.self) {
      try store.write { notebook in
        #expect(try notebook.addNote(text: "lost").id == 1000)
        #expect(try notebook.addNote(text: "lost").id == 1001)
        notebook.tag(named: "lost")
        throw Stop()
      }
    }
    #expect(store.revision == 0)
    #expect(store.read { $0.notes.isEmpty && $0.tags.isEmpty })
    #expect(try store.write { try $0.addNote(text: "kept").id } == 1000)
    #expect(try store.write { try $0.addNote(text: "kept").id } == 1001)
    #expect(store.read { $0.allViolations() } == [])
  }

  /// A copy of a notebook has a copy of the source, so both may draw the same id.
  @Test func theSourceIsPartOfTheValue() throws {
    var notebook = Notebook.empty()
    var copy = notebook
    #expect(try notebook.addNote(text: "").id == 1000)
    #expect(try copy.addNote(text: "").id == 1000)
    #expect(notebook.allViolations() == [])
    #expect(copy.allViolations() == [])
  }

  // At the end of the numbers a source continues at the other end, and the notebook takes the next free one.
  @Test(arguments: [Note.ID.min, .max, .max - 1]) func aSourceAtTheEndOfTheNumbers(first: Note.ID) throws {
    var notebook = Notebook(sources: NotebookSources(now: { .day(1) }, nextNoteID: sequentialNoteIDs(first: first)))
    for _ in 0..<3 { try notebook.addNote(text: "") }
    #expect(notebook.notes.count == 3)
    #expect(notebook.allViolations() == [])
  }
}
