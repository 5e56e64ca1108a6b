import Foundation
import SnapshotStore
import Testing

@testable import TestSupport

/// What a command was given is read back: the same value of the same kind. That holds for every command that writes,
/// and for every one that prints, over values of every kind.
///
/// The full form takes more tables. `SNAPSHOT_PROOFS=exhaustive swift test --filter ExactCommandTests` has more than a
/// million values.
@Suite struct ExactCommandTests {
  private static let seeds = Proofs.extent == .exhaustive ? (1...1_200).map { UInt64($0) } : SeededGenerator.seeds(4)

  @Test(arguments: seeds) func everyValueComesBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = RandomTable(120, &random)
    let cli = try CLI()
    try cli.write(table.file, to: "a.json")
    let expected = table.records.map { RandomTable.json(UntypedValue($0)) + "\n" }.joined()
    func rows(_ file: String) throws -> String { try cli.run("rows", file, "p", "--format", "ndjson").output }
    func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> String {
      let result = try cli.run(arguments, input: input, environment: environment)
      #expect(result.status == Exit.good, "seed \(seed): \(arguments): \(result.error)")
      return result.output
    }
    #expect(try rows("a.json") == expected, "seed \(seed)")

    // Whole files.
    for format in ["xml", "binary", "ndjson", "json"] {
      _ = try run("convert", "a.json", "b", "--format", format, "--force")
      #expect(try rows("b") == expected, "seed \(seed): \(format)")
      #expect(try run("diff", "a.json", "b") == "the same\n")
    }
    _ = try run("restore", "b", "c.json")
    #expect(try rows("c.json") == expected, "seed \(seed)")
    #expect(try run("dump", "c.json") == cli.text("c.json"))

    // Records, as JSON and as CSV.
    try cli.write(#"{"snapshot":{"schema":"random","version":1},"p":[]}"#, to: "d.json")
    _ = try run("put", "d.json", "p", input: expected)
    #expect(try rows("d.json") == expected, "seed \(seed)")
    _ = try run("put", "d.json", "p", input: try run("rows", "a.json", "p", "--format", "json"))
    let csv = try run("rows", "a.json", "p", "--format", "csv")
    let put = try run("put", "a.json", "p", "--format", "csv", input: csv)
    #expect(put == "added 0 records, changed 0, unchanged 120\n", "seed \(seed)")

    // One record, and one property of it.
    for _ in 0..<2 {
      let id = Int.random(in: 0..<120, using: &random)
      let record = try run("get", "a.json", "p", "\(id)")
      #expect(record == RandomTable.json(UntypedValue(table.records[id])) + "\n", "seed \(seed)")
      _ = try run("edit", "d.json", "p", "\(id)", environment: ["EDITOR": "true", "VISUAL": "true"])
      guard let key = table.keys.randomElement(using: &random),
        let value = table.records.compactMap({ $0[key] })
          .randomElement(using: &random)
      else { continue }
      var changed = table.records[id]
      changed[key] = value
      let name = "[\(RandomTable.json(UntypedValue(key)))]"
      _ = try run("set", "c.json", "p", "\(id)", "\(name)=\(RandomTable.json(value))", "--force")
      let found = try SnapshotFile.readContent(UntypedModel.self, at: cli.url("c.json"))[table: "p"]?.values[id].record
      #expect(found?[key].map(RandomTable.json) == RandomTable.json(value), "seed \(seed): \(key)")
      #expect(found?[key]?.kind == value.kind)
      // It may be the only one whose property was of this kind.
      _ = try run("put", "c.json", "p", "--force", input: record)
    }
    #expect(
      try rows("c.json").split(separator: "\n").sorted() == expected.split(separator: "\n").sorted(), "seed \(seed)")
    #expect(try rows("d.json") == expected, "seed \(seed)")

    // The merge of one side's changes.
    _ = try run("remove", "d.json", "p", "3")
    _ = try run("merge", "d.json", "b", "--base", "d.json", "-o", "e.json")
    #expect(try rows("e.json") == expected, "seed \(seed)")
  }
}
