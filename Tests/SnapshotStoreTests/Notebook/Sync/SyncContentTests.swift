import Foundation
import Testing

@testable import SnapshotStore

/// What comes in as Vesper's JSON: partly missing, partly unreadable.
struct SyncContentTests {
  private static func merge(
    _ member: String, into notebook: inout Notebook, _ policy: SyncPolicy = .newest
  ) throws -> SyncReport {
    let report = try notebook.merge(SyncContent(vesper: Array("{\"notes\": [{\(member)}]}".utf8)), policy: policy)
    #expect(notebook.allViolations() == [])
    return report
  }

  /// A value that is null or absent clears only if its date is newer, by no policy otherwise.
  @Test(
    arguments: [
      ("text", "null"), ("text", nil), ("archived", "null"), ("archived", nil), ("tags", "null"), ("tags", "\"\""),
      ("tags", nil), ("attachments", "null"), ("attachments", nil),
    ] as [(String, String?)])
  func whatIsMissingClearsOnlyWhenItIsNewer(property: String, value: String?) throws {
    var original = try Notebook.small()
    try original.setArchived(true, of: 1000)
    let values = value.map { ", \"\(property)\": \($0)" } ?? ""
    let name = "\(property)ModificationDate"
    // A value that is given but empty is a value: by this policy it is taken.
    let isMissing = value != "\"\""
    for date in ["null", "\"2020-01-01T00:00:00Z\"", "\"2019-01-01T00:00:00Z\"", "\"soon\"", "7"] {
      for policy in SyncPolicy.allCases where isMissing || policy != .incoming {
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

  /// An import refuses such dates; a merge takes them for unknown ones.
  @Test func unreadableDatesCountAsMissing() throws {
    let member =
      #""noteID": 1000, "text": "A longer text than was here", "textModificationDate": "2099-13-01T00:00:00Z""#
    var notebook = try Notebook.small()
    let report = try Self.merge(member, into: &notebook)
    #expect(notebook.notes[1000]?.text == "First")
    #expect(report.keptNotes == [1000] && report.isUnchanged)
    expectRefusal(.invalidValue) { try notebook.importVesper("{\"notes\": [{\(member)}]}") }
    // Everything else is as strict as it was.
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
    // A spelling that only a note has does not replace one, and of two the same one is taken always.
    #expect(notebook.tags.map(\.name) == ["New York", "Paris", "Rome"])
    #expect(notebook.tags["rome"]?.nameModificationDate == nil)
    #expect(report.addedNotes == [3] && report.addedTags == ["rome"])
    notebook.goTo(day: 6)
    let before = notebook
    #expect(
      try Self.merge(#""noteID": 3, "tags": "paris  Rome  ROME", "creationDate": "?""#, into: &notebook).isUnchanged)
    #expect(notebook.hasSameTables(as: before))
  }

  /// By no policy is a tag spelled otherwise because a note names it so; a list of tags does that.
  @Test(arguments: SyncPolicy.allCases)
  func aNameOnANoteIsNoSpelling(policy: SyncPolicy) throws {
    var notebook = try Notebook.small()
    try notebook.tags.update("new york") { $0.nameModificationDate = nil }
    _ = try Self.merge(#""noteID": 3, "tags": "paris  new york""#, into: &notebook, policy)
    #expect(notebook.tags.map(\.name) == ["New York", "Paris"])
    #expect(notebook.tags["paris"]?.nameModificationDate == .day(1))
    let listed = #"{"tags": [{"name": "PARIS", "nameModificationDate": "2020-01-02T00:00:00Z"}]}"#
    try notebook.merge(SyncContent(vesper: Array(listed.utf8)), policy: policy)
    #expect(notebook.tags["paris"]?.name == (policy == .local ? "Paris" : "PARIS"))
  }

  @Test func deletions() throws {
    var notebook = try Notebook.small()
    let json = """
      {"notes": [{"objectType": "x", "uniqueID": 1000, "deletionDate": "2019-12-31T00:00:00Z"},
       {"objectType": "x", "uniqueID": 1001}, {"objectType": "x", "uniqueID": 4, "deletionDate": "soon"}]}
      """
    let report = try notebook.merge(SyncContent(vesper: Array(json.utf8)))
    #expect(report.keptNotes == [1000] && report.deletedNotes == [1001] && report.rememberedDeletions == [4])
    #expect(notebook.notes.ids == [1000] && notebook.deletedNotes.ids == [4, 1001])
    // Without any date, a note does not come back.
    #expect(try Self.merge(#""noteID": 1001, "text": "?""#, into: &notebook).keptNotes == [1001])
    #expect(notebook.allViolations() == [])
  }

  /// A note that stands twice is merged twice, in whatever order.
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
      try copy.merge(SyncContent(reading: Array(SnapshotFile.encode(notebook, as: format).bytes)))
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
