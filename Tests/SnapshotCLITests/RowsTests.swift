import Foundation
import Testing

@testable import TestSupport

/// `tables`, `rows` and `get`, on a file of a model that the tool does not know.
@Suite struct RowsTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.write(Self.shop, to: "shop.json")
  }

  static let shop = """
    {"snapshot":{"schema":"shop","version":7},
    "theme":{"accent":"red"},
    "articles":[
    {"id":1,"name":"Kiln","price":9.5,"tags":["a","b"],"size":{"width":20},"added":"2026-01-01T10:00:00Z"},
    {"id":2,"name":"=1+1","price":-3.25,"tags":[],"added":"2026-01-02T10:00:00.5Z","sold":true},
    {"id":10,"name":"Zoë, \\"the\\"\\nsecond","price":100.0,"tags":["b"],"added":"2026-01-02T10:00:00Z","note":null}
    ],
    "people":[
    {"name":"Ada","age":36},
    {"name":"Bo","age":18446744073709551615}
    ],
    "empty":[]}

    """

  private func lines(_ arguments: String...) throws -> [String] {
    let result = try cli.run(arguments)
    #expect(result.status == Exit.good, "\(result.error)")
    return result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test func tablesAndTheirProperties() throws {
    #expect(
      try lines("tables", "shop.json") == [
        "articles  3 records", "  id     integer", "  name   text", "  price  real", "  tags   array (text)",
        "  size   dictionary, in 1", "  added  date", "  sold   bool, in 1", "  note   null, in 1",
        "people  2 records", "  name  text", "  age   integer", "empty  0 records", "theme  single value, a dictionary",
      ])
    let json = try cli.run("tables", "shop.json", "--json").output
    let tables = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(tables.map { $0["table"] as? String } == ["articles", "people", "empty"])
    #expect(tables[0]["count"] as? Int == 3)
    #expect((tables[0]["properties"] as? [[String: Any]])?.first?["name"] as? String == "id")
  }

  @Test func aTableForPeople() throws {
    #expect(
      try lines("rows", "shop.json", "articles", "--columns", "id,name,price,size.width,sold") == [
        "id  name                   price  size.width  sold",
        " 1  Kiln                     9.5          20",
        " 2  =1+1                   -3.25              true",
        #"10  Zoë, "the"\u{A}second  100.0"#,
      ])
    // Without an id of its own, a record has its first property as its id.
    #expect(
      try lines("rows", "shop.json", "people") == [
        "name                   age", "Ada                     36", "Bo    18446744073709551615",
      ])
    #expect(try lines("rows", "shop.json", "empty") == [""])
  }

  @Test func recordsForPrograms() throws {
    let file = try cli.text("shop.json")
    let records = file.split(separator: "\n")[3...5].map { String($0.hasSuffix(",") ? $0.dropLast() : $0[...]) }
    #expect(try lines("rows", "shop.json", "articles", "--format", "ndjson") == records)
    #expect(
      try cli.run("rows", "shop.json", "articles", "--format", "json").output
        == "[\n" + records.joined(separator: ",\n") + "\n]\n")
    #expect(try lines("rows", "shop.json", "empty", "--format", "json") == ["[]"])
    #expect(try lines("rows", "shop.json", "empty", "--format", "ndjson") == [])
    #expect(
      try lines("rows", "shop.json", "articles", "--format", "ndjson", "--columns", "size.width,id", "--limit", "2")
        == [#"{"size.width":20,"id":1}"#, #"{"id":2}"#])
    #expect(
      try cli.run("rows", "shop.json", "articles", "--format", "csv", "--columns", "id,name,price,tags,sold").output
        == """
        id,name,price,tags,sold\r
        1,Kiln,9.5,"[""a"",""b""]",\r
        2,'=1+1,-3.25,[],true\r
        10,"Zoë, ""the""\nsecond",100.0,"[""b""]",\r

        """)
    #expect(try lines("rows", "shop.json", "articles", "--count") == ["3"])
    #expect(try lines("rows", "shop.json", "articles", "--count", "--where", "sold") == ["1"])
  }

  @Test func conditionsAndOrder() throws {
    each([
      (["--where", "price > 0 and tags has \"b\""], "1 10"), (["-w", "price > 0", "-w", "tags has \"a\""], "1"),
      (["--where", "added >= 2026-01-02"], "2 10"), (["--where", "not sold", "--limit", "1"], "1"),
      (["--sort", "price"], "2 1 10"), (["--sort=-price"], "10 1 2"), (["--sort", "sold,-id"], "10 1 2"),
      // A time with a fraction is later than one without, which its bytes do not say.
      (["--sort=-added"], "2 10 1"), (["--sort", "note,name", "--limit", "2"], "2 1"), (["--limit", "0"], ""),
      (["--where", "name contains \"\\n\""], "10"), (["--where", "size.width is not missing"], "1"),
      (["--where", "note is null"], "10"), (["--where", "id == \"1\""], ""),
    ]) { (options: [String], ids: String) throws in
      let result = try cli.run(["rows", "shop.json", "articles", "--columns", "id", "--format", "csv"] + options)
      #expect(result.status == Exit.good && result.error.isEmpty, "\(result.error)")
      #expect(
        result.output.replacing("\r\n", with: " ").split(separator: " ").dropFirst().joined(separator: " ") == ids)
    }
  }

  @Test func oneRecord() throws {
    #expect(try lines("get", "shop.json", "articles", "2").first?.hasPrefix(#"{"id":2,"name":"=1+1""#) == true)
    #expect(try lines("get", "shop.json", "people", "Bo") == [#"{"name":"Bo","age":18446744073709551615}"#])
    #expect(try lines("get", "shop.json", "people", "\"Bo\"") == [#"{"name":"Bo","age":18446744073709551615}"#])
  }

  @Test func oneSingleValue() throws {
    #expect(try lines("get", "shop.json", "--value", "theme") == [#"{"accent":"red"}"#])
    let environment = ["SNAPSHOT_STORE": "shop.json"]
    #expect(try cli.run("get", "--value=theme", environment: environment).status == Exit.good)
    #expect(try cli.run("get", "people", "Bo", environment: environment).status == Exit.good)
  }

  /// A `Decimal` is a text in the file, so it is sorted by its bytes.
  @Test func decimalsAreSortedAsTexts() throws {
    try cli.write(
      #"{"snapshot":{"schema":"x","version":1},"t":[{"id":1,"price":"9.5"},{"id":2,"price":"20.95"},{"id":3,"price":"100"}]}"#,
      to: "prices.json")
    #expect(
      try lines("rows", "prices.json", "t", "--sort", "price", "--columns", "price").dropFirst() == [
        "100", "20.95", "9.5",
      ])
  }

  /// Records that are no objects, such as the elements of a list, have a column of their own.
  @Test func plainValuesAreShown() throws {
    try cli.write(
      """
      {"snapshot":{"schema":"x","version":1,"values":["recent"]},
      "recent":["a","=b\\nc",3,null],
      "sizes":[1,2.5],
      "things":[{"id":1,"tags":["a","b"],"map":{"k":"v","n":3},"none":[]},{"id":2,"tags":[],"map":{}}]}

      """, to: "plain.json")
    #expect(try lines("rows", "plain.json", "recent") == ["value", "a", #"=b\u{A}c"#, "3", "null"])
    #expect(
      try cli.run("rows", "plain.json", "recent", "--format", "csv").output
        == "value\r\na\r\n\"'=b\nc\"\r\n3\r\nnull\r\n")
    #expect(try lines("rows", "plain.json", "recent", "--format", "ndjson") == ["\"a\"", #""=b\nc""#, "3", "null"])
    #expect(try lines("rows", "plain.json", "sizes", "--limit", "1") == ["value", "    1"])
    #expect(
      try lines("rows", "plain.json", "things") == [
        #"id  tags       map              none"#, #" 1  ["a","b"]  {"k":"v","n":3}  []"#, " 2  []         {}",
      ])
    #expect(
      try lines("tables", "plain.json") == [
        "sizes  2 records", "  value  integer or real", "things  2 records", "  id    integer",
        "  tags  array (text)", "  map   dictionary", "  none  array, in 1", "recent  single value, an array",
      ])
    #expect(try lines("get", "plain.json", "things", "1").joined().contains(#""map":{"k":"v","n":3}"#))
  }

  /// A pipe gets the whole of a name.
  @Test func aLongNameIsWhole() throws {
    let name = String(repeating: "long ", count: 20)
    try cli.write(#"{"snapshot":{"schema":"x","version":1},"t":[{"id":1,"\#(name)":2}]}"#, to: "long.json")
    #expect(try lines("tables", "long.json").last == "  \(name)  integer")
  }

  /// All formats give the same records.
  @Test func everyFormat() throws {
    let expected = try lines("rows", "shop.json", "articles", "--columns", "id,name,price,tags")
    each(["xml", "binary", "ndjson"]) { (format: String) throws in
      #expect(try cli.run("convert", "shop.json", "copy.\(format)", "--format", format).status == Exit.good)
      #expect(try lines("rows", "copy.\(format)", "articles", "--columns", "id,name,price,tags") == expected)
    }
    #expect(try cli.run("rows", "-", "articles", "--count", input: try cli.text("shop.json")).output == "3\n")
  }

  @Test func wrongUseHasOneClearMessage() throws {
    try cli.write("not a store", to: "text.txt")
    try cli.write(String(try cli.text("shop.json").prefix(200)), to: "half.json")
    let nested = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    try cli.write(#"{"snapshot":{"schema":"x","version":1},"a":[{"id":\#(nested)}]}"#, to: "deep.json")
    each([
      (["rows", "none.json", "articles"], Exit.noInput, "no such file"),
      (["rows", "text.txt", "articles"], Exit.badData, "text.txt"),
      (["tables", "half.json"], Exit.badData, "half.json"),
      (["rows", "deep.json", "a"], Exit.badData, "nested"), (["tables", "."], Exit.noInput, "."),
      (["rows", "shop.json", "artcles"], Exit.noInput, "did you mean “articles”?"),
      (["rows", "shop.json", "x"], Exit.noInput, "the tables are “articles”, “people”, “empty”"),
      (["rows", "shop.json", "theme"], Exit.noInput, "“snapshot-cli get … --value theme” prints it"),
      (["get", "shop.json", "--value", "them"], Exit.noInput, "no single value “them”; did you mean “theme”?"),
      (["get", "shop.json", "--value", "people"], Exit.noInput, "“people” is a table"),
      (["get", "shop.json", "articles", "abc"], Exit.noInput, "its ids are integers"),
      (["get", "shop.json", "articles", "3"], Exit.noInput, "no record with the id 3"),
      (["get", "shop.json", "articles", "\"1\""], Exit.noInput, "its ids are integers"),
      (
        ["rows", "shop.json", "articles", "--where", "price = 1"], Exit.usage,
        "“=” is written “==”\n  price = 1\n        ^\n"
      ),
      (["rows", "shop.json", "articles", "--where", "Zoë 😀 \u{1B} x"], Exit.usage, "\n      ^\n"),
      (["rows", "shop.json", "articles", "--sort", "a,"], Exit.usage, "--sort, column 3"),
      (["rows", "shop.json", "articles", "--columns", "a b"], Exit.usage, "--columns, column 3"),
      (["rows", "shop.json", "articles", "--format", "yaml"], Exit.usage, "ndjson"),
      (["rows", "shop.json", "articles", "--limit", "-1"], Exit.usage, "--limit"),
      (["rows", "shop.json"], Exit.usage, "TABLE is missing"),
      (["get", "shop.json", "articles"], Exit.usage, "ID is missing"),
    ]) { (arguments: [String], status: Int32, message: String) throws in
      let result = try cli.run(arguments)
      #expect(result.status == status)
      #expect(result.output.isEmpty)
      #expect(result.error.contains(message), "\(result.error)")
    }
  }

  /// A slip that makes a valid condition. Nothing in the file can meet it.
  @Test func aPropertyThatNoRecordHasIsNoted() throws {
    let typo = try cli.run("rows", "shop.json", "articles", "--where", "prise > 1", "--count")
    #expect(typo.status == Exit.good && typo.output == "0\n")
    #expect(typo.error == "note: no record of “articles” has “prise”; did you mean “price”?\n")
    let quotes = try cli.run("rows", "shop.json", "articles", "--where", "name == Kiln", "--count")
    #expect(quotes.error == "note: no record of “articles” has “Kiln”; texts stand in double quotes\n")
  }

  @Test func aLongConditionIsShownAroundTheError() throws {
    let text = String(repeating: "sold and ", count: 10_000) + "# x" + String(repeating: " or sold", count: 1_000)
    let error = try cli.run("rows", "shop.json", "articles", "--where", text).error
    let lines = error.split(separator: "\n").map(String.init)
    #expect(lines.count == 3 && lines.allSatisfy { $0.count < 120 })
    #expect(lines[1].dropFirst(lines[2].count - 1).first == "#")
    #expect(lines[0].contains("column 90001"))
  }

  @Test(arguments: [1, 7, 20, 40, 80, 200]) func theTableFitsTheTerminal(columns: Int) throws {
    let result = try Pseudoterminal.run(
      CLI.tool, ["rows", "shop.json", "articles"], in: cli.folder, environment: ["TERM": "dumb"], columns: columns)
    let lines = result.text.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    #expect(result.status == Exit.good)
    let rows = lines.filter { !$0.contains("more: --columns") }
    #expect(rows.count == 4)
    for line in rows { #expect(line.count <= columns, "\(line)") }
    #expect(rows[0].hasPrefix(columns == 1 ? "…" : "id"))
    #expect((lines.count == 5) == (columns < 80), "\(lines)")
  }

  /// Other commands take the id, so it is of no use if it is cut.
  @Test(arguments: [40, 80]) func theIDOfANarrowTableIsWhole(columns: Int) throws {
    let members = (0..<9).map { #""date \#($0)":"2026-01-01T10:00:00.5Z""# }.joined(separator: ",")
    try cli.write(
      #"{"snapshot":{"schema":"x","version":1},"t":[{"id":1234567890123456,\#(members)}]}"#, to: "wide.json")
    let text = try Pseudoterminal.run(
      CLI.tool, ["rows", "wide.json", "t"], in: cli.folder, environment: ["TERM": "dumb"], columns: columns
    ).text
    #expect(text.contains("1234567890123456  2026-01-01"), "\(text)")
  }

  /// A reader that has enough ends the command without a message.
  @Test func aClosedPipeEndsIt() throws {
    let rows = (0..<20_000).map { #"{"id":\#($0),"text":"\#(String(repeating: "x", count: 20))"}"# }.joined(
      separator: ",\n")
    try cli.write("{\"snapshot\":{\"schema\":\"x\",\"version\":1},\"t\":[\n\(rows)\n]}", to: "many.json")
    each(["table", "json", "ndjson", "csv"]) { (format: String) throws in
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", "\"$0\" rows many.json t --format \(format) 2>error.txt | head -n 2", CLI.tool.path]
      shell.currentDirectoryURL = cli.folder
      let pipe = Pipe()
      shell.standardOutput = pipe
      try shell.run()
      let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
      shell.waitUntilExit()
      #expect(output.filter { $0 == UInt8(ascii: "\n") }.count == 2)
      #expect(try cli.text("error.txt") == "")
    }
  }
}
