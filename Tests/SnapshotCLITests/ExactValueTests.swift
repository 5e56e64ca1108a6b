import Foundation
import SnapshotStore
import Testing

@testable import TestSupport

/// What a command stores is what it was given: the same value, or an error and an untouched file.
@Suite struct ExactValueTests {
  let cli: CLI

  init() throws { cli = try CLI() }

  private func write(_ tables: String, to name: String = "a.json") throws {
    try cli.write(#"{"snapshot":{"schema":"t","version":1},"# + "\n" + tables + "}\n", to: name)
  }

  private func refused(_ arguments: [String], input: String = "", _ message: String) throws {
    let before = try cli.bytes("a.json")
    let result = try cli.run(arguments, input: input)
    #expect(result.status == Exit.badData && result.output.isEmpty)
    #expect(result.error.contains(message), "\(result.error)")
    #expect(try cli.bytes("a.json") == before)
  }

  // MARK: Numbers

  /// A number of 17 digits, as C and `plutil` write a `Double`, and one of 19.
  @Test func filesWithLongNumbersAreRead() throws {
    try write(#""p":[{"id":1,"x":65.613616999999977,"y":0.1234567890123456789}]"#)
    #expect(try cli.run("check", "a.json").status == Exit.good)
    #expect(
      try cli.run("rows", "a.json", "p", "--format", "ndjson").output
        == #"{"id":1,"x":65.61361699999998,"y":0.1234567890123456789}"# + "\n")
    #expect(try cli.run("tables", "a.json").output.contains("decimal"))
    #expect(try cli.run("set", "a.json", "p", "1", "x=2").status == Exit.good)
    #expect(try cli.text("a.json").contains(#"{"id":1,"x":2.0,"y":0.1234567890123456789}"#))
    for format in ["xml", "binary", "ndjson", "json"] {
      #expect(try cli.run("convert", "a.json", "b", "--format", format).status == Exit.good)
      #expect(try cli.run("diff", "a.json", "b").status == Exit.good)
      #expect(try cli.run("rows", "b", "p", "--format", "csv").output == "id,x,y\r\n1,2.0,0.1234567890123456789\r\n")
      try FileManager.default.removeItem(at: cli.url("b"))
    }
  }

  @Test func whatADoubleCannotKeepIsRefused() throws {
    try write(#""p":[{"id":1,"price":0.5,"when":"2026-01-01T00:00:00Z"}]"#)
    for (value, message) in [
      ("0.1234567890123456789", "a number that no Double keeps"), ("1e400", "a number that no Double keeps"),
      ("9007199254740993", "9007199254740993 is an integer that no Double keeps"),
      ("18446744073709551617", "no Double keeps"),
    ] {
      try refused(["set", "a.json", "p", "1", "price=\(value)"], message)
      try refused(["put", "a.json", "p"], input: #"{"id":1,"price":\#(value),"when":"2026-01-01T00:00:00Z"}"#, message)
    }
    // What one keeps is taken, however long it is.
    for (text, stored) in [
      ("18446744073709551616", "1.8446744073709552e+19"), ("9007199254740992", "9007199254740992.0"),
    ] {
      #expect(try cli.run("set", "a.json", "p", "1", "price=\(text)").status == Exit.good)
      #expect(try cli.text("a.json").contains(#""price":\#(stored)"#))
    }
    for text in ["NaN", "Infinity", "-Infinity", "soon"] {
      try refused(["set", "a.json", "p", "1", "when=\(text)"], "is a date in every record")
    }
    // With --force it is kept to the last digit.
    #expect(try cli.run("set", "a.json", "p", "1", "price=0.1234567890123456789", "--force").status == Exit.good)
    #expect(try cli.run("get", "a.json", "p", "1").output.contains(#""price":0.1234567890123456789"#))
    // Now some records have such numbers.
    let put = try cli.run(["put", "a.json", "p"], input: #"{"id":2,"price":1e400,"when":"2026-01-01T00:00:00Z"}"#)
    #expect(put.status == Exit.good, "\(put.error)")
  }

  @Test func conditionsCompareLongIntegers() throws {
    let numbers = [
      "100000000000000000000000", "99999999999999991611392", "1e23", "99999999999999991600000",
      "100000000000000000000001",
    ]
    let rows = numbers.enumerated().map { #"{"id":\#($0 + 1),"x":\#($1)}"# }.joined(separator: ",")
    try write(#""p":[\#(rows)]"#)
    func ids(_ options: String...) throws -> [Substring] {
      try cli.run(["rows", "a.json", "p", "--columns", "id", "--format", "csv"] + options).output
        .split(whereSeparator: \.isNewline).dropFirst().map { $0 }
    }
    #expect(try ids("--where", "x == 99999999999999991611392") == ["2", "3"])
    #expect(try ids("--where", "x < 100000000000000000000000") == ["2", "3", "4"])
    #expect(try ids("--sort", "x") == ["4", "2", "3", "1", "5"])
  }

  @Test func conditionsCompareEveryDigit() throws {
    try write(
      #""p":[{"id":1,"x":0.1234567890123456789},{"id":2,"x":0.12345678901234568},{"id":3,"x":9007199254740993.0},{"id":4,"x":9007199254740992},{"id":5,"x":-1e400}]"#
    )
    for (condition, ids) in [
      ("x == 0.1234567890123456789", "1"), ("x > 0.12345678901234568", "1,3,4"), ("x > 9007199254740992", "3"),
      ("x >= 9007199254740992 and x < 9007199254740993", "4"), ("x < -1e399", "5"), ("x == 9007199254740993", "3"),
    ] {
      let output = try cli.run("rows", "a.json", "p", "--where", condition, "--columns", "id", "--format", "csv").output
      #expect(output.split(whereSeparator: \.isNewline).dropFirst().joined(separator: ",") == ids, "\(condition)")
    }
    let sorted = try cli.run("rows", "a.json", "p", "--sort", "x", "--columns", "id", "--format", "csv").output
    // The `Double` is a little less than its digits.
    #expect(sorted.split(whereSeparator: \.isNewline) == ["id", "5", "2", "1", "4", "3"])
  }

  // MARK: Ids

  /// Ids of several parts are in the order of their parts, as the program has them.
  @Test func idsOfSeveralPartsStayInOrder() throws {
    let rows = [1, 2, 3, 10, 11, 12].map { #"{"id":["A",\#($0)],"name":"n"}"# }
    try write(#""p":["# + "\n" + rows.joined(separator: ",\n") + "\n]")
    let put = try cli.run(["put", "a.json", "p"], input: #"{"id":["A",8],"name":"new"}"#)
    #expect(put.output == "added 1 record, changed 0, unchanged 0\n", "\(put.error)")
    let ids = try cli.run("rows", "a.json", "p", "--columns", "id", "--format", "ndjson").output
    #expect(
      ids.split(separator: "\n").map { $0.dropFirst(6).dropLast() }
        == [1, 2, 3, 8, 10, 11, 12].map { #"["A",\#($0)]"# })
  }

  /// Both sides change the same record in different places, and the order of the ids is not that of their text.
  @Test func mergesFindRecordsByTheirIDs() throws {
    func file(_ name: String, _ first: Int, _ change: (Int) -> String) throws {
      let rows = (first...12).map { #"{"id":{"shelf":"A","number":\#($0)},\#(change($0))}"# }
      // As JSON text, 10 is before 2: the order of another program.
      try write(
        #""p":["# + "\n" + (name == "theirs.json" ? rows.reversed() : rows).joined(separator: ",\n") + "\n]", to: name)
    }
    try file("base.json", 1) { _ in #""name":"n","count":1"# }
    try file("a.json", 0) { $0 == 3 ? #""name":"ours","count":1"# : #""name":"n","count":1"# }
    try file("theirs.json", 1) { $0 == 3 ? #""name":"n","count":2"# : #""name":"n","count":1"# }
    let merge = try cli.run("merge", "a.json", "theirs.json", "--base", "base.json")
    #expect(merge.status == Exit.good, "\(merge.output)\(merge.error)")
    #expect(try cli.text("a.json").contains(#"{"id":{"shelf":"A","number":3},"name":"ours","count":2}"#))
    #expect(try cli.text("a.json").contains(#""number":0}"#))
  }

  /// A diary keyed by time, in the JSON of other programs.
  @Test func textIDsThatLookLikeOtherValues() throws {
    var diary = Diary()
    let ids = ["2026-11-21T15:30:00Z", "NaN", "data:;base64,AAEC", "plain", "12"]
    for id in ids { try diary.days.insert(Diary.Day(id: id, text: "old")) }
    try Data(SnapshotFile.encode(diary, as: .json)).write(to: cli.url("a.json"))
    for id in ids {
      #expect(try cli.run("get", "a.json", "days", id).status == Exit.good, "\(id)")
      #expect(try cli.run("get", "a.json", "days", "\"\(id)\"").status == Exit.good, "\(id)")
      let put = try cli.run(["put", "a.json", "days"], input: #"{"id":"\#(id)","text":"new \#(id)"}"#)
      #expect(put.output == "added 0 records, changed 1, unchanged 0\n", "\(put.error)")
    }
    let forced = try cli.run(["put", "a.json", "days", "--force"], input: #"{"id":"\#(ids[0])","text":"forced"}"#)
    #expect(forced.output == "added 0 records, changed 1, unchanged 0\n", "\(forced.error)")
    let read = try SnapshotFile.read(Diary.self, at: cli.url("a.json"))
    #expect(read.days.map(\.text).sorted() == ["forced"] + ids.dropFirst().map { "new \($0)" }.sorted())
    #expect(try cli.run("remove", "a.json", "days", "\"NaN\"").output == "removed 1 record\n")
  }

  struct Diary: Model {
    struct Day: Record {
      let id: String
      var text: String
    }
    var days = Table<Day>()
    static let schema = Schema<Diary>("diary", version: 1, Field("days", \.days))
  }

  // MARK: Names of properties

  /// The names of a difference are those that `set` and `--where` take.
  @Test func namesOfDifferences() throws {
    try write(#""p":[{"id":1,"a":{"":1,"b c":1,"d":{"not":1}},"":1,"x.y":1}]"#)
    try write(#""p":[{"id":1,"a":{"":2,"b c":2,"d":{"not":2}},"":2,"x.y":2}]"#, to: "b.json")
    let diff = try cli.run("diff", "a.json", "b.json", "--json").output
    let names = [#"a[""]"#, #"a["b c"]"#, #"a.d["not"]"#, #"[""]"#, #"["x.y"]"#]
    for name in names {
      let quoted = name.replacing("\"", with: "\\\"")
      #expect(diff.contains(#""name":"\#(quoted)""#), "\(diff)")
      #expect(try cli.run("set", "a.json", "p", "1", "\(name)=2").status == Exit.good)
      #expect(try cli.run("rows", "a.json", "p", "--where", "\(name) == 2", "--count").output == "1\n")
    }
    #expect(try cli.run("diff", "a.json", "b.json").status == Exit.good)
  }
}
