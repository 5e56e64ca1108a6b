import Foundation
import Testing

/// Files of a model that the tool does not know.
@Suite struct OtherModelTests {
  private let cli: CLI
  private static let shop = """
    {"snapshot":{"schema":"shop","version":7},
    "theme":{"accent":"red","size":12},
    "people":[
    {"id":1,"name":"Ada","tags":["a","b"]},
    {"id":2,"name":"Bo","tags":[]}
    ],
    "empty":[],
    "articles":[
    {"id":"x","price":9.5}
    ]}

    """
  private static let note = "note: structure and checksum are right; the types of “shop” are not known here\n"

  init() throws {
    cli = try CLI()
    try make("shop.json")
  }

  /// A file with a checksum, from the text after some replacements.
  private func make(_ name: String, _ replacements: [String: String] = [:]) throws {
    try cli.write(replacements.reduce(Self.shop) { $0.replacing($1.key, with: $1.value) }, to: name)
    try #require(try cli.run("check", name, "--accept").status == Exit.good)
  }

  @Test func itIsChecked() throws {
    let result = try cli.run("check", "shop.json")
    #expect(result.status == Exit.good)
    #expect(result.output == "shop.json: ok, people 2, empty 0, articles 1\nshop.json: \(Self.note)")
  }

  @Test func aHandEditIsAccepted() throws {
    try cli.write(try cli.text("shop.json").replacing("Bo", with: "Bob"), to: "shop.json")
    let refused = try cli.run("dump", "shop.json")
    #expect(refused.status == Exit.badData)
    #expect(refused.error.contains("“snapshot-cli check shop.json --accept”"))
    #expect(try cli.run("check", "shop.json").status == Exit.found)
    #expect(try cli.run("check", "shop.json", "--accept").status == Exit.good)
    #expect(try cli.run("check", "shop.json").output.hasSuffix(Self.note))
  }

  @Test func anIDThatOccursTwiceIsFound() throws {
    try cli.write(Self.shop.replacing("\"id\":2", with: "\"id\":1"), to: "twice.json")
    let result = try cli.run("check", "twice.json", "--accept")
    #expect(result.status == Exit.found)
    #expect(result.output == "twice.json: people 1: the id occurs twice\n")
    #expect(try cli.text("twice.json").hasPrefix("{\"snapshot\":{\"schema\""))
  }

  @Test(arguments: ["plist", "bplist", "ndjson"]) func itIsConvertedAndBack(_ format: String) throws {
    #expect(try cli.run("convert", "shop.json", "other.\(format)").status == Exit.good)
    #expect(try cli.run("convert", "other.\(format)", "back.json").status == Exit.good)
    #expect(try cli.bytes("back.json") == cli.bytes("shop.json"))
    #expect(try cli.run("diff", "other.\(format)", "shop.json").output == "the same\n")
  }

  @Test func itIsDumpedAndRestored() throws {
    #expect(try Data(cli.run("dump", "shop.json").outputBytes) == cli.bytes("shop.json"))
    let result = try cli.run("restore", "shop.json", "new.plist")
    #expect(result.output == "restored new.plist: people 2, empty 0, articles 1\n")
    #expect(try cli.run("restore", "shop.json", "new.plist").status == Exit.cannotCreate)
    #expect(try cli.run("restore", "shop.json", "new.plist", "--force").status == Exit.good)
    #expect(
      try cli.run("generations", "new.plist").output.contains("people 2, empty 0, articles 1; since then the same"))
    #expect(try cli.run("generations", "new.plist", "compare", "1").status == Exit.good)
    let restored = try cli.run("generations", "new.plist", "restore", "1").output
    #expect(restored.hasSuffix(": people 2, empty 0, articles 1\n"))
    #expect(
      try cli.run("generations", "new.plist", "--json").output.contains(
        #""tables":{"people":2,"empty":0,"articles":1}"#))
  }

  @Test func theDifferenceNamesRecordsAndProperties() throws {
    try make("new.json", ["Bo": "Bob"])
    let result = try cli.run("diff", "shop.json", "new.json")
    #expect(result.status == Exit.found)
    #expect(result.output == "~ people 2\n    name: \"Bo\" → \"Bob\"\n1 changed\n")
  }

  @Test func twoSidesAreMerged() throws {
    try make("ours.json", ["Bo": "Bob"])
    try make("theirs.json", ["\"Ada\"": "\"Ada L.\""])
    let result = try cli.run("merge", "shop.json", "ours.json", "theirs.json", "-o", "ours.json")
    #expect(result.status == Exit.good)
    try make("both.json", ["Bo": "Bob", "\"Ada\"": "\"Ada L.\""])
    #expect(try cli.bytes("ours.json") == cli.bytes("both.json"))
    // The same with the store and a base.
    try make("store.json", ["Bo": "Bob"])
    let merged = try cli.run("merge", "store.json", "theirs.json", "--base", "shop.json")
    #expect(merged.output == "~ people 1\n")
    #expect(try cli.bytes("store.json") == cli.bytes("both.json"))
    #expect(try cli.run("generations", "store.json").output.contains("since then 1 changed"))
  }

