import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Incoming content as Vesper's JSON, partly missing, partly unreadable.
struct SyncContentTests {
  private static func merge(
    _ member: String, into notebook: inout Notebook, _ policy: SyncPolicy = .newest
  ) throws -> SyncReport {
    let report = try notebook.merge(SyncContent(vesper: Array("{\"notes\": [{\(member)}]}".utf8)), policy: policy)
    #expect(notebook.allViolations() == [])
    return report
  }

  /// A null value clears only if its date is newer. No policy clears otherwise.
  @Test func whatIsNullClearsOnlyWhenItIsNewer() {
    each([
      ("text", "null"), ("text", "\"\""), ("archived", "null"), ("tags", "null"), ("tags", "\"\""),
      ("attachments", "null"), ("attachments", "\"\""),
    ]) { (property: String, value: String) throws in
      var original = try Notebook.small()
      try original.setArchived(true, of: 1000)
      let values = ", \"\(property)\": \(value)"
      let name = "\(property)ModificationDate"
      // A given but empty value is a value: this policy takes it.
      let isMissing = value != "\"\""
      for date in ["null", "\"2020-01-01T00:00:00Z\"", "\"2019-01-01T00:00:00Z\"", "\"soon\"", "7"] {
        for policy in SyncPolicy.allCases where isMissing || policy != .theirs {
          var notebook = original
          _ = try Self.merge("\"noteID\": 1000, \"\(name)\": \(date)\(values)", into: &notebook, policy)
          let note = try #require(notebook.notes[1000])
          #expect(note.text == "First" && note.archived && note.tags.count == 2 && note.attachments.count == 2)
          #expect(note.creationDate == .day(1) && note.sortDate == .day(1) && note.modificationDate == .day(1))
        }
      }
      var notebook = original
      let report = try Self.merge("\"noteID\": 1000, \"\(name)\": \"2020-01-02T00:00:00Z\"\(values)", into: &notebook)
      let note = try #require(notebook.notes[1000])
      #expect((note.text == "") == (property == "text"))
      #expect(note.archived == (property != "archived"))
      #expect(note.tags.isEmpty == (property == "tags"))
      #expect(note.attachments.isEmpty == (property == "attachments"))
      #expect(note.modificationDate == .day(2))
      #expect(report.changedNotes == [1000])
    }
  }

  /// An absent value was not given. Its date, however new, clears nothing, even if the note occurs again later.
  @Test func whatIsAbsentClearsNothing() {
    each(["text", "archived", "sortDate", "tags", "attachments"]) { (property: String) throws in
      var original = try Notebook.small()
      try original.setArchived(true, of: 1000)
      let member = "\"noteID\": 1000, \"\(property)ModificationDate\": \"2021-01-01T00:00:00Z\""
      for policy in SyncPolicy.allCases {
        var notebook = original
        let report = try Self.merge(member, into: &notebook, policy)
        #expect(report.isUnchanged && report.keptNotes == [1000])
        #expect(notebook.hasSameTables(as: original))
      }
      var elsewhere = Notebook.empty()
      _ = try Self.merge(member, into: &elsewhere)
      try elsewhere.merge(SyncContent(original))
      #expect(elsewhere.notes[1000]?.text == "First")
      #expect(elsewhere.notes[1000]?.archived == true)
      #expect(elsewhere.notes[1000]?.tags.count == 2 && elsewhere.notes[1000]?.attachments.count == 2)
      // Such a date does not restore a note either.
      original.goTo(day: 2)
      original.deleteNotes([1000])
      #expect(try Self.merge(member, into: &original).keptNotes == [1000])
      #expect(!original.notes.contains(1000))
    }
  }

  /// A sort date cannot be cleared.
  @Test func aMissingSortDateIsNone() throws {
    var notebook = try Notebook.small()
    let before = notebook
    let report = try Self.merge(
      "\"noteID\": 1000, \"sortDateModificationDate\": \"2021-01-01T00:00:00Z\"", into: &notebook)
    #expect(notebook.notes[1000]?.sortDate == before.notes[1000]?.sortDate)
    #expect(notebook.notes[1000]?.sortDateModificationDate == .day(1))
    #expect(report.deletedNotes == [])
  }

  /// A merge treats such dates as unknown, and so does an import.
  @Test func unreadableDatesCountAsMissing() throws {
    let member =
      #""noteID": 1000, "text": "A longer text than was here", "textModificationDate": "2099-13-01T00:00:00Z""#
    var notebook = try Notebook.small()
    let report = try Self.merge(member, into: &notebook)
    #expect(notebook.notes[1000]?.text == "First")
    #expect(report.keptNotes == [1000] && report.isUnchanged)
    // Everything else is strict.
    for wrong in [#""noteID": -1"#, #""noteID": 1, "text": 5"#, #""noteID": 1, "attachments": "?""#] {
      expectRefusal(.invalidValue) { _ = try Self.merge(wrong, into: &notebook) }
    }
  }

