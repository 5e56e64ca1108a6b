import Foundation
import SnapshotStore
import Testing

/// What the tool does not know of a store stays in it, and comes along wherever the store goes.
@Suite struct UnknownContentTests {
  let cli: CLI
  let wide: WideNotebook

  init() throws {
    cli = try CLI()
    wide = try WideNotebook.sample()
  }

  private func store(_ name: String) throws -> WideNotebook { try WideNotebook.read(try cli.bytes(name)) }

  private func make(_ name: String, _ format: FileFormat = .json, _ wide: WideNotebook? = nil) throws {
    try (wide ?? self.wide).data(format).write(to: cli.url(name))
  }

  // MARK: Commands that write what they read

  @Test(arguments: FileFormat.allCases, FileFormat.allCases)
  func dumpConvertAndRestoreAreExact(_ format: FileFormat, _ other: FileFormat) throws {
    try make("notes", format)
    let dump = try cli.run("dump", "notes", "--format", other.rawValue)
    #expect(dump.status == Exit.good, "\(dump.error)")
    #expect(try Data(dump.outputBytes) == wide.data(other))
    try Data(dump.outputBytes).write(to: cli.url("dump"))
    #expect(try cli.run("convert", "dump", "back", "-f", format.rawValue).status == Exit.good)
    #expect(try cli.bytes("back") == wide.data(format))
    #expect(try cli.run("restore", "dump", "restored.json").status == Exit.good)
    #expect(try cli.bytes("restored.json") == wide.data(.json))
    #expect(try cli.run("restore", "notes", "restored.json", "--replace").status == Exit.good)
    #expect(try cli.bytes("restored.json") == wide.data(.json))
  }

  @Test func onlyTheSameContentIsReplacedUnasked() throws {
    var other = wide
    try other.notes.update(1001) { $0.color = "green" }
    try make("notes.json")
    try make("other.json", .xml, other)
    #expect(try cli.run("convert", "notes.json", "other.json").status == Exit.cannotCreate)
    #expect(try cli.run("convert", "notes.json", "other.json", "--replace").status == Exit.good)
    #expect(try cli.run("convert", "notes.json", "other.json", "-f", "xml").status == Exit.good)
    #expect(try cli.bytes("other.json") == wide.data(.xml))
  }

  @Test(arguments: FileFormat.allCases) func editsKeepIt(_ format: FileFormat) throws {
    try make("notes", format)
    for arguments in [["archive", "1001"], ["tag", "1001", "New"], ["add", "More"], ["tags", "sweep"]] {
      #expect(try cli.run(arguments + ["--store", "notes"]).status == Exit.good, "\(arguments)")
    }
    for arguments in [["list"], ["show", "1001"], ["search", "First"], ["tags"]] {
      #expect(try cli.run(arguments + ["--store", "notes"]).status == Exit.good, "\(arguments)")
    }
    let after = try store("notes")
    #expect(after.notes[1001]?.color == "red")
    #expect(after.notes[1001]?.base.archived == true)
    #expect(after.tags["paris"]?.color == "blue")
    #expect(after.folders == wide.folders)
  }

  /// “café” with one scalar at its end and with two: two keys, which Swift's `==` holds to be one.
  @Test(arguments: FileFormat.allCases) func keysThatLookAlikeStayTwo(_ format: FileFormat) throws {
    let both = "\"cafe\u{301}\":2,\"caf\u{E9}\":1"
    try make("wide.json")
    let text = try cli.text("wide.json").replacing(/"checksum":\d+,\n/, with: "")
    try cli.write(text.replacing("\"color\":\"red\"", with: both), to: "notes.json")
    #expect(try cli.run("convert", "notes.json", "store", "-f", format.rawValue).status == Exit.good)
    #expect(try cli.run("diff", "notes.json", "store").status == Exit.good)
    #expect(try cli.run("add", "More", "--store", "store").status == Exit.good)
    let check = try cli.run("check", "store")
    #expect(check.status == Exit.good)
    for key in ["caf\u{E9}", "cafe\u{301}"] {
      #expect(check.output.utf8.contains("kept: notes.\(key), in 1 record\n".utf8))
    }
    let damaged = try cli.bytes("store").replacing(Data("Second".utf8), with: Data("sEcond".utf8))
    try damaged.write(to: cli.url("damaged"))
    let commands = [
      ["convert", "store", "out.json"], ["merge", "store", "notes.json", "-o", "out.json"],
      ["sync", "out.json", "store"], ["recover", "damaged", "-o", "out.json"],
      ["dump", "store", "-f", "json", "-o", "out.json"], ["restore", "store", "out.json"],
    ]
    for command in commands {
      try? FileManager.default.removeItem(at: cli.url("out.json"))
      if command[0] == "sync" { try cli.write(cli.text("notes.json"), to: "out.json") }
      let result = try cli.run(command)
      let isDamaged = command[0] == "recover"
      #expect(result.status == (isDamaged ? Exit.found : Exit.good), "\(command): \(result.error)")
      #expect(try cli.text("out.json").utf8.contains(both.utf8), "\(command)")
    }
    // The differences of one of the two, by its own name.
    try cli.write(text.replacing("\"color\":\"red\"", with: both.replacing(":2", with: ":3")), to: "new.json")
    let difference = try cli.run("diff", "notes.json", "new.json")
    #expect(difference.status == Exit.found && difference.output.utf8.contains("cafe\u{301}".utf8))
    #expect(!difference.output.utf8.contains("caf\u{E9}".utf8))
  }

