import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The header names the key of ids, where that is not `id`. So readers without types find records by their ids.
@Suite struct IDKeyTests {
  private static let keys: [(table: String, key: String?)] = [
    (OddModel.gadgetTable, "serial no."), ("spots", "place"), ("tokens", "token"), ("steps", nil), ("legacy", "name"),
  ]

  private static func untyped(_ model: OddModel, _ format: FileFormat) throws -> SnapshotContent<UntypedModel> {
    try SnapshotFile.decodeContent(from: try SnapshotFile.encode(model, as: format))
  }

  @Test func theHeaderNamesOtherKeys() throws {
    let text = String(decoding: try SnapshotFile.encode(OddModel.sample(), as: .json), as: UTF8.self)
    let header = """
      "schema":"odd","version":3,"values":["recent"],"ids":{"gad gets.\u{E9}":"serial no.",\
      "spots":"place","tokens":"token","steps":null,"legacy":"name"}},
      """
    #expect(text.split(separator: "\n")[1] == header)
    // Records with a key of that name, and tables without records, change nothing in a file.
    let directory = String(decoding: try SnapshotFile.encode(Directory(), as: .json), as: UTF8.self)
    #expect(!directory.contains("ids"))
    #expect(!String(decoding: try SnapshotFile.encode(OddModel(), as: .json), as: UTF8.self).contains("ids"))
  }

  @Test func readersWithoutTypesFindTheIDs() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = try SnapshotFile.encode(OddModel.sample(), as: format)
      let content = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes)
      for (name, key) in Self.keys {
        let table = try #require(content[table: name])
        #expect(table.idKey == key && table.hasNoIDKey == (key == nil))
      }
      // All ways lead to the same bytes, and to the same value.
      for other in FileFormat.allCases {
        let converted = try SnapshotFile.encode(content, as: other)
        #expect(try converted == SnapshotFile.encode(OddModel.sample(), as: other))
        #expect(try SnapshotFile.encode(SnapshotFile.decode(OddModel.self, from: converted), as: format) == bytes)
      }
    }
  }

  /// A key that has the id in the first, in the last and in the next records. `id` comes before others.
  @Test func severalKeysMayHaveTheID() throws {
    struct Pair: Record {
      let id: Int
      var other: Int
      enum CodingKeys: String, CodingKey {
        case other = "a"
        case id = "b"
      }
    }
    struct Pairs: Model {
      var pairs = Table<Pair>()
      static let schema = Schema<Pairs>("pairs", version: 1, Field("pairs", \.pairs))
    }
    var model = Pairs()
    try model.pairs.upsert(Pair(id: 1, other: 1))
    try model.pairs.upsert(Pair(id: 2, other: 5))
    #expect(IDKeySearch.key(of: model.pairs) == .key("b"))
    try model.pairs.upsert(Pair(id: 2, other: 2))
    #expect(IDKeySearch.key(of: model.pairs) == .key("a"))
    // Both keys have the ids of the first and of the last record. The one between them decides.
    try model.pairs.upsert(Pair(id: 2, other: 1))
    try model.pairs.upsert(Pair(id: 3, other: 3))
    #expect(IDKeySearch.key(of: model.pairs) == .key("b"))
  }

  /// A table that a schema does not know keeps its key, through a store and through a merge.
  @Test func anUnknownTableKeepsItsKey() throws {
    struct Less: Model {
      var recent: [String] = []
      static let schema = Schema<Less>("odd", version: 3, Field("recent", \.recent))
    }
    let bytes = try SnapshotFile.encode(OddModel.sample(), as: .json)
    var content = try SnapshotFile.decodeContent(Less.self, from: bytes)
    content.value.recent = []
    let changed = try SnapshotFile.decodeContent(OddModel.self, from: try SnapshotFile.encode(content, as: .binary))
    #expect(changed.value.gadgets == OddModel.sample().gadgets && changed.value.recent.isEmpty)
    let again = try SnapshotFile.decodeContent(UntypedModel.self, from: try SnapshotFile.encode(content, as: .xml))
    #expect(again[table: "spots"]?.idKey == "place")
  }

  @Test func recordsAreComparedAndMergedByTheirIDs() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let base = OddModel.sample()
      var (ours, theirs) = (base, base)
      try ours.gadgets.update(7) { $0.name = "Ours" }
      ours.gadgets.remove(-3)
      try theirs.gadgets.update(8) { $0.name = "Theirs" }
      try theirs.gadgets.upsert(Gadget(50))
      try theirs.spots.update(Spot.Place(x: 1, y: 2)) { $0.label = "new" }
      let difference = try ModelDifference(from: try Self.untyped(base, .json), to: try Self.untyped(theirs, format))
      let typed = try ModelDifference(from: base, to: theirs)
      #expect(difference.records.map(\.id) == ["8", "50", #"{"x":1,"y":2}"#])
      #expect(Set(difference.records.map { $0.idItem.json }) == Set(typed.records.map { $0.idItem.json }))
      let merged = try SnapshotContent.merging(
        base: Self.untyped(base, .json), ours: Self.untyped(ours, format), theirs: Self.untyped(theirs, .binary))
      #expect(merged.conflicts.isEmpty)
      let expected = OddModel.merging(base: base, ours: ours, theirs: theirs)
      #expect(try SnapshotFile.encode(merged.content, as: .json) == SnapshotFile.encode(expected.value, as: .json))
    }
  }

  @Test func aWrongHeaderIsRefused() {
    each([#""ids":7"#, #""ids":{"a":7}"#, #""ids":["a"]"#]) { (member: String) throws in
      let text = #"{"snapshot":{"schema":"x","version":1,\#(member)},"a":[]}"#
      let error = #expect(throws: SnapshotError.self) {
        try SnapshotFile.decodeContent(UntypedModel.self, from: Array(text.utf8))
      }
      #expect(error?.code == .invalidValue)
    }
  }

  /// What is left of a damaged file keeps the key.
  @Test func salvageKeepsTheKey() throws {
    var text = String(decoding: try SnapshotFile.encode(OddModel.sample(), as: .json), as: UTF8.self)
    text = text.replacing(#""name":"Gadget 8""#, with: #""name":"Gadget 8"#)
    let salvaged = try Salvaged<UntypedModel>(of: Array(text.utf8))
    #expect(!salvaged.isComplete)
    #expect(salvaged.content[table: OddModel.gadgetTable]?.idKey == "serial no.")
  }
}
