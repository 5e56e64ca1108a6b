import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A user's edit of a note changes the dates of the changed properties. An edit without an effect changes nothing at
/// all.
@Suite(.timeLimit(.minutes(30)))
struct NoteEditTests {
  @Test func archivingMovesANoteToTheTop() throws {
    var notebook = try Notebook.small()
    let before = try #require(notebook.notes[1000])
    notebook.goTo(day: 2)
    #expect(try notebook.archive(1000))
    var expected = before
    expected.archived = true
    expected.sortDate = .day(2)
    expected.archivedModificationDate = .day(2)
    expected.sortDateModificationDate = .day(2)
    expected.modificationDate = .day(2)
    #expect(notebook.notes[1000] == expected)

    // A second time has no effect.
    notebook.goTo(day: 3)
    let archived = notebook
    #expect(try !notebook.archive(1000))
    #expect(try !notebook.unarchive(1001))
    #expect(notebook.hasSameTables(as: archived))

    #expect(try notebook.unarchive(1000))
    #expect(notebook.notes[1000]?.sortDate == .day(3))
    #expect(notebook.notes[1000]?.archivedModificationDate == .day(3))
    #expect(notebook.notes[1000]?.textModificationDate == .day(1))
    #expect(notebook.timeline(.active, limit: 9).map(\.id) == [1000, 1001])
    expectRefusal(.recordNotFound) { try notebook.archive(77) }
    expectRefusal(.recordNotFound) { try notebook.unarchive(77) }
    #expect(notebook.allViolations() == [])
  }

  /// An import or a sync sets a value from elsewhere, with its own sort date.
  @Test func settingArchivedMovesNothing() throws {
    var notebook = try Notebook.small()
    notebook.goTo(day: 2)
    try notebook.setArchived(true, of: 1000)
    #expect(notebook.notes[1000]?.sortDate == .day(1))
    #expect(notebook.notes[1000]?.sortDateModificationDate == .day(1))
    #expect(notebook.allViolations() == [])
  }

  @Test func removingAttachments() throws {
    var notebook = try Notebook.small()
    try notebook.setAttachments(["film"], of: 1001)
    notebook.goTo(day: 2)
    let before = notebook
    #expect(try notebook.removeAttachments(["film", "never", "film"], from: 1000))
    var expected = try #require(before.notes[1000])
    expected.attachments = ["photo"]
    expected.attachmentsModificationDate = .day(2)
    expected.modificationDate = .day(2)
    #expect(notebook.notes[1000] == expected)
    // From one note: the other still has it, and so has the notebook.
    #expect(notebook.notes[1001] == before.notes[1001])
    #expect(notebook.attachments.isIdentical(to: before.attachments))
    let changed = notebook
    #expect(try !notebook.removeAttachments(["film"], from: 1000))
    #expect(try !notebook.removeAttachments([], from: 1000))
    #expect(notebook.hasSameTables(as: changed))
    expectRefusal(.recordNotFound) { try notebook.removeAttachments(["film"], from: 77) }
    #expect(notebook.allViolations() == [])
  }

  @Test func tagsOfANoteAlone() throws {
    var note = try #require(try Notebook.small().notes[1000])
    let before = note
    #expect(note.addTag("paris", at: .day(2)) == false)
    #expect(note.removeTag("rome", at: .day(2)) == false)
    #expect(note.removeAttachments(["rome"], at: .day(2)) == false)
    #expect(note == before)
    #expect(note.addTag("rome", at: .day(3)) == true)
    #expect(note.tags == ["paris", "new york", "rome"])
    #expect(note.removeTag("paris", at: .day(4)) == true)
    #expect(note.tags == ["new york", "rome"])
    #expect(note.tagsModificationDate == .day(4) && note.modificationDate == .day(4))
    #expect(note.textModificationDate == .day(1))
  }

