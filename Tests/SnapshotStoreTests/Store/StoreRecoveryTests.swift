import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The steps of recovery: files that are opened in place of a damaged one, and files that are not.
struct StoreRecoveryTests {
  /// A store with a version of each day, whose file is then damaged.
  private static func damaged(_ bytes: String = "{\"snapshot\":") throws -> StoreUnderTest {
    let test = StoreUnderTest()
    let store = try test.open(Counters.self, .manual)
    for value in 1...3 {
      try store.write { try $0.set(1, to: value) }
      try store.flushAndWait()
      test.scheduler.advance(by: .seconds(86_400))
    }
    try store.closeAndWait()
    test.bytes = Array(bytes.utf8)
    return test
  }

  private static func options(_ recovery: Recovery, _ policy: SavePolicy = .manual) -> StoreOptions {
    var options = StoreOptions(policy: policy)
    options.log = { _ in }
    options.recovery = recovery
    return options
  }

  @Test(arguments: ["", "{\"snapshot\":", "nonsense"])
  func nothingIsOpenedUnasked(_ bytes: String) throws {
    let test = try Self.damaged(bytes)
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self) }
    #expect(error?.description.contains("A version of 2026-01-03T00:00:00Z was kept") == true)
    #expect(test.bytes == Array(bytes.utf8))
    #expect(test.paths == [test.path])
    #expect(test.openCount == 0)
  }

  @Test(arguments: [Recovery.generations, .salvage])
  func theNewestGenerationIsOpened(_ recovery: Recovery) throws {
    let test = try Self.damaged()
    let store = try test.open(Counters.self, Self.options(recovery))
    let report = try #require(store.openReport)
    #expect(report.source == .generation(try #require(try test.generations.first)))
    #expect(report.problem?.code == .malformed)
    let damaged = try #require(report.damagedFile)
    #expect(damaged == "/dir/store.damaged-2026-01-04T00.00.00Z.json")
    #expect(test.fileSystem[damaged] == Array("{\"snapshot\":".utf8))
    #expect(store.read { $0.left[1]?.value } == 2)
    // It is in the file already, and the next open finds nothing wrong. The damaged file did not become a generation.
    #expect(try test.stored().left[1]?.value == 2)
    #expect(try test.generations.map(\.number) == [2, 1])
    try store.write { try $0.set(1, to: 5) }
    try store.closeAndWait()
    #expect(try test.open(Counters.self).openReport?.source == .file)
  }

  @Test func damagedGenerationsArePassedOver() throws {
    let test = try Self.damaged()
    let newest = try #require(try test.generations.first)
    test.fileSystem["/dir/.store.json.generations/\(newest.url.lastPathComponent)"] = []
    let store = try test.open(Counters.self, Self.options(.generations))
    #expect(store.read { $0.left[1]?.value } == 1)
    try store.closeAndWait()
  }

  @Test func withoutAReadableGenerationTheErrorIsThatOfTheFile() throws {
    let test = try Self.damaged()
    for generation in try test.generations {
      test.fileSystem["/dir/.store.json.generations/\(generation.url.lastPathComponent)"] = [1]
    }
    let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self, Self.options(.generations)) }
    #expect(error?.path == test.path)
    #expect(test.paths == [test.path])
    #expect(test.openCount == 0)
  }

  @Test func whoOnlyReadsTouchesNothing() throws {
    let test = try Self.damaged()
    let store = try test.open(Counters.self, Self.options(.generations, .readOnly))
    #expect(store.read { $0.left[1]?.value } == 2)
    #expect(store.openReport?.problem != nil)
    #expect(store.openReport?.damagedFile == nil)
    #expect(test.bytes == Array("{\"snapshot\":".utf8))
    #expect(test.paths == [test.path])
  }

  // Another schema, a newer version, a directory, a file that cannot be read: not damage.
  @Test func whatIsNotDamageIsNotRecovered() throws {
    let test = try Self.damaged()
    let newer = "{\"snapshot\":{\"schema\":\"counters\",\"version\":2},\"left\":[],\"right\":[]}"
    let other = "{\"snapshot\":{\"schema\":\"notebook\",\"version\":1},\"notes\":[]}"
    let unknown = "{\"snapshot\":{\"schema\":\"counters\",\"version\":1,\"new\":1},\"left\":[]}"
    for (text, code) in [(newer, SnapshotError.Code.newerVersion), (other, .wrongSchema), (unknown, .unknownKey)] {
      test.bytes = Array(text.utf8)
      let error = #expect(throws: SnapshotError.self) { try test.open(Counters.self, Self.options(.salvage)) }
      #expect(error?.code == code)
      #expect(test.bytes == Array(text.utf8))
    }
    test.fileSystem.injectFault { $0.name == "read" ? EIO : nil }
    #expect(throws: SnapshotError.self) { try test.open(Counters.self, Self.options(.salvage)) }
    #expect(test.paths == [test.path])
  }

  // The last step: no generation can be read, but most records can.
  @Test func whatIsLeftIsSalvaged() throws {
    let test = StoreUnderTest()
    var options = Self.options(.salvage)
    options.generations = .none
    let store = try test.open(Counters.self, options)
    try store.write { for id in 1...9 { try $0.set(id, to: id) } }
    try store.closeAndWait()
    let text = String(decoding: try #require(test.bytes), as: UTF8.self)
    let damaged = Array(text.replacing("{\"id\":5,", with: "{\"id\":5;").utf8)
    test.bytes = damaged
    #expect(throws: SnapshotError.self) { try test.open(Counters.self, Self.options(.generations)) }
    #expect(test.bytes == damaged)

    let salvaged = try test.open(Counters.self, options)
    let report = try #require(salvaged.openReport)
    #expect(report.source == .salvage)
    #expect(report.losses.contains { $0.table == "left" && $0.index == 4 })
    #expect(salvaged.read { $0.left.ids } == [1, 2, 3, 4, 6, 7, 8, 9])
    #expect(test.fileSystem[try #require(report.damagedFile)] == damaged)
    try salvaged.closeAndWait()
    #expect(try test.open(Counters.self).openReport?.source == .file)
  }

  // The damaged file is at its place or under its new name, whichever call fails.
  @Test func everyCallMayFail() throws {
    for number in 1...200 {
      let test = try Self.damaged()
      let before = test.fileSystem.calls.count
      let fileSystem = test.fileSystem
      fileSystem.injectFault { _ in fileSystem.calls.count == before + number ? EIO : nil }
      let store = try? test.open(Counters.self, Self.options(.generations))
      fileSystem.injectFault(nil)
      let kept = test.paths.contains { test.fileSystem[$0] == Array("{\"snapshot\":".utf8) }
      #expect(kept, "call \(number)")
      #expect(test.bytes?.isEmpty == false)
      try store?.closeAndWait()
      if test.fileSystem.calls.count - before < number { return }
      let next = try test.open(Counters.self, Self.options(.generations))
      #expect([1, 2].contains(next.read { $0.left[1]?.value }), "call \(number)")
      try next.closeAndWait()
    }
    Issue.record("there is no end of calls")
  }

  // MARK: The initial value

  @Test(arguments: ["", "{\"snapshot\":", "nonsense"]) func theInitialValueIsOpenedAtLast(_ bytes: String) throws {
    let test = StoreUnderTest()
    test.bytes = Array(bytes.utf8)
    for recovery in [Recovery.none, .generations] {
      #expect(throws: SnapshotError.self) { try test.open(Counters.self, Self.options(recovery)) }
      #expect(test.bytes == Array(bytes.utf8))
    }
    let store = try test.open(Counters.self, Self.options(.initial))
    let report = try #require(store.openReport)
    #expect(store.read { $0.left.isEmpty } && report.problem?.meansDamage == true)
    #expect(report.source == .initial || report.source == .salvage)
    #expect(test.fileSystem[try #require(report.damagedFile)] == Array(bytes.utf8))
    try store.write { try $0.set(1, to: 1) }
    try store.closeAndWait()
    #expect(try test.open(Counters.self).openReport?.source == .file)
    #expect(try test.stored().left[1]?.value == 1)
  }

  // More can be read in every other way.
  @Test func theInitialValueIsTheLastResort() throws {
    let test = try Self.damaged()
    let store = try test.open(Counters.self, Self.options(.initial))
    #expect(store.read { $0.left[1]?.value } == 2)
    #expect(store.openReport?.source == (try test.generations.first).map { .generation($0) })
    try store.closeAndWait()
  }

  // A file of another program is no damaged one, and neither is one that this program does not understand.
  @Test(arguments: [
    #"{"snapshot":{"schema":"others","version":1},"left":[],"right":[]}"#,
    #"{"snapshot":{"schema":"counters","version":9},"left":[],"right":[]}"#,
    #"{"snapshot":{"schema":"counters","version":1},"left":[{"id":1}],"right":[]}"#,
    #"{"snapshot":{"schema":"others","version":1},"left":[],"right":["#,
    "[1]",
  ]) func theInitialValueReplacesNoOtherFile(_ text: String) throws {
    let test = StoreUnderTest()
    test.bytes = Array(text.utf8)
    #expect(throws: SnapshotError.self) { try test.open(Counters.self, Self.options(.initial)) }
    #expect(test.bytes == Array(text.utf8) && test.paths == [test.path])
  }

  // A store that only reads leaves the file as it is.
  @Test func theInitialValueIsOpenedForReading() throws {
    let test = StoreUnderTest()
    test.bytes = Array("nonsense".utf8)
    let store = try test.open(Counters.self, Self.options(.initial, .readOnly))
    #expect(store.openReport?.source == .initial && store.openReport?.damagedFile == nil)
    #expect(test.bytes == Array("nonsense".utf8))
  }

  // The journal beside the file has the changes since.
  @Test func theJournalIsTakenOverTheInitialValue() throws {
    let test = StoreUnderTest()
    var options = Self.options(.initial)
    options.journal = .beside()
    let store = try test.open(Counters.self, options)
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    try store.write { try $0.set(2, to: 2) }
    try store.flushAndWait()
    let disk = test.fileSystem.copyOfFiles()
    disk[test.path] = Array("nonsense".utf8)
    let next = try Store<Counters>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: ManualScheduler())
    #expect(next.openReport?.source == .initial)
    #expect(next.read { $0.left.map(\.id) } == [1, 2])
  }
}
