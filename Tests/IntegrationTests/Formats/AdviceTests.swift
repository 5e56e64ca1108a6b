import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The advice of errors is possible, for the model and the reader concerned.
struct AdviceTests {
  struct Size: Codable, Equatable, Sendable { var width: Int }

  struct Thing: Record {
    let id: String
    var must: Bool
    var size: Size
    var other: Size?
  }

  struct Things: Model {
    var items = Table<Thing>()
    static let schema = Schema<Things>("things", version: 3, Field("items", \.items))
  }

  private static func file(_ record: String) -> [UInt8] {
    Array("{\"snapshot\":{\"schema\":\"things\",\"version\":3},\n\"items\":[\n{\(record)}]}".utf8)
  }

  // The most common edits of a type: a new property, and another type.
  @Test func anEditedTypeIsToldWhatToDo() {
    each([
      (
        #""id":"a","size":{"width":1}"#, "items[0]: the key “must” is missing",
        ["make it optional", #"DefaultValue("items", "must", …)"#, "to 4 with a Migration"]
      ),
      (
        #""id":"a","must":true,"size":{}"#, "items[0].size: the key “width” is missing",
        ["make it optional", "to 4 with a Migration"]
      ),
      (
        #""id":"a","must":1,"size":{"width":1}"#, "items[0].must: expected true or false, found an integer",
        ["the type of the property has changed", "to 4 with a Migration"]
      ),
      (
        #""id":"a","must":true,"size":{"width":null}"#, "items[0].size.width: ", ["to 4 with a Migration"]
      ),
    ]) { (record: String, message: String, advice: [String]) in
      let error = #expect(throws: SnapshotError.self) {
        try SnapshotFile.decode(Things.self, from: Self.file(record))
      }
      #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
      for words in advice { #expect(error?.advice?.contains(words) == true, "\(error?.advice ?? "no advice")") }
      if message.contains("size") { #expect(error?.advice?.contains("DefaultValue") != true) }
    }
  }

  // Following the advice helps.
  @Test func theAdviceHelps() throws {
    struct Renewed: Model {
      var items = Table<Thing>()
      static let schema = Schema<Renewed>(
        "things", version: 3,
        Field("items", \.items),
        defaults: [DefaultValue("items", "must", true)])
    }
    let value = try SnapshotFile.decode(Renewed.self, from: Self.file(#""id":"a","size":{"width":1}"#))
    #expect(value.items["a"]?.must == true)
  }

  // The library knows no tool. A tool has words of its own.
  @Test(arguments: ["checksum", "damage"]) func theLibraryNamesItsFunctions(_ fault: String) throws {
    let test = StoreUnderTest()
    var options = StoreOptions(policy: .manual)
    options.generations = Generation.Policy(count: 3, interval: .zero)
    let store = try test.open(Counters.self, options)
    for value in 1...3 {
      try store.write { try $0.set(1, to: value) }
      try store.flushAndWait()
    }
    try store.closeAndWait()
    let text = String(decoding: try #require(test.bytes), as: UTF8.self)
    test.bytes = Array((fault == "checksum" ? text.replacing("\"value\":3", with: "\"value\":4") : "{").utf8)
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self, options) }
    #expect(error?.description.contains("snapshot-cli") == false, "\(error?.description ?? "")")
    #expect(error?.advice?.contains("SnapshotFile.generations(of:)") == true, "\(error?.description ?? "")")
    if fault == "checksum" {
      // The advice works.
      let end = try #require(text.firstIndex(of: "\n"))
      test.bytes = Array(
        "{\"snapshot\":{\(text[text.index(after: end)...])".replacing("\"value\":3", with: "\"value\":4").utf8)
      #expect(try test.open(Counters.self, .readOnly).read { $0.left[1]?.value } == 4)
    }
  }

  @Test func aRefusalOfVeryManyIsShort() {
    let refusal = TransactionRefusal(
      conflicts: (0..<4).map { MergeConflict(table: "notes", id: "\($0)", resolution: .tookOurs) },
      violations: (0..<50_000).map { Violation(place: "notes \($0)", message: "is wrong\u{1B}[2K") })
    let lines = refusal.description.split(separator: "\n")
    #expect(lines.count == 11)
    #expect(lines.first == "notes 0: both changed it")
    #expect(lines[4] == "notes 0: is wrong\\u{1B}[2K")
    #expect(lines.last == "and 49994 more")
    #expect(
      TransactionRefusal(violations: Array(refusal.violations.prefix(10))).description.split(separator: "\n").count
        == 10)
  }
}
