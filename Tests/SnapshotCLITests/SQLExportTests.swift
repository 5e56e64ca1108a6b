import Foundation
import Testing

@testable import TestSupport

/// `export sql`, loaded into a real SQLite and a real PostgreSQL. `Scripts/compare-sql` compares all values both ways.
@Suite struct SQLExportTests {
  let cli: CLI

  init() throws {
    cli = try CLI()
    try cli.write(SQLExamples.everyKind, to: "kinds.json")
    try cli.makeStore()
  }

  static var hasSQLite: Bool { CLI.isInstalled("sqlite3", "python3") }
  static var hasPostgreSQL: Bool {
    CLI.isInstalled("psql", "python3") && FileManager.default.fileExists(atPath: "/usr/lib/postgresql")
  }

  /// Exports a file, loads it, and compares.
  private func compareInSQLite(_ file: String, _ options: String = "") throws {
    let result = try cli.shell(
      """
      rm -f new.db; snapshot-cli export sql \(file) \(options) | sqlite3 -bail new.db &&
      snapshot-cli dump \(file) -o dump.json --force && compare-sql sqlite dump.json new.db
      """)
    #expect(result.status == Exit.good && result.output.contains("records are the same"), "\(result.error)")
  }

  // MARK: Exactness

  @Test(.enabled(if: Self.hasSQLite, "sqlite3 is not installed"), arguments: ["tables", "json"])
  func sqliteHasEveryValue(nesting: String) throws {
    for file in [
      "kinds.json", "notes.json", Self.fixture("v4/library/books.json"), Self.fixture("v1/plain.json"),
    ] {
      try compareInSQLite(file, "--nested \(nesting)")
    }
  }

