import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// Recovery of a damaged store.
@Suite struct RecoverTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.makeStore()
  }

  /// Replaces a piece of the store's text.
  private func damage(_ piece: String, with other: String) throws {
    let text = try String(contentsOf: cli.url("notes.json"), encoding: .utf8)
    #expect(text.contains(piece))
    try cli.write(text.replacing(piece, with: other), to: "notes.json")
  }

  @Test func aLostRecordIsListedAndTheRestIsThere() throws {
    let before: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    try damage("{\"id\":1001,", with: "{\"id\":10x1,")
    let damaged = try Data(contentsOf: cli.url("notes.json"))
    let result = try cli.run("recover", "notes.json", "-o", "out.json")
    #expect(result.status == Exit.found)
    #expect(result.output.contains("lost: line ") && result.output.contains("note: the checksum does not"))
    #expect(!result.output.contains("lost: the checksum"))
    #expect(result.output.contains("notes[0]"))
    #expect(result.output.contains("recovered 1 note, "))
    let recovered: Notebook = try SnapshotFile.read(at: cli.url("out.json"))
    #expect(recovered.notes[1002] == before.notes[1002])
    #expect(recovered.allViolations() == [])
    #expect(try Data(contentsOf: cli.url("notes.json")) == damaged)
    // Nothing is overwritten unasked.
    #expect(try cli.run("recover", "notes.json", "-o", "./notes.json", "--force").status == Exit.usage)
    #expect(try cli.run("recover", "notes.json", "-o", "out.json").status == Exit.good + Exit.found)
    #expect(try Data(contentsOf: cli.url("notes.json")) == damaged)
  }

  @Test func whatIsLostComesFromAnOlderVersion() throws {
    try cli.run("add", "A new note", "--store", "notes.json")
    try cli.run("delete", "1002", "--store", "notes.json")
    // An older version with both notes, as if an hour had passed between the import and the later changes.
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    #expect(notebook.notes.count == 2)
    let folder = cli.url(".notes.json.generations")
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try cli.makeStore("old.json")
    try FileManager.default.copyItem(
      at: cli.url("old.json"), to: folder.appending(path: "000001_2026-11-21T10.00.00Z.json"))
    try damage("{\"id\":1001,", with: "{\"id\":10x1,")
    let result = try cli.run("recover", "notes.json", "-o", "out.json")
    #expect(result.status == Exit.found)
    #expect(result.output.contains("from generation 1 of 2026-11-21T10:00:00Z: + note 1001"))
    let recovered: Notebook = try SnapshotFile.read(at: cli.url("out.json"))
    // The deleted one is not restored.
    #expect(recovered.notes.contains(1001))
    #expect(!recovered.notes.contains(1002))
    #expect(recovered.deletedNotes.ids == [1002])
    #expect(recovered.notes.count == 2)
    #expect(recovered.allViolations() == [])
  }

  @Test func whatANoteRefersToComesFromAnOlderVersion() throws {
    var notebook = Notebook()
    let tag = notebook.tag(named: "São Paulo")
    try notebook.add(Attachment(id: "A1", mimeType: "image/png", height: 2, width: 3))
    let note = try notebook.addNote(text: "A trip", tags: [tag.id], attachments: ["A1"])
    let folder = cli.url(".notes.json.generations")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for url in [cli.url("notes.json"), folder.appending(path: "000001_2026-11-21T10.00.00Z.json")] {
      try SnapshotFile.write(SnapshotFile.encode(notebook, as: .json), to: url)
    }
    try damage("{\"id\":\"A1\"", with: "{\"id\":A1")
    try damage("{\"id\":\"são paulo\"", with: "{\"id\":são")
    let result = try cli.run("recover", "notes.json", "-o", "out.json")
    #expect(result.status == Exit.found)
    #expect(!result.output.contains("repaired"))
    #expect(result.output.contains("+ attachment A1"))
    let recovered: Notebook = try SnapshotFile.read(at: cli.url("out.json"))
    #expect(recovered.notes[note.id] == note)
    #expect(recovered.tags[tag.id] == tag)
    #expect(recovered.attachments["A1"]?.width == 3)
  }

  /// A later date would win against changes that other copies have made after the deletion.
  @Test func aDeletionKeepsItsDate() throws {
    let deletion = Date(timeIntervalSinceReferenceDate: 800_000_000)
    var notebook = Notebook(sources: NotebookSources(now: { deletion - 1000 }))
    for text in ["stays", "goes"] { try notebook.addNote(text: text) }
    let ids = Array(notebook.notes.ids)
    let folder = cli.url(".notes.json.generations")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let older = folder.appending(path: "000001_2026-11-21T10.00.00Z.json")
    try SnapshotFile.write(SnapshotFile.encode(notebook, as: .json), to: older)
    notebook.sources.now = { deletion }
    notebook.deleteNotes([ids[1]])
    let tombstone = try #require(notebook.deletedNotes[ids[1]])
    try SnapshotFile.write(SnapshotFile.encode(notebook, as: .json), to: cli.url("notes.json"))
    try damage("{\"id\":\(ids[0])", with: "{\"id\":x")
    #expect(try cli.run("recover", "notes.json", "-o", "out.json").status == Exit.found)
    let recovered: Notebook = try SnapshotFile.read(at: cli.url("out.json"))
    #expect(Array(recovered.notes.ids) == [ids[0]])
    #expect(recovered.deletedNotes[ids[1]] == tombstone)
  }

  /// As git leaves it: the checksums differ. The file stays one of its schema.
  @Test func aConflictInTheHeaderOfAnotherModel() throws {
    let sides = ["<<<<<<< HEAD", "1", "=======", "2", ">>>>>>> other"]
    let head = sides.map { Int($0).map { "{\"snapshot\":{\"checksum\":\($0)," } ?? $0 }.joined(separator: "\n")
    try cli.write(head + "\n\"schema\":\"x\",\"version\":1},\n\"as\":[\n{\"id\":1}\n]}\n", to: "x.json")
    let result = try cli.run("recover", "x.json", "-o", "out.json")
    #expect(result.status == Exit.found && result.output.contains("note: line 1, column 1: conflict markers"))
    #expect(result.output.contains("recovered as 1"))
    #expect(try cli.run("info", "out.json").output.contains("x"))
    // What cannot be used may be a damaged file itself.
    try cli.write("mine", to: "y.json.unused")
    #expect(try cli.run("recover", "y.json.unused", "-o", "y.json", "--force").status == Exit.usage)
  }

  @Test func aGoodStoreNeedsNothing() throws {
    let result = try cli.run("recover", "notes.json", "-o", "out.json")
    #expect(result.status == Exit.usage)
    #expect(result.error.contains("nothing is wrong with it"))
    #expect(!FileManager.default.fileExists(atPath: cli.url("out.json").path))
    #expect(try cli.run("recover", "notes.json").status == Exit.usage)
    try cli.write("nothing of a notebook", to: "noise.json")
    #expect(try cli.run("recover", "noise.json", "-o", "out.json").status == Exit.badData)
  }
}
