import Foundation
import Testing

@testable import SnapshotCommands
@testable import SnapshotStore
@testable import TestSupport

/// A tool names its commands where the library names its functions.
struct ToolAdviceTests {
  /// What the tool prints for an error of reading a file.
  private func words(_ text: String, at path: String = "a.json") throws -> String {
    let error = try #require(throws: SnapshotError.self) {
      try SnapshotFile.decode(Counters.self, from: Array(text.utf8), path: path)
    }
    return Tool.$runningName.withValue("wall") { CommandFailure(error).message }
  }

  @Test func aRecordThatDoesNotFit() throws {
    let text = try words(#"{"snapshot":{"schema":"counters","version":1},"left":[{"id":1}],"right":[]}"#)
    #expect(text.contains("“wall check a.json --accept”") && text.contains("“wall recover a.json -o OUT”"))
    #expect(!text.contains("Migration"))
  }

  @Test func anotherSchema() throws {
    let text = try words(#"{"snapshot":{"schema":"other","version":1},"left":[],"right":[]}"#)
    #expect(text.contains("“wall info a.json” shows what is in it") && !text.contains("the model whose"))
  }

  @Test func anEdit() throws {
    let file = String(decoding: try SnapshotFile.encode(Counters(), as: .json), as: UTF8.self)
    let text = try words(file.replacing("\"left\":[", with: "\"left\": ["))
    #expect(text.contains("“wall check a.json --accept”") && !text.contains("SnapshotFile"))
  }

  @Test func aKeptVersion() throws {
    let test = StoreUnderTest()
    var options = StoreOptions(policy: .manual)
    options.generations = Generation.Policy(count: 3, interval: .zero)
    let store = try test.open(Counters.self, options)
    for value in 1...3 {
      try store.write { try $0.set(1, to: value) }
      try store.flushAndWait()
    }
    try store.closeAndWait()
    test.bytes = Array("{".utf8)
    let error = try #require(throws: SnapshotError.self) { try test.open(Counters.self, options) }
    let text = Tool.$runningName.withValue("wall") { CommandFailure(error).message }
    #expect(text.contains("was kept: see “wall generations /dir/store.json”.") && !text.contains("StoreOptions"))
  }
}
