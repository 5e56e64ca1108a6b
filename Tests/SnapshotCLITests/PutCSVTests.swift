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

  /// A column of texts and other kinds tells the text "12" from the number.
  @Test func mixedColumnsComeBack() throws {
    let values = [
      "3", #""12""#, #""\"12\"""#, #""one""#, "true", #""true""#, #""null""#, "null", #""""#, "[1]", #""[1]""#,
      "-1e400",
      #""2026-01-01T00:00:00Z""#, #""\u0032026-01-01T00:00:00Z""#, #""NaN""#, #""\u004eaN""#, #""=1+1""#, #""'=1""#,
      #""-Infinity""#, #""\u002dInfinity""#, #""data:;base64,AA==""#, #"" 1""#, #""a\"b""#, #""'@home' is a song""#,
    ]
    let rows = values.enumerated().map { #"{"id":\#($0),"v":\#($1)}"# }.joined(separator: ",\n")
    try cli.write(#"{"snapshot":{"schema":"t","version":1},"p":["# + rows + "]}", to: "mixed.json")
    let before = try cli.run("rows", "mixed.json", "p", "--format", "ndjson").output
    let csv = try csv("mixed.json", "p")
    for part in [csv, csv.replacing("\r\n", with: "\n")] {
      #expect(try put(part, "mixed.json", "p").output == "added 0 records, changed 0, unchanged \(values.count)\n")
    }
    #expect(csv.contains("1,\"\"\"12\"\"\"\r\n") && csv.contains("3,\"\"\"one\"\"\"\r\n") && csv.contains("4,true\r\n"))
    // A part of the rows is written as the whole table is.
    let part = try cli.run("rows", "mixed.json", "p", "--format", "csv", "--where", "id == 1").output
    #expect(try put(part, "mixed.json", "p").output == "added 0 records, changed 0, unchanged 1\n")
    #expect(try cli.run("rows", "mixed.json", "p", "--format", "ndjson").output == before)
    // Into an empty table too, of which nothing tells the kinds.
    try cli.write(#"{"snapshot":{"schema":"t","version":1},"p":[]}"#, to: "other.json")
    #expect(try put(csv, "other.json", "p").status == Exit.good)
    #expect(try cli.run("rows", "other.json", "p", "--format", "ndjson").output == before)
    try cli.write(#"{"snapshot":{"schema":"t","version":1},"p":[{"a;b":1},{"a;b":2}]}"#, to: "name.json")
    #expect(try put(self.csv("name.json", "p"), "name.json", "p").output.contains("unchanged 2"))
  }

  /// The fields of a new column decide together: a number only if each comes back as it was written.
  @Test func newColumnsHaveOneKind() throws {
    let result = try put(
      "id,zip,ver,n,mail,all\n1,01234,1.10,1.5,a@b,1\n2,90210,1.2,-2,,true\n", "shop.json", "empty")
    #expect(result.output == "added 2 records, changed 0, unchanged 0\n", "\(result.error)")
    #expect(
      try cli.run("rows", "shop.json", "empty", "--format", "ndjson").output == """
        {"id":1,"zip":"01234","ver":"1.10","n":1.5,"mail":"a@b","all":1}
        {"id":2,"zip":"90210","ver":"1.2","n":-2,"all":true}

        """)
  }

  /// Texts in quotes beside what only another program writes are texts.
  @Test func newColumnsOfQuotedTexts() throws {
    let csv = "id,t,u\n1,\"\"\"Zitat\"\"\",\"\"\"a\"\"\"\n2,Gedicht,7\n3,1.20,2026-01-01T00:00:00Z\n4,12,NaN\n"
    #expect(try put(csv, "shop.json", "empty").status == Exit.good)
    #expect(
      try cli.run("rows", "shop.json", "empty", "--format", "ndjson").output == #"""
        {"id":1,"t":"\"Zitat\"","u":"a"}
        {"id":2,"t":"Gedicht","u":7}
        {"id":3,"t":"1.20","u":"2026-01-01T00:00:00Z"}
        {"id":4,"t":"12","u":"NaN"}

        """#)
    // They are the values, and not texts of the same spelling.
    #expect(try cli.run("tables", "shop.json").output.contains("text or integer or date or real"))
  }

  /// A line without a value is still a line.
  @Test func aSingleColumn() throws {
    let output = try cli.run("rows", "shop.json", "articles", "--columns", "sold", "--format", "csv").output
    #expect(output.split(separator: "\r\n").count == 4 && output.contains("\"\"\r\n"), "\(output)")
  }

  /// In an empty table JSON is JSON, and anything else a text.
  @Test func anEmptyTableIsFilled() throws {
    let result = try put("id,a,b,c,d\na,1,x,\"[1,2]\",\"\"\nb,2,y,,\n", "shop.json", "empty")
    #expect(result.output == "added 2 records, changed 0, unchanged 0\n", "\(result.error)")
    #expect(
      try cli.run("rows", "shop.json", "empty", "--format", "ndjson").output == """
        {"id":"a","a":1,"b":"x","c":[1,2],"d":""}
        {"id":"b","a":2,"b":"y"}

        """)
  }

  @Test func aFaultChangesNothing() throws {
    let before = try cli.bytes("shop.json")
    let good = "id,name,price,tags,added\n5,a,1,[],2026-01-02T10:00:00Z\n"
    each([
      ("", "the file has no header line"), ("id;name\n1;x\n", "separated by semicolons; save it with commas"),
      ("id\tname\n1\tx\n", "separated by tabs"), ("id,name\n1\n", "standard input:2:1"),
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