  @Test func aConflictIsNamed() throws {
    try make("ours.json", ["Bo": "Bob"])
    try make("theirs.json", ["Bo": "Bert"])
    let before = try cli.bytes("ours.json")
    let result = try cli.run("merge", "shop.json", "ours.json", "theirs.json", "-o", "ours.json")
    #expect(result.status == Exit.found)
    #expect(result.error.hasPrefix("! people 2, name: "))
    #expect(try cli.bytes("ours.json") == before)
  }

  /// The tool cannot know which table has tombstones, so it says that a removal is lost.
  @Test func withoutABaseARemovedRecordStays() throws {
    let tombstone = #"{"deletionDate":"2026-01-02T00:00:00Z","id":2}"#
    try make(
      "removed.json", [",\n{\"id\":2,\"name\":\"Bo\",\"tags\":[]}": "", "\"empty\":[": "\"empty\":[\(tombstone)"])
    try #require(try cli.text("removed.json").contains(tombstone) && !cli.text("removed.json").contains("Bo"))
    let note = "note: without a base, and without the types of “shop”, a record that one side removed stays\n"
    for (store, copy, output) in [
      ("shop.json", "removed.json", "+ empty 2\n"), ("removed.json", "shop.json", "+ people 2\n"),
    ] {
      let result = try cli.run("merge", store, copy, "-o", "out.json", "--force")
      #expect(result.status == Exit.good && result.output == output && result.error == note)
      let merged = try cli.text("out.json")
      #expect(merged.contains(tombstone) && merged.contains(#""name":"Bo""#))
    }
    // With a base, both changes are known.
    let based = try cli.run("merge", "shop.json", "removed.json", "--base", "shop.json")
    #expect(based.status == Exit.good && based.error.isEmpty)
    #expect(try !cli.text("shop.json").contains("Bo") && cli.text("shop.json").contains(tombstone))
  }

  @Test(arguments: [["shop": "store"], ["\"version\":7": "\"version\":8"]])
  func filesOfOtherTypesAreNotMerged(_ replacements: [String: String]) throws {
    try make("other.json", replacements)
    let before = try cli.bytes("shop.json")
    let result = try cli.run("merge", "shop.json", "other.json")
    #expect(result.status == Exit.badData)
    #expect(result.error.contains("of its schema, but shop.json") || result.error.contains("but shop.json has “shop”"))
    #expect(try cli.bytes("shop.json") == before)
    #expect(try cli.run("diff", "shop.json", "other.json").output.hasPrefix("~ snapshot\n"))
  }

  @Test func whatIsReadableOfADamagedFileIsRecovered() throws {
    let text = try cli.text("shop.json").replacing(#"{"id":1,"name":"Ada""#, with: #"{"id":1,"name":Ada""#)
    try cli.write(text, to: "bad.json")
    #expect(try cli.run("check", "bad.json").status == Exit.found)
    let result = try cli.run("recover", "bad.json", "-o", "out.json")
    #expect(result.status == Exit.found)
    #expect(result.output.contains("people[0], id “1”"))
    // What cannot be used is beside the result, byte for byte.
    #expect(result.output.contains("what cannot be used is in out.json.unused"))
    #expect(try cli.text("out.json.unused").contains(#"{"id":1,"name":Ada""#))
    #expect(try cli.run("recover", "bad.json", "-o", "-").error.contains("with a file as OUT"))
    try cli.write("mine", to: "two.json.unused")
    #expect(try cli.run("recover", "bad.json", "-o", "two.json").status == Exit.cannotCreate)
    #expect(
      try cli.text("two.json.unused") == "mine" && !FileManager.default.fileExists(atPath: cli.url("two.json").path))
    #expect(try cli.run("recover", "bad.json", "-o", "two.json", "--force").status == Exit.found)
    #expect(try cli.text("two.json.unused") != "mine")
    #expect(try cli.run("check", "out.json").output.contains("ok, "))
    #expect(try cli.text("out.json").contains("\"Bo\""))
    #expect(try cli.text("out.json").contains("\"schema\":\"shop\",\"version\":7"))
  }

  /// The file has lost its header. An older version tells what it was.
  @Test func anOlderVersionTellsTheSchema() throws {
    try cli.run("restore", "shop.json", "store.json")
    try cli.run("restore", "shop.json", "store.json", "--force")
    try cli.write("rubbish", to: "store.json")
    let listed = try cli.run("generations", "store.json")
    #expect(listed.output.contains("people 2, empty 0, articles 1"))
    #expect(try cli.run("generations", "store.json", "restore", "1").status == Exit.good)
    #expect(try cli.bytes("store.json") == cli.bytes("shop.json"))
  }

  @Test func commandsForNotesRefuseIt() throws {
    for arguments in [["list", "--store", "shop.json"], ["migrate", "shop.json"]] {
      let result = try cli.run(arguments)
      #expect(result.status == Exit.badData)
      #expect(result.error.contains("the file has the schema “shop”, not “notebook”"))
    }
  }
}
