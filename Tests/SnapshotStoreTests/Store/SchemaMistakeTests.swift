import Foundation
import SnapshotStore
import Testing

/// Mistakes in a schema that would lose data in silence.
@Suite struct SchemaMistakeTests {
  struct Thing: Record {
    let id: Int
    var name = ""
  }

  struct Forgetful: Model {
    var things = Table<Thing>()
    var others = Table<Thing>()
    static let schema = Schema<Forgetful>(name: "m", version: 1) { Field("things", \.things) }
  }

  struct Double: Model {
    var things = Table<Thing>()
    var others = Table<Thing>()
    static let schema = Schema<Double>(name: "m", version: 1) {
      Field("things", \.things)
      Field("others", \.things)
    }
  }

  struct Version<Number: VersionNumber>: Model {
    var things = Table<Thing>()
    static var schema: Schema<Version> { Schema(name: "m", version: Number.number) { Field("things", \.things) } }
  }

  protocol VersionNumber: Sendable { static var number: Int { get } }
  enum One: VersionNumber { static let number = 1 }
  enum Two: VersionNumber { static let number = 2 }

  @Test func aTableWithoutAFieldTraps() async {
    await #expect(processExitsWith: .failure) { _ = Store<Forgetful>() }
  }

  @Test func oneTableUnderTwoNamesTraps() async {
    await #expect(processExitsWith: .failure) { _ = Store<Double>() }
  }

  @Test(arguments: FileFormat.allCases) func filesOfOtherVersionsAreRefused(_ format: FileFormat) throws {
    let one = try SnapshotFile.encode(Version<One>(), as: format).bytes
    let two = try SnapshotFile.encode(Version<Two>(), as: format).bytes
    #expect(try SnapshotFile.decode(Version<One>.self, from: one).allViolations() == [])
    let newer = #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Version<One>.self, from: two) }
    #expect(newer?.code == .newerVersion)
    let older = #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Version<Two>.self, from: one) }
    #expect(older?.code == .olderVersion)
  }

  @Test func errorsDescribeThemselvesToFoundation() {
    let error: any Error = SnapshotError(.emptyFile, "the file is empty", advice: "Check FILE.", path: "/a")
    #expect(error.localizedDescription == "/a: the file is empty. Check /a.")
  }
}
