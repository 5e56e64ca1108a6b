import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// Nesting is limited, for reading and for writing alike: everything that can be written can be read again.
@Suite struct DepthTests {
  /// The record's dictionary is at level 3 of a document, its nest at level 4.
  @Test func level64IsReadAndWritten() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let root = try NestModel(depth: 61)
      let bytes = try SnapshotFile.encode(root, as: format)
      #expect(try SnapshotFile.decode(NestModel.self, from: bytes).hasSameRecords(as: root))
      #expect(crafted(61, format) == bytes)
    }
  }

  @Test func level65IsNotWritten() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let error = #expect(throws: SnapshotError.self) { try SnapshotFile.encode(try NestModel(depth: 62), as: format) }
      #expect(error?.code == .unencodable)
      #expect(error?.dataPath?.hasPrefix("items[0].nest") == true)
    }
  }

  /// NDJSON has one level less around a record.
  @Test func level65IsNotRead() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = crafted(format == .ndjson ? 63 : 62, format)
      expectRefusal(of: bytes, as: NestModel.self, .limitExceeded, containing: "nested deeper than 64 levels")
    }
  }

  @Test func aLowerLimitIsKept() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = try SnapshotFile.encode(try NestModel(depth: 10), as: format)
      let error = #expect(throws: SnapshotError.self) {
        try SnapshotFile.decode(NestModel.self, from: bytes, options: ReadOptions(limits: ReadLimits(depth: 5)))
      }
      #expect(error?.code == .limitExceeded)
    }
  }

  /// Containers opened by hand do not pass through the encoder's method for values, but are counted all the same.
  @Test func containersOpenedByHandAreCounted() {
    each(FileFormat.allCases, [true, false]) { (format: FileFormat, isKeyed: Bool) throws in
      var root = HandModel()
      try root.items.insert(HandNest(id: 1, depth: 40, isKeyed: isKeyed))
      let bytes = try SnapshotFile.encode(root, as: format)
      #expect(try SnapshotFile.decode(HandModel.self, from: bytes).hasSameRecords(as: root))
      try root.items.upsert(HandNest(id: 1, depth: 70, isKeyed: isKeyed))
      let error = #expect(throws: SnapshotError.self) { try SnapshotFile.encode(root, as: format) }
      #expect(error?.code == .unencodable)
    }
  }

  /// A readable value must not make every later save fail: a scalar takes no level, whatever its type.
  @Test func aScalarOfAnyTypeFitsAtTheDeepestLevel() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let leaf: Item = [
        "colors": ["red"], "levels": [1], "uuids": ["00000000-0000-0000-0000-000000000000"],
        "gaps": [Item(.null), "x"],
      ]
      // The record is at level 3, the leaf at level 63, its arrays at level 64.
      let record = (0..<30).reduce(leaf) { inner, _ in ["children": [inner]] }.changing(["id": 1])
      let bytes = Crafted.document(["items": [record]], as: format, schema: "trees")
      let root = try SnapshotFile.decode(TreeModel.self, from: bytes)
      #expect(throws: Never.self) { try SnapshotFile.encode(root, as: format) }
    }
  }

  @Test func jsonOf100000LevelsIsRefused() {
    each(["[", "{\"a\":", "[{\"a\":", "[[],"]) { (opening: String) in
      let deep = String(repeating: opening, count: 100_000)
      let header = "{\"snapshot\":{\"schema\":\"notebook\",\"version\":1}"
      for text in [
        "{\"snapshot\":\(deep)", "{\"a\":\(deep)", "\(header),\n\"notes\":[{\"a\":\(deep)",
        "\(header)}\n{\"table\":\"notes\",\"record\":\(deep)",
      ] {
        expectRefusal(of: text, .limitExceeded, containing: "nested deeper than 64 levels")
      }
    }
  }

  /// Foundation's decoder died of exactly this.
  @Test(arguments: [512, 513, 514]) func jsonOf513BracketsIsRefused(count: Int) {
    let brackets = String(repeating: "[", count: count)
    expectRefusal(of: brackets, .wrongSchema, containing: "it holds an array")
    expectRefusal(of: "{\"snapshot\":\(brackets)", .limitExceeded)
  }

  @Test(arguments: ["<array>", "<dict><key>a</key>", "<array><dict/>"])
  func xmlOf100000LevelsIsRefused(opening: String) {
    let deep = String(repeating: opening, count: 100_000)
    let header =
      "<key>snapshot</key><dict><key>schema</key><string>notebook</string><key>version</key><integer>1</integer></dict>"
    for text in [
      "<key>snapshot</key>\(deep)", "<key>a</key>\(deep)",
      "\(header)<key>notes</key><array><dict><key>a</key>\(deep)",
    ] {
      expectRefusal(of: "<plist version=\"1.0\"><dict>\(text)", .limitExceeded, containing: "nested deeper than 64")
    }
  }

  @Test(arguments: [true, false])
  func binaryOf100000LevelsIsRefused(isArray: Bool) {
    for isHeader in [true, false] {
      var list = BinaryList()
      let name = list.text("a")
      var inner = list.add([0xA0])
      for _ in 0..<100_000 { inner = isArray ? list.array([inner]) : list.dictionary([(name, inner)]) }
      let snapshot = list.text("snapshot")
      let top = list.dictionary([(snapshot, inner)])
      let bytes = isHeader ? list.bytes(top: top) : list.document(inner)
      expectRefusal(of: bytes, .limitExceeded, containing: "nested deeper than 64 levels")
    }
  }

  private func crafted(_ depth: Int, _ format: FileFormat) -> [UInt8] {
    let nest = (1..<depth).reduce([] as Item) { inner, _ in [inner] }
    return Crafted.document(["items": [["id": 1, "nest": nest]]], as: format, schema: "nests")
  }
}
