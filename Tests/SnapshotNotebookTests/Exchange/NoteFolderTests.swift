import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Notebooks as folders of text files, and back.
struct NoteFolderTests {
  static let cases = NoteFolderFormat.allCases.flatMap { format in FolderUnderTest.Kind.allCases.map { (format, $0) } }

  /// Every text, tag, attachment and date that is hard to write, each in a note of its own.
  private static func nasty() throws -> Notebook {
    var notebook = Notebook.empty()
    for (index, text) in NoteFile.texts.enumerated() {
      let name = NoteFile.tagNames[index % NoteFile.tagNames.count]
      var note = try notebook.addNote(text: text, tags: [try notebook.tag(checkedName: name).id])
      note.archived = index % 3 == 0
      note.sortDate = NoteFile.dates[index % NoteFile.dates.count]
      note.modificationDate = NoteFile.dates[index % 5]
      try notebook.upsert(note)
    }
    for attachment in NoteFile.attachments { try notebook.add(attachment) }
    try notebook.addNote(text: "Pictures", attachments: NoteFile.attachments.map(\.id))
    return notebook
  }

  /// The content that folders hold, instead of the whole notebook.
  private static func content(_ notebook: Notebook) -> [[[UInt8]]] {
    notebook.notes.map { note in
      ForeignNote(
        id: note.id, text: note.text, archived: note.archived, creationDate: note.creationDate, sortDate: note.sortDate,
        modificationDate: note.modificationDate, tagNames: note.tags.compactMap { notebook.tags[$0]?.name },
        attachments: note.attachments.compactMap { notebook.attachments[$0] }, place: ""
      ).bits
    }
  }

  private func read(_ folder: FolderUnderTest, _ format: NoteFolderFormat, _ name: String = "out") throws
    -> ForeignContent
  {
    try ForeignContent(folder: "\(folder.path)/\(name)", as: format, on: folder.fileSystem, limits: ReadLimits())
  }

  @Test func thereAndBack() {
    each(Self.cases) { (format: NoteFolderFormat, kind: FolderUnderTest.Kind) throws in
      let notebook = try Self.nasty()
      try FolderUnderTest.with(kind) { folder in
        let report = try notebook.export(toFolder: folder.path + "/out", as: format, on: folder.fileSystem)
        #expect(report == NoteFolderReport(notes: notebook.notes.count, pictures: 0, skipped: []))
        let content = try read(folder, format)
        #expect(content.skipped == [])
        var back = Notebook.empty()
        let added = try back.importContent(content)
        #expect(added.addedNotes == notebook.notes.count && added.skipped == [])
        #expect(Self.content(back) == Self.content(notebook))
        #expect(back.allViolations() == [])
        // The second import finds nothing new.
        let again = try back.importContent(content)
        #expect(again.unchangedNotes == notebook.notes.count && again.addedNotes == 0 && again.skipped == [])
      }
    }
  }

  @Test func theFoldersOfVesper() throws {
    try FolderUnderTest.with(.real) { folder in
      var notebook = try Notebook.small()
      try notebook.setArchived(true, of: 1001)
      let report = try notebook.export(toFolder: folder.url("out"), as: .vesper)
      #expect(report.notes == 2)
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/out").sorted()
      #expect(names == ["Active Notes", "Active Notes/First.txt", "Archived Notes", "Archived Notes/Second.txt"])
      let dates = try FileManager.default.attributesOfItem(atPath: folder.path + "/out/Active Notes/First.txt")
      #expect(dates[.modificationDate] as? Date == .day(1))
      #expect(dates[.posixPermissions] as? Int == 0o600)
      // The folder decides, whatever the origin of the file.
      try FileManager.default.moveItem(
        atPath: folder.path + "/out/Active Notes/First.txt", toPath: folder.path + "/out/Archived Notes/Else.txt")
      let content = try ForeignContent(folder: folder.url("out"), as: .vesper)
      #expect(content.notes.map(\.archived) == [true, true])
      #expect(content.notes.map(\.place) == ["Archived Notes/Else.txt", "Archived Notes/Second.txt"])
    }
  }