  @Test func aNoteThatNobodyKnew() throws {
    var notebook = try Notebook.small()
    notebook.goTo(day: 5)
    let report = try Self.merge(#""noteID": 3, "tags": "paris  Rome  ROME", "creationDate": "?""#, into: &notebook)
    let note = try #require(notebook.notes[3])
    #expect(note.tags == ["paris", "rome"])
    #expect([note.creationDate, note.sortDate, note.modificationDate] == [.day(5), .day(5), .day(5)])
    #expect(note.textModificationDate == nil)
    // A spelling that only a note has does not replace another. Of two, the same one is always taken.
    #expect(notebook.tags.map(\.name) == ["New York", "Paris", "Rome"])
    #expect(notebook.tags["rome"]?.nameModificationDate == nil)
    #expect(report.addedNotes == [3] && report.addedTags == ["rome"])
    notebook.goTo(day: 6)
    let before = notebook
    #expect(
      try Self.merge(#""noteID": 3, "tags": "paris  Rome  ROME", "creationDate": "?""#, into: &notebook).isUnchanged)
    #expect(notebook.hasSameTables(as: before))
  }

  /// No policy respells a tag because a note names it differently; only a list of tags does.
  @Test(arguments: SyncPolicy.allCases)
  func aNameOnANoteIsNoSpelling(policy: SyncPolicy) throws {
    var notebook = try Notebook.small()
    try notebook.tags.update("new york") { $0.nameModificationDate = nil }
    _ = try Self.merge(#""noteID": 3, "tags": "paris  new york""#, into: &notebook, policy)
    #expect(notebook.tags.map(\.name) == ["New York", "Paris"])
    #expect(notebook.tags["paris"]?.nameModificationDate == .day(1))
    let listed = #"{"tags": [{"name": "PARIS", "nameModificationDate": "2020-01-02T00:00:00Z"}]}"#
    try notebook.merge(SyncContent(vesper: Array(listed.utf8)), policy: policy)
    #expect(notebook.tags["paris"]?.name == (policy == .ours ? "Paris" : "PARIS"))
  }

  @Test func deletions() throws {
    var notebook = try Notebook.small()
    let json = """
      {"notes": [{"objectType": "x", "uniqueID": 1000, "deletionDate": "2019-12-31T00:00:00Z"},
       {"objectType": "x", "uniqueID": 1001}, {"objectType": "x", "uniqueID": 4, "deletionDate": "soon"}]}
      """
    let content = try SyncContent(vesper: Array(json.utf8))
    let report = try notebook.merge(content)
    #expect(report.keptNotes == [1000] && report.ignoredDeletions == [1001] && report.rememberedDeletions == [4])
    #expect(notebook.notes.ids == [1000, 1001] && notebook.deletedNotes.ids == [4])
    #expect(notebook.missing(from: content).deletedNotes.isEmpty)
    try notebook.merge(content, policy: .theirs)
    #expect(notebook.notes.ids == [] && notebook.deletedNotes.ids == [4, 1000, 1001])
    // Without any date, a note does not return.
    #expect(try Self.merge(#""noteID": 1001, "text": "?""#, into: &notebook).keptNotes == [1001])
    #expect(notebook.allViolations() == [])
  }

  /// An object with a note is a note, whatever its type; and null is no type.
  @Test(arguments: ["null", #""note""#])
  func aNoteWithATypeIsNoDeletion(type: String) throws {
    var notebook = try Notebook.small()
    let record = #""objectType": \#(type), "noteID": 1000, "uniqueID": 1000, "text": "new", "#
    let report = try Self.merge(record + #""textModificationDate": "2031-01-01T00:00:00Z""#, into: &notebook)
    #expect(report.changedNotes == [1000] && notebook.notes[1000]?.text == "new")
    #expect(notebook.deletedNotes.isEmpty)
  }

  /// A side that does not give a creation date does not know it.
  @Test func missingDatesGoOut() throws {
    let notebook = try Notebook.small()
    let content = try SyncContent(vesper: Array(#"{"notes": [{"noteID": 1001, "text": "Second"}]}"#.utf8))
    #expect(notebook.missing(from: content).notes.ids == [1000, 1001])
    let all = try SyncContent(vesper: notebook.vesperJSON())
    #expect(notebook.missing(from: all).notes.isEmpty)
  }

  /// A deletion without a date is followed where nothing has a date. One with an unreadable date is not.
  @Test(arguments: [("", true), (", \"deletionDate\": null", true), (", \"deletionDate\": \"2020-13-01\"", false)])
  func undatedDeletions(date: String, deletes: Bool) throws {
    var notebook = Notebook.empty()
    _ = try Self.merge(#""noteID": 5, "text": "undated", "creationDate": "2020-01-01T00:00:00Z""#, into: &notebook)
    _ = try Self.merge(#""noteID": 6, "tags": null, "tagsModificationDate": "2001-01-01T00:00:00Z""#, into: &notebook)
    let all = notebook
    for id: Note.ID in [5, 6] {
      let tombstone = "\"objectType\": \"x\", \"uniqueID\": \(id)\(date)"
      let follows = deletes && id == 5
      let report = try Self.merge(tombstone, into: &notebook)
      #expect(report.deletedNotes == (follows ? [id] : []) && report.ignoredDeletions == (follows ? [] : [id]))
      #expect(notebook.notes.contains(id) == !follows && notebook.deletedNotes.contains(id) == follows)
      #expect(try Self.merge(tombstone, into: &notebook).isUnchanged)
      var other = all
      #expect(try Self.merge(tombstone, into: &other, .ours).keptNotes == [id])
      #expect(try Self.merge(tombstone, into: &other, .theirs).deletedNotes == [id])
    }
  }

  /// A file may be dropped only if nothing in it is older, newer or different.
  @Test func whatIsHeld() throws {
    var notebook = try Notebook.small()
    notebook.goTo(day: 2)
    notebook.deleteNotes([1001])
    #expect(notebook.holds(SyncContent(notebook)))
    #expect(try notebook.holds(SyncContent(vesper: notebook.vesperJSON())))
    func differs(_ change: (inout Notebook) throws -> Void) throws {
      var other = notebook
      other.goTo(day: 3)
      try change(&other)
      #expect(!notebook.holds(SyncContent(other)) && !other.holds(SyncContent(notebook)))
    }
    try differs { try $0.setText("other", of: 1000) }
    try differs { try $0.notes.update(1000) { $0.textModificationDate = nil } }
    try differs { try $0.renameTag("paris", to: "PARIS") }
    try differs { try $0.deletedNotes.upsert(DeletedNote(id: 1001, deletionDate: nil)) }
    for tombstone in [#""uniqueID": 1001, "deletionDate": "soon""#, #""uniqueID": 9"#] {
      let json = "{\"notes\": [{\"objectType\": \"x\", \(tombstone)}]}"
      #expect(try !notebook.holds(SyncContent(vesper: Array(json.utf8))))
    }
  }

  /// A note that occurs twice is merged twice, in any order.
  @Test func notesThatStandTwice() throws {
    let records = [
      #"{"noteID": 7, "text": "old", "textModificationDate": "2020-01-01T00:00:00Z"}"#,
      #"{"noteID": 7, "text": "new", "textModificationDate": "2020-01-03T00:00:00Z"}"#,
      #"{"objectType": "x", "uniqueID": 7, "deletionDate": "2020-01-02T00:00:00Z"}"#,
    ]
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      let json = "{\"notes\": [\(order.map { records[$0] }.joined(separator: ","))]}"
      var notebook = Notebook.empty()
      try notebook.merge(SyncContent(vesper: Array(json.utf8)))
      #expect(notebook.notes[7]?.text == "new")
      for policy in SyncPolicy.allCases {
        let content = try SyncContent(vesper: Array(json.utf8))
        try notebook.merge(content, policy: policy)
        let before = notebook
        #expect(try notebook.merge(content, policy: policy).isUnchanged)
        #expect(notebook.hasSameTables(as: before))
      }
      #expect(notebook.allViolations() == [])
    }
  }

  @Test func eitherKindOfFileIsRecognised() throws {
    var notebook = try Notebook.small()
    notebook.goTo(day: 2)
    notebook.deleteNotes([1001])
    for format in FileFormat.allCases {
      var copy = Notebook.empty()
      try copy.merge(SyncContent(reading: Array(SnapshotFile.encode(notebook, as: format))))
      #expect(copy.hasSameRecords(as: notebook))
    }
    var copy = Notebook.empty()
    try copy.merge(SyncContent(reading: notebook.vesperJSON()))
    #expect(copy.hasSameRecords(as: notebook))
    for (text, code) in [("", SnapshotError.Code.emptyFile), ("{\"posts\":[]}", .invalidValue), ("x", .unknownFormat)] {
      let error = #expect(throws: SnapshotError.self) { try SyncContent(reading: Array(text.utf8), path: "in") }
      #expect(error?.code == code)
      #expect(error?.path == "in")
    }
  }
}