  struct Idle: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let edit: @Sendable (inout Notebook) throws -> Void
  }

  /// The edits without an effect on a notebook in which 1000 is archived.
  static let idle = [
    Idle(testDescription: "setText") { try $0.setText("First", of: 1000) },
    Idle(testDescription: "setArchived") { try $0.setArchived(true, of: 1000) },
    Idle(testDescription: "archive") { try $0.archive(1000) },
    Idle(testDescription: "unarchive") { try $0.unarchive(1001) },
    Idle(testDescription: "setSortDate") { try $0.setSortDate($0.notes[1000]?.sortDate ?? .day(9), of: 1000) },
    Idle(testDescription: "setTags") { try $0.setTags(["paris", "new york", "paris"], of: 1000) },
    Idle(testDescription: "setAttachments") { try $0.setAttachments(["film", "photo"], of: 1000) },
    Idle(testDescription: "removeAttachments") { try $0.removeAttachments(["never"], from: 1000) },
    Idle(testDescription: "upsert") { if let note = $0.notes[1000] { try $0.upsert(note) } },
    Idle(testDescription: "merge") { if let note = $0.notes[1000] { try $0.merge(detached: note, base: note) } },
    Idle(testDescription: "tag") { $0.tag(named: "PARIS") },
    Idle(testDescription: "renameTag") { try $0.renameTag("paris", to: " Paris") },
    Idle(testDescription: "setArchived of many") { try $0.apply(.setArchived(true), to: [1000]) },
    Idle(testDescription: "setArchived where") { try $0.apply(.setArchived(true)) { $0.archived } },
    Idle(testDescription: "archive where") { try $0.apply(.archive) { $0.archived } },
    Idle(testDescription: "unarchive where") { try $0.apply(.unarchive) { _ in false } },
    Idle(testDescription: "addTag") { try $0.apply(.addTag("paris"), to: [1000]) },
    Idle(testDescription: "addTag where") { try $0.apply(.addTag("paris")) { !$0.tags.isEmpty } },
    Idle(testDescription: "removeTag") { try $0.apply(.removeTag("paris"), to: [1001]) },
    Idle(testDescription: "removeTag where") { try $0.apply(.removeTag("never")) { _ in true } },
    Idle(testDescription: "deleteNotes") { $0.deleteNotes([77], withAttachments: true) },
    Idle(testDescription: "deleteNotes where") { $0.deleteNotes { _ in false } },
    Idle(testDescription: "deleteOrphanedTags") { $0.deleteOrphanedTags() },
    Idle(testDescription: "deleteOrphanedAttachments") { $0.deleteOrphanedAttachments() },
  ]

  @Test func anEditThatChangesNothingLeavesNoTrace() async {
    await each(Self.idle) { (idle: Idle) async throws in
      let test = StoreUnderTest()
      let store = try test.open(Notebook.self, .immediate)
      try store.write {
        $0 = try Notebook.small()
        try $0.archive(1000)
        $0.goTo(day: 2)
      }
      try await store.flush()
      let (revision, saves, value) = (store.revision, store.status.counters, store.snapshot().value)
      let changes = store.changes
      try store.write(idle.edit)
      #expect(store.revision == revision)
      #expect(store.snapshot().value.hasSameTables(as: value))
      try await store.close()
      #expect(store.status.counters == saves)
      for await _ in changes { Issue.record("a change set") }
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  /// A note that is only nearly equal is put back.
  @Test func anUpsertIsExact() throws {
    var notebook = Notebook.empty()
    let zero = Date(timeIntervalSinceReferenceDate: 0)
    var note = Note(id: 5, text: "caf\u{E9}", creationDate: zero)
    try notebook.upsert(note)
    note.text = "cafe\u{301}"
    try notebook.upsert(note)
    #expect(notebook.notes[5]?.text.utf8.count == 6)
    note.sortDate = Date(timeIntervalSinceReferenceDate: -0.0)
    try notebook.upsert(note)
    #expect(notebook.notes[5]?.sortDate.timeIntervalSinceReferenceDate.sign == .minus)
    #expect(notebook.allViolations() == [])
  }
}
