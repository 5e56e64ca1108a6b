import Foundation
import SnapshotStore
import Synchronization
import Testing

@testable import TestSupport

/// Mistakes in a schema that would silently lose data.
@Suite struct SchemaMistakeTests {
  struct Thing: Record {
    let id: Int
    var name = ""
  }

  struct Forgetful: Model {
    var things = Table<Thing>()
    var others = Table<Thing>()
    static let schema = Schema<Forgetful>("m", version: 1, Field("things", \.things))
  }

  struct Double: Model {
    var things = Table<Thing>()
    var others = Table<Thing>()
    static let schema = Schema<Double>("m", version: 1, Field("things", \.things), Field("others", \.things))
  }

  struct Inner: Sendable {
    var things = Table<Thing>()
    var drafts = Table<Thing>()
  }

  /// As many fields as tables that are stored in the model itself, but not the same ones.
  struct Hiding: Model {
    var inner = Inner()
    var forgotten = Table<Thing>()
    static let schema = Schema<Hiding>(
      "m", version: 1,
      Field("things", \.inner.things),
      Field("drafts", \.inner.drafts))
  }

  struct Nested: Model {
    var inner = Inner()
    static let schema = Schema<Nested>("m", version: 1, Field("things", \.inner.things))
  }

  struct Optionally: Model {
    var things = Table<Thing>()
    var inner: Inner? = Inner()
    static let schema = Schema<Optionally>("m", version: 1, Field("things", \.things))
  }

  struct Missing: Model {
    var things = Table<Thing>()
    var spare: Table<Thing>?
    static let schema = Schema<Missing>("m", version: 1, Field("things", \.things))
  }

  struct Shards: Model {
    var shards = [Table<Thing>(), Table<Thing>()]
    static let schema = Schema<Shards>("m", version: 1, Field("first", \.shards[0]))
  }

  final class Box: Sendable {
    let drafts = Table<Thing>()
    let lock = Mutex(0)
  }

  struct Boxed: Model {
    var things = Table<Thing>()
    var box = Box()
    static let schema = Schema<Boxed>("m", version: 1, Field("things", \.things))
  }

  /// All tables have one node, as long as the model is empty.
  struct Sharing: Model {
    var things: Table<Thing>
    var others: Table<Thing>
    var more: Table<Thing>
    init() {
      let empty = Table<Thing>()
      (things, others, more) = (empty, empty, empty)
    }
    static let schema = Schema<Sharing>("m", version: 1, Field("things", \.things), Field("more", \.more))
  }

  struct Twice: Model {
    var inner = Inner()
    var things: Table<Thing> {
      get { inner.things }
      set { inner.things = newValue }
    }
    static let schema = Schema<Twice>(
      "m", version: 1,
      Field("things", \.things),
      Field("drafts", \.inner.drafts),
      Field("others", \.inner.things))
  }

  /// Every table has its field: in a structure, in an array, in a computed property, and several made from one.
  struct Complete: Model {
    var inner = Inner()
    var shards = [Table<Thing>(), Table<Thing>()]
    private var hidden = Table<Thing>()
    var visible: Table<Thing> {
      get { hidden }
      set { hidden = newValue }
    }
    init() { inner.drafts = inner.things }
    static let schema = Schema<Complete>(
      "m", version: 1,
      Field("things", \.inner.things),
      Field("drafts", \.inner.drafts),
      Field("first", \.shards[0]),
      Field("second", \.shards[1]),
      Field("visible", \.visible))
  }

  struct Version<Number: VersionNumber>: Model {
    var things = Table<Thing>()
    static var schema: Schema<Version> { Schema("m", version: Number.number, Field("things", \.things)) }
  }

  protocol VersionNumber: Sendable { static var number: Int { get } }
  enum One: VersionNumber { static let number = 1 }
  enum Two: VersionNumber { static let number = 2 }

  @Test func aTableWithoutAFieldTraps() async {
    await #expect(processExitsWith: .failure) { _ = Store<Forgetful>() }
  }

  /// Before anything is read or written.
  @Test func aTableWithoutAFieldTrapsWhereAFileIsOpened() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Store<Forgetful>.open(at: URL(fileURLWithPath: "/no/such/folder/m.json"))
    }
    expect(["Forgetful", "“others”"], in: result)
  }

  @Test func oneTableUnderTwoNamesTraps() async {
    await #expect(processExitsWith: .failure) { _ = Store<Double>() }
  }

  /// A store of the model must trap with a message that contains all the words.
  func expect(_ words: [String], in result: ExitTest.Result?) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for word in words { #expect(text.contains(word), "\(text)") }
  }

  @Test func aForgottenTableIsFoundBesideNestedOnes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Store<Hiding>() }
    expect(["Hiding", "“forgotten”", "never be saved"], in: result)
  }

  @Test func aNestedTableWithoutAFieldTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Store<Nested>() }
    expect(["“inner.drafts”"], in: result)
  }

  @Test func tablesInOptionalsTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Store<Optionally>()
    }
    expect(["“inner.things”", "“inner.drafts”"], in: result)
    let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Store<Missing>()
    }
    expect(["“spare”"], in: missing)
  }

  @Test func tablesInArraysAndClassesTrap() async {
    let shards = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Store<Shards>() }
    expect(["“shards[1]”"], in: shards)
    let boxed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Store<Boxed>() }
    expect(["“box.drafts”"], in: boxed)
  }

  @Test func tablesThatBeginAsOneAreCounted() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Store<Sharing>() }
    expect(["“things”", "“others”", "“more”", "2 fields"], in: result)
  }

  @Test func oneTableByTwoPathsTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Store<Twice>() }
    expect(["“things”", "“others”", "one table"], in: result)
  }

  @Test func aCompleteSchemaIsTaken() throws {
    let store = Store<Complete>()
    try store.write { _ = try $0.visible.upsert(Thing(id: 1)) }
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func filesOfOtherVersionsAreRefused() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let one = try SnapshotFile.encode(Version<One>(), as: format)
      let two = try SnapshotFile.encode(Version<Two>(), as: format)
      #expect(try SnapshotFile.decode(Version<One>.self, from: one).allViolations() == [])
      let newer = #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Version<One>.self, from: two) }
      #expect(newer?.code == .newerVersion)
      let older = #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Version<Two>.self, from: one) }
      #expect(older?.code == .olderVersion)
    }
  }

  @Test func errorsDescribeThemselvesToFoundation() {
    let error: any Error = SnapshotError(.emptyFile, "the file is empty", advice: "Check it.", path: "/a")
    #expect(error.localizedDescription == "/a: the file is empty. Check it.")
  }
}
