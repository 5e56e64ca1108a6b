import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Deleting leaves no reference to a missing record.
struct DeletingTests {
  @Test func deletedNotesLeaveTombstones() throws {
    var notebook = try Notebook.small()
    notebook.goTo(day: 2)
    let before = notebook
    // Unknown and repeated ids are ignored. The order is the given one.
    #expect(notebook.deleteNotes([1001, 77, 1000, 1001]) == [1001, 1000])
    #expect(notebook.notes.isEmpty)
    #expect(notebook.deletedNotes.map(\.id) == [1000, 1001])
    #expect(notebook.deletedNotes.allSatisfy { $0.deletionDate == .day(2) })
    #expect(notebook.tags.isIdentical(to: before.tags))
    #expect(notebook.attachments.isIdentical(to: before.attachments))
    #expect(Array(notebook.notes(tagged: "paris")) == [])
    #expect(notebook.allViolations() == [])

    // A second deletion changes nothing: the date stays.
    notebook.goTo(day: 3)
    let deleted = notebook
    #expect(notebook.deleteNotes([1000]) == [])
    #expect(notebook.deleteNotes([]) == [])
    #expect(notebook.hasSameTables(as: deleted))
    #expect(notebook.allViolations() == [])
  }

  @Test func aDeletedTagComesOffItsNotes() throws {
    var notebook = try Notebook.small()
    try notebook.setTags(["paris"], of: 1001)
    let other = try notebook.addNote(text: "Third", tags: ["new york"])
    notebook.goTo(day: 2)
    let before = notebook
    try notebook.deleteTag("paris")
    #expect(notebook.tags.ids == ["new york"])
    #expect(notebook.notes[1000]?.tags == ["new york"])
    #expect(notebook.notes[1001]?.tags == [])
    for id in [Note.ID(1000), 1001] {
      #expect(notebook.notes[id]?.tagsModificationDate == .day(2))
      #expect(notebook.notes[id]?.modificationDate == .day(2))
      #expect(notebook.notes[id]?.textModificationDate == .day(1))
    }
    #expect(notebook.notes[other.id] == other)
    #expect(Array(notebook.notes(tagged: "paris")) == [])
    #expect(notebook.attachments.isIdentical(to: before.attachments))
    #expect(notebook.allViolations() == [])
  }

  @Test func aDeletedAttachmentComesOffItsNotes() throws {
    var notebook = try Notebook.small()
    notebook.goTo(day: 2)
    let before = notebook
    #expect(notebook.notes[1000].map(notebook.thumbnailID) == "photo")
    try notebook.deleteAttachment("photo")
    #expect(notebook.attachments.ids == ["film"])
    #expect(notebook.notes[1000]?.attachments == ["film"])
    #expect(notebook.notes[1000]?.attachmentsModificationDate == .day(2))
    #expect(notebook.notes[1000]?.tagsModificationDate == .day(1))
    #expect(notebook.notes[1000].map(notebook.thumbnailID) == .some(nil))
    #expect(notebook.notes[1001] == before.notes[1001])
    #expect(notebook.tags.isIdentical(to: before.tags))
    #expect(notebook.allViolations() == [])
  }

  @Test func whatIsNotThereCannotBeDeleted() throws {
    var notebook = try Notebook.small()
    let before = notebook
    expectRefusal(.recordNotFound) { try notebook.deleteTag("rome") }
    expectRefusal(.recordNotFound) { try notebook.deleteTag("Paris") }
    expectRefusal(.recordNotFound) { try notebook.deleteAttachment("rome") }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  @Test func anUpsertRevivesADeletedNote() throws {
    var notebook = try Notebook.small()
    let note = try #require(notebook.notes[1000])
    notebook.deleteNotes([1000, 1001])
    try notebook.upsert(note)
    #expect(notebook.notes.ids == [1000])
    #expect(notebook.deletedNotes.ids == [1001])
    #expect(notebook.notes(tagged: "paris").map(\.id) == [1000])
    #expect(notebook.allViolations() == [])

    // The records that the note refers to may be deleted by now. Then it stays deleted.
    notebook.deleteNotes([1000])
    try notebook.deleteTag("paris")
    let before = notebook
    expectRefusal(.recordNotFound) { try notebook.upsert(note) }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  /// All operations on a notebook, in any order.
  @Test func noOrderOfChangesLeavesAnIDThatLeadsNowhere() {
    each(SeededGenerator.seeds(15)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var notebook = Notebook.empty()
      let names = (0..<12).map { "Tag \($0)" }
      for step in 0..<600 {
        notebook.goTo(day: step)
        let tags = names.shuffled(using: &random).prefix(3).compactMap { notebook.existingTag(named: $0)?.id }
        let files = Array(notebook.attachments.ids.shuffled(using: &random).prefix(2))
        let note = notebook.notes.ids.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<12, using: &random) {
        case 0: notebook.tag(named: names.randomElement(using: &random) ?? "Tag")
        case 1: try notebook.add(Attachment(id: "file \(step)", mimeType: "image/png", height: 1, width: 1))
        case 2: if let id = tags.first { try notebook.deleteTag(id) }
        case 3: if let id = files.first { try notebook.deleteAttachment(id) }
        case 4: notebook.deleteNotes([note])
        case 5:
          guard let id = notebook.deletedNotes.first?.id else { continue }
          try notebook.upsert(.init(id: id, text: "", creationDate: .day(1)))
        case 6: if notebook.notes.contains(note) { try notebook.setTags(tags, of: note) }
        case 7: if notebook.notes.contains(note) { try notebook.setAttachments(files, of: note) }
        default: try notebook.addNote(text: "Note \(step)", tags: tags, attachments: files)
        }
        if step % 100 == 0 { #expect(notebook.allViolations() == []) }
      }
      #expect(notebook.notes.count > 50)
      #expect(notebook.allViolations() == [])
    }
  }
}
