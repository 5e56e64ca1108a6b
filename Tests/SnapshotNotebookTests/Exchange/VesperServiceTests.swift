import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The bodies of Vesper's sync service: bare arrays of one kind each.
struct VesperServiceTests {
  private static let notes = """
    [{"noteID": 1607864771815195, "text": "A film", "archived": true, "creationDate": "2017-03-22T00:43:39.000+0000",
      "sortDate": "2017-03-22T00:43:39+0000", "textModificationDate": "2017-03-22T02:28:16-0700", "tags": "Paris  New York",
      "attachments": "\(Vesper.base64(Vesper.pictures))"},
     {"noteID": 1001, "text": null, "archived": null, "creationDate": null}]
    """
  private static let tags = """
    [{"uniqueID": "x", "name": "Paris", "nameModificationDate": "2016-01-01T00:00:00+0000"}, {"uniqueID": "y", "name": ""},
     {"uniqueID": "z", "nameModificationDate": "2016-01-01T00:00:00Z"}, {"name": "Unused", "nameModificationDate": null}]
    """
  private static let deletions = "[1001, 1002, 9007199254740991]"

  private static let skippedTags = [
    SkippedItem(place: "[1]", reason: "is a tag without a name"),
    SkippedItem(place: "[2]", reason: "is a tag without a name"),
  ]

  // MARK: Import

  @Test func anArrayOfNotes() throws {
    var notebook = Notebook.empty()
    #expect(try notebook.importVesper(Self.notes).addedNotes == 2)
    let note = try #require(notebook.notes[1_607_864_771_815_195])
    #expect(note.text == "A film" && note.archived && note.tags == ["paris", "new york"])
    #expect(note.creationDate == (try Vesper.date("2017-03-22T00:43:39Z")) && note.sortDate == note.creationDate)
    #expect(note.textModificationDate == (try Vesper.date("2017-03-22T09:28:16Z")))
    #expect(note.attachments == ["p1", "p2"])
    #expect(try notebook.importVesper(Self.notes).unchangedNotes == 2)
    #expect(notebook.allViolations() == [])
  }

  @Test func anArrayOfTags() throws {
    var notebook = Notebook.empty()
    let report = try notebook.importVesper(Self.tags)
    #expect(report.addedTags == 2 && report.addedNotes == 0)
    #expect(report.skipped == Self.skippedTags)
    #expect(notebook.tags["paris"]?.nameModificationDate == (try Vesper.date("2016-01-01T00:00:00Z")))
    #expect(notebook.tags.ids == ["paris", "unused"])
    #expect(notebook.allViolations() == [])
  }

  @Test func anArrayOfDeletedIDs() throws {
    var notebook = try Notebook.small()
    let report = try notebook.importVesper(Self.deletions)
    // An import deletes nothing: 1001 exists here.
    #expect(report.addedDeletions == 2 && notebook.notes.contains(1001))
    #expect(notebook.deletedNotes.ids == [1002, 9_007_199_254_740_991])
    #expect(try notebook.importVesper(Self.deletions).addedDeletions == 0)
    #expect(notebook.allViolations() == [])
  }

  @Test(arguments: ["[]", " [ ] "]) func anEmptyArray(text: String) throws {
    var notebook = try Notebook.small()
    #expect(try notebook.importVesper(text) == ImportReport())
    #expect(try notebook.merge(SyncContent(vesper: Array(text.utf8))).isUnchanged)
  }

