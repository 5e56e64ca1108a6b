import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Two copies of a notebook without a merge base.
struct NotebookMergingTests {
  /// A notebook of day 1 and two copies of it that are edited on their own.
  private static func copies() throws -> (ours: Notebook, theirs: Notebook, ids: [Note.ID]) {
    var notebook = Notebook.empty()
    let tag = notebook.tag(named: "Paris")
    let ids = try (0..<4).map { try notebook.addNote(text: "note \($0)", tags: [tag.id]).id }
    return (notebook, notebook, ids)
  }

  @Test func theLaterVersionCounts() throws {
    var (ours, theirs, ids) = try Self.copies()
    ours.goTo(day: 2)
    theirs.goTo(day: 3)
    try ours.setText("ours", of: ids[0])
    try theirs.setText("theirs", of: ids[0])
    try ours.setText("ours alone", of: ids[1])
    try theirs.setArchived(true, of: ids[2])
    for (a, b) in [(ours, theirs), (theirs, ours)] {
      let result = Notebook.merging(ours: a, theirs: b)
      #expect(result.conflicts == [])
      #expect(result.value.notes[ids[0]]?.text == "theirs")
      #expect(result.value.notes[ids[1]]?.text == "ours alone")
      #expect(result.value.notes[ids[2]]?.archived == true)
      #expect(result.value.allViolations() == [])
    }
  }

  /// Two sides add one attachment, whose id another program spells in another normalisation.
  @Test func oneAttachmentInTwoSpellings() throws {
    let (base, _, ids) = try Self.copies()
    func adding(_ id: SnapshotNotebook.Attachment.ID) throws -> Notebook {
      var notebook = base
      notebook.goTo(day: 2)
      try notebook.add(SnapshotNotebook.Attachment(id: id, mimeType: "image/png", height: 1, width: 1))
      try notebook.setAttachments([id], of: ids[0])
      return notebook
    }
    let result = Notebook.merging(base: base, ours: try adding("caf\u{E9}"), theirs: try adding("cafe\u{301}"))
    #expect(result.value.allViolations() == [])
    #expect(result.value.notes[ids[0]]?.attachments == ["café"])
    #expect(result.repaired.map(\.message) == ["had an attachment twice, and has it once now"])
  }

  // Where no date decides, our value stays, and the conflict is named.
  @Test func aTieIsAConflict() throws {
    let (ours, theirs, ids) = try Self.copies()
    var changed = theirs
    var note = try #require(theirs.notes[ids[0]])
    note.tags = []
    try changed.upsert(note)
    let result = Notebook.merging(ours: ours, theirs: changed)
    #expect(result.value.notes[ids[0]]?.tags == ["paris"])
    #expect(result.conflicts.map(\.resolution) == [.tookOurs])
  }

  @Test func whatEitherMadeIsThere() throws {
    var (ours, theirs, _) = try Self.copies()
    ours.sources.nextNoteID = sequentialNoteIDs(first: 5000)
    theirs.sources.nextNoteID = sequentialNoteIDs(first: 6000)
    let mine = try ours.addNote(text: "mine", tags: [ours.tag(named: "Mine").id])
    let other = try theirs.addNote(text: "other", tags: [theirs.tag(named: "Other").id])
    let result = Notebook.merging(ours: ours, theirs: theirs)
    #expect(result.conflicts == [])
    #expect(result.value.notes.count == 6)
    #expect(result.value.notes[mine.id]?.tags == ["mine"])
    #expect(result.value.notes[other.id]?.tags == ["other"])
    #expect(result.value.tags.ids == ["mine", "other", "paris"])
    #expect(result.value.allViolations() == [])
  }

  // A deleted note stays deleted, unless it was changed later. Then it is no longer among the deleted ones.
  @Test func deletionsCount() throws {
    var (ours, theirs, ids) = try Self.copies()
    ours.goTo(day: 2)
    theirs.goTo(day: 3)
    ours.deleteNotes([ids[0], ids[1]])
    try theirs.setText("changed after", of: ids[1])
    theirs.deleteNotes([ids[2]])
    for (a, b) in [(ours, theirs), (theirs, ours)] {
      let result = Notebook.merging(ours: a, theirs: b)
      #expect(result.conflicts == [])
      #expect(result.value.notes.ids == [ids[1], ids[3]].sorted())
      #expect(result.value.notes[ids[1]]?.text == "changed after")
      #expect(result.value.deletedNotes.ids == [ids[0], ids[2]].sorted())
      #expect(result.value.allViolations() == [])
    }
  }

  // If no date tells whether it was deleted before or after, our state stays, and the conflict is named.
  @Test(arguments: [nil, Date.day(1, plus: 0.5)])
  func anUndecidedDeletionIsAConflict(date: Date?) throws {
    var (ours, theirs, ids) = try Self.copies()
    try ours.notes.upsert(SyncFixtures.undatedNote(7))
    theirs.deleteNotes([ids[0]])
    for id in [ids[0], 7] { try theirs.deletedNotes.upsert(DeletedNote(id: id, deletionDate: date)) }
    let result = Notebook.merging(ours: ours, theirs: theirs)
    #expect(result.value.notes[ids[0]] == ours.notes[ids[0]] && result.value.notes[7] == ours.notes[7])
    #expect(result.value.deletedNotes.isEmpty)
    #expect(
      result.conflicts == [7, ids[0]].map { MergeConflict(table: "notes", id: "\($0)", resolution: .tookOurs) })
    // In the other direction it stays deleted, and is named. A note with a date returns without a conflict.
    let reverse = Notebook.merging(ours: theirs, theirs: ours)
    let remaining = date == nil ? [7] : [7, ids[0]]
    #expect(reverse.value.deletedNotes.ids == remaining)
    #expect(Set(reverse.conflicts.map(\.id)) == Set(remaining.map { "\($0)" }))
    #expect(result.value.allViolations() == [] && reverse.value.allViolations() == [])
  }

  // One side removed a record that the other one gave to a note. It is restored, and the merge says so.
  @Test func whatIsReferredToIsThere() throws {
    var (ours, theirs, ids) = try Self.copies()
    try ours.add(Attachment(id: "photo", mimeType: "image/jpeg", height: 20, width: 30))
    try theirs.add(Attachment(id: "photo", mimeType: "image/jpeg", height: 20, width: 30))
    let base = ours
    try theirs.deleteTag("paris")
    try theirs.deleteAttachment("photo")
    let another = try ours.addNote(text: "another", tags: ["paris"], attachments: ["photo"])
    try ours.setText("changed", of: ids[0])
    for (a, b) in [(ours, theirs), (theirs, ours)] {
      let result = Notebook.merging(base: base, ours: a, theirs: b)
      #expect(result.value.tags["paris"] == base.tags["paris"])
      #expect(result.value.tags["paris"]?.name == "Paris")
      #expect(result.value.attachments["photo"] == base.attachments["photo"])
      #expect(result.value.notes[another.id] == another)
      #expect(Set(result.repaired.map(\.place)) == ["tags “paris”", "attachments “photo”"])
      // One changed the text of the first note, the other its tags.
      #expect(result.conflicts == [] && result.value.notes[ids[0]]?.text == "changed")
      #expect(result.value.allViolations() == [])
    }
  }

  @Test func withItselfNothingHappens() throws {
    let (ours, theirs, _) = try Self.copies()
    let result = Notebook.merging(ours: ours, theirs: theirs)
    #expect(result.conflicts == [])
    #expect(result.value.hasSameTables(as: ours))
  }
}
