import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Notes as CSV, in and out.
struct CSVNotesTests {
  private func read(_ text: String, path: String? = nil) throws -> ForeignContent {
    try ForeignContent(csv: Array(text.utf8), path: path)
  }

  @Test func whatIsWritten() throws {
    var notebook = try Notebook.small()
    try notebook.setText("=1+1, \"two\"\nlines", of: 1000)
    try notebook.setArchived(true, of: 1001)
    try notebook.setText(" plain", of: 1001)
    try notebook.setSortDate(.day(2, plus: 0.5), of: 1001)
    let expected = """
      id,text,tags,archived,created,sort,modified\r
      1000,"'=1+1, ""two""\nlines",Paris  New York,false,2020-01-01T00:00:00Z,2020-01-01T00:00:00Z,2020-01-01T00:00:00Z\r
      1001," plain",,true,2020-01-01T00:00:00Z,2020-01-02T00:00:00.5Z,2020-01-01T00:00:00Z\r\n
      """
    #expect(String(decoding: notebook.csv(), as: UTF8.self) == expected)
    #expect(Notebook.empty().csv() == Array("id,text,tags,archived,created,sort,modified\r\n".utf8))
  }

  @Test func aNoteWithEverything() throws {
    let content = try read(
      """
      Modified, TAGS ,id,creationDate,archived,text,sort\r
      2020-01-03T00:00:00+01:00,"New  York\nParis",7,2020-01-01T00:00:00.25Z,Yes,"A ""text"" ",2020-01-02T00:00:00Z
      """, path: "notes.csv")
    let note = try #require(content.notes.first)
    #expect(content.notes.count == 1 && content.remarks == [])
    #expect(note.id == 7 && note.text == "A \"text\" " && note.archived == true)
    #expect(note.tagNames == ["New", "York", "Paris"] && note.givesTags && !note.givesAttachments)
    #expect(note.creationDate == (try Vesper.date("2020-01-01T00:00:00Z")) + 0.25)
    #expect(note.sortDate == (try Vesper.date("2020-01-02T00:00:00Z")))
    #expect(note.modificationDate == (try Vesper.date("2020-01-02T23:00:00Z")))
    #expect(note.place == "notes.csv:2")
  }

  @Test func whatIsNotGiven() throws {
    let content = try read("text,id,colour,created,\n\na,,red,,\n\n\"\",,,,x\n")
    #expect(content.notes.map(\.text) == ["a", ""])
    #expect(content.notes.map(\.place) == ["line 3", "line 5"])
    for note in content.notes {
      #expect(note.id == nil && note.archived == nil && note.creationDate == nil && !note.givesTags)
    }
    #expect(content.remarks == ["the columns “colour”, “” are unknown, and were ignored"])
  }

  static let wrong: [(text: String, code: SnapshotError.Code, line: Int?, column: Int?)] = [
    ("", .emptyFile, nil, nil), ("\u{FEFF}\n\n", .emptyFile, nil, nil), ("id,tags\n", .missingKey, 1, 1),
    ("id;text\n", .missingKey, 1, 1), ("text,TEXT\n", .duplicate, 1, 6), ("sort,text,sortDate", .duplicate, 1, 11),
    ("text,id\na,-1\n", .invalidValue, 2, 3), ("text,id\na,+1\n", .invalidValue, 2, 3),
    ("text,id\n\"a\n\",9223372036854775808\n", .invalidValue, 3, 3), ("text,id\na, 1\n", .invalidValue, 2, 3),
    ("text,archived\na,maybe", .invalidValue, 2, 3),
    ("text,sort\na", .malformed, 2, 1), ("text,sort\na,,c", .malformed, 2, 4), ("text\n\"a", .malformed, 2, 1),
    ("text\na\"b\"", .malformed, 2, 2),
  ]

  @Test(arguments: wrong)
  func errorsNameThePlace(_ text: String, _ code: SnapshotError.Code, _ line: Int?, _ column: Int?) throws {
    let error = #expect(throws: SnapshotError.self) { try read(text, path: "notes.csv") }
    #expect(error?.code == code)
    #expect(error?.path == "notes.csv")
    #expect(error?.position?.line == line)
    #expect(error?.position?.column == column)
  }

  @Test func onlyUTF8WithinTheLimits() throws {
    let latin = Array("text\ncaf".utf8) + [0xE9]
    let error = #expect(throws: SnapshotError.self) { try ForeignContent(csv: latin) }
    #expect(error?.code == .malformed && error?.position?.line == 2 && error?.position?.column == 4)
    let file = Array("text\na\n".utf8)
    expectRefusal(.tooLarge) { _ = try ForeignContent(csv: file, limits: ReadLimits(fileSize: 6)) }
    #expect(try ForeignContent(csv: file, limits: ReadLimits(fileSize: 7)).notes.count == 1)
  }

