import Foundation
import Testing

@testable import TestSupport

/// `rows --format csv` and `put --format csv`, one the opposite of the other.
@Suite struct PutCSVTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.write(RowsTests.shop, to: "shop.json")
    try cli.write(SQLExamples.everyKind, to: "kinds.json")
  }

  private func csv(_ file: String, _ table: String) throws -> String {
    let result = try cli.run("rows", file, table, "--format", "csv")
    #expect(result.status == Exit.good, "\(result.error)")
    return result.output
  }

  private func put(_ input: String, _ file: String, _ table: String, _ options: String...) throws -> CLI.Result {
    try cli.run(["put", file, table, "--format", "csv"] + options, input: input)
  }

  @Test func whatIsPrintedComesBack() throws {
    for (file, table, count) in [("shop.json", "articles", 3), ("shop.json", "people", 2)] {
      let before = try cli.bytes(file)
      let result = try put(try csv(file, table), file, table)
      #expect(result.output == "added 0 records, changed 0, unchanged \(count)\n", "\(result.error)")
      #expect(try cli.bytes(file) == before)
    }
    // A column of texts and other kinds does not tell the text "1" from the number.
    try cli.write(SQLExamples.everyKind.replacing(#""mix":"1\u0000""#, with: #""mix":"one""#), to: "kinds.json")
    // The keys get the order of the table.
    let rows = try cli.run("rows", "kinds.json", "all", "--format", "ndjson").output
    #expect(try cli.run("put", "kinds.json", "all", input: rows).status == Exit.good)
    let result = try put(try csv("kinds.json", "all"), "kinds.json", "all")
    #expect(result.output == "added 0 records, changed 0, unchanged 3\n", "\(result.output)\(result.error)")
  }

  @Test func recordsAreAddedAndReplaced() throws {
    let input = """
      \u{FEFF}id,name,price,tags,added,sold\r
      2,'=1+2,-3.5,[],2026-01-02T10:00:00.5Z,true\r
      3,,7,"[""x""]",2026-01-03T10:00:00Z,\r

      """
    let result = try put(input, "shop.json", "articles")
    #expect(result.output == "added 1 record, changed 1, unchanged 0\n", "\(result.error)")
    let rows = try cli.run("rows", "shop.json", "articles", "--format", "ndjson", "--where", "id != 1 and id != 10")
    #expect(
      rows.output == """
        {"id":2,"name":"=1+2","price":-3.5,"tags":[],"added":"2026-01-02T10:00:00.5Z","sold":true}
        {"id":3,"name":"","price":7.0,"tags":["x"],"added":"2026-01-03T10:00:00Z"}

        """)
    #expect(try cli.run("generations", "shop.json").output.split(separator: "\n").count > 0)
  }

  /// In an empty table JSON is JSON, and anything else a text.
  @Test func anEmptyTableIsFilled() throws {
    let result = try put("id,a,b,c,d\na,1,x,\"[1,2]\",\"\"\nb,2,true,,\n", "shop.json", "empty")
    #expect(result.output == "added 2 records, changed 0, unchanged 0\n", "\(result.error)")
    #expect(
      try cli.run("rows", "shop.json", "empty", "--format", "ndjson").output == """
        {"id":"a","a":1,"b":"x","c":[1,2],"d":""}
        {"id":"b","a":2,"b":true}

        """)
  }

  @Test func aFaultChangesNothing() throws {
    let before = try cli.bytes("shop.json")
    let good = "id,name,price,tags,added\n5,a,1,[],2026-01-02T10:00:00Z\n"
    each([
      ("", "the file has no header line"), ("id,name\n1\n", "standard input:2:1"),
      ("id,name,id\n", "the column “id” occurs twice"), ("id\n\"1\n", "standard input:2:1"),
      (good + "6,b,x,[],2026-01-02T10:00:00Z\n", "line 3: “price” is a number with a fraction"),
      (good + "\n5,b,1,[],2026-01-02T10:00:00Z\n", "line 4: the id occurs twice"),
      (good + ",b,1,[],2026-01-02T10:00:00Z\n", "line 3: it has no “id”"), ("nam,id\nx,1\n", "did you mean “name”?"),
      ("id,name,price,tags,added,size.width\n5,a,1,[],2026-01-02T10:00:00Z,7\n", "has “size.width”"),
    ]) { (input: String, message: String) throws in
      let result = try put(input, "shop.json", "articles")
      #expect(result.status == Exit.badData && result.output.isEmpty)
      #expect(result.error.contains(message), "\(result.error)")
      #expect(try cli.bytes("shop.json") == before)
    }
    #expect(try put(good, "shop.json", "articles", "--format", "xml").status == Exit.usage)
    #expect(try cli.run("put", "shop.json", "articles", "--format", "yaml").error.contains("json, csv"))
    let json = try cli.run("put", "shop.json", "articles", input: "{\"id\":1}\n\n{\"id\":2,\"x\":1}\n")
    #expect(json.status == Exit.badData && json.error.contains("line 1: the record has no"), "\(json.error)")
  }
}
