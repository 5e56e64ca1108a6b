import Foundation

@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A store in `fixtures/v1`: a name, the value, and its formats.
struct Fixture: Sendable, CustomStringConvertible {
  let name: String
  let formats: [FileFormat]
  let make: @Sendable () throws -> Notebook
  var description: String { name }

  static let all = [
    Fixture(name: "plain", formats: FileFormat.allCases, make: Notebook.plain),
    Fixture(name: "awkward", formats: FileFormat.allCases, make: Notebook.awkward),
    Fixture(name: "large-text", formats: [.json], make: Notebook.largeText),
  ]

  func url(_ format: FileFormat) -> URL {
    let fileExtension =
      switch format {
      case .json: "json"
      case .xml: "plist"
      case .binary: "bplist"
      case .ndjson: "ndjson"
      }
    return Self.directory.appending(path: "v1/\(name).\(fileExtension)")
  }

  /// The directory `fixtures` of the repository.
  static let directory = URL(filePath: #filePath).appending(path: "../../../../fixtures").standardizedFileURL
}

extension Notebook {
  /// Five ordinary notes, three tags, a picture and a tombstone.
  static func plain() throws -> Notebook {
    var notebook = fixture()
    let paris = notebook.tag(named: "Paris").id
    let food = notebook.tag(named: "Food").id
    let someday = notebook.tag(named: "Some Day").id
    try notebook.add(Attachment(id: "5f1e0c", mimeType: "image/jpeg", height: 1536, width: 2048))
    try notebook.addNote(text: "Museums\n\nThe Orsay is closed on Mondays, the Louvre on Tuesdays.", tags: [paris])
    try notebook.addNote(text: "Baguette: 500 g flour, 350 g water, 10 g salt, yeast", tags: [food, paris])
    let photo = try notebook.addNote(text: "From the tower", tags: [paris], attachments: ["5f1e0c"])
    let old = try notebook.addNote(text: "Renew the passport", tags: [someday])
    // A deletion is dated later than the note.
    let now = notebook.sources.now
    notebook.sources.now = { now() - 60 }
    let wrong = try notebook.addNote(text: "Written by mistake")
    notebook.sources.now = now
    try notebook.addNote(text: "Read https://inessential.com/ about “just writing a plist”")
    try notebook.setArchived(true, of: old.id)
    try notebook.setSortDate(Date(timeIntervalSinceReferenceDate: 425_000_000.25), of: photo.id)
    notebook.deleteNotes([wrong.id])
    return notebook
  }

  /// Values that formats and tools have handled wrongly, in a few notes.
  static func awkward() throws -> Notebook {
    var notebook = fixture()
    let tags = [
      "  ÉTÉ   à\tParis ", "E\u{301}te\u{301} a\u{300} Lyon", "ISTANBUL İ", "ﬀ STRASSE ß", "日本語", "👩‍👩‍👧‍👦 🏳️‍🌈", "$null",
      "$$NULL",
      "a\0b", "\"quoted\\\"", "<b>&amp;</b>", "مرحبا", "]]>",
    ].map { notebook.tag(named: $0).id }
    for (index, id) in ["", "\0", "NaN", "\u{FFFF}", "../etc", "é", "𝔞"].enumerated() {
      try notebook.add(Attachment(id: id, mimeType: "x/\(index)", height: index, width: index == 0 ? .max : index))
    }
    let texts: [(Note.ID, String)] = [
      (0, ""), (1, " \n\t "), (999, "null"), (1000, "👩‍👩‍👧‍👦 🏳️‍🌈 e\u{301} é \u{1112}\u{1161}\u{11AB} 한 Å \u{212B}"),
      (1001, "مرحبا \u{202E}evil\u{202C} \u{200F}עברית"), (1002, "line\u{2028}paragraph\u{2029}next\u{85}end"),
      (1003, String(String.UnicodeScalarView((0...0x9F).compactMap(Unicode.Scalar.init)))),
      (1004, "\"'\\/<>&]]><![CDATA[&#0;&lol;</string>\\u0000"), (1005, "a\rb\r\nc\n\rd"), (1006, "$null"),
      (1007, "$$null"),
      (1008, "\u{FEFF}mark\u{FFFD}\u{FFFE}\u{FFFF}\u{1FFFE}\u{10FFFF}"), (1009, "2001-01-01T00:00:00Z"),
      (1010, "Infinity"),
      ((1 << 53) - 1, "the greatest id that every JSON reader holds"), (.max, "the greatest id of all"),
    ]
    for (index, (id, text)) in texts.enumerated() {
      var note = Note(id: id, text: text, creationDate: Self.awkwardDates[index])
      let dates = Self.awkwardDates
      var isChanged = note.setTags(Array(tags[(index % tags.count)...].prefix(3)), at: .distantFuture)
      note.force(isChanged, \.tagsModificationDate, dates[index + 1])
      isChanged = note.setSortDate(dates[index + 2], at: .distantFuture)
      note.force(isChanged, \.sortDateModificationDate, dates[index + 3])
      isChanged = note.setAttachments(Array(notebook.attachments.ids.prefix(index % 8)), at: .distantFuture)
      note.force(isChanged, \.attachmentsModificationDate, note.creationDate)
      isChanged = note.setArchived(index % 2 == 1, at: .distantFuture)
      note.force(isChanged, \.archivedModificationDate, note.creationDate)
      // An unknown date, as after an import.
      if index % 4 == 3 { note.textModificationDate = nil }
      try notebook.upsert(note)
    }
    for id in [2, 998, 1 << 53, .max - 1] as [Note.ID] {
      try notebook.upsert(Note(id: id, text: "gone", creationDate: Self.awkwardDates[0]))
      notebook.deleteNotes([id])
    }
    return notebook
  }

  /// One note with a megabyte of text, which repeats itself.
  static func largeText() throws -> Notebook {
    var notebook = fixture()
    let line = "All work and no play makes Jack a dull boy. \"Здравствуйте\"\n"
    try notebook.addNote(text: String(repeating: line, count: 1_000_000 / line.utf8.count + 1))
    return notebook
  }

  /// An empty notebook whose clock stands still and whose ids ascend from 1000.
  private static func fixture() -> Notebook {
    let date = Date(timeIntervalSinceReferenceDate: 424_242_424)
    return Notebook(sources: NotebookSources(now: { date }, nextNoteID: sequentialNoteIDs()))
  }

  /// Both ends of the calendar, dates beyond them, and fractions that are no short decimals.
  private static let awkwardDates: [Date] = [
    -63_113_904_000, 252_423_993_599, 0, 0.1, -0.1, 1.0 / 3, -1.0 / 3, 123_456_789.123_456_79, -978_307_200,
    252_423_993_599.999_97, -63_113_903_999.999_99, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, -0.0,
    Date.distantPast.timeIntervalSinceReferenceDate,
    Date.distantFuture.timeIntervalSinceReferenceDate, 1e100, -1e100, 0x1p-20,
  ].map(Date.init(timeIntervalSinceReferenceDate:))
}

extension Note {
  /// Sets the date of a changed property, and that of the note. A setter does not set dates back.
  fileprivate mutating func force(_ isChanged: Bool, _ property: WritableKeyPath<Note, Date?>, _ date: Date) {
    guard isChanged else { return }
    self[keyPath: property] = date
    modificationDate = date
  }
}
