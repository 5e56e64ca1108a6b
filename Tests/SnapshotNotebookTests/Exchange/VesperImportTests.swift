import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// What an import takes over, and what it leaves unchanged.
struct VesperImportTests {
  @Test func aNoteWithEverything() throws {
    var notebook = Notebook.empty()
    let report = try notebook.importVesper(Vesper.sync)
    #expect(report.addedNotes == 2)
    #expect(report.addedTags == 4)
    #expect(report.addedAttachments == 2)
    #expect(report.unchangedNotes == 0)
    #expect(report.skipped == [])

    let note = try #require(notebook.notes[1_607_864_771_815_195])
    #expect(note.text == "A film\nwith pictures")
    #expect(note.archived)
    #expect(note.creationDate == (try Vesper.date("2017-03-22T00:43:39Z")))
    #expect(note.sortDate == (try Vesper.date("2017-03-23T00:43:39Z")) + 0.25)
    #expect(note.textModificationDate == (try Vesper.date("2017-03-22T02:28:16Z")))
    #expect(note.archivedModificationDate == (try Vesper.date("2017-04-01T00:00:00Z")))
    #expect(note.sortDateModificationDate == (try Vesper.date("2017-03-24T00:00:00Z")))
    #expect(note.tagsModificationDate == (try Vesper.date("2017-03-25T00:00:00Z")))
    #expect(note.attachmentsModificationDate == (try Vesper.date("2017-03-26T00:00:00Z")))
    // The latest of its dates.
    #expect(note.modificationDate == note.archivedModificationDate)
    // Names are separated by two spaces or more, and each is taken once.
    #expect(note.tags == ["paris", "new york", "film noir"])
    #expect(note.attachments == ["p1", "p2"])
    #expect(notebook.attachments["p1"] == Attachment(id: "p1", mimeType: "image/png", height: 10, width: 20))
    #expect(notebook.attachments["p2"] == Attachment(id: "p2", mimeType: "video/mp4", height: 0, width: 0))
    #expect(notebook.allViolations() == [])
  }

  /// Tags of the list keep their spelling and date; those that only a note names are made now.
  @Test func tags() throws {
    var notebook = Notebook.empty()
    try notebook.importVesper(Vesper.sync)
    #expect(notebook.tags.map(\.name) == ["Film Noir", "NEW York", "Paris", "Unused"])
    #expect(notebook.tags["new york"]?.nameModificationDate == (try Vesper.date("2016-01-01T00:00:00Z")))
    #expect(notebook.tags["unused"]?.nameModificationDate == nil)
    #expect(notebook.tags["paris"]?.nameModificationDate == .day(1))
    #expect(notebook.allViolations() == [])
  }

