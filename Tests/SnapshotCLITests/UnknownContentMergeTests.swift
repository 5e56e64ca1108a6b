import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// Content that the tool does not know is compared, merged, synced and restored.
@Suite struct UnknownContentMergeTests: WideNotebookSuite {
  let cli: CLI
  let wide: WideNotebook

  init() throws {
    cli = try CLI()
    wide = try WideNotebook.sample()
  }

  @Test func diffShowsIt() throws {
    var other = wide
    try other.notes.update(1001) { $0.color = "green" }
    try other.notes.update(1002) { $0.color = "black" }
    try other.folders.update("a") { $0.name = "Journeys" }
    other.folders.remove("b")
    try make("old.json")
    try make("new.plist", .binary, other)
    let result = try cli.run("diff", "old.json", "new.plist")
    #expect(result.status == Exit.found)
    #expect(
      result.output == """
        ~ notes 1001
            color: "red" → "green"
        ~ notes 1002
            color: nothing → "black"
        ~ folders a
            name: "Travel" → "Journeys"
        - folders b
            id: "b"
            name: "Work"
        1 gone, 3 changed

        """)
    #expect(try cli.run("diff", "old.json", "old.json").output == "the same\n")
    #expect(try cli.run("diff", "old.json", "new.plist", "--json").output.contains("\"new\":\"green\""))
  }

  @Test func generationsBringItBack() throws {
    try make("notes.json")
    #expect(try cli.run("archive", "1001", "--store", "notes.json").status == Exit.good)
    var other = try store("notes.json")
    try other.notes.update(1001) { $0.color = "green" }
    try other.notes.update(1001) { $0.base = wide.notes[1001]!.base }
    try make("notes.json", .json, other)
    let list = try cli.run("generations", "notes.json")
    #expect(
      list.output.contains("2 notes, 1 tag, 0 attachments, 1 deleted note; since then 1 changed\n"), "\(list.output)")
    let compared = try cli.run("generations", "notes.json", "compare", "1")
    #expect(compared.output == "~ note 1001  First\n")
    let restored = try cli.run("generations", "notes.json", "restore", "1")
    #expect(restored.status == Exit.good, "\(restored.error)")
    #expect(restored.output.hasPrefix("restored generation 1 of "))
    #expect(try cli.bytes("notes.json") == wide.data(.json))
  }

  @Test func mergeTakesItInWithABase() throws {
    var (ours, theirs) = (wide, wide)
    try ours.notes.update(1001) { $0.color = "green" }
    try ours.folders.update("a") { $0.name = "Journeys" }
    try ours.folders.insert(Folder(id: "c", name: "Home"))
    ours.notes.remove(1002)
    try theirs.notes.update(1001) { $0.base = try $0.base.archived(in: wide) }
    try theirs.notes.update(1002) { $0.color = "black" }
    try theirs.tags.update("paris") { $0.color = "white" }
    theirs.folders.remove("b")
    try theirs.drafts.insert(Folder(id: "d", name: "Draft"))
    try make("base.json")
    try make("notes.json", .json, ours)
    try make("theirs.json", .xml, theirs)
    let result = try cli.run("merge", "notes.json", "theirs.json", "--base", "base.json")
    #expect(result.status == Exit.found, "\(result.output)\(result.error)")
    #expect(result.output.contains("! notes 1002"))
    let merged = try store("notes.json")
    #expect(merged.notes[1001]?.color == "green")
    #expect(merged.notes[1001]?.base.archived == true)
    // One side removed it, the other changed unknown content in it: it stays.
    #expect(merged.notes[1002]?.color == "black")
    #expect(merged.tags["paris"]?.color == "white")
    #expect(merged.folders.map(\.name) == ["Journeys", "Home"])
    #expect(merged.drafts.map(\.name) == ["Poem", "Draft"])
    try make("ours.json", .json, ours)
    #expect(try cli.run("merge", "base.json", "ours.json", "theirs.json", "-o", "out.json").status == Exit.found)
    #expect(try cli.bytes("out.json") == cli.bytes("notes.json"))
  }

  @Test func mergeNamesWhatBothChanged() throws {
    var (ours, theirs) = (wide, wide)
    try ours.notes.update(1001) { $0.color = "green" }
    try theirs.notes.update(1001) { $0.color = "black" }
    try ours.folders.update("a") { $0.name = "Ours" }
    try theirs.folders.update("a") { $0.name = "Theirs" }
    try make("base.json")
    try make("ours.json", .json, ours)
    try make("theirs.json", .json, theirs)
    let result = try cli.run("merge", "base.json", "ours.json", "theirs.json", "-o", "ours.json")
    #expect(result.status == Exit.found)
    #expect(result.error.contains("! notes 1001, color: both changed it; ours was taken\n"))
    #expect(result.error.contains("! folders a, name: both changed it; ours was taken\n"))
    #expect(try store("ours.json").notes[1001]?.color == "green")
  }

  @Test(arguments: [["merge"], ["sync"]]) func withoutABaseBothSidesAreThere(_ command: [String]) throws {
    var (ours, theirs) = (wide, wide)
    try ours.notes.update(1002) { $0.color = "black" }
    try theirs.folders.insert(Folder(id: "c", name: "Home"))
    let note = Note(id: 2000, text: "Theirs", creationDate: Date(timeIntervalSinceReferenceDate: 1))
    try theirs.notes.insert(Wide(note, color: "pink"))
    try make("notes.json", .json, ours)
    try make("copy.plist", .binary, theirs)
    let result = try cli.run(command + ["notes.json", "copy.plist"])
    #expect(result.status == Exit.good, "\(result.error)")
    let merged = try store("notes.json")
    #expect(merged.notes[1002]?.color == "black")
    #expect(merged.notes[2000]?.color == "pink")
    #expect(merged.folders.count == 3)
    // The older version is complete, too.
    #expect(try cli.run("generations", "notes.json", "restore", "1").status == Exit.good)
    let older = try store("notes.json")
    #expect(older.notes[1002]?.color == "black" && older.notes[2000] == nil && older.folders.count == 2)
    #expect(older.notes.count == ours.notes.count)
    let outgoing = try cli.run("sync", "notes.json", "copy.plist", "--outgoing", "out.json")
    #expect(outgoing.status == Exit.good, "\(outgoing.error)")
  }

  /// The notes are the same, and the unknown content differs.
  @Test func syncSaysWhatItDidToWhatIsUnknown() throws {
    var (ours, theirs) = (wide, wide)
    try ours.notes.update(1001) { $0.color = "green" }
    try theirs.folders.insert(Folder(id: "c", name: "Home"))
    try make("notes.json")
    try make("copy.json", .json, theirs)
    let taken = try cli.run("sync", "notes.json", "copy.json")
    #expect(taken.status == Exit.good, "\(taken.error)")
    #expect(taken.output.contains("1 change of unknown content"), "\(taken.output)")
    #expect(try store("notes.json").folders.count == 3)
    let again = try cli.run("sync", "notes.json", "copy.json")
    #expect(again.status == Exit.good && again.output == "nothing to merge\n", "\(again.output)")
    try make("notes.json", .json, ours)
    try make("copy.json")
    let dry = try cli.run("sync", "notes.json", "copy.json", "--dry-run")
    let conflict = try cli.run("sync", "notes.json", "copy.json")
    for result in [dry, conflict] {
      #expect(result.status == Exit.found, "\(result.output)")
      #expect(result.output.contains("! notes 1001, color"), "\(result.output)")
      #expect(!result.output.contains("nothing to merge"), "\(result.output)")
    }
    #expect(try store("notes.json").notes[1001]?.color == "green")
  }
}
