import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotStore
@testable import TestSupport

/// Foundation's coders as a second opinion. They read our files, and we read theirs, for values that both can hold.
@Suite struct FoundationAgreementTests {
  /// A snapshot as a plain `Codable` type.
  struct File<Row: Codable & Sendable>: Codable, Sendable {
    struct Header: Codable {
      var checksum: UInt32?
      var schema: String
      var version: Int
    }

    var snapshot = Header(schema: "common", version: 1)
    var items: [Row] = []
  }

  @Test func foundationReadsOurJSON() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) throws in
      let root = try CommonModel(seed: seed, format: .json)
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      decoder.dataDecodingStrategy = .custom { decoder in
        let text = try decoder.singleValueContainer().decode(String.self)
        return try #require(Data(base64Encoded: text.replacing("data:;base64,", with: "", maxReplacements: 1)))
      }
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
      let encoded = try SnapshotEncoding(of: root, as: .json, threads: 1)
      let file = try decoder.decode(File<Common>.self, from: Data(try #require(encoded.bytes.array())))
      #expect(file.snapshot.checksum == encoded.checksum)
      expectExactly(file.items, Array(root.items))
      let lines = try SnapshotFile.encode(root, as: .ndjson).split(separator: UInt8(ascii: "\n")).dropFirst(2)
      let records = try lines.map { try decoder.decode(Line.self, from: Data($0)).record }
      expectExactly(records, Array(root.items))
    }
  }

  private struct Line: Decodable {
    let table: String
    let record: Common
  }

  @Test func foundationReadsOurPropertyLists() {
    each([FileFormat.xml, .binary], SeededGenerator.seeds(4)) { (format: FileFormat, seed: UInt64) throws in
      let root = try CommonModel(seed: seed, format: format)
      let encoded = try SnapshotEncoding(of: root, as: format, threads: 1)
      let file = try PropertyListDecoder().decode(File<Common>.self, from: Data(try #require(encoded.bytes.array())))
      #expect(file.snapshot.checksum == encoded.checksum)
      expectExactly(file.items, Array(root.items))
    }
  }

  @Test func weReadFoundationsJSON() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) throws in
      let root = try CommonModel(seed: seed, format: .json)
      let file = File(items: Array(root.items))
      for formatting in [[], [.prettyPrinted], [.sortedKeys, .withoutEscapingSlashes]] as [JSONEncoder.OutputFormatting]
      {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        encoder.dateEncodingStrategy = .iso8601
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
          positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        let decoded = try SnapshotFile.decode(CommonModel.self, from: Array(try encoder.encode(file)))
        expectExactly(decoded.allRecords, root.allRecords)
      }
    }
  }

  @Test func weReadFoundationsPropertyLists() {
    each([FileFormat.xml, .binary], SeededGenerator.seeds(4)) { (format: FileFormat, seed: UInt64) throws in
      let root = try CommonModel(seed: seed, format: format)
      let encoder = PropertyListEncoder()
      encoder.outputFormat = format == .xml ? .xml : .binary
      var bytes = Array(try encoder.encode(File(items: Array(root.items))))
      // Foundation writes a carriage return verbatim, which XML reads as a line feed.
      if format == .xml { bytes = bytes.flatMap { $0 == 0x0D ? Array("&#13;".utf8) : [$0] } }
      #expect(try SnapshotSummary(of: bytes).format == format)
      expectExactly(try SnapshotFile.decode(CommonModel.self, from: bytes).allRecords, root.allRecords)
    }
  }

  /// Types that Foundation's coders treat specially. In a property list a decimal is a dictionary of its parts, which
  /// is not read here.
  @Test func weReadFoundationsSpecialTypes() throws {
    var row = Special(
      id: 1, url: URL(string: "https://example.org/a?b=c")!, decimals: [0, 1, 0.5, -12345.678, Decimal(UInt64.max)],
      floats: [.leastNormalMagnitude, .greatestFiniteMagnitude, 0.1], large: 1e22)
    try expect(row) { try JSONEncoder().encode($0) }
    row.decimals = []
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = format
      try expect(row) { try encoder.encode($0) }
    }
  }

  /// Foundation writes `-0.0` as `-0`, and reads it as such.
  @Test func minusZeroWithoutAPointIsANumberToo() throws {
    let header = "\"snapshot\":{\"schema\":\"special\",\"version\":1}"
    let record = "{\"id\":0,\"url\":\"a\",\"decimals\":[],\"floats\":[-0,0],\"large\":-0}"
    let root = try SnapshotFile.decode(
      SpecialModel.self, from: Array("{\(header),\"items\":[\(record)]}".utf8))
    let row = try #require(root.items.first)
    #expect(row.large.sign == .minus && row.floats.map(\.sign) == [.minus, .plus])
  }

  /// Foundation writes a decimal as a number of up to 38 digits. It may be refused, but not silently rounded.
  @Test(arguments: ["0.1234567890123456789", "-12345678901234567890.5", "1234567890.12345678901234567890123456789"])
  func aDecimalOfManyDigitsIsNotRounded(text: String) throws {
    let decimal = try #require(Decimal(string: text))
    let row = Special(id: 1, url: URL(string: "a")!, decimals: [decimal], floats: [], large: 0)
    var file = File(items: [row])
    file.snapshot.schema = "special"
    let bytes = Array(try JSONEncoder().encode(file))
    guard let decoded = try? SnapshotFile.decode(SpecialModel.self, from: bytes) else { return }
    #expect(decoded.items.first?.decimals == [decimal])
  }

  private func expect(_ row: Special, _ encode: (File<Special>) throws -> Data) throws {
    var root = SpecialModel()
    try root.items.insert(row)
    var file = File(items: [row])
    file.snapshot.schema = "special"
    let decoded = try SnapshotFile.decode(SpecialModel.self, from: Array(try encode(file)))
    expectExactly(decoded.allRecords, root.allRecords)
  }

  private struct Special: Record {
    let id: Int
    var url: URL
    var decimals: [Decimal]
    var floats: [Float]
    var large: Double
  }

  private struct SpecialModel: Model {
    var items = Table<Special>()
    static let schema = Schema<SpecialModel>("special", version: 1, Field("items", \.items))
  }
}