  @Test func whatIsPassedOver() throws {
    let memory = InMemoryFileSystem(directories: ["/v", "/v/Active Notes", "/v/Pictures", "/v/Other", "/v/.git"])
    memory["/v/Active Notes/a.txt"] = Array("A\n\nPicture: p.png\nCreated: 2014-01-02".utf8)
    memory["/v/Active Notes/b.txt"] = [0xFF, 0x00]
    memory["/v/Active Notes/c.rtf"] = [1]
    memory["/v/Pictures/p.png"] = [1]
    memory["/v/Pictures/q.png"] = [1]
    memory["/v/Other/x.txt"] = [1]
    memory["/v/.git/y.txt"] = [1]
    memory["/v/top.TXT"] = Array("Top".utf8)
    memory.link("/v/link.txt", to: "/v/top.TXT")
    let content = try ForeignContent(folder: "/v", as: .vesper, on: memory, limits: ReadLimits())
    #expect(content.notes.map(\.text) == ["A", "Top"])
    #expect(content.notes.map(\.archived) == [false, nil])
    #expect(content.notes[0].attachments == [Attachment(id: "p", mimeType: "image/png", height: 0, width: 0)])
    #expect(
      content.skipped.map { "\($0.place) \($0.reason)" } == [
        "Other is none of the folders that Vesper exports", "link.txt is a symbolic link",
        "Active Notes/b.txt is not text in UTF-8", "Active Notes/c.rtf is not a note",
        "Pictures/q.png is a file that no note refers to",
      ])
    #expect(memory.openCount == 0)
  }

  @Test func intoAFolderWithNotes() {
    each(Self.cases) { (format: NoteFolderFormat, kind: FolderUnderTest.Kind) throws in
      try FolderUnderTest.with(kind) { folder in
        var notebook = Notebook.empty()
        for text in ["One", "one", "Two"] { try notebook.addNote(text: text) }
        let export = {
          try notebook.export(toFolder: folder.path + "/out", as: format, intoExisting: true, on: folder.fileSystem)
            .notes
        }
        #expect(try export() == 3)
        let prefix = format == .vesper ? "out/Active Notes/" : "out/"
        let suffix = format == .vesper ? ".txt" : ".md"
        folder["\(prefix)mine\(suffix)"] = Array("Mine".utf8)
        try notebook.addNote(text: "Mine")
        try notebook.setText("One\nmore", of: 1000)
        #expect(try export() == 4)
        // Another program's file stays; the file of the note itself is replaced.
        #expect(folder["\(prefix)mine\(suffix)"] == Array("Mine".utf8))
        #expect(folder["\(prefix)Mine 1003\(suffix)"] != nil)
        #expect(folder["\(prefix)one 1001\(suffix)"] != nil)
        let content = try read(folder, format)
        #expect(content.notes.map(\.text).sorted() == ["Mine", "Mine", "One\nmore", "Two", "one"])
      }
    }
  }

  @Test func pictures() {
    each(Self.cases) { (format: NoteFolderFormat, kind: FolderUnderTest.Kind) throws in
      try FolderUnderTest.with(kind) { folder in
        let parent = try folder.fileSystem.openDirectory(folder.path)
        try folder.fileSystem.makeDirectory("album", in: parent)
        folder.fileSystem.close(parent)
        let gif = Array("GIF89a".utf8) + [0x02, 0x01, 0x04, 0x03, 0]
        folder["album/photo.gif"] = gif
        folder["album/../x.png"] = nil
        var notebook = Notebook.empty()
        for (id, type) in [("photo", "image/gif"), ("gone", "image/gif"), ("../x", "image/png")] {
          try notebook.add(Attachment(id: id, mimeType: type, height: 0, width: 0))
        }
        try notebook.addNote(text: "A", attachments: ["photo", "gone", "../x"])
        try notebook.addNote(text: "B", attachments: ["photo"])
        let report = try notebook.export(
          toFolder: folder.path + "/out", as: format, pictures: folder.path + "/album", on: folder.fileSystem)
        #expect(report.pictures == 1)
        #expect(report.skipped.map { "\($0.place) \($0.reason)" } == ["gone has no file", "../x has no file"])
        #expect(folder["out/Pictures/photo.gif"] == gif)

        let content = try read(folder, format)
        #expect(content.skipped == [])
        #expect(
          content.notes[0].attachments[0] == Attachment(id: "photo", mimeType: "image/gif", height: 0x304, width: 0x102)
        )
        let copy = {
          try content.copyPictures(
            from: folder.path + "/out", to: folder.path + "/copy", on: folder.fileSystem, limits: ReadLimits())
        }
        #expect(try copy().copied == 1)
        #expect(folder["copy/photo.gif"] == gif)
        #expect(try copy() == (0, []))
        folder["copy/photo.gif"] = [1]
        #expect(try copy().skipped.map(\.reason) == ["was not copied, because there is another file of its name"])
        #expect(folder["copy/photo.gif"] == [1])
      }
    }
  }

  @Test(arguments: NoteFolderFormat.allCases) func progressCanStopIt(format: NoteFolderFormat) throws {
    struct Stop: Error {}
    let memory = InMemoryFileSystem(directories: ["/f"])
    var notebook = Notebook.empty()
    for index in 0..<250 { try notebook.addNote(text: "\(index)") }
    var seen: [Int] = []
    #expect(throws: Stop.self) {
      try notebook.export(toFolder: "/f/out", as: format, on: memory) { count in
        seen.append(count)
        if count == 200 { throw Stop() }
      }
    }
    #expect(seen == [100, 200] && memory.paths == [] && memory.openCount == 0)
    _ = try notebook.export(toFolder: "/f/out", as: format, on: memory)
    seen = []
    _ = try ForeignContent(folder: "/f/out", as: format, on: memory, limits: ReadLimits()) { seen.append($0) }
    #expect(seen == [100, 200, 250])
    #expect(throws: Stop.self) {
      try ForeignContent(folder: "/f/out", as: format, on: memory, limits: ReadLimits()) { _ in throw Stop() }
    }
    #expect(memory.openCount == 0)
  }

  @Test func limitsOfSize() throws {
    let memory = InMemoryFileSystem(directories: ["/f"])
    memory["/f/a.md"] = [UInt8](repeating: 0x61, count: 100)
    memory["/f/b.md"] = [UInt8](repeating: 0x61, count: 101)
    let read = { (limits: ReadLimits) in try ForeignContent(folder: "/f", as: .markdown, on: memory, limits: limits) }
    let content = try read(ReadLimits(textSize: 100))
    #expect(content.notes.count == 1)
    #expect(content.skipped.map(\.reason) == ["has 101 bytes; the limit is 100"])
    #expect(#expect(throws: SnapshotError.self) { try read(ReadLimits(fileSize: 200)) }?.code == .tooLarge)
    #expect(try read(ReadLimits(fileSize: 201)).notes.count == 2)
    #expect(#expect(throws: SnapshotError.self) { try read(ReadLimits(elementCount: 1)) }?.code == .limitExceeded)
  }

  /// Copying a file changes its date, but not the note's identity.
  @Test(arguments: ImportOptions.Conflict.allCases) func aFileWithAnotherDateIsTheSameNote(
    conflicts: ImportOptions.Conflict
  ) throws {
    try FolderUnderTest.with(.real) { folder in
      folder["a.md"] = Array("# Text".utf8)
      var notebook = Notebook.empty()
      for day in [5, 6] {
        try FileManager.default.setAttributes([.modificationDate: Date.day(day)], ofItemAtPath: folder.path + "/a.md")
        try notebook.importContent(
          try ForeignContent(folder: folder.url(""), as: .markdown), options: ImportOptions(conflicts: conflicts))
      }
      #expect(notebook.notes.map(\.creationDate) == [.day(5)] && notebook.notes.first?.modificationDate == .day(5))
    }
  }

  @Test func ofFilesWithOneIDTheNewestCounts() throws {
    let memory = InMemoryFileSystem(directories: ["/f"])
    for (name, day) in [("a", 2), ("b", 3), ("c", 1)] {
      memory["/f/\(name).md"] = Array("---\nid: 7\nmodified: 2020-01-0\(day)\n---\n\n\(name)".utf8)
    }
    let content = try ForeignContent(folder: "/f", as: .markdown, on: memory, limits: ReadLimits())
    #expect(content.notes.map(\.text) == ["b"])
    #expect(
      content.skipped.map { "\($0.place) \($0.id ?? 0) \($0.reason)" } == [
        "a.md 7 is an older file of the note in b.md, which is used instead",
        "c.md 7 is an older file of the note in b.md, which is used instead",
      ])
  }
}
