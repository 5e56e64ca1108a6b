import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The header of a file, without the rest of it.
@Suite struct SnapshotHeaderTests {
  @Test func everyFormat() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let content = SnapshotContent<UntypedModel>(schema: "shop", version: 7)
      let header = try SnapshotHeader(of: SnapshotFile.encode(content, as: format))
      #expect(header.format == format)
      #expect(header.schema == "shop" && header.version == 7)
    }
  }

  @Test func theRestMayBeDamaged() {
    each(FileFormat.allCases.filter(\.isText)) { (format: FileFormat) throws in
      var content = SnapshotContent<UntypedModel>(schema: "shop", version: 7)
      content[table: "people"] = UntypedTable(name: "people", items: [Item(.string("Ada"))])
      let bytes = try SnapshotFile.encode(content, as: format).dropLast(20) + [UInt8](repeating: 0xFF, count: 100_000)
      let header = try SnapshotHeader(of: Array(bytes))
      #expect(header.format == format && header.schema == "shop")
    }
  }

  @Test func theHeaderMayBeBehindTheTables() throws {
    let text = #"{"people":["\#(String(repeating: "é", count: 100_000))"],"snapshot":{"schema":"shop","version":7}}"#
    #expect(try SnapshotHeader(of: Array(text.utf8)).format == .json)
    let lines = #"{"snapshot":{"schema":"shop","version":7}}"# + "\n" + #"{"table":"people","record":{"id":1}}"#
    #expect(try SnapshotHeader(of: Array(lines.utf8)).format == .ndjson)
  }

  @Test func aFileWithoutOne() {
    each([("", "emptyFile"), ("{}", "wrongSchema"), ("x", "unknownFormat"), ("[]", "wrongSchema")]) {
      (text: String, code: String) in
      let error = #expect(throws: SnapshotError.self) { try SnapshotHeader(of: Array(text.utf8)) }
      #expect(error?.code.rawValue == code)
    }
  }
}
