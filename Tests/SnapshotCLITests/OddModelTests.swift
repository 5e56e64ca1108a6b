import Foundation
import SnapshotStore
import Testing

@testable import TestSupport

/// Every command on files of models in which everything is unusual. The program with the types opens every result.
@Suite struct OddModelTests {
  let cli: CLI
  private static let gadgets = OddModel.gadgetTable

  init() throws {
    cli = try CLI()
    try Data(SnapshotFile.encode(OddModel.sample(), as: .json)).write(to: cli.url("odd.json"))
    try Data(SnapshotFile.encode(OnlyValues(), as: .json)).write(to: cli.url("values.json"))
  }

  private func model(_ name: String = "odd.json") throws -> OddModel {
    try SnapshotFile.read(at: cli.url(name))
  }

  /// Runs a command that must succeed, and say nothing on standard error.
  @discardableResult
  private func run(_ arguments: String..., input: String = "", status: Int32 = Exit.good) throws -> String {
    let result = try cli.run(arguments, input: input)
    #expect(result.status == status && result.error.isEmpty, "\(arguments): \(result.error)")
    return result.output
  }

  @Test func commandsForWholeFiles() throws {
    for file in ["odd.json", "values.json"] {
      #expect(try run("check", file).contains(": ok"))
      #expect(try Data(run("dump", file).utf8) == cli.bytes(file))
      for format in ["plist", "bplist", "ndjson", "json"] {
        try run("convert", file, "copy.\(format)", "--force")
        try run("convert", "copy.\(format)", "back.json", "--force")
        #expect(try cli.bytes("back.json") == cli.bytes(file))
        #expect(try run("diff", file, "copy.\(format)") == "the same\n")
      }
      try run("restore", "copy.bplist", "store.json", "--force")
      #expect(try cli.bytes("store.json") == cli.bytes(file))
      #expect(try run("info", file).contains("json"))
    }
    #expect(try run("tables", "values.json").contains("theme  single value, a dictionary"))
    try run("restore", "values.json", "values.plist")
    try run("restore", "values.json", "values.plist", "--force")
    #expect(try run("generations", "values.plist").contains("no tables; since then the same"))
  }

