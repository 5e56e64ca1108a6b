import Foundation
import Testing

@testable import SnapshotStore

/// What passes the gate as it is.
struct VerbatimTests {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  /// Each reason is explained in the decision, and used.
  @Test func eachReasonIsExplainedAndUsed() throws {
    let page = try String(
      contentsOf: Self.repository.appending(path: "Docs/Decisions/0071-one-gate.md"), encoding: .utf8)
    let explained = page.split(separator: "\n").filter { $0.hasPrefix("- `") && $0.contains("`: ") }
      .map { String($0.dropFirst(3).prefix { $0 != "`" }) }
    #expect(explained == Verbatim.allCases.map { "\($0)" })
    let store = Self.repository.appending(path: "Sources/SnapshotStore/Store")
    let text = try FileManager.default.contentsOfDirectory(at: store, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    for reason in explained { #expect(text.contains(".\(reason)"), "\(reason)") }
  }
}
