import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The folder `Vesper Export ƒ` that Vesper's own program wrote.
struct VesperExportTests {
  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 30, 0, 0, 0, 20]

  /// The notes of an export, with the skipped items and the remarks.
  private func read(_ export: VesperExport, zone: Int = 0, _ body: (URL) throws -> Void = { _ in }) throws
    -> ForeignContent
  {
    let folder = try TemporaryFolder()
    let url = folder.url("Vesper Export ƒ")
    try export.write(to: url)
    try body(url)
    return try ForeignContent(
      folder: url.path, as: .vesper, on: POSIXFileSystem(), limits: ReadLimits(),
      timeZone: try #require(TimeZone(secondsFromGMT: zone)))
  }

  /// In every language: the file's date is better than the text, and tells the zone of the device.
  @Test func everything() {
    each(VesperExport.styles) { (style: VesperExport.DateStyle) throws in
      for month in [1, 2, 5, 6, 9, 12] {
        var note = VesperExport.Note(text: "This is a note\nThis is some more text. And more.")
        note.tags = ["House", "Cats", "Song Lyrics"]
        note.picture = Self.png
        note.created = try Date("2014-\(month < 10 ? "0" : "")\(month)-12T12:07:00Z", strategy: .iso8601)
        note.modified = try #require(note.created).addingTimeInterval(3_601.5 * 24)
        let content = try read(VesperExport(style: style, notes: [note]))
        let read = try #require(content.notes.first)
        #expect(content.notes.count == 1 && content.skipped == [] && content.remarks == [])
        #expect(read.text == note.text)
        #expect(read.tagNames == note.tags && read.givesTags)
        let picture = Attachment(id: "This_is_a_note", mimeType: "image/png", height: 20, width: 30)
        #expect(read.attachments == [picture] && read.givesAttachments)
        #expect(read.creationDate == note.created && read.sortDate == note.created)
        #expect(read.modificationDate == note.modified)
        #expect(read.archived == false && read.id == nil)
      }
    }
  }

  /// Copied files have other dates. Then their texts count, in the zone of the importing computer.
  @Test func copiedFiles() {
    each(VesperExport.styles) { (style: VesperExport.DateStyle) throws in
      var export = VesperExport(style: style, notes: [VesperExport.Note(text: "A")])
      export.keepsDates = false
      let content = try read(export, zone: -7 * 3_600)
      let read = try #require(content.notes.first)
      // Polish and Croatian have one word for different months, and nothing tells the language.
      if ["pl", "hr"].contains(style.name), content.remarks != [] {
        #expect(read.text == "A" && content.remarks.count == 1 && read.creationDate == nil)
        return
      }
      #expect(read.creationDate == VesperExport.created)
      #expect(read.modificationDate == VesperExport.modified.addingTimeInterval(-33))
      #expect(content.remarks == [])
    }
  }

  @Test func aDateThatCannotBeRead() throws {
    let style = VesperExport.DateStyle(name: "?") { year, _, _, _, _ in "der zwölfte Irgendwann \(year)" }
    var note = VesperExport.Note(text: "A\nB", tags: ["House"], picture: Self.png)
    let content = try read(VesperExport(style: style, notes: [note]))
    var read = try #require(content.notes.first)
    #expect(read.text == "A\nB" && read.tagNames == ["House"] && read.attachments.map(\.id) == ["A"])
    #expect(read.creationDate == nil && read.fileDate == VesperExport.modified)
    #expect(
      content.remarks == [
        "“der zwölfte Irgendwann 2014” in Active Notes/A.txt cannot be read as a date; "
          + "a new note gets another one"
      ])
    var notebook = Notebook.empty()
    for added in [1, 0] {
      #expect(try notebook.importContent(content).addedNotes == added)
    }
    #expect(notebook.notes.first?.creationDate == VesperExport.modified)
    #expect(notebook.allViolations() == [])
    note.created = nil
    note.modified = nil
    read = try #require(try self.read(VesperExport(style: style, notes: [note])).notes.first)
    #expect(read.text == "A\nB" && read.tagNames == ["House"] && read.attachments.map(\.id) == ["A"])
  }

  /// Many files of one export have the same warning. The report does not repeat it a thousand times.
  @Test func manyDatesThatCannotBeRead() throws {
    let style = VesperExport.DateStyle(name: "?") { _, _, _, _, _ in "irgendwann" }
    let notes = (0..<30).map { VesperExport.Note(text: "Note \($0)") }
    let content = try read(VesperExport(style: style, notes: notes))
    #expect(content.notes.count == 30 && content.remarks.count == 21)
    #expect(content.remarks.last == "10 more files have a date that cannot be read")
  }

  /// Only the last block belongs to the program.
  @Test(arguments: [
    "A\n\nPicture: x.png\n\nTags: House\n\nCreated: Jun 12, 2014, 5:07 AM\nModified: Jun 12, 2014, 5:07 AM",
    "A\n\nPicture: x.png", "A\n\nTags: House, Cats", "A\nTags: x", "A\n\n", "A\n\n\n", "Tags: x", "Picture: A.png",
    "A\n\nID: 7",
    "A\n\nTags: x\nCreated: 2014-01-02T03:04:05Z\nID: 7\n",
  ])
  func textsThatEndAlike(text: String) throws {
    for lineBreak in ["\n", "\r\n"] {
      for dates in 0..<4 {
        var note = VesperExport.Note(text: text, tags: ["One"], lineBreak: lineBreak)
        if dates & 1 == 0 { note.created = nil }
        if dates & 2 == 0 { note.modified = nil }
        let content = try read(VesperExport(notes: [note]))
        let read = try #require(content.notes.first)
        #expect(read.text == text.replacing("\n", with: lineBreak), "\(dates)")
        #expect(read.tagNames == ["One"] && read.attachments == [] && read.id == nil)
        #expect(content.remarks == [])
      }
    }
  }

  @Test func tags() throws {
    let names = [[], ["New York,NY"], ["\"quoted\""], ["a", "\u{301}b"], ["#x"], ["'a", "b'"], ["a  b"]]
    let notes = names.enumerated().map { VesperExport.Note(text: "\($0)", tags: $1) }
    let content = try read(VesperExport(notes: notes))
    #expect(content.notes.map(\.tagNames) == names)
    #expect(content.notes.allSatisfy { $0.givesTags })
  }

  /// The name has the id where another note has the title, and where there is no title.
  @Test func idsFromNames() throws {
    let title = String(repeating: "A very long title, ", count: 10)
    let texts = [
      "Title", "Title", "", " \nsecond line", "Meeting-2014", "Meeting-2014", title, title, "2014", "a – b?", "a – b?",
    ]
    let ids = (0..<texts.count).map { 2_000_000 + $0 }
    let notes = zip(texts, ids).map { VesperExport.Note(text: $0, id: $1) }
    let content = try read(VesperExport(notes: notes))
    let read = Dictionary(content.notes.map { ("\($0.id ?? 0) \($0.text)", 1) }, uniquingKeysWith: +)
    let expected = zip(texts, ids).enumerated().map { index, note in
      let isAgain = texts[..<index].contains(note.0)
      return ("\(isAgain || [2, 3].contains(index) ? note.1 : 0) \(note.0)", 1)
    }
    #expect(read == Dictionary(expected, uniquingKeysWith: +))
    var notebook = Notebook.empty()
    #expect(try notebook.importContent(content).addedNotes == texts.count)
    #expect(try notebook.importContent(content).addedNotes == 0)
    #expect(notebook.notes[2_000_001]?.text == "Title")
    #expect(notebook.allViolations() == [])
  }

  /// Both folders have pictures of their own, perhaps with the same name.
  @Test func picturesOfBothFolders() throws {
    let active = VesperExport.Note(text: "Photo", picture: Self.png)
    var archived = VesperExport.Note(text: "Photo", picture: Self.png + [1], archived: true)
    archived.created = VesperExport.created.addingTimeInterval(60)
    let content = try read(VesperExport(notes: [active, archived])) { url in
      try Data([1]).write(to: url.appending(path: "Active Notes/Pictures/Other.png"))
    }
    #expect(content.notes.map(\.archived) == [false, true])
    #expect(content.notes.map { $0.attachments.map(\.id) } == [["Photo"], ["Photo-2"]])
    #expect(
      content.skipped.map { "\($0.place) \($0.reason)" } == [
        "Active Notes/Pictures/Other.png is a file that no note refers to"
      ])
    let folder = try TemporaryFolder()
    try VesperExport(notes: [active, archived]).write(to: folder.url("in"))
    let copied = try content.copyPictures(from: folder.url("in"), to: folder.url("out"))
    #expect(copied.copied == 2 && copied.skipped == [])
    #expect(FileManager.default.contents(atPath: folder.url("out/Photo.png").path).map { [UInt8]($0) } == Self.png)
    #expect(
      FileManager.default.contents(atPath: folder.url("out/Photo-2.png").path).map { [UInt8]($0) } == Self.png + [1])
  }

  @Test func anArchivedNoteWithoutAnything() throws {
    let content = try read(
      VesperExport(notes: [VesperExport.Note(text: "", archived: true, created: nil, modified: nil)]))
    let note = try #require(content.notes.first)
    #expect(note.text == "" && note.archived == true && note.id == 1_607_864_771_815_195 && note.creationDate == nil)
    #expect(note.tagNames == [] && note.givesTags && note.attachments == [] && note.givesAttachments)
    #expect(content.skipped == [] && content.remarks == [])
  }
}