  @Test func whatIsNone() {
    each([
      ("[1001, -1]", "[1]"), ("[1001.5]", "[0]"), ("[true]", "[0]"), ("[[1]]", "[0]"), ("[null]", "[0]"),
      ("[\"1001\"]", "[0]"), ("[{}]", "[0]"), ("[{\"noteID\": 1}, {\"noteID\": null}]", "[1].noteID"),
      ("[{\"objectType\": \"deletedNote\"}]", "[0].uniqueID"),
    ]) { (text: String, place: String) throws in
      var notebook = try Notebook.small()
      for isSync in [false, true] {
        let error = #expect(throws: SnapshotError.self) {
          if isSync { _ = try SyncContent(vesper: Array(text.utf8)) } else { try notebook.importVesper(text) }
        }
        #expect(error?.code == .invalidValue && error?.dataPath == place)
      }
    }
  }

  // MARK: Sync

  @Test func syncOfArrays() throws {
    var notebook = Notebook.empty()
    let notes = try SyncContent(vesper: Array(Self.notes.utf8))
    #expect(try notebook.merge(notes).addedNotes == [1001, 1_607_864_771_815_195])
    let tags = try SyncContent(vesper: Array(Self.tags.utf8))
    let report = try notebook.merge(tags)
    #expect(report.addedTags == ["unused"] && report.changedTags == ["paris"])
    #expect(report.skipped == Self.skippedTags && tags.skipped == Self.skippedTags)
    #expect(try notebook.merge(tags).isUnchanged)
    let deletions = try SyncContent(vesper: Array(Self.deletions.utf8))
    let deleted = try notebook.merge(deletions, policy: .theirs)
    #expect(deleted.deletedNotes == [1001] && deleted.rememberedDeletions == [1002, 9_007_199_254_740_991])
    #expect(notebook.allViolations() == [])
  }

  @Test func aNamelessTagIsNoReasonToStop() throws {
    let text = """
      {"tags": [{"name": "  "}, {"name": "Paris"}], "notes": [{"noteID": 1001, "text": "A", "tags": "Paris"}]}
      """
    let skipped = [SkippedItem(place: "tags[0]", reason: "is a tag without a name")]
    var (imported, synced) = (Notebook.empty(), Notebook.empty())
    let importReport = try imported.importVesper(text)
    #expect(importReport.skipped == skipped && importReport.addedNotes == 1 && imported.tags.ids == ["paris"])
    let syncReport = try synced.merge(SyncContent(vesper: Array(text.utf8)))
    #expect(syncReport.skipped == skipped && syncReport.addedNotes == [1001] && synced.tags.ids == ["paris"])
  }

  // MARK: Outgoing content

  /// Notes that come with a program are on every device already.
  @Test func tutorialNotesStay() throws {
    var notebook = Notebook.empty()
    try notebook.importVesper(Vesper.tutorial)
    #expect(notebook.notes.ids == [1, 2, 3])
    let before = notebook
    let own = try notebook.addNote(text: "Mine", tags: [notebook.tag(named: "Own").id]).id
    try notebook.setText("Changed", of: 2)
    _ = notebook.deleteNotes([3])
    #expect(notebook.changed(since: .distantPast).notes.ids == [own])
    #expect(notebook.changed(since: .distantPast).deletedNotes.isEmpty)
    #expect(notebook.changed(since: before).notes.ids == [own])
    #expect(notebook.changed(since: before).deletedNotes.isEmpty)
    #expect(notebook.missing(from: Notebook()).notes.ids == [own])
    #expect(notebook.missing(from: Notebook()).deletedNotes.isEmpty)
    let missing = notebook.missing(from: SyncContent(Notebook()))
    #expect(missing.notes.ids == [own] && missing.deletedNotes.isEmpty && missing.attachments.isEmpty)
    let json = String(decoding: try notebook.vesperJSON(changedSince: .distantPast), as: UTF8.self)
    #expect(json.contains("Mine") && !json.contains("Changed"))
    // A backup is no sync.
    let backup = String(decoding: try notebook.vesperJSON(), as: UTF8.self)
    #expect(backup.contains("Changed"))
    let limit = try Notebook.with(ids: [999, 1000])
    #expect(limit.changed(since: .distantPast).notes.ids == [1000])
  }
}

extension Notebook {
  fileprivate static func with(ids: [Note.ID]) throws -> Notebook {
    var notebook = Notebook.empty()
    for id in ids { try notebook.upsert(Note(id: id, text: "\(id)", creationDate: .day(1))) }
    return notebook
  }
}