  @Test func recordsAreFoundByTheirIDs() throws {
    each([
      (Self.gadgets, "7", "Gadget 7"), (Self.gadgets, "-3", "Gadget -3"), ("spots", #"{"x":1,"y":2}"#, "at 1"),
      ("tokens", "00000002-0000-4000-8000-000000000000", "Ada"), ("legacy", "key 2", #""id":8"#),
    ]) { (table: String, id: String, text: String) throws in
      for format in ["json", "plist", "bplist", "ndjson"] {
        try run("convert", "odd.json", "copy.\(format)", "--force")
        #expect(try run("get", "copy.\(format)", table, "--", id).contains(text))
      }
    }
    let refused = try cli.run("get", "odd.json", "steps", "Ada")
    #expect(refused.status == Exit.badData && refused.error.contains("no property of “steps” is the id"))
  }

  @Test func conditionsAndColumns() throws {
    each([
      ("[\"serial no.\"] > 7", "8\n100\n"), ("[\"on/off\"].broken is not missing", "7\n"),
      ("[\"[0]\"] has \"10\" and [\"serial no.\"] < 0", "-3\n"), ("[\"and\"] == \"19.99\"", "-3\n7\n8\n100\n"),
      ("[\"\"][0] is null", "8\n"), ("[\"\"] has 5", "100\n"), ("[\"\\u001b[2Kweight\"] == 2", "8\n"),
      ("[\"2026-11-21T15:30:00Z\"] > 2001-01-08", "7\n8\n100\n"), ("[\"e\\u0301\"] starts with \"https\"", "7\n"),
      ("[\"\\u00e9\"] is missing", "-3\n7\n8\n100\n"),
    ]) { (condition: String, ids: String) throws in
      let output = try run(
        "rows", "odd.json", Self.gadgets, "--where", condition, "--columns", "[\"serial no.\"]", "--format", "csv")
      #expect(output == "serial no.\r\n" + ids.replacing("\n", with: "\r\n"))
    }
  }

  @Test func propertiesAreSet() throws {
    try run("set", "odd.json", Self.gadgets, "7", "name=New", "[\"[0]\"][\"2\"]=zwei", "[\"and\"]=\"0.01\"")
    try run("set", "odd.json", Self.gadgets, "7", "[\"\\u001b[2Kweight\"]=1.5", "[\"$null\"]=data:;base64,AAAA")
    try run("set", "odd.json", Self.gadgets, "8", "[\"\"][0]=12")
    try run("set", "odd.json", Self.gadgets, "100", "[\"\"]=[null,1]")
    try run("set", "odd.json", "spots", #"{"x":1,"y":2}"#, "label=there")
    try run("set", "odd.json", "legacy", "key 1", "id=77")
    let model = try model()
    let gadget = try #require(model.gadgets[7])
    #expect(gadget.name == "New" && gadget.byNumber[2] == "zwei" && "\(gadget.price)" == "0.01")
    #expect(gadget.weight == 1.5 && gadget.picture == Data([0, 0, 0]))
    #expect(model.gadgets[8]?.depth == [12] && model.gadgets[100]?.depth == [nil, 1])
    #expect(model.spots[Spot.Place(x: 1, y: 2)]?.label == "there")
    #expect(model.legacy["key 1"]?.old == 77)
    #expect(try SnapshotFile.encode(model, as: .json) == Array(cli.bytes("odd.json")))
    for id in ["[\"serial no.\"]=9", "place=1"] {
      let table = id.hasPrefix("place") ? "spots" : Self.gadgets
      let record = id.hasPrefix("place") ? #"{"x":1,"y":1}"# : "7"
      let refused = try cli.run("set", "odd.json", table, record, id)
      #expect(refused.status == Exit.badData && refused.error.contains("the id of a record does not change"))
    }
  }

  /// With the first key taken for the id, a record of the same name would be replaced.
  @Test func recordsArePutAndRemoved() throws {
    let records = try run("rows", "odd.json", Self.gadgets, "--format", "ndjson")
    #expect(try run("put", "odd.json", Self.gadgets, input: records) == "added 0 records, changed 0, unchanged 4\n")
    let new = try run("get", "odd.json", Self.gadgets, "7").replacing(#""serial no.":7"#, with: #""serial no.":50"#)
    #expect(try run("put", "odd.json", Self.gadgets, input: new) == "added 1 record, changed 0, unchanged 0\n")
    #expect(
      try run("put", "odd.json", "spots", input: #"{"label":"at 1","place":{"x":0,"y":9}}"#)
        == "added 1 record, changed 0, unchanged 0\n")
    #expect(
      try run("put", "odd.json", "tokens", input: #"{"owner":"Ada","token":"00000000-0000-4000-8000-00000000000A"}"#)
        == "added 1 record, changed 0, unchanged 0\n")
    #expect(
      try run("put", "odd.json", "legacy", input: #"{"id":9,"name":"key 4"}"#)
        == "added 1 record, changed 0, unchanged 0\n")
    let refused = try cli.run("put", "odd.json", "steps", input: #"{"owner":"Ada","number":9,"text":""}"#)
    #expect(refused.status == Exit.badData && refused.error.contains("no property of “steps” is the id"))
    try run("remove", "odd.json", Self.gadgets, "--", "-3", "100")
    try run("remove", "odd.json", "spots", #"{"x":2,"y":1}"#)
    let model = try model()
    #expect(model.gadgets.map(\.id) == [7, 8, 50] && model.gadgets[50]?.name == "Gadget 7")
    #expect(model.spots.count == 3 && model.tokens.count == 4 && model.legacy.count == 4 && model.steps.count == 3)
    #expect(try SnapshotFile.encode(model, as: .json) == Array(cli.bytes("odd.json")))
  }

  @Test func aRecordIsEdited() throws {
    let result = try cli.run(
      ["edit", "odd.json", Self.gadgets, "7"], environment: ["EDITOR": "sed -i 's/Gadget 7/Edited/'"])
    #expect(result.output == "changed 1 record\n", "\(result.error)")
    #expect(try model().gadgets[7]?.name == "Edited")
    let moved = try cli.run(
      ["edit", "odd.json", Self.gadgets, "7"],
      environment: ["EDITOR": "sed -i 's/\"serial no.\": 7/\"serial no.\": 9/'"])
    #expect(moved.status == Exit.badData && moved.error.contains("the id of a record does not change"))
  }

  @Test func twoSidesAreMergedByIDs() throws {
    for name in ["ours.json", "theirs.plist"] { try run("convert", "odd.json", name) }
    try run("set", "ours.json", Self.gadgets, "7", "name=Ours")
    try run("remove", "ours.json", Self.gadgets, "100")
    try run("set", "theirs.plist", Self.gadgets, "8", "name=Theirs")
    try run("set", "theirs.plist", "spots", #"{"x":1,"y":1}"#, "label=new")
    let difference = try run("diff", "odd.json", "ours.json", status: Exit.found)
    #expect(difference.hasPrefix("~ \(Self.gadgets) 7\n    name: \"Gadget 7\" → \"Ours\"\n- \(Self.gadgets) 100\n"))
    try run("merge", "odd.json", "ours.json", "theirs.plist", "-o", "ours.json")
    let merged = try model("ours.json")
    #expect(merged.gadgets.map(\.name) == ["Gadget -3", "Ours", "Theirs"])
    #expect(merged.spots[Spot.Place(x: 1, y: 1)]?.label == "new")
    // The same property on both sides.
    try run("convert", "odd.json", "again.json")
    try run("set", "again.json", Self.gadgets, "8", "name=Again")
    let conflict = try cli.run("merge", "odd.json", "again.json", "theirs.plist", "-o", "again.json")
    #expect(conflict.status == Exit.found && conflict.error.hasPrefix("! \(Self.gadgets) 8, name"))
  }

  @Test func singleValuesAreMerged() throws {
    try run("convert", "values.json", "ours.json")
    var theirs = OnlyValues()
    theirs.theme.accent = "blue"
    theirs.recent = [1]
    try Data(SnapshotFile.encode(theirs, as: .binary)).write(to: cli.url("theirs.bplist"))
    try run("merge", "values.json", "ours.json", "theirs.bplist", "-o", "ours.json")
    #expect(try SnapshotFile.read(OnlyValues.self, at: cli.url("ours.json")).theme.accent == "blue")
    #expect(try run("rows", "values.json", "recent", "--count") == "3\n")
    for arguments in [["rows", "values.json", "theme"], ["get", "values.json", "theme", "1"]] {
      let refused = try cli.run(arguments)
      #expect(refused.status == Exit.noInput && refused.error.contains("“theme” is a single value"))
    }
  }

  /// The order of a damaged file is kept, with its single values between its tables.
  @Test func aDamagedFileIsRecovered() throws {
    for (file, name) in [("odd.json", "\"Gadget 8\""), ("odd.plist", "<string>Gadget 8</string>")] {
      if file != "odd.json" { try run("convert", "odd.json", file) }
      try cli.write(try cli.text(file).replacing(name, with: "Gadget"), to: "bad.\(file)")
      let result = try cli.run("recover", "bad.\(file)", "-o", "out.\(file)")
      #expect(result.status == Exit.found && result.output.contains("recovered"), "\(result.error)")
      let model = try model("out.\(file)")
      #expect(model.gadgets.map(\.id) == [-3, 7, 100] && model.spots.count == 3 && model.recent.count == 3)
      #expect(model.ratio.isNaN && model.legacy.count == 3)
      let content = try SnapshotFile.readContent(UntypedModel.self, at: cli.url("out.\(file)"))
      #expect(content.names == OddModel.schema.fields.map(\.name))
    }
  }

  @Test func changesAreWatched() throws {
    var interrupted = false
    let result = try Pseudoterminal.run(
      CLI.tool, ["watch", "odd.json", Self.gadgets], in: cli.folder, environment: ["TERM": "dumb"]
    ) { text, process in
      if !interrupted, text.contains("watching"), !text.contains("~") {
        if try model().gadgets[7]?.name != "New" { try run("set", "odd.json", Self.gadgets, "7", "name=New") }
      } else if !interrupted, text.contains("~ ") {
        interrupted = true
        kill(process.processIdentifier, SIGINT)
      }
    }
    #expect(result.text.replacing("\r\n", with: "\n").hasSuffix("~ \(Self.gadgets) 7  name\n"))
  }
}
