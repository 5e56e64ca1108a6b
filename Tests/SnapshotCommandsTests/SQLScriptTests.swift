import Foundation
import SnapshotStore
import Testing

@testable import SnapshotCommands
@testable import TestSupport

/// Details of scripts that no file of the command line shows.
struct SQLScriptTests {
  private func script(
    _ text: String, _ dialect: SQLDialect = .sqlite, declared: @escaping (String) -> [String] = { _ in [] }
  ) throws -> String {
    let content: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(from: Array(text.utf8))
    let script = try SQLScript(content, dialect: dialect, nesting: .tables, declaredIndexes: declared)
    var bytes: [UInt8] = []
    script.write(to: { (piece: [UInt8]) throws(Never) in bytes += piece })
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func declaredIndexesOfPropertiesAreMade() throws {
    let text = #"""
      {"snapshot":{"schema":"x","version":1},
      "people":[{"id":1,"email":"a","age":1.5,"groups":["x"],"bio":{"a":[1]},"cities":["y"]}],"other":[{"id":1,"email":"b"}]}
      """#
    let sql = try script(text) { $0 == "people" ? ["email", "age", "group", "city", "bio", "timeline", "id"] : [] }
    let indexes = sql.split(separator: "\n").filter { $0.hasPrefix("CREATE INDEX") }
    #expect(
      indexes == [
        #"CREATE INDEX "people_email_index" ON "people" ("email");"#,
        #"CREATE INDEX "people_age_index" ON "people" ("age");"#,
        #"CREATE INDEX "people_groups_value_index" ON "people_groups" ("value");"#,
        #"CREATE INDEX "people_cities_value_index" ON "people_cities" ("value");"#,
      ])
  }

  /// The command of a tool for any model, on a file of that model.
  @Test func everyToolHasTheCommand() throws {
    let folder = try TemporaryFolder()
    let (file, output) = (folder.url("odd.json"), folder.url("odd.sql"))
    try SnapshotFile.create(OddModel.sample(), as: .json, at: file)
    let tool = Tool(name: "odd", version: "", summary: "", notes: "", commands: [ExportCommand<OddModel>.self])
    let command = ExportCommand<OddModel>.self
    var arguments = try Arguments(["sql", file.path, "-o", output.path], command: command, tool: tool)
    try ExportCommand<OddModel>(&arguments).run()
    let sql = String(decoding: try SnapshotFile.readBytes(at: output), as: UTF8.self)
    #expect(sql.hasPrefix("-- Snapshot as SQL for SQLite: schema “") && sql.hasSuffix("COMMIT;\n"))
    #expect(sql.contains("  \"serial no.\" INTEGER PRIMARY KEY NOT NULL"), "\(sql.prefix(3_000))")
    #expect(throws: CommandFailure.self) { try Arguments(["csv", file.path], command: command, tool: tool) }
  }

  /// PostgreSQL refuses a long text in an index.
  @Test func aLongTextIsInNoIndexAndNoKey() throws {
    let long = String(repeating: "x", count: 3_000)
    let sql = try script(
      #"{"snapshot":{"schema":"x","version":1},"t":[{"id":"\#(long)","a":"\#(long)"},{"id":"b","a":""}]}"#, .postgresql
    ) { _ in ["a"] }
    #expect(!sql.contains("CREATE INDEX") && sql.contains(#""row" bigint PRIMARY KEY"#))
  }

  @Test(
    arguments: [
      (0.12345, nil), (0.1, "0.1"), (9.5, "9.5"), (-3.25, "-3.25"), (1e300, nil), (.leastNonzeroMagnitude, nil),
      (100, "100.0"), (.infinity, "9e999"), (-.infinity, "-9e999"), (-0.0, "-0.0"), (9_007_199_254_740_992, nil),
      (123456.7891, "123456.7891"), (0.00001, nil),
    ] as [(Double, String?)])
  func numbersAreWrittenExactly(number: Double, expected: String?) {
    let literal = SQLiteReal.literal(number)
    if let expected { return #expect(literal == expected) }
    // Computed as SQLite does, with integers and powers of two that are exact.
    var value = 0.0
    for (index, part) in literal.split(separator: "*").enumerated() {
      for (place, factor) in part.split(separator: "/").enumerated() {
        let factor = Double(factor) ?? .nan
        if index == 0, place == 0 { value = factor } else if place == 0 { value *= factor } else { value /= factor }
      }
    }
    #expect(value == number, "\(literal)")
  }
}
