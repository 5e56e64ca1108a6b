import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// Import and export of folders of text files.
@Suite struct NoteFolderTests {
  let cli: CLI

  init() throws { cli = try CLI() }

  @Test(arguments: ["vesper-folder", "markdown"]) func whatIsExportedIsImported(_ format: String) throws {
    try cli.makeStore()
    let before = try cli.bytes("notes.json")
    let export = try cli.run("export", format, "notes.json", "out/")
    #expect(export.status == Exit.good && export.error == "")
    #expect(export.output == "exported 2 notes\n")
    let again = try cli.run("import", format, "out", "notes.json")
    #expect(again.output == "added 0 notes, 0 tags, 0 attachments\nskipped 2 notes that exist already\n")
    #expect(try cli.bytes("notes.json") == before)
    let rehearsal = try cli.run("import", format, "out", "copy.json", "--dry-run")
    #expect(!cli.exists("copy.json"))
    let copy = try cli.run("import", format, "out", "copy.json")
    #expect(copy.output == rehearsal.output && copy.output == "added 2 notes, 2 tags, 1 attachment\n")
    #expect(try cli.run("export", "csv", "copy.json", "-").output == cli.run("export", "csv", "notes.json", "-").output)
    #expect(try cli.run("check", "copy.json").status == Exit.good)
  }