  /// A user who edits an exported file does not change its dates.
  @Test func anEditedExportChangesNotesNow() throws {
    var notebook = try Notebook.small()
    let edited = Array(String(decoding: notebook.csv(), as: UTF8.self).replacing("First", with: "Edited").utf8)
    notebook.goTo(day: 5)
    let options = ImportOptions(conflicts: .change)
    #expect(try notebook.importContent(try ForeignContent(csv: edited), options: options).changedNotes == 1)
    let note = try #require(notebook.notes[1000])
    #expect(note.text == "Edited" && note.attachments == ["film", "photo"])
    #expect(note.modificationDate == .day(5) && note.textModificationDate == .day(5))
    #expect(note.creationDate == .day(1) && note.tagsModificationDate == .day(1))
    notebook.goTo(day: 6)
    #expect(try notebook.importContent(try ForeignContent(csv: edited), options: options).unchangedNotes == 2)
    #expect(notebook.notes[1000] == note)
    #expect(notebook.allViolations() == [])
  }

  // MARK: Round trips

  @Test func formulasAreDefusedAndComeBack() {
    each([
      "=1", "+1", "-1", "@a", "\ta", "\ra", "'=1", "''=1", "'", "''", "'a", "a=1", "", "=", "'\u{301}=", "=\u{301}",
      "\n=1",
      " =1", "-", "'-0", "＝1", "＋1", "－1", "＠a", "'＝1", " \n ＠a", "' =1", "a;b", "a\tb", "\n\t-1", " ", "\n",
    ]) { (text: String) throws in
      var notebook = Notebook.empty()
      try notebook.addNote(text: text)
      let bytes = notebook.csv()
      let scanned = try bytes.withUnsafeBufferPointer { bytes throws(SnapshotError) in
        var scanner = CSVScanner(bytes, limits: ReadLimits())
        _ = try scanner.row()
        return try scanner.row()?[1].text
      }
      let field = try #require(scanned)
      #expect(field.utf8.first.map { !"=+-@\t\r".utf8.contains($0) } ?? true)
      #expect(
        field.unicodeScalars.first { !" \n\r\t".unicodeScalars.contains($0) }.map {
          !"=+-@＝＋－＠".unicodeScalars.contains($0)
        } ?? true)
      let isSeparated = text.contains { ";\t".contains($0) }
      #expect(!isSeparated || String(decoding: bytes, as: UTF8.self).contains("\"\(field)\""))
      let back = try ForeignContent(csv: bytes).notes[0].text
      #expect(back.hasSameBytes(as: text))
    }
  }

  /// Only a file of the export has apostrophes of the export.
  @Test func apostrophesOfOthersStay() throws {
    let lines = "'tis\n''\n'=1\n'@home' is a song\n"
    #expect(try read("text\n\(lines)").notes.map(\.text) == ["'tis", "''", "'=1", "'@home' is a song"])
    #expect(try read("text,tags\n'-x,'@home\n").notes.map(\.tagNames) == [["'@home"]])
    // The columns of an export may be in another order, and there may be others.
    let own = "modified,id,tags,archived,created,sort,text,more\n,,'@home,,,,'=1,\n"
    #expect(try read(own).notes.map(\.text) == ["=1"] && read(own).notes.map(\.tagNames) == [["@home"]])
  }

  @Test func everythingThatIsWrittenComesBack() {
    each(SeededGenerator.seeds(40)) { (seed: UInt64) throws in
      var awkward = AwkwardNotebooks(random: SeededGenerator(seed: seed))
      let notebook = try awkward.notebook()
      let content = try ForeignContent(csv: notebook.csv())
      #expect(content.notes.count == notebook.notes.count && content.remarks == [])
      for (foreign, note) in zip(content.notes, notebook.notes) {
        #expect(foreign.id == note.id && foreign.text.hasSameBytes(as: note.text) && foreign.archived == note.archived)
        #expect(foreign.tagNames == notebook.tagNames(of: note))
        for (date, other) in [
          (foreign.creationDate, note.creationDate), (foreign.sortDate, note.sortDate),
          (foreign.modificationDate, note.modificationDate),
        ] {
          #expect(date?.timeIntervalSinceReferenceDate.bitPattern == other.timeIntervalSinceReferenceDate.bitPattern)
        }
      }
      var same = notebook
      #expect(try same.importContent(content).unchangedNotes == notebook.notes.count)
      #expect(same.hasSameTables(as: notebook))
      var copy = Notebook.empty()
      #expect(try copy.importContent(content).addedNotes == notebook.notes.count)
      #expect(copy.csv() == notebook.csv())
      #expect(copy.allViolations() == [])
    }
  }

  /// For any bytes there is a result, or an error with a place.
  @Test func damagedFilesAreReadOrRefused() {
    each(SeededGenerator.seeds(20)) { (seed: UInt64) throws in
      var awkward = AwkwardNotebooks(random: SeededGenerator(seed: seed))
      var bytes = try awkward.notebook().csv()
      for _ in 0..<200 {
        bytes[Int.random(in: bytes.indices, using: &awkward.random)] = Array("\",\n\r=a0\u{FF}".utf8)
          .randomElement(using: &awkward.random)!
        do {
          _ = try ForeignContent(csv: bytes)
        } catch let error as SnapshotError {
          #expect(error.position != nil)
        }
      }
    }
  }
}
