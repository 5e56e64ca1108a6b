import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Refused steps, and the places in their errors.
struct MigrationErrorTests {
  struct Thing: Record {
    let id: String
    var size: Int
  }

  struct Things: Model {
    var things = Table<Thing>()
    static let schema = Schema<Things>(
      "things", version: 3,
      Field("things", \.things),
      migrations: [
        Migration("sizes", to: 3) { tree in
          try tree["things"].retype("size") { value in
            guard let size = value.integer else { throw SnapshotError(.invalidValue, "the size is no integer") }
            return size < 0 ? "negative" : UntypedValue(size * 2)
          }
        }
      ])
  }

  private static func file(_ records: String, version: Int = 2) -> [UInt8] {
    Array("{\"snapshot\":{\"schema\":\"things\",\"version\":\(version)},\n\"things\":[\n\(records)]}".utf8)
  }

  private static func error(_ records: String, version: Int = 2) throws -> SnapshotError? {
    let test = StoreUnderTest()
    let bytes = file(records, version: version)
    test.bytes = bytes
    var options = StoreOptions()
    options.recovery = .salvage
    let error = #expect(throws: SnapshotError.self) { try test.open(Things.self, options) }
    #expect(test.bytes == bytes && test.paths == [test.path] && test.openCount == 0)
    #expect(error?.path == test.path)
    return error
  }

  @Test func aStepThatFailsNamesItselfAndTheRecord() throws {
    let error = try #require(try Self.error("{\"id\":\"a\",\"size\":1},\n{\"id\":\"b\",\"size\":true}"))
    #expect(error.code == .migrationFailed)
    #expect(error.dataPath == "things[1].size")
    #expect(error.position?.line == 4)
    for word in ["“sizes” to version 3", "the id “b”", "the size is no integer"] {
      #expect(error.message.contains(word), "\(error)")
    }
  }

  @Test func whatTheStepsLeaveIsDecodedStrictly() throws {
    let wrong = try #require(try Self.error("{\"id\":\"a\",\"size\":1},\n{\"id\":\"b\",\"size\":-1}"))
    #expect(wrong.code == .invalidValue)
    #expect(wrong.dataPath == "things[1].size")
    #expect(wrong.position?.line == 4)
    #expect(wrong.message.contains("after the migration “sizes”") && wrong.message.contains("the id “b”"), "\(wrong)")
    let missing = try #require(try Self.error("{\"id\":\"a\"}"))
    #expect(missing.code == .missingKey && missing.message.contains("“sizes”"), "\(missing)")
    let twice = try #require(try Self.error("{\"id\":\"a\",\"size\":1},{\"id\":\"a\",\"size\":1}"))
    #expect(twice.code == .duplicate && twice.dataPath == "things[1]", "\(twice)")
  }

  @Test func versionsWithoutAWayAreRefused() throws {
    #expect(try Self.error("", version: 1)?.code == .olderVersion)
    #expect(try Self.error("", version: 4)?.code == .newerVersion)
    let error = try #require(try Self.error("", version: 4))
    #expect(error.message.contains("version 4") && error.message.contains("3"))
    let value = try SnapshotFile.decode(Things.self, from: Self.file("{\"id\":\"a\",\"size\":2}"))
    #expect(value.things["a"]?.size == 4)
    #expect(
      try SnapshotFile.decode(Things.self, from: Self.file("{\"id\":\"a\",\"size\":2}", version: 3)).things["a"]?.size
        == 2)
  }

  @Test func listsWithGapsAreMistakes() {
    each([
      ([1], 1), ([3, 2], 3), ([2, 4], 4), ([2], 3), ([2, 3], 2), ([2, 2, 2, 3, 5], 5),
    ]) { (versions: [Int], version: Int) in
      let steps = versions.enumerated().map { index, version in Migration("\(index)", to: version) { _ in } }
      #expect(steps.problem(upTo: version) != nil)
    }
  }

  @Test func aStepThatIsMissingAtTheEndIsNamed() {
    let steps = [Migration("a", to: 2) { _ in }]
    #expect(steps.problem(upTo: 3) == "the last migration leads to version 2, not to 3: add one to 3")
    #expect(
      steps.problem(upTo: 1) == "the last migration leads to version 2, not to 1: raise the version of the schema")
  }

  @Test func listsThatAreRight() {
    let steps = [3, 3, 4, 5].enumerated().map { index, version in Migration("\(index)", to: version) { _ in } }
    #expect(steps.problem(upTo: 5) == nil)
    #expect([Migration]().problem(upTo: 9) == nil)
    #expect(steps.steps(from: 1) == nil)
    #expect(steps.steps(from: 2)?.map(\.name) == ["0", "1", "2", "3"])
    #expect(steps.steps(from: 4)?.map(\.name) == ["3"])
    let twice = [Migration("a", to: 2) { _ in }, Migration("a", to: 3) { _ in }]
    #expect(twice.problem(upTo: 3) != nil)
    #expect([DefaultValue("a", "b", 1)].problem(in: ["a"]) == nil)
    #expect([DefaultValue("a", "b", 1)].problem(in: ["c"]) != nil)
    #expect([DefaultValue("a", "b", 1), DefaultValue("a", "b", 2)].problem(in: ["a"]) != nil)
  }

  @Test func aSchemaWithAGapTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Schema<Things>(
        "things", version: 3,
        Field("things", \.things),
        migrations: [Migration("a", to: 2) { _ in }])
    }
    await #expect(processExitsWith: .failure) {
      _ = Schema<Things>(
        "things", version: 3,
        Field("things", \.things),
        defaults: [DefaultValue("thing", "size", 1)])
    }
  }
}
