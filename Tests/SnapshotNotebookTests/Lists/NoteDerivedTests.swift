import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Values that are derived from a note's text, and never stored.
struct NoteDerivedTests {
  private func note(_ text: String) -> Note { Note(id: 1, text: text, creationDate: .day(1)) }

  @Test func title() {
    each([
      ("", ""),
      (" \n\t\n", ""),
      ("Title", "Title"),
      ("  Title  \nText", "Title"),
      ("\n\n \u{3000}\n\tTwo words\r\nText", "Two words"),
      ("One\u{2028}Two", "One"),
      ("\u{A0}A\u{A0}B\u{A0}", "A\u{A0}B"),
      ("👩‍👩‍👧\r\nText", "👩‍👩‍👧"),
    ]) { (text: String, title: String) in
      #expect(note(text).title == title)
    }
  }

  @Test func truncatedText() {
    #expect(note("").truncatedText == "")
    #expect(note("short\ntext ").truncatedText == "short\ntext ")
    let exact = String(repeating: "x", count: 500)
    #expect(note(exact).truncatedText == exact)
    #expect(note(exact + "y").truncatedText == exact)
    // Characters are counted as people count them, and none is cut.
    let families = String(repeating: "👩‍👩‍👧e\u{301}", count: 300)
    #expect(note(families).truncatedText.count == 500)
    #expect(families.unicodeScalars.starts(with: note(families).truncatedText.unicodeScalars))
    #expect(note(families).truncatedText.unicodeScalars.count == 250 * 7)
  }

  @Test func thumbnail() throws {
    var notebook = try Notebook.small()
    try notebook.add(Attachment(id: "drawing", mimeType: "IMAGE/PNG", height: 1, width: 1))
    let first = try #require(notebook.notes[1000])
    let second = try #require(notebook.notes[1001])
    // The film comes first, but is no picture.
    #expect(notebook.thumbnailID(of: first) == "photo")
    #expect(notebook.thumbnailID(of: second) == nil)
    try notebook.setAttachments(["film", "drawing", "photo"], of: 1000)
    #expect(notebook.notes[1000].map(notebook.thumbnailID) == "drawing")
    #expect(notebook.allViolations() == [])
  }
}
