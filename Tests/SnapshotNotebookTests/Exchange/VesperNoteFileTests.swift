import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The text files of Vesper's export folder.
struct VesperNoteFileTests {
  @Test func theBlock() {
    var note = NoteFile.note("Title\nText")
    note.tagNames = ["Paris", "New York, NY"]
    note.attachments = [NoteFile.attachments[0], NoteFile.attachments[1]]
    note.sortDate = .day(3)
    #expect(
      VesperNoteFile.text(of: note) == """
        Title
        Text

        Picture: photo.jpg
        Picture: photo.jpg.jpg, image/jpeg, 30x20
        Tags: Paris, "New York, NY"
        Created: 2020-01-01T00:00:00Z
        Modified: 2020-01-02T00:00:00Z
        Sorted: 2020-01-03T00:00:00Z
        ID: 1607864771815195

        """)
  }

  /// In the form of another program, or of a person.
  @Test(arguments: [
    "Text\n\nCreated: 2014-01-02 03:04:05 +0000", "Text\r\n\r\nCreated: 2014-01-02T03:04:05Z\r\n\r\n",
    "Text\n\nTags: \nModified: unknown\nCreated:2014-01-02T03:04:05Z  \n\n\n",
  ])
  func otherBlocks(text: String) throws {
    let note = VesperNoteFile.note(in: text, place: "x")
    #expect(note.text == "Text")
    #expect(note.creationDate == (try Vesper.date("2014-01-02T03:04:05Z")))
    #expect(note.sortDate == note.creationDate && note.modificationDate == nil && note.id == nil)
    #expect(note.tagNames == [] && note.givesTags)
  }

  @Test(arguments: [
    "Text\nCreated: 2014-01-02T03:04:05Z", "Created: 2014-01-02T03:04:05Z", "Text\n\nTags: a", "Text\n\nCreated: soon",
    "T\n\nCreated: 2014-01-02T03:04:05Z\nCreated: 2014-01-02T03:04:05Z", "T\n\nCreated: 2014-01-02T03:04:05Z\nOther: x",
    "T\n\nCreated: 2014-01-02T03:04:05Z\nID: -5", "T\n\nCreated: 2014-01-02T03:04:05Z\nID: 05",
    "T\n\nCreated: 2014-01-02T03:04:05Z\nTags: \"a", "T\n\nCreated: 2014-01-02T03:04:05Z\nTags: \"a\" b",
    "T\n\nCreated: 2014-01-02T03:04:05Z\nTags: \"\"", "T\n\nCreated: 2014-01-02T03:04:05Z\nTags: \"\\q\"",
    "T\n\nCreated: 2014-01-02T03:04:05Z\nPicture: a, b",
    "T\n\nCreated: 2014-01-02T03:04:05Z\nPicture: a, b, 1x99999999999999999999",
    "T\n\nCreated: 2014-01-02T03:04:05Z\n \n", "T\n\nCreated: 2014-01-02T03:04:05Z\n\nMore",
  ])
  func whatIsNoBlockIsText(text: String) {
    let note = VesperNoteFile.note(in: text, place: "x")
    if text.hasSuffix("\n \n") {
      #expect(note.text == "T")
      return
    }
    #expect(note.text == text)
    #expect(note.creationDate == nil && !note.givesTags && !note.givesAttachments)
  }
}
