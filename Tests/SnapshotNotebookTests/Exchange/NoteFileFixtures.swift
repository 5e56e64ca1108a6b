import Foundation

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Notes that are hard to write into a file and to read back.
enum NoteFile {
  static let texts = [
    "", " ", "\n", "\n\n", "\r\n", "\r", "Text", "Text\n", "Text\n\n", "Text\r\n\r\n", "Text\n\r\n", "Text\r",
    "\tText  ",
    "A\0B", "\u{FEFF}marked", "\u{FEFF}\u{FEFF}", "👩‍👩‍👧 family 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "שלום עולם\u{202E}", "e\u{301} and \u{E9}",
    "\u{301}accent first",
    "U+2028\u{2028}U+0085\u{85}end", "# Heading\n\nBody", "#", "##", "####### seven", "#\u{301} x", "# \u{301}x",
    "# \u{A0}x",
    // Texts that look like the block of Vesper's files.
    "Tags: a", "\n\nTags: a\n", "Text\n\nTags: a, b\nCreated: 2014-01-02T03:04:05Z\n",
    "Text\n\nTags: a, b\nCreated: 2014-01-02T03:04:05Z", "Text\r\n\r\nCreated: 2014-01-02T03:04:05Z\r\n",
    "\n\nCreated: 2014-01-02T03:04:05Z\nModified: 2014-01-02T03:04:05Z\nID: 5\n", "Picture: x\n\n\n\n",
    // Texts that look like front matter.
    "---", "---\n", "---\n---", "---\n---\n", "---\n\n---\n", "---\n\n---\n\nText", "---\nText\n---\nMore",
    "----\na: b\n---\n",
    "---\ntags: [a]\n---\nText", "---\nid: 5\ntitle: T\n---\n\nText", "---\naliases: [x]\n---\nText",
    "---\naliases: x\n---",
    "---\r\naliases: x\r\n---\r\nText\r\n", "---\n# comment\n---\n",
    "---\n# comment\naliases:\n- a\n# inside\n- b\n\n---\n\n\nText",
    "---\ntags: [unclosed\ncss: x\n---\nText", "---\ncreated: yesterday\n---\nText",
    "---\naliases: x\n\n---\n---\nText",
    "---\narchived: true\n---\n---\narchived: false\n---\n", "---\n- a\n---\n", "---\n a: b\n---\n",
    "--- \na: b\n---\t\nx",
    "---\nsorted: 2014-01-02\npictures: []\nx: y\n---\n", "---\na: b\n", "\u{FEFF}---\na: b\n---\n",
    "---\nx: \u{301}\n---\n\u{301}",
  ]

  static let tagNames = [
    "Paris", "New York", "New York, NY", "\"quoted\"", "\"", "'tis", "#", "##", "#tag", "a #b", "a: b", "true", "NO",
    "null", "y",
    "1984", "-", "- a", "[a]", "{a}", "\\", "\\n", "a\u{0}b", "\u{301}x", "e\u{301}", "É", "🇫🇷", "\u{FEFF}", "שלום",
    "a/b", "*", "&a",
    "~", ",", ",,", "\u{7F}", "a\u{200B}",
  ]

  static let attachments = [
    Attachment(id: "photo", mimeType: "image/jpeg", height: 0, width: 0),
    Attachment(id: "photo.jpg", mimeType: "image/jpeg", height: 20, width: 30),
    Attachment(id: "a.png", mimeType: "application/x-thing", height: 0, width: 0),
    Attachment(id: "", mimeType: "", height: 0, width: .max),
    Attachment(id: "../x", mimeType: "image/png", height: 1, width: 1),
    Attachment(id: "a, \"b\"\n\0", mimeType: "text/x, y", height: 0, width: 0),
    Attachment(id: "\u{600}", mimeType: "image/gif", height: 2, width: 1),
    Attachment(id: "unknown", mimeType: "application/octet-stream", height: 0, width: 0),
    Attachment(id: "IMAGE", mimeType: "image/JPEG", height: 0, width: 0),
  ]

  static let dates = [
    0, -0.0, 0.1, 436_000_000.123_456_79, -1e9, 1e300, -.leastNonzeroMagnitude, 252_423_993_599, 252_423_993_600,
  ].map {
    Date(timeIntervalSinceReferenceDate: $0)
  }

  static func note(_ text: String) -> ForeignNote {
    ForeignNote(
      id: 1_607_864_771_815_195, text: text, archived: false, creationDate: .day(1), sortDate: .day(1),
      modificationDate: .day(2), place: "test")
  }

  /// Pieces of random texts, so that they often look like something else.
  private static let pieces = [
    "---\n", "---\r\n", "---", "\n", "\n\n", "\r\n", "\r", " ", "\t", "- a\n", "# ", "#", "\"", "'", "[", "]", ",", ":",
    ": ", "tags: ",
    "tags: [a, b]\n", "title: ", "id: 5\n", "created: ", "2014-01-02T03:04:05Z", "x: y\n", "x:\n", "archived: true\n",
    "Created: 2014-01-02T03:04:05Z\n", "Tags: a\n", "\n\nModified: ", "ID: 7", "Picture: p.jpg\n", "word", "é",
    "e\u{301}", "\u{301}",
    "🏳️‍🌈", "\u{FEFF}", "\0", "\u{2028}", "\\", "\u{A0}", "\u{200D}", "ש", "pictures: []\n", "sorted: ",
  ]

  static func random(using generator: inout SeededGenerator) -> ForeignNote {
    let text = { (generator: inout SeededGenerator) in
      (0..<Int.random(in: 0...12, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
        .joined()
    }
    var note = note(text(&generator))
    note.id = .random(in: 0...(.max), using: &generator)
    note.archived = .random(using: &generator)
    let date = { (generator: inout SeededGenerator) in
      Bool.random(using: &generator)
        ? Date(timeIntervalSinceReferenceDate: .random(in: -1e10...1e10, using: &generator))
        : dates.randomElement(using: &generator)
    }
    note.creationDate = date(&generator)
    note.sortDate = Bool.random(using: &generator) ? note.creationDate : date(&generator)
    note.modificationDate = date(&generator)
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      if let name = TagName(text(&generator)) { note.tagNames.append(name.spelling) }
      note.tagNames.append(tagNames.randomElement(using: &generator) ?? "")
    }
    if Bool.random(using: &generator) {
      note.attachments.append(Attachment(id: text(&generator), mimeType: text(&generator), height: 1, width: 2))
      note.attachments.append(attachments.randomElement(using: &generator) ?? attachments[0])
    }
    return note
  }
}

extension ForeignNote {
  /// All values, byte by byte and bit by bit.
  var bits: [[UInt8]] {
    let dates = [creationDate, sortDate, modificationDate].map { date in
      date.map { "\($0.timeIntervalSinceReferenceDate.bitPattern)" } ?? "nil"
    }
    let names = tagNames + attachments.flatMap { [$0.id, $0.mimeType, "\($0.width)x\($0.height)"] }
    let archived = archived.map { "\($0)" } ?? "nil"
    return ([text, id.map { "\($0)" } ?? "nil", archived, "\(givesTags) \(givesAttachments)"] + dates + names).map {
      Array($0.utf8)
    }
  }
}
