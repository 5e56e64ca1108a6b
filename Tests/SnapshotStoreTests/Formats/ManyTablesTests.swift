import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A file may name very many tables. A summary knows no schema, and its time must not grow with their square.
@Suite struct ManyTablesTests {
  private static let count = 60_000

  @Test func inJSON() throws {
    let tables = (0..<Self.count).map { "\"t\($0)\":[{}]" }.joined(separator: ",")
    let text = "{\"snapshot\":{\"schema\":\"s\",\"version\":1},\(tables)}"
    let summary = try SnapshotSummary(of: Array(text.utf8))
    #expect(summary.tables.count == Self.count)
    #expect(summary.tables.allSatisfy { $0.count == 1 })
  }

  /// Lines of one table need not be adjacent.
  @Test func inLines() throws {
    let lines = (0..<Self.count).map { "{\"table\":\"t\($0 % (Self.count / 2))\",\"record\":{}}\n" }.joined()
    let text = "{\"snapshot\":{\"schema\":\"s\",\"version\":1}}\n" + lines
    let summary = try SnapshotSummary(of: Array(text.utf8))
    #expect(summary.tables.count == Self.count / 2)
    #expect(summary.tables.allSatisfy { $0.count == 2 })
  }

  /// A large table is read in parts. Where one begins is not looked for behind the end of a table.
  @Test(arguments: [FileFormat.json, .xml]) func smallTablesOfALargeFile(format: FileFormat) throws {
    // The smaller file is not worth the parts.
    let ratio = try ScalingMeter.ratio(900) { count in
      var content = SnapshotContent<UntypedModel>(schema: "s", version: 1)
      for number in 0..<count {
        let record: UntypedRecord = ["id": 1, "text": UntypedValue(String(repeating: "x", count: 500))]
        content[table: "t\(number)"] = UntypedTable(name: "t\(number)", items: [UntypedValue(record).item])
      }
      let bytes = try SnapshotFile.encode(content, as: format)
      return {
        let read = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes, options: ReadOptions(threads: 2))
        #expect(read.names.count == count)
      }
    }
    #expect(ratio < ScalingMeter.limit)
  }
}
