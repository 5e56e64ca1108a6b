import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Files of any schema, read and written without their types.
@Suite struct UntypedModelTests {
  private static let text = """
    {"snapshot":{"schema":"shop","version":7},
    "theme":{"accent":"red","size":12},
    "people":[
    {"id":1,"name":"Ada","tags":["a","b"]},
    {"id":2,"name":"Bo","tags":[]}
    ],
    "empty":[],
    "count":17,
    "articles":[
    {"id":"x","price":9.5}
    ]}

    """

  private static func content(_ text: String = text) throws -> SnapshotContent<UntypedModel> {
    try SnapshotFile.decodeContent(from: Array(text.utf8))
  }

  /// The lines of a file after its checksum.
  private static func body(_ content: SnapshotContent<UntypedModel>) throws -> [Substring] {
    let bytes = try SnapshotFile.encode(content, as: .json)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .map { $0 }
  }

  @Test func aFileOfAnySchemaIsReadInItsOrder() throws {
    let content = try Self.content()
    #expect(content.schemaName == "shop")
    #expect(content.schemaVersion == 7)
    #expect(content.names == ["theme", "people", "empty", "count", "articles"])
    #expect(content.tables.map(\.name) == ["people", "empty", "articles"])
    #expect(content.tables.map(\.count) == [2, 0, 1])
    #expect(content.values.map(\.name) == ["theme", "count"])
    #expect(content[table: "people"]?.values[1].record?["name"]?.text == "Bo")
    #expect(content[value: "count"]?.integer == 17)
    #expect(content[table: "nothing"] == nil)
    #expect(content[value: "people"] == nil)
  }

  @Test func itIsWrittenAsItWas() throws {
    let lines = Self.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    #expect(try Self.body(Self.content()) == [#""schema":"shop","version":7},"#] + lines)
  }

  /// What a program with the types has saved is the same after a way through the untyped content.
  @Test func aSavedFileKeepsItsBytes() {
    each(FileFormat.allCases, SeededGenerator.seeds(6)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let workspace = try Workspace.random(&generator)
      let bytes = try SnapshotFile.encode(workspace, as: format)
      let content = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes)
      #expect(try SnapshotFile.encode(content, as: format) == bytes)
      #expect(content.tables.map(\.name) == ["items", "others"])
      #expect(content.values.map(\.name) == ["theme", "mode", "recent", "selected", "dates", "ratio"])
      #expect(content[value: "recent"]?.array?.map(\.text) == workspace.recent)
      let shelf = try Shelf(random: &generator, count: 20)
      let shelved = try SnapshotFile.encode(shelf, as: format)
      let untyped = try SnapshotFile.decodeContent(UntypedModel.self, from: shelved)
      #expect(try SnapshotFile.encode(untyped, as: format) == shelved)
    }
  }

  @Test func tablesAndValuesCanBeSet() throws {
    var content = try Self.content()
    content[table: "people"] = nil
    content[value: "count"] = 18
    content[table: "articles"]?.append(["id": "y", "price": 1])
    content[table: "new"] = content[table: "articles"]
    content[value: "zero"] = .null
    content[value: "list"] = [1, 2]
    content[value: "gone"] = [1]
    content[value: "gone"] = nil
    #expect(content.names == ["theme", "empty", "count", "articles", "new", "zero", "list"])
    #expect(content[value: "list"]?.array?.count == 2)
    let again: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(
      from: try SnapshotFile.encode(content, as: .json))
    #expect(again.names == content.names)
    #expect(again.values.map(\.name) == ["theme", "count", "zero", "list"])
    #expect(again[table: "new"]?.count == 2)
    #expect(again[value: "count"]?.integer == 18)
  }

  @Test func aDifferenceShowsRecordsAndTheHeader() throws {
    let old = try Self.content()
    let new = try Self.content(
      Self.text.replacing("\"version\":7", with: "\"version\":8").replacing("Bo", with: "Bob"))
    #expect(
      try ModelDifference(from: old, to: new).lines == [
        "~ snapshot", "    version: 7 → 8", "~ people 2", #"    name: "Bo" → "Bob""#,
      ])
    #expect(try ModelDifference(from: old, to: old).isEmpty)
  }

  @Test func twoSidesAreMergedRecordByRecord() throws {
    let base = try Self.content()
    let ours = try Self.content(Self.text.replacing("Bo", with: "Bob"))
    let theirs = try Self.content(
      Self.text.replacing(#"{"id":1,"name":"Ada","#, with: #"{"id":1,"name":"Ada L.","#)
        .replacing("\"count\":17,", with: "\"count\":18,\n\"more\":[{\"id\":1}],"))
    let merged = SnapshotContent.merging(base: base, ours: ours, theirs: theirs)
    #expect(merged.conflicts == [])
    #expect(merged.content.names == ["theme", "people", "empty", "count", "articles", "more"])
    #expect(merged.content.schemaName == "shop")
    #expect(merged.content.schemaVersion == 7)
    #expect(merged.content[table: "people"]?.values.map { $0.record?["name"]?.text } == ["Ada L.", "Bob"])
    #expect(merged.content[value: "count"]?.integer == 18)
  }

  @Test func aDamagedRecordIsTheOnlyLoss() throws {
    let text = Self.text.replacing(
      #"{"id":1,"name":"Ada","tags":["a","b"]}"#, with: #"{"id":1,"name":Ada","tags":["a"]}"#)
    let salvaged = try Salvaged<UntypedModel>(of: Array(text.utf8))
    #expect(salvaged.content.schemaName == "shop")
    #expect(salvaged.content.schemaVersion == 7)
    #expect(salvaged.content[table: "people"]?.count == 1)
    #expect(salvaged.content[table: "articles"]?.count == 1)
    #expect(salvaged.content[value: "count"]?.integer == 17)
    #expect(salvaged.losses.map { $0.table } == ["people"])
    #expect(try SnapshotFile.encode(salvaged.content, as: .json).count > 0)
  }

  /// No name may be invented for a file.
  @Test func aContentWithoutASchemaIsNotWritten() {
    let error = #expect(throws: SnapshotError.self) {
      try SnapshotFile.encode(SnapshotContent(UntypedModel()), as: .json)
    }
    #expect(error?.code == .unencodable)
    #expect(throws: Never.self) {
      try SnapshotFile.encode(SnapshotContent<UntypedModel>(schema: "new", version: 1), as: .json)
    }
  }

  @Test func aChangeKeepsTheOldVersion() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("shop.json")
    try SnapshotFile.create(Array(Self.text.utf8), at: url)
    try SnapshotFile.change(UntypedModel.self, at: url) { content in content[value: "count"] = 18 }
    #expect(try SnapshotFile.readContent(UntypedModel.self, at: url)[value: "count"]?.integer == 18)
    let generation = try #require(try SnapshotFile.generations(of: url).first)
    #expect(try SnapshotFile.readContent(UntypedModel.self, at: generation.url)[value: "count"]?.integer == 17)
  }

  @Test func aStoreNeedsTypes() async {
    await #expect(processExitsWith: .failure) { _ = Store<UntypedModel>() }
  }
}
