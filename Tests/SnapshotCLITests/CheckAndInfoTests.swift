import Foundation
import SnapshotStore
import Testing

/// Check and info: they find faults, and change nothing unless told to.
@Suite struct CheckAndInfoTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.makeStore()
  }

  @Test func aGoodFile() throws {
    let result = try cli.run("check", "notes.json")
    #expect(result.status == Exit.good)
    #expect(result.output == "notes.json: ok, 2 notes, 3 tags, 1 attachment, 0 deleted notes\n")
  }

  /// They differ only by normalisation.
  @Test func twoTablesWithEqualNames() throws {
    try cli.write(
      "{\"snapshot\":{\"schema\":\"x\",\"version\":1},\"\u{E9}\":[{\"id\":1}],\"e\u{301}\":[{\"id\":1},{\"id\":2}]}",
      to: "x.json")
    let output = try cli.run("info", "x.json", "--json").output
    #expect(output.unicodeScalars.contains("\u{E9}") && output.contains("\"tables\""))
    #expect(output.filter { $0 == ":" }.count == 8, "\(output)")
    for count in [":1", ":2"] { #expect(output.replacing(" ", with: "").contains(count), "\(output)") }
  }

  @Test func anEditByHandIsFoundAndAccepted() throws {
    let edited = try cli.text("notes.json").replacing("Second", with: "Second, by hand")
    try cli.write(edited, to: "notes.json")
    #expect(try cli.run("list", "--store", "notes.json").status == Exit.badData)
    let found = try cli.run("check", "notes.json")
    #expect(found.status == Exit.found)
    #expect(found.output.contains("checksum"))
    #expect(try cli.text("notes.json") == edited)
    #expect(try cli.run("check", "notes.json", "--accept").status == Exit.good)
    #expect(try cli.run("check", "notes.json").status == Exit.good)
    #expect(try cli.run("show", "1002", "--store", "notes.json").output == "Second, by hand\n")
  }

  @Test func aMissingChecksumIsFineAndCanBeAdded() throws {
    let lines = try cli.text("notes.json").split(separator: "\n", omittingEmptySubsequences: false)
    try cli.write("{\"snapshot\":{" + lines.dropFirst().joined(separator: "\n"), to: "notes.json")
    let result = try cli.run("check", "notes.json")
    #expect(result.status == Exit.good)
    #expect(result.output.contains("no checksum"))
    #expect(try cli.run("check", "notes.json", "--accept").status == Exit.good)
    #expect(try cli.text("notes.json").split(separator: "\n", omittingEmptySubsequences: false) == lines)
  }

  @Test func idsThatLeadNowhereAreListed() throws {
    let edited = try cli.text("notes.json").replacing("\"tags\":[\"new york\"", with: "\"tags\":[\"nowhere\"")
    try cli.write(edited, to: "notes.json")
    let result = try cli.run("check", "notes.json", "--accept")
    #expect(result.status == Exit.found)
    #expect(result.output.contains("notes 1001: its tag “nowhere” does not exist"))
    #expect(try cli.text("notes.json") == edited)
  }

  @Test(arguments: ["", "{", "{\"snapshot\":{\"schema\":\"notebook\",\"version\":2}}", "[1,2]"])
  func whatCannotBeReadIsFound(_ content: String) throws {
    try cli.write(content, to: "bad.json")
    let result = try cli.run("check", "bad.json")
    #expect(result.status == Exit.found)
    #expect(result.output.hasPrefix("bad.json"))
    #expect(try cli.run("check", "bad.json", "--accept").status == Exit.found)
    #expect(try cli.text("bad.json") == content)
    #expect(try cli.run("list", "--store", "bad.json").status == Exit.badData)
    #expect(try cli.run("add", "x", "--store", "bad.json").status == Exit.badData)
    #expect(try cli.text("bad.json") == content)
  }

  /// Only what salvage would find is promised.
  @Test func recoverIsNamedOnlyIfItHelps() throws {
    try cli.write("{ notes = (); }", to: "openstep.plist")
    try Data("{\"snapshot\":1}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }).write(to: cli.url("utf16.json"))
    for (name, words) in [("openstep.plist", "OpenStep"), ("utf16.json", "UTF-16")] {
      let result = try cli.run("check", name)
      #expect(result.status != Exit.good && (result.output + result.error).contains(words))
      #expect(!(result.output + result.error).contains("recover"))
    }
    try cli.write("{\"snapshot\":{\"schema\":\"x\",\"version\":1},\n\"a\":[\n{\"id\":1},\n{\"id\":2]}", to: "cut.json")
    #expect(try cli.run("check", "cut.json").output.contains("recover"))
  }

  /// There is nothing to recover in it.
  @Test func theAdviceForAnEmptyFileCanBeFollowed() throws {
    try cli.write("", to: "empty.json")
    #expect(!(try cli.run("check", "empty.json").output.contains("recover")))
    // It had a content before.
    _ = try cli.run("add", "--store", "notes.json", "Third")
    try cli.write("", to: "notes.json")
    let output = try cli.run("check", "notes.json").output
    #expect(!output.contains("recover") && output.contains("note: “snapshot-cli generations notes.json” lists"))
    try cli.write("{", to: "notes.json")
    #expect(try cli.run("check", "notes.json").output.contains("note: “snapshot-cli generations notes.json” lists"))
  }

  @Test func aMissingFileIsNoInput() throws {
    #expect(try cli.run("check", "missing.json").status == Exit.noInput)
    #expect(try cli.run("info", "missing.json").status == Exit.noInput)
    #expect(try cli.run("check", ".").status == Exit.noInput)
  }

  @Test(arguments: FileFormat.allCases) func infoAsJSON(_ format: FileFormat) throws {
    try cli.run("convert", "notes.json", "out", "--format", format.rawValue)
    let size = try cli.bytes("out").count
    let result = try cli.run("info", "out", "--json")
    #expect(result.status == Exit.good)
    let tables = "{\"attachments\":1,\"deletedNotes\":0,\"notes\":2,\"tags\":3}"
    #expect(
      result.output == """
        {"format":"\(format.rawValue)","schema":"notebook","version":1,"bytes":\(size),"checksum":"ok","tables":\(tables)}

        """)
  }

  @Test func infoTellsTheStateOfTheChecksum() throws {
    try cli.write(try cli.text("notes.json").replacing("Second", with: "2nd"), to: "notes.json")
    #expect(try cli.run("info", "notes.json", "--json").output.contains("\"checksum\":\"mismatch\""))
    let other = "{\"snapshot\":{\"schema\":\"else\",\"version\":7},\"things\":[{},{}]}"
    try cli.write(other, to: "other.json")
    let result = try cli.run("info", "other.json", "--json").output
    #expect(result.contains("\"checksum\":\"absent\"") && result.contains("\"tables\":{\"things\":2}"))
    #expect(result.contains("\"schema\":\"else\",\"version\":7"))
  }

  @Test func infoNamesSingleValues() throws {
    let text =
      "{\"snapshot\":{\"schema\":\"else\",\"version\":7},\"things\":[{}],\"theme\":{\"a\":1},\"\\u001b[1m\":null}"
    try cli.write(text, to: "other.json")
    let lines = try cli.run("info", "other.json").output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("things ") && $0.hasSuffix(" 1 record") })
    #expect(lines.contains { $0.hasPrefix("theme ") && $0.hasSuffix(" single value") })
    #expect(!lines.contains { $0.contains("\u{1B}") })
    #expect(try cli.run("info", "other.json", "--json").output.contains("\"values\":[\"theme\","))
  }

  // The commands accept an unknown key, and keep it.
  @Test func unknownKeysAreKeptAndReported() throws {
    let text = try cli.text("notes.json").replacing(/"checksum":[0-9]+,\n/, with: "")
    try cli.write(text.replacing("\"archived\":false", with: "\"color\":\"red\",\"archived\":false"), to: "notes.json")
    #expect(try cli.run("list", "--store", "notes.json").status == Exit.good)
    #expect(try cli.run("tag", "1002", "Urgent", "--store", "notes.json").status == Exit.good)
    #expect(try cli.text("notes.json").contains("\"color\":\"red\"}"))
    let check = try cli.run("check", "notes.json")
    #expect(check.status == Exit.good)
    #expect(check.output.contains("unknown to this program, and kept: notes.color, in 1 record\n"))
    #expect(try cli.run("dump", "notes.json").output == cli.text("notes.json"))
  }

  @Test func aCurrentFileNeedsNoMigration() throws {
    let before = try cli.text("notes.json")
    for arguments in [["migrate", "notes.json"], ["migrate", "notes.json", "--dry-run"]] {
      let result = try cli.run(arguments)
      #expect(result.status == Exit.good)
      #expect(result.output == "notes.json: version 1 is current; there is nothing to migrate\n")
    }
    #expect(try cli.text("notes.json") == before)
    #expect(try cli.run("migrate", "none.json").status == Exit.noInput)
  }
}
