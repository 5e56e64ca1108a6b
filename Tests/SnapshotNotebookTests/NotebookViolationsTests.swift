import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The check finds each kind of fault that a file from elsewhere can contain. These tests change the tables directly,
/// since the notebook's own functions cannot make such faults.
struct NotebookViolationsTests {
  static let nan = Date(timeIntervalSinceReferenceDate: .nan)

  private func violations(_ change: (inout Notebook) throws -> Void) throws -> [String] {
    var notebook = try Notebook.small()
    #expect(notebook.allViolations() == [])
    try change(&notebook)
    // The tables are valid by themselves; their content is wrong.
    #expect(notebook.notes.invariantViolations() == [])
    return Notebook.schema.invalidRecords(of: notebook).map(\.description)
  }

  @Test func idsThatLeadNowhere() throws {
    let tag = try violations { $0.tags.remove("paris") }
    #expect(tag == ["notes 1000: its tag “paris” does not exist"])
    let attachment = try violations { $0.attachments.remove("photo") }
    #expect(attachment == ["notes 1000: its attachment “photo” does not exist"])
    let both = try violations { notebook in
      try notebook.notes.update(1001) { $0.tags = ["rome", "oslo"] }
      notebook.attachments.removeAll()
    }
    #expect(
      both == [
        "notes 1001: its tag “oslo” does not exist", "notes 1001: its tag “rome” does not exist",
        "notes 1000: its attachment “film” does not exist", "notes 1000: its attachment “photo” does not exist",
      ])
  }

  @Test func whatStandsTwice() throws {
    let tag = try violations { try $0.notes.update(1001) { $0.tags = ["paris", "new york", "paris"] } }
    #expect(tag == ["notes 1001: a tag is on it twice"])
    let attachment = try violations { try $0.notes.update(1001) { $0.attachments = ["film", "film"] } }
    #expect(attachment == ["notes 1001: an attachment is on it twice"])
  }

  @Test func aNoteThatIsAlsoDeleted() throws {
    var notebook = try Notebook.small()
    try notebook.deletedNotes.insert(DeletedNote(id: 1001, deletionDate: nil))
    #expect(notebook.allViolations() == ["notes 1001: it also has a tombstone in “deletedNotes”"])
  }

  @Test func aNegativeID() throws {
    let found = try violations { try $0.notes.insert(Note(id: -3, text: "", creationDate: .day(1))) }
    #expect(found == ["notes -3: its id is negative"])
  }

  @Test func datesOfNotesThatAreNotFinite() throws {
    let expected = ["notes 1001: one of its dates is not finite"]
    #expect(try violations { try $0.notes.update(1001) { $0.sortDate = Self.nan } } == expected)
    #expect(try violations { try $0.notes.update(1001) { $0.modificationDate = Self.nan } } == expected)
    #expect(try violations { try $0.notes.update(1001) { $0.tagsModificationDate = Self.nan } } == expected)
    let creation = try violations { try $0.notes.insert(Note(id: 5, text: "", creationDate: Self.nan)) }
    #expect(creation == ["notes 5: one of its dates is not finite"])
  }

  /// Not only notes have dates.
  @Test func otherDatesThatAreNotFinite() throws {
    let tag = try violations { try $0.tags.update("paris") { $0.nameModificationDate = Self.nan } }
    #expect(tag.count == 1)
    #expect(tag.first?.hasPrefix("tags paris: ") == true)
    let tombstone = try violations { try $0.deletedNotes.insert(DeletedNote(id: 5, deletionDate: Self.nan)) }
    #expect(tombstone.count == 1)
    #expect(tombstone.first?.hasPrefix("deletedNotes 5: ") == true)
  }

  @Test func aTagWhoseIDIsNotThatOfItsName() throws {
    let found = try violations { try $0.tags.update("paris") { $0.name = "Rome" } }
    #expect(found == ["tags paris: its name is “Rome”, whose id is “rome”"])
    let empty = try violations { try $0.tags.update("paris") { $0.name = " " } }
    #expect(empty == ["tags paris: its name is “ ”, which is not a valid name"])
    // Equal to the id in Swift, but not the id of the name.
    let id = try violations { notebook in
      var tag = notebook.tag(named: "caf\u{E9}")
      notebook.tags.remove(tag.id)
      tag = try Self.tag(id: "cafe\u{301}", name: "caf\u{E9}")
      try notebook.tags.insert(tag)
    }
    #expect(id.count == 1)
  }

  /// A name with characters that would break its line.
  @Test func messagesAreFitForOneLine() throws {
    let found = try violations { try $0.notes.update(1001) { $0.tags = ["a\n\u{1B}[31mb\u{202E}"] } }
    #expect(found == ["notes 1001: its tag “a\\u{A}\\u{1B}[31mb\\u{202E}” does not exist"])
  }

  @Test func allViolationsHasBoth() throws {
    var notebook = try Notebook.small()
    notebook.tags.remove("paris")
    notebook.tags.tree.updateValue(RecordBox(notebook.tag(named: "Rome")), forKey: "a")
    let violations = notebook.allViolations()
    #expect(violations.contains("tags: record “rome” stands under “a”"))
    #expect(violations.contains("notes 1000: its tag “paris” does not exist"))
  }

  /// Only a file can make a tag with a wrong id. (The testing library has a `Tag` too.)
  private static func tag(id: String, name: String) throws -> SnapshotNotebook.Tag {
    let json = try JSONEncoder().encode(["id": id, "name": name])
    return try JSONDecoder().decode(SnapshotNotebook.Tag.self, from: json)
  }
}
