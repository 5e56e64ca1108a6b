import Foundation
import Testing

@testable import NotebookTestSupport
@testable import TestSupport

/// The mistakes that `Scripts/explore --flaws` puts back. Their places move with the sources, and a place that is not
/// there any more would prove nothing.
@Suite struct PlantedFlawTests {
  @Test(.enabled(if: Tool("python3") != nil)) func eachPlaceIsThere() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    let copy = FileManager.default.temporaryDirectory.appending(path: "planted-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: copy) }
    try FileManager.default.copyItem(at: root.appending(path: "Sources"), to: copy.appending(path: "Sources"))
    let script = root.appending(path: "Scripts/plant-flaws").path
    let planted = try #require(try Tool("python3")?.run([script, copy.path]))
    #expect(planted.status == 0, "\(planted)")
    #expect(planted.output.split(separator: "\n").count >= 4)
  }
}