  /// Tags in the texts are taken by option, and told otherwise.
  @Test func tagsInTexts() throws {
    try FileManager.default.createDirectory(at: cli.url("vault"), withIntermediateDirectories: true)
    try cli.write("# Trip\n\nPacked the bags. #travel/italy #long tag#\n\n```\n#define X\n```\n", to: "vault/Trip.md")
    let told = try cli.run("import", "markdown", "vault", "a.json")
    #expect(
      told.output == """
        added 1 note, 0 tags, 0 attachments
        tags in the texts of 1 note were not taken; --inline-tags takes them

        """)
    let taken = try cli.run("import", "markdown", "vault", "b.json", "--inline-tags")
    #expect(taken.output == "added 1 note, 2 tags, 0 attachments\n", "\(taken.error)")
    #expect(
      try SnapshotFile.read(Notebook.self, at: cli.url("b.json")).notes.first?.tags == ["travel/italy", "long tag"])
    #expect(try cli.run("import", "csv", "vault", "b.json", "--inline-tags").status == Exit.usage)
  }

  @Test(arguments: ["vesper-folder", "markdown"]) func aFolderThatIsNotEmpty(_ format: String) throws {
    try cli.makeStore()
    #expect(try cli.run("export", format, "notes.json", "out").status == Exit.good)
    try cli.write("mine", to: "out/mine")
    let refused = try cli.run("export", format, "notes.json", "out")
    #expect(refused.status == Exit.cannotCreate)
    #expect(
      refused.error
        == "snapshot-cli: out: the folder is not empty. --force writes into a folder that is not empty, and deletes nothing.\n"
    )
    #expect(try cli.run("export", format, "notes.json", "out", "--force").output == "exported 2 notes\n")
    #expect(try cli.text("out/mine") == "mine")
    let import2 = try cli.run("import", format, "out", "notes.json")
    #expect(import2.output.contains("skipped 2 notes"))
    #expect(import2.output.contains("\nskipped mine: is not a note\n"))
    #expect(try cli.run("export", format, "notes.json", "notes.json", "--force").status == Exit.cannotCreate)
    #expect(try cli.run("check", "notes.json").status == Exit.good)
  }

  @Test(arguments: ["vesper-folder", "markdown"]) func pictures(_ format: String) throws {
    try cli.makeStore()
    try FileManager.default.createDirectory(at: cli.url("album"), withIntermediateDirectories: false)
    try cli.write("picture", to: "album/p1.png")
    let export = try cli.run("export", format, "notes.json", "out", "--pictures", "album")
    #expect(export.output == "copied 1 picture\nexported 2 notes\n")
    #expect(try cli.text("out/Pictures/p1.png") == "picture")
    #expect(try cli.run("import", format, "out", "copy.json", "--pictures", "back", "--dry-run").status == Exit.good)
    #expect(!cli.exists("back"))
    let copy = try cli.run("import", format, "out", "copy.json", "--pictures", "back")
    #expect(copy.output == "added 2 notes, 2 tags, 1 attachment\ncopied 1 picture\n")
    #expect(try cli.text("back/p1.png") == "picture")
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("copy.json"))
    #expect(notebook.attachments["p1"] == Attachment(id: "p1", mimeType: "image/png", height: 20, width: 10))
  }

  @Test func wrongUse() throws {
    try cli.makeStore()
    #expect(try cli.run("import", "csv", "a.csv", "notes.json", "--pictures", "x").status == Exit.usage)
    #expect(try cli.run("export", "markdown", "notes.json", "-").status == Exit.usage)
    #expect(try cli.run("import", "markdown", "-", "notes.json").status == Exit.usage)
    #expect(try cli.run("import", "markdown", "none", "notes.json").status == Exit.noInput)
    #expect(try cli.run("import", "markdown", "notes.json", "notes.json").status == Exit.noInput)
    #expect(try cli.run("export", "markdown", "notes.json", "none/out").status == Exit.cannotCreate)
    #expect(try cli.run("export", "markdown", "notes.json", "out", "--pictures", "none").status == Exit.cannotCreate)
    #expect(!cli.exists("out"))
  }

  /// An older file of a note does not restore the old text, and an edited file is kept.
  @Test(arguments: ["vesper-folder", "markdown"]) func anExportOverAnOlderOne(_ format: String) throws {
    let (active, suffix) = format == "markdown" ? ("out/", ".md") : ("out/Active Notes/", ".txt")
    for text in ["A first line", "Edited"] {
      #expect(try cli.run("add", text, "--store", "notes.json").status == Exit.good)
    }
    #expect(try cli.run("export", format, "notes.json", "out").status == Exit.good)
    var notebook: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    let id = try #require(notebook.notes.first { $0.text == "A first line" }?.id)
    try notebook.setText("Z first line", of: id)
    try SnapshotFile.restore(notebook, as: .json, at: cli.url("notes.json"))
    let edited = try cli.text("\(active)Edited\(suffix)").replacing("Edited", with: "Edited by hand")
    try cli.write(edited, to: "\(active)Edited\(suffix)")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 3_600)], ofItemAtPath: cli.url("\(active)Edited\(suffix)").path)
    let export = try cli.run("export", format, "notes.json", "out", "--force")
    #expect(export.status == Exit.good)
    #expect(export.error.contains("A first line\(suffix) is another file of the same note"))
    #expect(export.error.contains("Edited\(suffix) was edited after its export"))
    #expect(cli.exists("\(active)A first line\(suffix).old") && !cli.exists("\(active)A first line\(suffix)"))
    #expect(try cli.text("\(active)Edited\(suffix).old") == edited)
    #expect(try cli.run("import", format, "out", "copy.json").output.hasPrefix("added 2 notes, "))
    let copy: Notebook = try SnapshotFile.read(at: cli.url("copy.json"))
    #expect(copy.notes.map(\.text).sorted() == ["Edited", "Z first line"])
    #expect(try cli.run("export", format, "notes.json", "out", "--force").error.isEmpty)
  }

  /// Obstacles are found before anything is written.
  @Test(arguments: [("markdown", "Pictures"), ("vesper-folder", "Pictures"), ("vesper-folder", "Archived Notes")])
  func somethingWhereAFolderMustBe(_ format: String, _ name: String) throws {
    try cli.makeStore()
    for folder in ["album", "out", "else"] {
      try FileManager.default.createDirectory(at: cli.url(folder), withIntermediateDirectories: false)
    }
    try cli.write("picture", to: "album/p1.png")
    for isLink in [true, false] {
      if isLink {
        try FileManager.default.createSymbolicLink(at: cli.url("out/\(name)"), withDestinationURL: cli.url("else"))
      } else {
        try cli.write("file", to: "out/\(name)")
      }
      let result = try cli.run("export", format, "notes.json", "out", "--pictures", "album", "--force")
      #expect(result.status == Exit.cannotCreate && result.error.contains("out/\(name): "))
      #expect(try FileManager.default.contentsOfDirectory(atPath: cli.url("out").path) == [name])
      try FileManager.default.removeItem(at: cli.url("out/\(name)"))
    }
  }
}
