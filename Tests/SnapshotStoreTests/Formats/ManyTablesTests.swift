import SnapshotStore
import Testing

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
}
