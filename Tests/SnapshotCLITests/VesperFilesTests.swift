import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// The files of Vesper's own program: its export folder, and the arrays of its service.
@Suite struct VesperFilesTests {
  let cli: CLI

  init() throws { cli = try CLI() }

  private func notebook(_ name: String = "notes.json") throws -> Notebook { try SnapshotFile.read(at: cli.url(name)) }

  /// Writes the file of a note with a picture beside it, and sets the file's date to that of the note.
  private func writeNote(_ path: String, _ text: String, modified: String) throws {
    let folder = cli.url(path).deletingLastPathComponent().appending(path: "Pictures")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try cli.write(text, to: path)
    let date = try Date(modified, strategy: .iso8601)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: cli.url(path).path)
  }

  @Test func theExportFolder() throws {
    let folder = "Vesper Export ƒ"
    try writeNote(
      "\(folder)/Active Notes/This_is_a_note.txt",
      "This is a note\nMore.\n\nPicture: This_is_a_note.png\n\nTags: House, Cats\n\nCreated: Jun 12, 2014, 5:07 AM\n"
        + "Modified: Jun 13, 2014, 11:40 PM\n", modified: "2014-06-14T06:40:33Z")
    try cli.write("picture", to: "\(folder)/Active Notes/Pictures/This_is_a_note.png")
    try writeNote(
      "\(folder)/Archived Notes/Old-1607864771815195.txt", "Old\n\nTags: \n\nCreated: irgendwann\n",
      modified: "2014-01-02T03:04:05Z")
    let dry = try cli.run("import", "vesper-folder", folder, "notes.json", "--dry-run")
    let result = try cli.run("import", "vesper-folder", folder, "notes.json", "--pictures", "album")
    #expect(result.status == Exit.good && result.error == "")
    #expect(
      result.output == """
        added 2 notes, 2 tags, 1 attachment
        “irgendwann” in Archived Notes/Old-1607864771815195.txt cannot be read as a date; a new note gets another one
        copied 1 picture

        """)
    #expect(dry.output == result.output.replacing("copied 1 picture\n", with: ""))
    #expect(try cli.text("album/This_is_a_note.png") == "picture")
    let notebook = try notebook()
    let note = try #require(notebook.notes.first { $0.text == "This is a note\nMore." })
    #expect(note.creationDate == (try Date("2014-06-12T12:07:00Z", strategy: .iso8601)))
    #expect(note.modificationDate == (try Date("2014-06-14T06:40:33Z", strategy: .iso8601)))
    #expect(note.tags == ["house", "cats"] && note.attachments == ["This_is_a_note"] && !note.archived)
    let old = try #require(notebook.notes[1_607_864_771_815_195])
    #expect(old.text == "Old" && old.archived && old.tags == [])
    #expect(old.creationDate == (try Date("2014-01-02T03:04:05Z", strategy: .iso8601)))
    #expect(notebook.allViolations() == [])
    let again = try cli.run("import", "vesper-folder", folder, "notes.json")
    #expect(
      again.output.hasPrefix("added 0 notes, 0 tags, 0 attachments\nskipped 2 notes that exist already\n"))
  }

  @Test func theArraysOfTheService() throws {
    try cli.write("[{\"noteID\": 2001, \"text\": \"A\", \"creationDate\": \"2014-01-02T03:04:05+0000\"}]", to: "notes")
    try cli.write("[{\"uniqueID\": \"x\", \"name\": \"Paris\"}, {\"uniqueID\": \"y\"}]", to: "tags")
    try cli.write("[2001, 2002]", to: "deleted")
    let imports = try ["notes", "tags", "deleted"].map { try cli.run("import", "vesper", $0, "notes.json").output }
    #expect(
      imports == [
        "added 1 note, 0 tags, 0 attachments\n",
        "added 0 notes, 1 tag, 0 attachments\nskipped tags: [1]: is a tag without a name\n",
        "added 0 notes, 0 tags, 0 attachments\nremembered 1 note as deleted\n",
      ])
    let syncs = try ["notes", "tags", "deleted"].map {
      try cli.run("sync", "other.json", $0, "--policy", "incoming")
    }
    // The first command that writes to a store makes it; sync needs an existing one.
    #expect(syncs.map(\.status) == [Exit.noInput, Exit.noInput, Exit.noInput])
    try cli.makeStore("other.json")
    let outputs = try ["notes", "tags", "deleted"].map {
      let result = try cli.run("sync", "other.json", $0, "--policy", "incoming")
      #expect(result.status == Exit.good)
      return result.output + result.error
    }
    #expect(
      outputs == [
        "+ note 2001  A\nadded 1 note\n",
        "1 new tag\nsnapshot-cli: tags: [1] is a tag without a name; it was skipped\n",
        "- note 2001  A\ndeleted 1 note, 1 remembered deletion\n",
      ])
    #expect(try notebook("other.json").allViolations() == [])
  }

  @Test func tutorialNotesDoNotGoOut() throws {
    try cli.write(
      "[{\"uniqueID\": 1, \"text\": \"Collect your thoughts\", \"date\": \"2012-12-12T16:12:12.000Z\"}]", to: "tutorial"
    )
    #expect(try cli.run("import", "vesper", "tutorial", "notes.json").status == Exit.good)
    #expect(try cli.run("add", "Mine", "--store", "notes.json").status == Exit.good)
    try cli.write("[]", to: "nothing")
    let sync = try cli.run("sync", "notes.json", "nothing", "-o", "-")
    #expect(sync.status == Exit.good)
    #expect(sync.output.contains("Mine") && !sync.output.contains("thoughts"))
  }
}