  @Test func nullIsTheSameAsAbsent() throws {
    var notebook = Notebook.empty()
    try notebook.importVesper(Vesper.sync)
    let note = try #require(notebook.notes[1001])
    #expect(note.text == "")
    #expect(!note.archived)
    // There is no date at all, so the note gets the current date. Unknown dates stay unknown.
    #expect([note.creationDate, note.sortDate, note.modificationDate] == [.day(1), .day(1), .day(1)])
    #expect(note.textModificationDate == nil && note.archivedModificationDate == nil)
    #expect(note.sortDateModificationDate == nil && note.tagsModificationDate == nil)
    #expect(note.attachmentsModificationDate == nil)
    #expect(note.tags.isEmpty && note.attachments.isEmpty)

    var other = Notebook.empty()
    try other.importVesper(#"{"notes": [{"noteID": 1001}]}"#)
    #expect(other.notes[1001] == note)
    #expect(other.allViolations() == [])
  }

  /// A missing creation date is the sort date, or else the earliest date.
  @Test(arguments: [
    ("sortDate", "2020-05-05T00:00:00Z"), ("tagsModificationDate", "2019-01-01T00:00:00Z"),
  ])
  func aMissingCreationDate(otherDate: String, creation: String) throws {
    var notebook = Notebook.empty()
    try notebook.importVesper(
      """
      {"notes": [{"noteID": 7, "\(otherDate)": "2020-05-05T00:00:00Z", "textModificationDate": "2019-01-01T00:00:00Z"}]}
      """)
    #expect(notebook.notes[7]?.creationDate == (try Vesper.date(creation)))
    #expect(notebook.notes[7]?.sortDate == (try Vesper.date(creation)))
    #expect(notebook.notes[7]?.textModificationDate == (try Vesper.date("2019-01-01T00:00:00Z")))
    #expect(notebook.allViolations() == [])
  }

  @Test func whatIsHereIsNotChanged() throws {
    var notebook = Notebook.empty()
    notebook.tag(named: "paris")
    try notebook.add(Attachment(id: "p1", mimeType: "image/jpeg", height: 1, width: 1))
    try notebook.addNote(text: "Mine")
    try notebook.upsert(Note(id: 1001, text: "Different", creationDate: .day(1)))
    let before = notebook
    notebook.goTo(day: 2)
    let report = try notebook.importVesper(Vesper.sync)
    #expect(report.addedNotes == 1)
    let skipped = [SkippedItem(place: "notes[1]", id: 1001, reason: "is here with other content")]
    #expect(report.skipped == skipped)
    #expect(report.addedAttachments == 1)
    #expect(notebook.notes[1000] == before.notes[1000])
    #expect(notebook.notes[1001] == before.notes[1001])
    #expect(notebook.tags["paris"] == before.tags["paris"])
    #expect(notebook.attachments["p1"] == before.attachments["p1"])
    #expect(notebook.allViolations() == [])
  }

  @Test func importingTwiceChangesNothing() throws {
    var notebook = Notebook.empty()
    try notebook.importVesper(Vesper.sync)
    try notebook.importVesper(Vesper.tutorial)
    let before = notebook
    // Later. A note without any date must not match another one because of that.
    notebook.goTo(day: 2)
    for (file, notes) in [(Vesper.sync, 2), (Vesper.tutorial, 3)] {
      let report = try notebook.importVesper(file)
      #expect(report.unchangedNotes == notes)
      #expect(report.skipped == [])
      #expect(report.addedNotes + report.addedTags + report.addedAttachments == 0)
    }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  @Test func whatWasDeletedStaysDeleted() throws {
    var notebook = Notebook.empty()
    try notebook.importVesper(Vesper.sync)
    notebook.deleteNotes([1_607_864_771_815_195])
    try notebook.deleteTag("film noir")
    try notebook.deleteAttachment("p2")
    let before = notebook
    let report = try notebook.importVesper(Vesper.sync)
    let skipped = [SkippedItem(place: "notes[0]", id: 1_607_864_771_815_195, reason: "was deleted here")]
    #expect(report.skipped == skipped)
    #expect(report.addedNotes == 0)
    // The records that only it refers to do not return either.
    #expect(report.addedTags == 0)
    #expect(report.addedAttachments == 0)
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  @Test func theTutorial() throws {
    var notebook = Notebook.empty()
    let report = try notebook.importVesper(Vesper.tutorial)
    #expect(report.addedNotes == 3)
    #expect(report.addedTags == 1)
    #expect(report.addedAttachments == 2)
    let note = try #require(notebook.notes[1])
    #expect(note.text == "Collect your thoughts\nAdd tags & pictures.")
    #expect(note.title == "Collect your thoughts")
    #expect(note.creationDate == (try Vesper.date("2012-12-12T16:12:12Z")))
    #expect([note.sortDate, note.modificationDate] == [note.creationDate, note.creationDate])
    #expect(note.textModificationDate == nil)
    #expect(note.tags == ["tutorial"])
    #expect(notebook.thumbnailID(of: note) == "tutorial1")
    #expect(notebook.attachments["tutorial1"]?.mimeType == "image/jpeg")
    #expect(notebook.attachments["tutorial2"]?.mimeType == "image/png")
    #expect(notebook.notes[2]?.creationDate == (try Vesper.date("2012-12-12T15:12:12Z")))
    #expect(notebook.notes[3]?.text == "")
    #expect(notebook.notes[3]?.attachments == [])
    #expect(notebook.allViolations() == [])
  }

  /// The same tutorial in the other formats of property lists and as JSON.
  @Test func theTutorialInOtherFormats() throws {
    var expected = Notebook.empty()
    try expected.importVesper(Vesper.tutorial)
    let list = try PropertyListSerialization.propertyList(from: Data(Vesper.tutorial.utf8), format: nil)
    let binary = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    var notebook = Notebook.empty()
    _ = try notebook.importVesper(Array(binary))
    #expect(notebook.hasSameRecords(as: expected))
    #expect(notebook.allViolations() == [])

    var json = Notebook.empty()
    try json.importVesper(#" [{"uniqueID": 2, "text": "A\\nB", "date": null, "tags": null}]"#)
    #expect(json.notes[2]?.text == "A\nB")
    #expect(json.allViolations() == [])
  }
}