  @Test(.enabled(if: Self.hasPostgreSQL, "PostgreSQL is not installed")) func postgreSQLHasEveryValue() throws {
    try cli.write(
      """
      set -e
      for file in kinds notes clash; do
        for nesting in tables json; do
          psql -qc "CREATE DATABASE $file$nesting"
          snapshot-cli export sql $file.json --dialect postgresql --nested $nesting |
            psql -qX -v ON_ERROR_STOP=1 $file$nesting
          compare-sql postgresql $file.json $file$nesting
        done
      done
      # Records of a database go in by put.
      psql -qXAt kindstables -c 'SELECT row_to_json(x) FROM (SELECT * FROM objs) x' | snapshot-cli put other.json objs
      """, to: "try.sh")
    try cli.write(#"{"snapshot":{"schema":"x","version":1},"objs":[]}"#, to: "other.json")
    // Names that PostgreSQL gives to keys, and a name so long that it would cut it.
    let long = String(repeating: "x", count: 60)
    try cli.write(
      """
      {"snapshot":{"schema":"x","version":1},"posts":[{"id":1,"tags":["a"]}],"posts_pkey":[{"id":1}],
      "posts_pkey1":[{"id":2}],"posts_row_key":[{"id":4}],"posts_tags_pkey":[{"id":5}],
      "\(long)":[{"id":1}],"\(long.prefix(58))_pkey":[{"id":1}]}
      """, to: "clash.json")
    let result = try cli.shell("with-postgresql bash try.sh")
    #expect(result.status == Exit.good, "\(result.error)")
    #expect(result.output.split(separator: "\n").count { $0.hasSuffix("records are the same") } == 6)
    #expect(result.output.hasSuffix("added 1 record, changed 0, unchanged 0\n"), "\(result.output)")
  }

  private static func fixture(_ path: String) -> String { "\(CLI.scripts)/../fixtures/\(path)" }

  /// SQLite reads about one of ten thousand decimals as a neighbour of the number.
  @Test(.enabled(if: Self.hasSQLite, "sqlite3 is not installed"), arguments: SeededGenerator.seeds(1))
  func everyNumberIsRead(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let lines = (0..<Proofs.pick(full: 50_000, quick: 5_000)).map { id in
      let any = Double(bitPattern: .random(in: 0...(.max), using: &random))
      let decimal = (Double.random(in: 0...180, using: &random) * 1e6).rounded() / 1e6
      let short = Double(Int.random(in: -999_999...999_999, using: &random)) / 1e4
      return #"{"id":\#(id),"any":\#(any.isFinite ? any : 0.5),"decimal":\#(decimal),"short":\#(short)}"#
    }
    try cli.write(
      "{\"snapshot\":{\"schema\":\"x\",\"version\":1},\"t\":[\n\(lines.joined(separator: ",\n"))\n]}",
      to: "numbers.json")
    try compareInSQLite("numbers.json")
  }

  /// A dictionary of more members than a table should have columns becomes a table with a row for each.
  @Test(.enabled(if: Self.hasSQLite, "sqlite3 is not installed")) func aLargeDictionaryHasRows() throws {
    let members = { (range: Range<Int>) in
      range.map { "\"k \($0)\":{\"n\":\($0),\"l\":[\($0)]}" }.joined(separator: ",")
    }
    try cli.write(
      #"""
      {"snapshot":{"schema":"x","version":1},"t":[
      {"id":1,"counts":{\#(members(0..<150))}},{"id":2,"counts":{\#(members(100..<300))}},{"id":3,"counts":{}},{"id":4}
      ],"words":{\#((0..<500).map { "\"w\($0)\":\($0)" }.joined(separator: ","))}}
      """#, to: "wide.json")
    try compareInSQLite("wide.json")
    try compareInSQLite("wide.json", "--nested json")
    let sql = try cli.run("export", "sql", "wide.json").output
    #expect(
      sql.contains(#"CREATE TABLE "t_counts_l" ("#) && sql.contains(#""key" TEXT NOT NULL"#), "\(sql.prefix(3_000))")
  }

  // MARK: The tables

  private func definitions(_ arguments: String...) throws -> String {
    let result = try cli.run(["export", "sql"] + arguments)
    #expect(result.status == Exit.good, "\(result.error)")
    return result.output.split(separator: "\n").filter { !$0.hasPrefix("(") && !$0.hasPrefix("INSERT") }
      .joined(separator: "\n")
  }

  @Test func theTablesOfNotes() throws {
    let sql = try definitions("notes.json")
    #expect(sql.hasPrefix("-- Snapshot as SQL for SQLite: schema “notebook”, version 1\n"))
    #expect(sql.contains("CREATE TABLE \"notes\" (\n  \"id\" INTEGER PRIMARY KEY NOT NULL,\n  \"text\" TEXT,\n"))
    #expect(sql.contains("  \"creationDate\" DATETIME TEXT,\n"))
    #expect(
      sql.contains(
        """
        CREATE TABLE "notes_tags" (
          "notes_id" INTEGER NOT NULL,
          "position" INTEGER NOT NULL,
          "value" TEXT,
          PRIMARY KEY ("notes_id", "position"),
          FOREIGN KEY ("notes_id") REFERENCES "notes" ("id") DEFERRABLE INITIALLY DEFERRED,
          FOREIGN KEY ("value") REFERENCES "tags" ("id") DEFERRABLE INITIALLY DEFERRED
        );
        """), "\(sql)")
    #expect(sql.contains(#"CREATE INDEX "notes_tags_value_index" ON "notes_tags" ("value");"#))
    #expect(sql.hasSuffix("COMMIT;"))
    let postgreSQL = try definitions("notes.json", "--dialect", "postgresql")
    #expect(postgreSQL.contains("  \"creationDate\" timestamp with time zone,\n"))
    #expect(postgreSQL.contains(#"ALTER TABLE "notes_tags" ADD FOREIGN KEY ("value") REFERENCES "tags" ("id");"#))
  }

  /// Values that look like links are none if the names do not say so.
  @Test func onlySureLinksAreForeignKeys() throws {
    try cli.write(
      #"""
      {"snapshot":{"schema":"x","version":1},"authors":[{"id":1},{"id":2}],"cities":[{"id":"a"},{"id":"b"}],
      "posts":[{"id":1,"authorID":2,"rating":1,"city":"a","cities":["a","b"],"author":3},
      {"id":2,"authorID":1,"rating":2,"city":"b","cities":["b"],"author":1}]}
      """#, to: "links.json")
    let sql = try definitions("links.json")
    #expect(sql.contains("FOREIGN KEY (\"authorID\") REFERENCES \"authors\""))
    #expect(sql.contains("FOREIGN KEY (\"city\") REFERENCES \"cities\""))
    #expect(sql.contains("FOREIGN KEY (\"value\") REFERENCES \"cities\""))
    #expect(!sql.contains("FOREIGN KEY (\"rating\")") && !sql.contains("FOREIGN KEY (\"author\")"))
  }

  @Test(.enabled(if: Self.hasSQLite, "sqlite3 is not installed")) func everyNameIsPossible() throws {
    let long = String(repeating: "é", count: 40)
    let names = ["a", "A", "select", "x\\u0001y", "", "q\\\"q", "xmin", long + "1", long + "2", "é", "row", "😀"]
    let members = names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
    let tables = ["posts", "Posts", "posts_tags", "sqlite_x", "a\\u0000b\\nDROP TABLE", "t\\\"); --"]
    let body = tables.map { "\"\($0)\":[{\"id\":1,\"tags\":[1],\(members)}]" }.joined(separator: ",\n")
    try cli.write("{\"snapshot\":{\"schema\":\"x\\n\\u001b[2J;\",\"version\":1},\n\(body)}", to: "names.json")
    for dialect in ["sqlite", "postgresql"] {
      let sql = try cli.run("export", "sql", "names.json", "--dialect", dialect).output
      // No name ends its comment, its quotes or the limit of PostgreSQL.
      #expect(!sql.utf8.contains { $0 < 0x20 && $0 != 0x0A })
      for name in sql.matches(of: /"((?:[^"]|"")*)"/) { #expect(name.1.replacing("\"\"", with: "\"").utf8.count <= 63) }
      #expect(sql.contains("-- “xmin” is the column \"xmin_2\"\n"))
    }
    let result = try cli.shell(
      """
      snapshot-cli export sql names.json | sqlite3 -bail names.db &&
      sqlite3 names.db 'SELECT name FROM sqlite_master WHERE type = "table" ORDER BY rowid; SELECT * FROM posts'
      """)
    #expect(
      result.output.hasPrefix("posts\nPosts_2\nposts_tags\n_sqlite_x_2\na_b_DROP TABLE\nt\"); --\nposts_tags_2\n"),
      "\(result.output)\(result.error)")
    #expect(result.output.hasSuffix("1|0|1|2|3|4|5|6|7|8|9|10|11\n"))
  }

  /// Columns that the export adds give way to properties.
  @Test func propertiesKeepTheirNames() throws {
    try cli.write(
      #"""
      {"snapshot":{"schema":"x","version":1},"t":[
      {"id":1,"l":[{"position":1,"t_id":2}],"d":"2026-01-02T10:00:00.1234567Z","l_count":5,"d_exact":"x"},{"id":2}]}
      """#, to: "added.json")
    let sql = try cli.run("export", "sql", "added.json", "--dialect", "postgresql").output
    #expect(sql.contains(#"INTO "t" ("id", "l_count_2", "d", "d_exact_2", "l_count", "d_exact") VALUES"#), "\(sql)")
    #expect(sql.contains("(1,1,'2026-01-02T10:00:00.1234567Z','2026-01-02T10:00:00.1234567Z',5,'x')"))
    #expect(sql.contains(#"INTO "t_l" ("t_id_2", "position_2", "position", "t_id") VALUES"#))
  }

  @Test func postgreSQLRefusesNUL() throws {
    try cli.write(
      #"""
      {"snapshot":{"schema":"x","version":1},"t":[{"id":7,"a":"x"},{"id":8,"a":"x\u0000","l":[{"b":["\u0000"]}]}]}
      """#, to: "nul.json")
    let result = try cli.run("export", "sql", "nul.json", "--dialect", "postgresql", "-o", "out.sql")
    #expect(result.status == Exit.badData)
    #expect(
      result.error.hasPrefix("snapshot-cli: t 8, a: PostgreSQL has no character U+0000 in a text, and 1 more text"))
    #expect(!cli.exists("out.sql"))
    #expect(try cli.run("set", "nul.json", "t", "8", "a=y").status == Exit.good)
    let rest = try cli.run("export", "sql", "nul.json", "--dialect", "postgresql")
    #expect(rest.error.hasPrefix("snapshot-cli: t 8, l[].b[]: PostgreSQL has"), "\(rest.error)")
    // JSON has an escape for it.
    #expect(
      try cli.run("export", "sql", "nul.json", "--dialect", "postgresql", "--nested", "json").status == Exit.good)
    if Self.hasSQLite { try compareInSQLite("nul.json") }
  }

  // MARK: Files

  @Test func onlyAnExportIsReplaced() throws {
    let run = { try cli.run(["export", "sql", "notes.json", "-o", $0] + $1) }
    let first = try run("out.sql", [])
    #expect(first.status == Exit.good && first.output == "exported 6 records\n", "\(first.output)")
    #expect(try cli.text("out.sql") == (try cli.run("export", "sql", "notes.json").output))
    let second = try run("out.sql", [])
    #expect(second.status == Exit.cannotCreate)
    #expect(second.error.contains("the file exists. --force replaces an earlier export"), "\(second.error)")
    #expect(try run("out.sql", ["--force"]).status == Exit.good)
    try cli.write("", to: "empty.sql")
    #expect(try run("empty.sql", []).status == Exit.cannotCreate)
    #expect(try run("empty.sql", ["--force"]).status == Exit.good)
    try cli.write("-- my own\n", to: "own.sql")
    for name in ["own.sql", "notes.json", "vesper.json"] {
      let before = try cli.bytes(name)
      let result = try run(name, ["--force"])
      #expect(result.status == Exit.cannotCreate)
      #expect(result.error.contains("the file exists, and is no export as SQL"), "\(result.error)")
      #expect(try cli.bytes(name) == before)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: cli.folder.path).allSatisfy { !$0.hasSuffix(".tmp") })
  }

  @Test func wrongUseHasOneClearMessage() throws {
    try cli.write("not a store", to: "text.txt")
    try cli.write(String(try cli.text("notes.json").prefix(200)), to: "half.json")
    each([
      (["none.json"], Exit.noInput, "no such file"), (["text.txt"], Exit.badData, "text.txt"),
      (["half.json"], Exit.badData, "half.json"), (["."], Exit.noInput, "."), ([], Exit.usage, "FILE is missing"),
      (["notes.json", "out.sql"], Exit.usage, "one argument too many"),
      (["notes.json", "--dialect", "oracle"], Exit.usage, "sqlite, postgresql"),
      (["notes.json", "--nested", "no"], Exit.usage, "tables, json"),
      (["notes.json", "--pictures", "x"], Exit.usage, "--pictures does not go with sql"),
      (["notes.json", "-o", "no/out.sql"], Exit.cannotCreate, "no"),
      (["notes.json", "-o", "."], Exit.cannotCreate, "."),
      (["notes.json", "-o", ""], Exit.usage, "must not be empty"),
    ]) { (arguments: [String], status: Int32, message: String) throws in
      let result = try cli.run(["export", "sql"] + arguments)
      #expect(result.status == status)
      #expect(result.output.isEmpty)
      #expect(result.error.contains(message) && result.error.split(separator: "\n").count == 1, "\(result.error)")
    }
    let dialect = try cli.run("export", "csv", "notes.json", "-", "--dialect", "sqlite")
    #expect(dialect.status == Exit.usage && dialect.error.contains("only for sql"))
    #expect(try cli.run("export", "yaml", "notes.json", "-").error.contains("not one of vesper, csv"))
  }

  /// Nesting beyond the levels that have tables is JSON.
  @Test(.enabled(if: Self.hasSQLite, "sqlite3 is not installed")) func deepValuesAreJSON() throws {
    let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    try cli.write(#"{"snapshot":{"schema":"x","version":1},"a":[{"id":1,"d":\#(deep(58))}]}"#, to: "deep.json")
    try compareInSQLite("deep.json")
    try cli.write(#"{"snapshot":{"schema":"x","version":1},"a":[{"id":1,"d":\#(deep(200))}]}"#, to: "deeper.json")
    #expect(try cli.run("export", "sql", "deeper.json").status == Exit.badData)
  }

  @Test func aClosedPipeEndsIt() throws {
    let rows = (0..<20_000).map { #"{"id":\#($0),"text":"\#(String(repeating: "x", count: 20))"}"# }.joined(
      separator: ",\n")
    try cli.write("{\"snapshot\":{\"schema\":\"x\",\"version\":1},\"t\":[\n\(rows)\n]}", to: "many.json")
    let result = try cli.shell("set +o pipefail; snapshot-cli export sql many.json | head -n 2")
    #expect(result.output.split(separator: "\n").count == 2 && result.error.isEmpty, "\(result.error)")
  }

  // MARK: The way back

  /// As Docs/COMMAND-LINE.md shows it.
  @Test(.enabled(if: Self.hasSQLite, "sqlite3 is not installed")) func recordsComeBackByPut() throws {
    let result = try cli.shell(
      """
      snapshot-cli export sql notes.json | sqlite3 -bail notes.db &&
      sqlite3 notes.db "UPDATE tags SET name = 'LATER' WHERE id = 'later'" &&
      sqlite3 -json notes.db 'SELECT * FROM tags' | jq -c '.[] | with_entries(select(.value != null))' |
      snapshot-cli put notes.json tags
      """)
    #expect(result.status == Exit.good, "\(result.error)")
    #expect(result.output == "added 0 records, changed 1, unchanged 2\n", "\(result.output)")
  }
}
