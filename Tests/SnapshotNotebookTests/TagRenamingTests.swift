import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A tag with another name is another tag: its notes move.
struct TagRenamingTests {
  @Test func theNotesMoveToTheNewTag() throws {
    var notebook = try Notebook.small()
    let third = try notebook.addNote(text: "Third", tags: ["new york"])
    notebook.goTo(day: 2)
    let before = notebook
    let tag = try notebook.renameTag("paris", to: "  Île  de France ")
    #expect(tag.id == "île de france" && tag.name == "Île de France")
    #expect(tag.nameModificationDate == .day(2))
    #expect(notebook.tags.ids == ["new york", "île de france"])
    #expect(notebook.notes[1000]?.tags == ["île de france", "new york"])
    #expect(notebook.notes(tagged: "île de france").map(\.id) == [1000])
    #expect(Array(notebook.notes(tagged: "paris")) == [])

    // Exactly the dates of the change.
    var expected = try #require(before.notes[1000])
    expected.tags = ["île de france", "new york"]
    expected.tagsModificationDate = .day(2)
    expected.modificationDate = .day(2)
    #expect(notebook.notes[1000] == expected)
    #expect(notebook.notes.changes(from: before.notes).map(\.id) == [1000])
    #expect(notebook.notes[third.id] == third)
    #expect(notebook.tags["new york"] == before.tags["new york"])
    #expect(notebook.attachments.isIdentical(to: before.attachments))
    #expect(notebook.allViolations() == [])
  }

  /// Two tags are merged. A note has the result once, at the first of their places.
  @Test func twoTagsBecomeOne() {
    each([
      (["a", "old", "b"], ["a", "new", "b"]), (["a", "old", "b", "new"], ["a", "new", "b"]),
      (["new", "a", "old"], ["new", "a"]), (["old", "new"], ["new"]), (["old"], ["new"]),
    ]) { (tags: [String], expected: [String]) throws in
      var notebook = Notebook.empty()
      for name in ["a", "b", "old", "New"] { notebook.tag(named: name) }
      let note = try notebook.addNote(text: "", tags: tags)
      let other = try notebook.addNote(text: "", tags: ["new", "a"])
      notebook.goTo(day: 2)
      #expect(try notebook.renameTag("old", to: "NEW").name == "New")
      #expect(notebook.notes[note.id]?.tags == expected)
      #expect(notebook.notes[note.id]?.tagsModificationDate == .day(2))
      #expect(notebook.notes[other.id] == other)
      #expect(notebook.tags["new"]?.nameModificationDate == .day(1))
      #expect(notebook.tags.ids == ["a", "b", "new"])
      #expect(notebook.allViolations() == [])
    }
  }

  @Test func anotherSpellingIsARespelling() throws {
    var notebook = try Notebook.small()
    notebook.goTo(day: 2)
    let notes = notebook.notes
    #expect(try notebook.renameTag("paris", to: " PARIS").name == "PARIS")
    #expect(notebook.tags["paris"]?.nameModificationDate == .day(2))
    #expect(notebook.notes.isIdentical(to: notes))
    notebook.goTo(day: 3)
    let before = notebook
    #expect(try notebook.renameTag("paris", to: "PARIS ").nameModificationDate == .day(2))
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  @Test func whatCannotBeRenamedStays() throws {
    var notebook = try Notebook.small()
    let before = notebook
    expectRefusal(.recordNotFound) { try notebook.renameTag("rome", to: "Roma") }
    expectRefusal(.recordNotFound) { try notebook.renameTag("rome", to: "Rome") }
    expectRefusal(.recordNotFound) { try notebook.renameTag("Paris", to: "Rome") }
    for name in ["", " \n"] { expectRefusal(.invalidValue) { try notebook.renameTag("paris", to: name) } }
    notebook.sources.now = { Date(timeIntervalSinceReferenceDate: .nan) }
    expectRefusal(.invalidValue) { try notebook.renameTag("paris", to: "Rome") }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }
}
