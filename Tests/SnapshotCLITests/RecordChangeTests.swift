import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

@testable import TestSupport

/// `set`, `put` and `remove`, on a file of an unknown model and on a notebook.
@Suite struct RecordChangeTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.write(RowsTests.shop, to: "shop.json")
  }

  private func records(_ table: String = "articles", _ file: String = "shop.json") throws -> [String] {
    try cli.run("rows", file, table, "--format", "ndjson").output.split(separator: "\n").map(String.init)
  }

  private func generations() throws -> Int { try SnapshotFile.generations(of: cli.url("shop.json")).count }

  /// Runs a command that must fail and change nothing.
  private func refused(_ arguments: [String], input: String = "", _ status: Int32, _ message: String) throws {
    let before = try cli.bytes("shop.json")
    let result = try cli.run(arguments, input: input)
    #expect(result.status == status)
    #expect(result.output.isEmpty)
    #expect(result.error.contains(message), "\(result.error)")
    #expect(result.error.split(separator: "\n").count <= 3)
    #expect(try cli.bytes("shop.json") == before)
    #expect(try generations() == 0)
  }

  @Test func setChangesOneRecord() throws {
    let before = try records()
    let result = try cli.run(
      "set", "shop.json", "articles", "1", "name=New name", "price=12", "size.width=21", "tags[2]=c")
    #expect(result.status == Exit.good && result.output == "changed 1 record\n", "\(result.error)")
    let after = try records()
    #expect(
      after[0]
        == #"{"id":1,"name":"New name","price":12.0,"tags":["a","b","c"],"size":{"width":21},"added":"2026-01-01T10:00:00Z"}"#
    )
    #expect(after.dropFirst() == before.dropFirst())
    #expect(try cli.run("check", "shop.json").status == Exit.good)
    // The old version is kept.
    #expect(try cli.run("generations", "shop.json", "restore", "1").status == Exit.good)
    #expect(try records() == before)
  }

  @Test func whatSetSets() {
    each([
      (["sold=true"], #""sold":true"#), (["name="], #""name":"""#), (["name=\"12\""], #""name":"12""#),
      (["name=a=b"], #""name":"a=b""#),
      (["name=\" [\""], #""name":" [""#), (["tags=[\"x\"]"], #""tags":["x"]"#), (["note=null"], #""note":null"#),
      (["tags[0]=z"], #""tags":["z","b"]"#), (["--remove", "tags[0]"], #""tags":["b"]"#),
      (["price=1e2"], #""price":100.0"#),
      (["new=1", "--force"], #""new":1"#), (["price=much", "--force"], #""price":"much""#),
      (["[\"name\"]=n"], #""name":"n""#), (["added=2027-01-01T00:00:00Z"], #""added":"2027-01-01T00:00:00Z""#),
    ]) { (options: [String], expected: String) throws in
      let own = try Self()
      let result = try own.cli.run(["set", "shop.json", "articles", "1"] + options)
      #expect(result.status == Exit.good, "\(result.error)")
      #expect(try own.records()[0].contains(expected))
    }
  }

  /// The notebook has conditions, like any model.
  @Test func recordsOfANotebookStaySound() throws {
    try cli.makeStore()
    let before = try cli.bytes("notes.json")
    each([
      (["set", "notes.json", "notes", "1001", #"tags=["nowhere"]"#], "its tag “nowhere” does not exist"),
      (["set", "notes.json", "notes", "1001", #"tags=["later","later"]"#], "a tag is on it twice"),
      (["set", "notes.json", "tags", "later", "name=Soon"], "whose id is “soon”"),
      (["put", "notes.json", "tags"], "whose id is “b”"),
      (["set", "notes.json", "notes", "1001", #"attachments=["none"]"#], "its attachment “none” does not exist"),
    ]) { (arguments: [String], message: String) throws in
      let result = try cli.run(arguments, input: #"{"id":"a","name":"b"}"#)
      #expect(result.status != Exit.good && result.error.contains(message), "\(arguments) \(result.error)")
      #expect(try cli.bytes("notes.json") == before)
    }
    let old: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    let tagged = old.notes(tagged: "errands").map(\.id)
    #expect(tagged == [1001])
    let removed = try cli.run("remove", "notes.json", "tags", "errands")
    #expect(removed.status == Exit.good, "\(removed.error)")
    #expect(try cli.run("check", "notes.json").status == Exit.good)
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    #expect(notebook.notes.allSatisfy { !$0.tags.contains("errands") } && notebook.notes.count == old.notes.count)
    // It is an edit, so a sync with an older copy does not revert it.
    for id in tagged {
      let (note, before) = (notebook.notes[id], old.notes[id])
      #expect(note?.tagsModificationDate ?? .distantPast > before?.modificationDate ?? .distantFuture)
    }
  }

  @Test func removingAProperty() throws {
    #expect(try cli.run("set", "shop.json", "articles", "1", "--remove", "size").output == "changed 1 record\n")
    #expect(try !records()[0].contains("size"))
  }

  @Test func nothingIsWrittenWithoutAChange() throws {
    let before = try cli.bytes("shop.json")
    #expect(try cli.run("set", "shop.json", "articles", "1", "name=Kiln").output == "nothing changed\n")
    #expect(try cli.bytes("shop.json") == before)
    #expect(try generations() == 0)
  }

  @Test func whatSetRefuses() throws {
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    for (arguments, status, message) in [
      (["1", "name=12"], Exit.badData, "is text in every record, and 12 is an integer"),
      (["1", "id=2"], Exit.badData, "the id of a record"),
      (["1", "price=x"], Exit.badData, "a number with a fraction"),
      (["1", "nam=x"], Exit.badData, "did you mean “name”?"),
      (["1", "--remove", "name"], Exit.badData, "every record"), (["1", "size.depth=3"], Exit.badData, "no record"),
      (["2", "size.width=3"], Exit.badData, "no place"), (["1", "tags[5]=x"], Exit.badData, "no place"),
      (["1", "tags[0]=1"], Exit.badData, "is text"),
      (["1", "name.x=1", "--force"], Exit.badData, "no place"),
      (["3", "name=x"], Exit.noInput, "no record with the id 3"),
      (["abc", "name=x"], Exit.noInput, "its ids are integers"), (["1", "name"], Exit.usage, "expected “=”"),
      (["1"], Exit.usage, "KEY=VALUE"),
      (["1", "=x"], Exit.usage, "column 1"), (["1", "tags=[\"x\""], Exit.usage, "begins like JSON"),
      (["1", "tags=\(deep)"], Exit.usage, "begins like JSON"),
      (["1", "a b=x"], Exit.usage, "expected “=”"),
    ] { try refused(["set", "shop.json", "articles"] + arguments, status, message) }
    try refused(["set", "shop.json", "x", "1", "a=1"], Exit.noInput, "the tables are")
    #expect(try cli.run("set", "none.json", "x", "1", "a=1").status == Exit.noInput)
    #expect(try cli.run("set", "-", "x", "1", "a=1").status == Exit.usage)
  }

  /// A record that is nested as deep as a value may be, put into another one.
  @Test func noRecordIsWrittenThatCannotBeRead() throws {
    let deep = String(repeating: "[", count: 61) + String(repeating: "]", count: 61)
    for (index, value) in [deep, "[\(deep)]", "[[\(deep)]]"].enumerated() {
      let result = try cli.run("set", "shop.json", "articles", "1", "tags=\(value)")
      #expect(result.status == (index == 0 ? Exit.good : Exit.badData), "\(index): \(result.error)")
      #expect(try cli.run("check", "shop.json").status == Exit.good)
    }
  }

  @Test func putAddsAndReplaces() throws {
    let input = """
      {"price":1,"name":"Five","id":5,"tags":[],"added":"2026-01-05T00:00:00Z"}
      {"id":1,"name":"Kiln 2","price":9.5,"tags":[],"added":"2026-01-01T10:00:00Z"}
      {"id":2,"name":"=1+1","price":-3.25,"tags":[],"added":"2026-01-02T10:00:00.5Z","sold":true}

      """
    let result = try cli.run("put", "shop.json", "articles", input: input)
    #expect(result.output == "added 1 record, changed 1, unchanged 1\n", "\(result.error)")
    let after = try records()
    #expect(after[0] == #"{"id":1,"name":"Kiln 2","price":9.5,"tags":[],"added":"2026-01-01T10:00:00Z"}"#)
    // In the order of ids, with the keys and the kinds of the others.
    #expect(after[2] == #"{"id":5,"name":"Five","price":1.0,"tags":[],"added":"2026-01-05T00:00:00Z"}"#)
    #expect(after.count == 4)
    #expect(try generations() == 1)
    for input in ["[\n{\"id\":-1,\n\"x\":1}, {\"id\":3}]", "{\n\"id\": 3\n}"] {
      #expect(try cli.run("put", "shop.json", "empty", input: input).status == Exit.good)
    }
    #expect(try records("empty") == [#"{"id":-1,"x":1}"#, #"{"id":3}"#])
    #expect(try cli.run("put", "shop.json", "empty", input: "").output == "added 0 records, changed 0, unchanged 0\n")
  }

  /// Each record keeps the order of its keys. A new key has its usual place among them.
  @Test func whatGetPrintsIsNoChange() throws {
    let lines = [#"{"id":1,"name":"a","z":1}"#, #"{"z":2,"id":2,"name":"b","new":3}"#, #"{"id":3,"name":"c","z":1}"#]
    try cli.write(
      "{\"snapshot\":{\"schema\":\"x\",\"version\":1},\n\"t\":[\n\(lines.joined(separator: ",\n"))\n]}", to: "x.json")
    for id in ["1", "2"] {
      let put = try cli.run("put", "x.json", "t", input: try cli.run("get", "x.json", "t", id).output)
      #expect(put.output == "added 0 records, changed 0, unchanged 1\n", "\(put.error)")
    }
    #expect(try cli.run("set", "x.json", "t", "2", "name=d").status == Exit.good)
    #expect(try cli.run("put", "x.json", "t", input: #"{"name":"e","new":4,"id":1,"z":1}"#).status == Exit.good)
    #expect(try cli.run("get", "x.json", "t", "2").output == #"{"z":2,"id":2,"name":"d","new":3}"# + "\n")
    #expect(try cli.run("get", "x.json", "t", "1").output == #"{"id":1,"name":"e","z":1,"new":4}"# + "\n")
  }

  @Test func whatPutRefuses() throws {
    let good = #""name":"n","price":1,"tags":[],"added":"2026-01-03T10:00:00Z""#
    for (input, status, message) in [
      ("x", Exit.badData, "standard input:1:1"), ("[1]", Exit.badData, "expected an object"),
      ("{}", Exit.badData, "line 1: it has no “id”"),
      ("{\(good)}", Exit.badData, "no “id”"),
      ("{\"id\":\"5\",\(good)}", Exit.badData, "are integers, and \"5\" is text"),
      ("{\"id\":5}", Exit.badData, "has no “added”"),
      ("{\"id\":5,\(good),\"nmae\":1}", Exit.badData, "did you mean “name”?"),
      ("{\"id\":5,\(good)}\n{\"id\":5,\(good)}", Exit.badData, "line 2: the id occurs twice"),
      ("{\"id\":5,\(good)}\n{\"id\":6,\"name\":2}", Exit.badData, "line 2: “name” is text"),
      ("{\"id\":5", Exit.badData, "standard input"),
    ] { try refused(["put", "shop.json", "articles"], input: input, status, message) }
  }

  /// JSON of another program has no escape that tells a text from a date.
  @Test func aTextInTheFormOfADateStaysAText() throws {
    let record = #"{"id":5,"name":"2026-01-03T10:00:00Z","price":1,"tags":[],"added":"2026-01-03T10:00:00Z"}"#
    #expect(try cli.run("put", "shop.json", "articles", input: record).status == Exit.good)
    let (text, date) = (##""name":"\u0032026-01-03T10:00:00Z""##, #""added":"2026-01-03T10:00:00Z""#)
    #expect(try cli.text("shop.json").contains(text) && cli.text("shop.json").contains(date))
    let set = try cli.run("set", "shop.json", "articles", "1", "name=data:;base64,AAEC")
    #expect(set.status == Exit.good, "\(set.error)")
    #expect(try cli.text("shop.json").contains(##""name":"\u0064ata:;base64,AAEC""##))
  }

  /// A removed note does not come back from a copy, and a note that is put back has no tombstone.
  @Test func tombstonesFollow() throws {
    try cli.makeStore("a.json")
    try cli.write(cli.text("a.json"), to: "b.json")
    let note = try cli.run("get", "b.json", "notes", "1001").output
    #expect(try cli.run("remove", "a.json", "notes", "1001").status == Exit.good)
    #expect(try cli.run("rows", "a.json", "deletedNotes", "--columns", "id").output.contains("1001"))
    #expect(try cli.run("merge", "a.json", "b.json").status == Exit.good)
    #expect(try cli.run("get", "a.json", "notes", "1001").status == Exit.noInput)
    #expect(try cli.run("put", "a.json", "notes", input: note).output == "added 1 record, changed 0, unchanged 0\n")
    #expect(try cli.run("rows", "a.json", "deletedNotes", "--count").output == "0\n")
    #expect(try cli.run("check", "a.json").status == Exit.good)
  }

  @Test func removeIsAllOrNothing() throws {
    try refused(["remove", "shop.json", "articles", "1", "3"], Exit.noInput, "no record with the id 3")
    #expect(try cli.run("remove", "shop.json", "articles", "10", "1", "1").output == "removed 2 records\n")
    #expect(try records().count == 1)
    #expect(try cli.run("remove", "shop.json", "people", "Ada").output == "removed 1 record\n")
    #expect(try generations() == 2)
  }

  /// Edits a record with a script as the editor. The script gets the file as `$1`.
  private func edit(_ script: String, _ arguments: String...) throws -> CLI.Result {
    try cli.write("#!/bin/sh\n" + script, to: "editor.sh")
    return try cli.run(
      ["edit", "shop.json", "articles", "1"] + arguments,
      environment: ["EDITOR": "sh ./editor.sh", "TOOL": CLI.tool.path])
  }

  @Test func editChangesARecord() throws {
    let before = try records()
    #expect(try edit("cp \"$1\" seen").output == "the record was not changed\n")
    #expect(try cli.text("seen").hasPrefix("{\n\"id\": 1,\n\"name\": \"Kiln\",\n"))
    #expect(try edit("touch \"$1\"; echo >> \"$1\"").output == "the record was not changed\n")
    #expect(try generations() == 0)
    #expect(try edit("sed -i 's/Kiln/New/' \"$1\"").output == "changed 1 record\n")
    #expect(try records() == [before[0].replacing("Kiln", with: "New")] + before.dropFirst())
    #expect(try edit("sed -i 's/9.5/9/; s/\"size.*/\"new\": 1,/' \"$1\"", "--force").status == Exit.good)
    #expect(try records()[0].contains(#""price":9,"#) && records()[0].hasSuffix(#""new":1}"#))
  }

  @Test func whatEditRefusesIsKept() throws {
    let before = try cli.bytes("shop.json")
    for (script, status, message) in [
      ("sed -i 's/9.5/\"x\"/' \"$1\"", Exit.badData, "“price” is a number"),
      ("sed -i 's/: 1,/: 7,/' \"$1\"", Exit.badData, "the id of a record"),
      ("echo '{' > \"$1\"", Exit.badData, "the edited file:"), ("echo > \"$1\"", Exit.badData, "0 records"),
      ("sed -i 's/Kiln/a/' \"$1\"; exit 3", Exit.ioError, "exited with 3"),
    ] {
      let result = try edit(script)
      #expect(result.status == status && result.error.contains(message), "\(result.error)")
      #expect(result.error.contains("your text is in "))
      #expect(try cli.bytes("shop.json") == before)
    }
    let changed = try edit("\"$TOOL\" set shop.json articles 1 name=theirs >&2; sed -i 's/Kiln/mine/' \"$1\"")
    #expect(changed.status == 75 && changed.error.contains("changed by someone else"))
    #expect(try records()[0].contains("theirs"))
    #expect(try cli.run("edit", "shop.json", "articles", "9", environment: ["EDITOR": "false"]).status == Exit.noInput)
    #expect(try cli.run("edit", "shop.json", "articles", environment: ["EDITOR": "false"]).status == Exit.usage)
  }

  /// The format stays, and values keep their kinds.
  @Test(arguments: ["xml", "binary", "ndjson"]) func theFormatStays(format: String) throws {
    let name = "copy.\(format)"
    #expect(try cli.run("convert", "shop.json", name, "--format", format).status == Exit.good)
    #expect(try cli.run("set", name, "articles", "1", "name=New").status == Exit.good)
    #expect(try cli.run("set", "shop.json", "articles", "1", "name=New").status == Exit.good)
    #expect(try cli.run("convert", "shop.json", "expected.\(format)", "--format", format).status == Exit.good)
    #expect(try cli.bytes(name) == cli.bytes("expected.\(format)"))
  }

  /// The tool knows the notebook, so its types and validations hold, forced or not.
  @Test func aKnownModelIsChangedWithItsTypes() throws {
    try cli.makeStore()
    let result = try cli.run("set", "notes.json", "notes", "1002", "text=New", "archived=false")
    #expect(result.status == Exit.good, "\(result.error)")
    let notebook: Notebook = try SnapshotFile.read(at: cli.url("notes.json"))
    #expect(notebook.notes[1002]?.text == "New" && notebook.notes[1002]?.archived == false)
    #expect(notebook.allViolations() == [])
    let before = try cli.bytes("notes.json")
    let wrong = try cli.run("set", "notes.json", "notes", "1002", "archived=maybe", "--force")
    #expect(wrong.status == Exit.badData && wrong.error.contains("archived"), "\(wrong.error)")
    #expect(try cli.run("put", "notes.json", "notes", "--force", input: "{\"id\":5}").status == Exit.badData)
    #expect(try cli.bytes("notes.json") == before)
    #expect(try cli.run("remove", "notes.json", "notes", "1001").status == Exit.good)
    #expect(try cli.run("check", "notes.json").status == Exit.good)
  }
}
