import Foundation
import Testing

@testable import SnapshotCommands
@testable import SnapshotStore
@testable import SnapshotStoreTesting
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

  /// No command repairs a line of a journal.
  @Test func aRecordOfALine() throws {
    let test = StoreUnderTest()
    let options = StoreOptions(policy: .manual, journal: .beside())
    let store = try test.open(BareCounters.self, options)
    try store.flushAndWait(folding: true)
    try store.write { try $0.left.insert(BareCounters.Counter(id: 2)) }
    try store.flushAndWait()
    let disk = test.fileSystem.copyOfFiles()
    try store.closeAndWait()
    let error = try #require(throws: SnapshotError.self) {
      try Store<Counters>.open(
        at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: ManualScheduler())
    }
    let text = Tool.$runningName.withValue("wall") { CommandFailure(error).message }
    #expect(text.contains("move the journal away") && !text.contains("“wall"))
  }

  /// The word for a file is replaced in advice of the tool only.
  @Test func aPropertyWithALargeName() throws {
    let error = #expect(throws: SnapshotError.self) {
      let text = #"{"snapshot":{"schema":"profiles","version":1},"users":[{"id":1}]}"#
      _ = try SnapshotFile.decode(Profiles.self, from: Array(text.utf8), path: "a.json")
    }
    #expect(error?.description.contains("DefaultValue(\"users\", \"PROFILE\"") == true)
  }

  /// The counters of a program that forgot their values.
  private struct BareCounters: Model {
    var left = Table<Counter>()
    var right = Table<Counter>()
    static let schema = Schema<BareCounters>(
      "counters", version: 1, Field("left", \.left), Field("right", \.right))

    struct Counter: Record {
      let id: Int
    }
  }

  private struct Profiles: Model {
    var users = Table<User>()
    static let schema = Schema<Profiles>("profiles", version: 1, Field("users", \.users))

    struct User: Record {
      let id: Int
      var PROFILE: String
    }
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
