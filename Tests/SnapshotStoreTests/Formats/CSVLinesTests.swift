import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Lines of CSV, and the records of any table in them.
struct CSVLinesTests {
  private func lines(_ text: String) throws(SnapshotError) -> (titles: [String], rows: [[String]], numbers: [Int]) {
    var lines = try CSVLines(reading: Array(text.utf8))
    var rows: [[String]] = []
    var numbers: [Int] = []
    while let fields = try lines.next() {
      rows.append(fields.map(\.text))
      numbers.append(lines.line)
    }
    #expect(try lines.next() == nil)
    return (lines.titles.map(\.text), rows, numbers)
  }

  @Test func titlesAndLines() throws {
    let read = try lines("\u{FEFF}\n\na,b\r\n\n1,\"x\ny\"\r\n\n'=1,\"\"\n")
    #expect(read.titles == ["a", "b"])
    #expect(read.rows == [["1", "x\ny"], ["=1", ""]])
    #expect(read.numbers == [5, 8])
    #expect(try lines("a").rows == [])
  }

  @Test func faultsHaveTheirPlace() {
    each(
      [
        ("", SnapshotError.Code.emptyFile, nil), ("\n\n", .emptyFile, nil), ("a,b\n1\n", .malformed, [2, 1]),
        ("a,b\n1,2\n\n1,2,3\n", .malformed, [4, 5]), ("a\n\"x\n", .malformed, [2, 1]),
      ] as [(String, SnapshotError.Code, [Int]?)]
    ) { (text, code, place) throws in
      let error = #expect(throws: SnapshotError.self) { try lines(text) }
      #expect(error?.code == code, "\(error as Any)")
      #expect(error?.position.map { [$0.line ?? 0, $0.column ?? 0] } == place, "\(error as Any)")
    }
  }

  @Test func nothingFollowsAFault() throws {
    var lines = try CSVLines(reading: Array("a,b\n1\n1,2\n".utf8))
    #expect(throws: SnapshotError.self) { try lines.next() }
    #expect(try lines.next() == nil)
  }

  // MARK: Tables

  /// Every kind of property, with awkward values: texts like numbers, dates without a calendar, empty and missing ones.
  @Test(arguments: SeededGenerator.seeds(4)) func everyRecordComesBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = try Table((0..<40).map { Awkward(id: $0, random: &random) })
    for records in [
      try Table<Awkward>.records(csv: try table.csv()), try Table<Awkward>.records(ndjson: try table.ndjson()),
    ] {
      #expect(records.count == 40)
      for (found, record) in zip(records, table) { expectExactly(found, record, "\(record.id)") }
    }
    let csv = String(decoding: try table.csv(), as: UTF8.self)
    #expect(csv.hasPrefix("id,text,truth,"))
  }

  @Test func theFormIsSimple() throws {
    let table = try Table([
      Person(id: 1, name: "=Ada, \"the\" first", age: 36, nick: nil, tags: ["a"], seen: nil),
      Person(id: 2, name: "12", age: -1, nick: "", tags: [], seen: Date(timeIntervalSinceReferenceDate: 0)),
    ])
    #expect(
      String(decoding: try table.csv(), as: UTF8.self) == """
        id,name,age,tags,nick,seen\r
        1,"'=Ada, ""the"" first",36,"[""a""]",,\r
        2,12,-1,[],"",2001-01-01T00:00:00Z\r

        """)
    #expect(
      String(decoding: try table.ndjson(), as: UTF8.self).hasPrefix(
        #"{"id":1,"name":"=Ada, \"the\" first","age":36,"tags":["a"]}"#))
    #expect(try Table<Person>.records(csv: table.csv()) == Array(table))
    #expect(try Table<Person>().csv() == [] && Table<Person>().ndjson() == [])
  }

  /// A spreadsheet drops quotes, columns change places, and a missing column is a missing value.
  @Test func aSpreadsheetMayRewriteIt() throws {
    let text = "tags,name,id,age\n[],,3,7\n\"[\"\"x\"\"]\",'+1,4,8\n"
    #expect(
      try Table<Person>.records(csv: Array(text.utf8)) == [
        Person(id: 3, name: "", age: 7, nick: nil, tags: [], seen: nil),
        Person(id: 4, name: "+1", age: 8, nick: nil, tags: ["x"], seen: nil),
      ])
  }

  @Test func wrongRecordsHaveTheirLine() {
    each(
      [
        ("id,name,age,tags\n1,a,2,[]\n2,b,old,[]\n", SnapshotError.Code.invalidValue, "3:5"),
        ("id,name,tags\n1,a,[]\n", .missingKey, "2:1"), ("id,name,age,tags,x\n1,a,2,[],3\n", .unknownKey, "2:10"),
        ("id,name,age,tags\n1,a,2,\"[1]\"\n", .invalidValue, "2:7"), ("id,name,age,tags,id\n", .duplicate, "1:18"),
        ("id,name,age,tags\n,a,2,[]\n", .invalidValue, "2:1"),
      ] as [(String, SnapshotError.Code, String)]
    ) { (text, code, place) throws in
      let error = #expect(throws: SnapshotError.self) {
        try Table<Person>.records(csv: Array(text.utf8), path: "people.csv")
      }
      #expect(error?.code == code, "\(error as Any)")
      #expect(error?.description.hasPrefix("people.csv:\(place) ") == true, "\(error as Any)")
    }
    let error = #expect(throws: SnapshotError.self) {
      try Table<Person>.records(ndjson: Array("\n{\"id\":1,\"name\":2}\n".utf8), path: "people.ndjson")
    }
    #expect(error?.description.hasPrefix("people.ndjson:2:16 ") == true, "\(error as Any)")
  }

  private struct Person: Record {
    let id: Int
    var name: String
    var age: Int
    var nick: String?
    var tags: [String]
    var seen: Date?

    // The optional ones last, so that the order of the columns shows that they come from all records.
    private enum CodingKeys: CodingKey { case id, name, age, tags, nick, seen }
  }
}
