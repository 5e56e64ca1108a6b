import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The operations of a step on tables, records and values.
struct MigrationTreeTests {
  private static func tree(_ records: [UntypedRecord]) -> MigrationTree {
    var tree = MigrationTree()
    for record in records { tree["things"].append(record) }
    return tree
  }

  private static func text(_ tree: MigrationTree, _ table: String = "things") -> String {
    var sink = ByteSink()
    JSONText.append(Item(.array(tree[table].items)), to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  private var tree: MigrationTree { Self.tree([["id": 1, "name": "A B", "size": "5"], ["id": 2, "color": "red"]]) }

  @Test func keys() throws {
    var tree = tree
    try tree["things"].rename("name", to: "title")
    #expect(Self.text(tree) == #"[{"id":1,"title":"A B","size":"5"},{"id":2,"color":"red"}]"#)
    try tree["things"].retype("size") { Int64($0.text ?? "").map { UntypedValue($0) } }
    try tree["things"].drop("color")
    #expect(Self.text(tree) == #"[{"id":1,"title":"A B","size":5},{"id":2}]"#)
    try tree["things"].split("title", into: ["first", "last"]) { value in
      (value.text ?? "").split(separator: " ").map { UntypedValue(String($0)) }
    }
    try tree["things"].setMissing("size", to: 0)
    try tree["things"].compute("sum") { UntypedValue(($0["id"]?.integer ?? 0) + ($0["size"]?.integer ?? 0)) }
    #expect(Self.text(tree) == #"[{"id":1,"size":5,"first":"A","last":"B","sum":6},{"id":2,"size":0,"sum":2}]"#)
    try tree["things"].retype("sum") { _ in nil }
    try tree["things"].change { $0["list"] = [true, 1.5, "x"] }
    #expect(Self.text(tree).hasPrefix(#"[{"id":1,"size":5,"first":"A","last":"B","list":[true,1.5,"x"]},"#))
  }

  @Test func tables() throws {
    var tree = tree
    try tree.renameTable("nothing", to: "things")
    try tree["nothing"].rename("a", to: "b")
    #expect(tree.tableNames == ["things"])
    try tree.moveRecords(from: "things", to: "red", where: { $0["color"]?.text == "red" }) { $0.remove("color") }
    #expect(tree.tableNames == ["things", "red"])
    #expect(Self.text(tree, "red") == #"[{"id":2}]"#)
    #expect(throws: SnapshotError.self) { try tree.renameTable("red", to: "things") }
    try tree.renameTable("things", to: "items")
    #expect(tree.tableNames == ["red", "items"])
    #expect(tree["items"].name == "items" && tree["items"].count == 1)
    try tree.moveRecords(from: "red", to: "items")
    #expect(Self.text(tree, "items") == #"[{"id":1,"name":"A B","size":"5"},{"id":2}]"#)
    #expect(try tree["items"].records().map { $0["id"]?.integer } == [1, 2])
    tree["items"].values = [7]
    #expect(Self.text(tree, "items") == "[7]")
    #expect(throws: (any Error).self) { try tree["items"].records() }
    #expect(tree.dropTable("items")?.count == 1)
    #expect(tree.dropTable("items") == nil)
    #expect(tree.tableNames == ["red"])
  }

  // Nothing is overwritten by accident.
  @Test func whatIsThereIsNotReplaced() throws {
    var tree = Self.tree([["id": 1, "a": 1, "b": 2]])
    for change: (inout MigrationTree) throws -> Void in [
      { try $0["things"].rename("a", to: "b") },
      { try $0["things"].split("a", into: ["b"]) { [$0] } },
      { try $0["things"].split("a", into: ["c", "d"]) { [$0] } },
    ] {
      let error = #expect(throws: SnapshotError.self) { try change(&tree) }
      #expect([.duplicate, .migrationFailed].contains(error?.code))
      #expect(error?.dataPath == "things[0].a")
    }
    #expect(Self.text(tree) == #"[{"id":1,"a":1,"b":2}]"#)
  }

  // One step is right in every format, whatever substitute a value has there.
  @Test func valuesAreWhatTheyAreAskedFor() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      struct Odd: Record {
        var id = "a\0b"
        var data = Data([1, 2])
        var date = Date(timeIntervalSinceReferenceDate: 0.5)
        var number = Double.nan
        var map = ["\u{1}": true]
        var whole = 3.0
      }
      struct Odds: Model {
        var odds = Table<Odd>()
        static let schema = Schema<Odds>("odds", version: 1, Field("odds", \.odds))
      }
      var odds = Odds()
      try odds.odds.insert(Odd())
      let document = try Document(try SnapshotFile.encode(odds, as: format), limits: ReadLimits())
      let records = try MigrationRun(steps: [], source: document.source).tree(of: document)["odds"].records()
      let record = try #require(records.first)
      #expect(record["id"]?.text == "a\0b")
      #expect(record["data"]?.data == [1, 2])
      #expect(record["date"]?.date == Date(timeIntervalSinceReferenceDate: 0.5))
      #expect(record["number"]?.number?.isNaN == true)
      #expect(record["whole"]?.number == 3)
      #expect(record["map"]?.record?["\u{1}"]?.bool == true)
      #expect(try record["map"]?.decoded(as: [String: Bool].self) == ["\u{1}": true])
      let made = try UntypedValue(encoding: Odd())
      #expect(made.record?.keys == ["id", "data", "date", "number", "map", "whole"])
      #expect(made.record?["date"]?.date == UntypedValue(Odd().date).date)
      #expect(record["missing"] == nil)
      #expect(UntypedValue.null.isNull && UntypedValue.null.text == nil && UntypedValue([1, 2]).array?.count == 2)
    }
  }

  // A step may catch an expected error, and go on with the unchanged table.
  @Test func aChangeThatFailsChangesNothing() throws {
    struct Odd: Error {}
    var tree = Self.tree([["id": 1, "a": 1], ["id": 2, "a": 1, "b": 2]])
    let before = Self.text(tree)
    expectRefusal(.duplicate) { try tree["things"].rename("a", to: "b") }
    #expect(Self.text(tree) == before)
    let error = expectRefusal(.migrationFailed) {
      try tree["things"].change { record in
        record["c"] = 1
        if record["id"]?.integer == 2 { throw Odd() }
      }
    }
    #expect(error?.message == "Odd() at the record with the id “2”")
    #expect(error?.dataPath == "things[1]")
    expectRefusal(.invalidValue) {
      try tree.moveRecords(
        from: "things", to: "others",
        changing: { if $0["b"] != nil { throw SnapshotError(.invalidValue, "no") } })
    }
    #expect(Self.text(tree) == before)
    #expect(tree.tableNames == ["things"])
  }
}