  // MARK: Checking

  @Test(arguments: FileFormat.allCases) func checkNamesItAsARemark(_ format: FileFormat) throws {
    try make("notes", format)
    let result = try cli.run("check", "notes")
    #expect(result.status == Exit.good)
    #expect(result.output.hasPrefix("notes: ok, 2 notes, 1 tag, "))
    #expect(result.output.contains("notes: note: not known to this program, and kept: notes.color, in 1 record\n"))
    #expect(
      result.output.contains("notes: note: not known to this program, and kept: the table folders, with 2 records\n"))
    #expect(!result.output.contains("recover"))
  }

  @Test(arguments: FileFormat.allCases) func acceptKeepsIt(_ format: FileFormat) throws {
    var bytes = try wide.data(format)
    // The same length, so that a binary list stays whole.
    let place = try #require(bytes.range(of: Data("First".utf8)))
    bytes.replaceSubrange(place, with: Data("Fluet".utf8))
    try bytes.write(to: cli.url("notes"))
    #expect(try cli.run("check", "notes").status == Exit.found)
    #expect(try cli.run("check", "notes", "--accept").status == Exit.good)
    #expect(try store("notes").notes[1001]?.base.text == "Fluet")
    #expect(try store("notes").notes[1001]?.color == "red")
    #expect(try store("notes").folders == wide.folders)
  }

  // A key of the header that damage has changed must not pass for none: no command takes it, as no store does.
  @Test func keysOfTheHeaderAreRefusedByAll() throws {
    try make("notes.json")
    try cli.write(
      try cli.text("notes.json").replacing("{\"snapshot\":{", with: "{\"snapshot\":{\"x\":1,"), to: "notes.json")
    for arguments in [
      ["list", "--store", "notes.json"], ["dump", "notes.json"], ["diff", "notes.json", "notes.json"],
      ["convert", "notes.json", "out.json"], ["export", "csv", "notes.json", "-"],
      ["add", "x", "--store", "notes.json"],
    ] {
      let result = try cli.run(arguments)
      #expect(result.status == Exit.badData)
      #expect(result.error.contains("snapshot: unknown key “x”"), "\(result.error)")
    }
    let check = try cli.run("check", "notes.json")
    #expect(check.status == Exit.found)
    #expect(check.output.contains("snapshot: unknown key “x”"))
    // What the advice of check leads to saves everything.
    #expect(try cli.run("recover", "notes.json", "-o", "out.json").status == Exit.found)
    #expect(try store("out.json").hasSameRecords(as: wide))
  }

  // What is not damaged is not to be recovered.
  @Test(arguments: ["\"version\":1", "\"schema\":\"notebook\""])
  func anotherVersionOrSchemaIsNoDamage(_ piece: String) throws {
    try make("notes.json")
    let text = try cli.text("notes.json")
    let other = piece.contains("version") ? "\"version\":9" : "\"schema\":\"other\""
    let lines = text.replacing(piece, with: other).split(separator: "\n", omittingEmptySubsequences: false)
    // Without a checksum.
    try cli.write("{\"snapshot\":{" + lines.dropFirst().joined(separator: "\n"), to: "notes.json")
    for arguments in [["check", "notes.json"], ["dump", "notes.json"], ["list", "--store", "notes.json"]] {
      let result = try cli.run(arguments)
      #expect(result.status == (arguments[0] == "check" ? Exit.found : Exit.badData))
      #expect(!(result.output + result.error).contains("recover"), "\(result.output)\(result.error)")
    }
  }

  // MARK: Comparing

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

  // MARK: Bringing together

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
    // One side removed it, the other changed what the tool does not know: it stays.
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
    // The older version is whole, too.
    #expect(try cli.run("generations", "notes.json", "restore", "1").status == Exit.good)
    #expect(try cli.bytes("notes.json") == ours.data(.json))
    let outgoing = try cli.run("sync", "notes.json", "copy.plist", "--outgoing", "out.json")
    #expect(outgoing.status == Exit.good, "\(outgoing.error)")
  }

  @Test func anExportLeavesItOutAndSaysSo() throws {
    try make("notes.json")
    let result = try cli.run("export", "csv", "notes.json", "-")
    #expect(result.status == Exit.good)
    #expect(result.output.contains("First"))
    #expect(result.error.contains("left out, as this program does not know it: notes.color, in 1 record"))
    // Into a store, it stays.
    #expect(try cli.run("import", "csv", "-", "notes.json", input: "text\nMore\n").status == Exit.good)
    #expect(try store("notes.json").folders == wide.folders)
  }

  /// The notes are the same, and what the tool does not know is not.
  @Test func syncSaysWhatItDidToWhatIsUnknown() throws {
    var (ours, theirs) = (wide, wide)
    try ours.notes.update(1001) { $0.color = "green" }
    try theirs.folders.insert(Folder(id: "c", name: "Home"))
    try make("notes.json")
    try make("copy.json", .json, theirs)
    let taken = try cli.run("sync", "notes.json", "copy.json")
    #expect(taken.status == Exit.good, "\(taken.error)")
    #expect(taken.output.contains("1 change of what this program does not know"), "\(taken.output)")
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

  // MARK: What a format has no place for

  @Test func anEmptyArrayGoesThroughLines() throws {
    var lone = wide
    for id in lone.folders.map(\.id) { lone.folders.remove(id) }
    try make("notes.json", .json, lone)
    #expect(try cli.run("convert", "notes.json", "notes.ndjson").status == Exit.good)
    #expect(try cli.text("notes.ndjson").contains(#"{"field":"folders","value":[]}"#))
    #expect(try cli.run("convert", "notes.ndjson", "back.json").status == Exit.good)
    #expect(try cli.bytes("back.json") == cli.bytes("notes.json"))
  }

  @Test func whatXMLCannotHoldIsNamed() throws {
    var odd = wide
    try odd.notes.update(1001) { $0.color = "\u{0}" }
    try make("notes.json", .json, odd)
    for arguments in [["dump", "notes.json", "-f", "xml"], ["convert", "notes.json", "notes.plist"]] {
      let result = try cli.run(arguments)
      #expect(result.status == Exit.badData, "\(result.status): \(result.error)")
      #expect(result.output.isEmpty && result.error.contains("notes 1001.color"), "\(result.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: cli.url("notes.plist").path))
  }

  // MARK: Salvage

  @Test(arguments: [FileFormat.json, .xml, .ndjson]) func recoverKeepsItWithTheRecords(_ format: FileFormat) throws {
    let text = String(decoding: try wide.data(format), as: UTF8.self)
    let damaged =
      format == .xml
      ? text.replacing("<integer>1002</integer>", with: "<integer>10x2</integer>")
      : text.replacing("\"id\":1002", with: "\"id\":10x2")
    #expect(damaged != text)
    try cli.write(damaged, to: "notes")
    let result = try cli.run("recover", "notes", "-o", "out.json")
    #expect(result.status == Exit.found)
    #expect(result.output.contains("recovered 1 note, 1 tag, "), "\(result.output)")
    let saved = try store("out.json")
    #expect(saved.notes[1001] == wide.notes[1001])
    #expect(saved.tags == wide.tags)
    #expect(saved.folders == wide.folders)
  }

  @Test func recoverTakesItFromAnOlderVersion() throws {
    try make("notes.json")
    #expect(try cli.run("add", "More", "--store", "notes.json").status == Exit.good)
    try cli.write(try cli.text("notes.json").replacing("\"id\":1001", with: "\"id\":10x1"), to: "notes.json")
    #expect(try cli.run("recover", "notes.json", "-o", "out.json").status == Exit.found)
    #expect(try store("out.json").notes[1001] == wide.notes[1001])
    #expect(try store("out.json").folders == wide.folders)
  }
}
