import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

/// `check` and `recover` on stores with content that the tool does not know.
@Suite struct UnknownContentCheckTests: WideNotebookSuite {
  let cli: CLI
  let wide: WideNotebook

  init() throws {
    cli = try CLI()
    wide = try WideNotebook.sample()
  }

  @Test(arguments: FileFormat.allCases) func checkNamesItAsARemark(_ format: FileFormat) throws {
    try make("notes", format)
    let result = try cli.run("check", "notes")
    #expect(result.status == Exit.good)
    #expect(result.output.hasPrefix("notes: ok, 2 notes, 1 tag, "))
    #expect(result.output.contains("notes: note: unknown to this program, and kept: notes.color, in 1 record\n"))
    #expect(
      result.output.contains("notes: note: unknown to this program, and kept: the table folders, with 2 records\n"))
    #expect(!result.output.contains("recover"))
  }

  @Test(arguments: FileFormat.allCases) func acceptKeepsIt(_ format: FileFormat) throws {
    var bytes = try wide.data(format)
    // The same length, so that a binary list stays valid.
    let place = try #require(bytes.range(of: Data("First".utf8)))
    bytes.replaceSubrange(place, with: Data("Fluet".utf8))
    try bytes.write(to: cli.url("notes"))
    #expect(try cli.run("check", "notes").status == Exit.found)
    #expect(try cli.run("check", "notes", "--accept").status == Exit.good)
    #expect(try store("notes").notes[1001]?.base.text == "Fluet")
    #expect(try store("notes").notes[1001]?.color == "red")
    #expect(try store("notes").folders == wide.folders)
  }

  // A damaged key of the header must not count as missing. No command accepts it, as no store does.
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
    // The command that check recommends saves everything.
    #expect(try cli.run("recover", "notes.json", "-o", "out.json").status == Exit.found)
    #expect(try store("out.json").hasSameRecords(as: wide))
  }

  // Recover refuses an undamaged file.
  @Test(arguments: ["\"version\":1", "\"schema\":\"notebook\""])
  func anotherVersionOrSchemaIsNoDamage(_ piece: String) throws {
    try make("notes.json")
    let text = try cli.text("notes.json")
    let other = piece.contains("version") ? "\"version\":9" : "\"schema\":\"other\""
    let lines = text.replacing(piece, with: other).split(separator: "\n", omittingEmptySubsequences: false)
    // Without a checksum.
    try cli.write("{\"snapshot\":{" + lines.dropFirst().joined(separator: "\n"), to: "notes.json")
    // A file of another schema is checked and dumped without its types.
    let isTyped = piece.contains("version")
    let expected = isTyped ? [Exit.found, Exit.badData, Exit.badData] : [Exit.good, Exit.good, Exit.badData]
    let commands = [["check", "notes.json"], ["dump", "notes.json"], ["list", "--store", "notes.json"]]
    for (arguments, status) in zip(commands, expected) {
      let result = try cli.run(arguments)
      #expect(result.status == status)
      #expect(!(result.output + result.error).contains("recover"), "\(result.output)\(result.error)")
    }
  }

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
