import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Dates of other programs, in every file that is imported.
struct ForeignDateTests {
  static let dates: [(text: String, date: String)] = [
    ("Wed, 26 Mar 2014 17:05:46 +0000", "2014-03-26T17:05:46Z"),
    ("Wed, 26 Mar 2014 17:05:46 +00:00", "2014-03-26T17:05:46Z"),
    ("Wed, 26 Mar 2014 17:05:46 -0000", "2014-03-26T17:05:46Z"),
    ("Wed, 26 Mar 2014 17:05:46 GMT", "2014-03-26T17:05:46Z"),
    ("Wed,26 Mar 2014 17:05:46 +0530", "2014-03-26T11:35:46Z"),
    ("30 Apr 2014 5:00 PDT", "2014-04-30T12:00:00Z"),
    ("Wed, 23 Jun 2010 03:43:50 Z", "2010-06-23T03:43:50Z"),
    ("Wed, 26 Mar 2014 18:05:46 +0100 (CET)", "2014-03-26T17:05:46Z"),
    ("Wed (x), 26 Mar 2014  17:05:46 (a (b)) Z", "2014-03-26T17:05:46Z"),
    ("2014-03-26t17:05:46z", "2014-03-26T17:05:46Z"),
    ("1 JAN 99 00:00 est", "1999-01-01T05:00:00Z"), ("1 Jan 13 00:00", "2013-01-01T00:00:00Z"),
    ("1 Jan 113 00:00", "2013-01-01T00:00:00Z"),
    ("2014-03-26  17:05", "2014-03-26T17:05:00Z"), ("2014-03-26 17:05", "2014-03-26T17:05:00Z"),
    ("2014-03-26", "2014-03-26T00:00:00Z"),
    ("2014-03-26T17:05:46.5-0700", "2014-03-27T00:05:46.5Z"),
  ]

  /// Each kind of file with one note, whose date is a text.
  static func contents(_ text: String) throws -> [ForeignContent] {
    [
      try ForeignContent(csv: Array("text,created\na,\"\(text)\"\n".utf8), path: "n"),
      try ForeignContent(ndjson: Array("{\"text\":\"a\",\"created\":\"\(text)\"}\n".utf8), path: "n"),
      try ForeignContent(
        vesper: Array("{\"notes\":[{\"noteID\":1,\"text\":\"a\",\"creationDate\":\"\(text)\"}]}".utf8), path: "n"),
    ]
  }

  @Test(arguments: dates) func aDateIsRead(_ text: String, _ date: String) throws {
    for content in try Self.contents(text) {
      #expect(content.notes.map(\.creationDate) == [try Vesper.date(date)])
      #expect(content.remarks == [])
    }
    // Front matter.
    #expect(NoteFileDate.date(text) == (try Vesper.date(date)))
  }

  /// The note is imported, and the report names the text.
  @Test(arguments: [
    "yesterday", "2017-02-29T00:00:00Z", "32 Mar 2014 17:05 Z", "1 Foo 2014 17:05 Z", "1 Mar 2014 25:00 Z",
    "1 Mar 2014 17:05 +:0:2:0:0", "Banana 1 Mar 2014 17:05", "2014-03-2617:05:46", "2014-03-26 T 17:05",
    "seconds since 2001: 0x1p3", "1 Mar 2014 17:5 Z", "1 Mar 2014 17:05 CET", "1 Mar 2014 17:05 +100", "1 Mar 2014",
    "seconds since 2001: inf",
  ])
  func oneBadDateIsReported(_ text: String) throws {
    for content in try Self.contents(text) {
      #expect(content.notes.map(\.text) == ["a"] && content.notes[0].creationDate == nil)
      #expect(content.remarks.count == 1 && content.remarks[0].hasPrefix("“\(text)” in n"))
      var notebook = Notebook.empty()
      #expect(try notebook.importContent(content).remarks == content.remarks)
      #expect(notebook.notes.count == 1 && notebook.allViolations() == [])
    }
  }

  @Test func anEmptyDateIsNone() throws {
    for content in try Self.contents("") { #expect(content.remarks == []) }
  }

  @Test func badDatesOfOtherThings() throws {
    let content = try ForeignContent(
      vesper: Array(
        """
        {"notes":[{"objectType":"x","uniqueID":1,"deletionDate":"?"},{"noteID":2,"creationDate":12}],
        "tags":[{"name":"a","nameModificationDate":"soon"}]}
        """.utf8))
    #expect(
      content.remarks == [
        "“12” in notes[1] cannot be read as a date; a new note gets another one",
        "“soon” in tags[0] cannot be read as a date; the tag has none",
      ])
    #expect(content.skipped.map(\.id) == [1] && content.skipped[0].reason == "has a deletion date that cannot be read")
    var notebook = Notebook.empty()
    try notebook.upsert(Note(id: 1, text: "b", creationDate: .day(1)))
    try notebook.importContent(content)
    #expect(notebook.notes.contains(1) && notebook.tags["a"]?.nameModificationDate == nil)
  }
}
