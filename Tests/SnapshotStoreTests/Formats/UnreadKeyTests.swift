import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A type that never reads what it writes.
struct UnreadKeyTests {
  /// As the compiler decodes `let id = UUID().uuidString`, and `let kind = "habit"`.
  private struct Habit: Record {
    let id: String
    let kind: String
    var name: String

    init(_ name: String) { (id, kind, self.name) = (UUID().uuidString, "habit", name) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(try container.decode(String.self, forKey: .name))
    }

    enum CodingKeys: String, CodingKey { case id, kind, name }
  }

  private struct Habits: Model {
    var habits = Table<Habit>()
    static let schema = Schema<Habits>("habits", version: 1, Field("habits", \.habits))
  }

  @Test(arguments: FileFormat.allCases) func anIDThatIsNeverRead(_ format: FileFormat) throws {
    var habits = Habits()
    try habits.habits.insert(Habit("Walk"))
    let test = StoreUnderTest()
    test.bytes = try SnapshotFile.encode(habits, as: format)
    let before = test.bytes
    let error = #expect(throws: SnapshotError.self) { try test.open(Habits.self, .manual) }
    #expect(error?.code == .invalidValue)
    #expect(error?.message == "Habit never reads “id”, and writes another value")
    #expect(error?.advice?.contains("“var”") == true)
    #expect(error?.dataPath == "habits[0]")
    #expect(test.bytes == before)
  }

  /// A constant has the value of the file.
  @Test func aConstantIsNoMistake() throws {
    let bytes = Array(#"{"snapshot":{"schema":"habits","version":1},"habits":[{"kind":"habit","name":"Walk"}]}"#.utf8)
    let content = try SnapshotFile.decodeContent(Habits.self, from: bytes)
    #expect(content.value.habits.map(\.name) == ["Walk"])
  }
}
