import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// Conflicted copies: found beside the store, and merged.
@Suite struct MergeTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.makeStore()
  }

  private func copy(to name: String) throws {
    try FileManager.default.copyItem(at: cli.url("notes.json"), to: cli.url(name))
  }

  @Test func copiesAreListedByCheck() throws {
    // Dropbox in three languages, Google Drive, iCloud, Syncthing, ownCloud, Synology, Resilio, OneDrive, the library.
    let copies = [
      "notes (Ada's conflicted copy 2026-11-21).json", "notes (In Konflikt stehende Kopie von Ada 2026-11-21).json",
      "notes (Copie en conflit de Ada 2026-11-21).json", "notes (1).json", "notes 2.json",
      "notes.sync-conflict-20261121-153000-ABCDEFG.json", "notes_conflict-20261121-153000.json",
      "notes_Ada_Nov-21-153000-2026_Conflict.json", "notes.Conflict.json", "notes-ADAS-PC.json",
      "notes.conflict-2026-11-21T15.30.00Z.json",
    ]
    for name in copies + ["other 2.json", "notes 2.txt", "notes.damaged-2026-11-21T15.30.00Z.json"] {
      try copy(to: name)
    }
    // Another notebook, a store of another schema, and no store.
    try cli.run("add", "Work", "--store", "notes-work.json")
    try cli.write(#"{"snapshot":{"schema":"x","version":1},"notes":[{"id":1001}]}"#, to: "notes-x.json")
    try cli.write("[]", to: "notes-y.json")
    try FileManager.default.createSymbolicLink(
      atPath: cli.url("notes-link.json").path, withDestinationPath: "notes.json")
    try FileManager.default.linkItem(at: cli.url("notes.json"), to: cli.url("notes-hard.json"))
    try copy(to: "notes-bare")
    // A copy that was edited by hand.
    try cli.write(cli.text("notes.json").replacing("Second", with: "By hand"), to: "notes-edited.json")
    let result = try cli.run("check", "notes.json")
    #expect(result.status == Exit.good)
    let lines = result.output.split(separator: "\n").dropFirst()
    #expect(lines.count == copies.count + 1)
    for name in copies + ["notes-edited.json"] {
      #expect(lines.contains { $0.contains("“\(name)” may be a conflicted copy") }, "\(name)")
    }
  }

  /// A file without records has nothing but its schema. The library's own files are known by their names.
  @Test func copiesOfSingleValues() throws {
    try cli.write(#"{"snapshot":{"schema":"prefs","version":1},"size":1}"#, to: "prefs.json")
    try cli.write(#"{"snapshot":{"schema":"prefs","version":1},"size":2}"#, to: "prefs 2.json")
    try cli.write("{", to: "prefs.conflict-2026-11-21T15.30.00Z.json")
    let output = try cli.run("check", "prefs.json").output
    #expect(output.split(separator: "\n").count { $0.contains("may be a conflicted copy") } == 2, "\(output)")
  }

  @Test func whatProgramsLeftOutIsListedByCheck() throws {
    for word in ["before-merge", "unsaved"] { try copy(to: "notes.\(word)-2026-11-21T15.30.00Z.json") }
    let output = try cli.run("check", "notes.json").output
    #expect(output.contains("before-merge-2026-11-21T15.30.00Z.json” has what a merge took out of a store; “"))
    #expect(output.contains("unsaved-2026-11-21T15.30.00Z.json” has changes that a program could not save; “"))
    #expect(output.contains("; “snapshot-cli merge” takes them in\n"))
  }

  @Test func aCopyIsTakenIn() throws {
    try copy(to: "notes 2.json")
    try cli.run("add", "Mine", "--store", "notes.json")
    try cli.run("add", "Theirs", "--tag", "New", "--store", "notes 2.json")
    let before = try Data(contentsOf: cli.url("notes 2.json"))
    let result = try cli.run("merge", "notes.json", "notes 2.json")
    #expect(result.status == Exit.good)
    #expect(result.output.contains("  Theirs\n+ tag new  New\n"))
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    #expect(notebook.notes.count == 4)
    #expect(notebook.existingTag(named: "new") != nil)
    #expect(notebook.allViolations() == [])
    #expect(try Data(contentsOf: cli.url("notes 2.json")) == before)
    #expect(try cli.run("merge", "notes.json", "notes 2.json").output == "nothing to merge\n")
  }

  /// The tombstone keeps a deleted note away, unless the copy has changed it later.
  @Test func aDeletedNoteDoesNotComeBack() throws {
    try copy(to: "copy.json")
    try cli.run("delete", "1001", "--store", "notes.json")
    let merged = try cli.run("merge", "notes.json", "copy.json")
    #expect(merged.status == Exit.good && merged.output == "nothing to merge\n" && merged.error.isEmpty)
    // The other direction.
    let back = try cli.run("merge", "copy.json", "notes.json", "-o", "out.json")
    #expect(back.status == Exit.good && back.error.isEmpty && back.output.contains("- note 1001"))
    #expect(try cli.bytes("out.json") == cli.bytes("notes.json"))
    var later: Notebook = try SnapshotFile.read(at: cli.url("copy.json"))
    later.sources.now = { Date(timeIntervalSinceNow: 3600) }
    try later.setText("Later", of: 1001)
    try Data(SnapshotFile.encode(later, as: .json)).write(to: cli.url("copy.json"))
    #expect(try cli.run("merge", "notes.json", "copy.json").status == Exit.good)
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    #expect(notebook.notes[1001]?.text == "Later" && notebook.deletedNotes.isEmpty && notebook.allViolations() == [])
  }

  @Test func withABaseBothSidesAreKnown() throws {
    try copy(to: "base.json")
    try copy(to: "theirs.json")
    try cli.run("delete", "1001", "--store", "theirs.json")
    try cli.run("archive", "1001", "--store", "notes.json")
    let result = try cli.run("merge", "notes.json", "theirs.json", "--base", "base.json", "-o", "out.json")
    #expect(result.status == Exit.found)
    #expect(result.output.contains("! notes 1001: it was removed from the copy and changed in the store; it stays\n"))
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("out.json"))
    #expect(notebook.notes[1001]?.archived == true)
    // With -o the store is unchanged.
    #expect(try SnapshotFile.read(Notebook.self, at: cli.url("notes.json")).deletedNotes.isEmpty)
    #expect(try cli.run("merge", "notes.json", "theirs.json", "-o", "base.json").status == Exit.cannotCreate)
    #expect(try cli.run("merge", "notes.json").status == Exit.usage)
    #expect(try cli.run("merge", "notes.json", "nothing.json").status == Exit.noInput)
  }

  @Test func threeFiles() throws {
    try copy(to: "ours.json")
    try copy(to: "theirs.json")
    try cli.run("archive", "1001", "--store", "ours.json")
    try cli.run("delete", "1002", "--store", "theirs.json")
    let clean = try cli.run("merge", "notes.json", "ours.json", "theirs.json", "-o", "out.plist")
    #expect(clean.status == Exit.good)
    #expect((clean.output + clean.error).isEmpty)
    let merged: Notebook = try SnapshotFile.read(at: cli.url("out.plist"))
    #expect(merged.notes.map(\.id) == [1001])
    #expect(merged.notes[1001]?.archived == true)
    #expect(try cli.text("out.plist").hasPrefix("<?xml"))
    // Without a base, the dates decide.
    try cli.write("", to: "empty.json")
    #expect(try cli.run("merge", "empty.json", "ours.json", "theirs.json", "-o", "ours.json").status == Exit.good)
    #expect(try SnapshotFile.read(Notebook.self, at: cli.url("ours.json")).hasSameRecords(as: merged))
    // Nothing but OURS is overwritten unasked.
    #expect(
      try cli.run("merge", "notes.json", "ours.json", "theirs.json", "-o", "notes.json").status == Exit.cannotCreate)
    #expect(try cli.run("merge", "notes.json", "ours.json", "theirs.json").status == Exit.usage)
    let twoBases = try cli.run(
      "merge", "notes.json", "ours.json", "theirs.json", "-o", "o.json", "--base", "notes.json")
    #expect(twoBases.status == Exit.usage)
    #expect(try cli.run("merge", "notes.json", "empty.json", "theirs.json", "-o", "o.json").status == Exit.badData)
    #expect(!cli.exists("o.json"))
  }
}
