import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Single values in merges with external changes: stale writers, several merge bases, unknown keys, background blocks.
@Suite(.timeLimit(.minutes(30))) struct SingleValueMergeTests {
  private static func open(_ test: StoreUnderTest) throws -> Store<Workspace> {
    var options = StoreOptions(policy: .manual)
    options.externalChanges = .merge
    options.generations = Generation.Policy(count: 0)
    options.log = { _ in }
    return try test.open(Workspace.self, options)
  }

  /// A store that has saved its theme twice, and the content of the file in between.
  private static func storeAndOlderVersion(
    _ test: StoreUnderTest
  ) throws -> (store: Store<Workspace>, older: Workspace) {
    let store = try open(test)
    try store.write { $0.theme.accent = "as it was at first" }
    try store.flushAndWait()
    let older = try test.stored(Workspace.self)
    try store.write { $0.theme.accent = "saved by the store" }
    try store.flushAndWait()
    return (store, older)
  }

  private static func write(_ value: Workspace, _ test: StoreUnderTest) throws {
    test.bytes = try SnapshotFile.encode(value, as: .json)
  }

  // MARK: Stale writers

  // The older accent in theirs identifies its base, so ours is not a change that theirs has reverted.
  @Test func aStaleWriterChangesAnotherProperty() async throws {
    let test = StoreUnderTest()
    var (store, older) = try Self.storeAndOlderVersion(test)
    older.theme.name = "dark, by a script"
    try Self.write(older, test)
    let theirs = test.bytes
    guard case .merged(let outcome, let kept?)? = await store.checkFile(), outcome.repaired == [] else {
      return #expect(Bool(false))
    }
    let conflicts = outcome.conflicts
    #expect(
      conflicts == [MergeConflict(table: "theme", id: "", properties: ["accent"], resolution: .tookOursOverOlder)])
    #expect(test.fileSystem[kept] == theirs)
    try await store.close()
    let stored = try test.stored(Workspace.self)
    #expect(stored.theme.accent == "saved by the store" && stored.theme.name == "dark, by a script")
    #expect(stored.allViolations() == [])
  }

  /// A conflict of one property does not hide what was kept of another one.
  @Test func eachPropertyIsTold() async throws {
    let test = StoreUnderTest()
    var (store, older) = try Self.storeAndOlderVersion(test)
    older.theme.name = "dark, by a script"
    try Self.write(older, test)
    try store.write { $0.theme.name = "dark, here" }
    guard case .merged(let outcome, _?)? = await store.checkFile() else { return #expect(Bool(false)) }
    let told = outcome.conflicts.map { ($0.properties, $0.resolution) }
    #expect(told.map(\.0) == [["name"], ["accent"]] && told.map(\.1) == [.tookOurs, .tookOursOverOlder], "\(told)")
    try await store.close()
    #expect(try test.stored(Workspace.self).theme.accent == "saved by the store")
  }

  /// The same for two properties that only a merge from the newest version has in conflict.
  @Test func eachPropertyOfAnOlderVersionIsTold() async throws {
    let test = StoreUnderTest()
    let store = try Self.open(test)
    try store.write { $0.theme.accent = "as it was at first" }
    try store.flushAndWait()
    var older = try test.stored(Workspace.self)
    try store.write { ($0.theme.accent, $0.theme.name) = ("saved by the store", "the first name") }
    try store.flushAndWait()
    older.recent = ["written by a script"]
    try Self.write(older, test)
    try store.write { $0.theme.name = "the second name" }
    guard case .merged(let outcome, _?)? = await store.checkFile() else { return #expect(Bool(false)) }
    let told = outcome.conflicts.filter { $0.table == "theme" }.flatMap(\.properties)
    #expect(told.sorted() == ["accent", "name"], "\(outcome.conflicts)")
    try await store.close()
  }

  @Test func aStaleWriterChangesAnotherValue() async throws {
    let test = StoreUnderTest()
    var (store, older) = try Self.storeAndOlderVersion(test)
    older.recent = ["written by a script"]
    try Self.write(older, test)
    _ = await store.checkFile()
    try await store.close()
    let stored = try test.stored(Workspace.self)
    #expect(stored.theme.accent == "saved by the store" && stored.recent == ["written by a script"])
    #expect(stored.allViolations() == [])
  }

  @Test func anOlderVersionAsItWasIsKeptAside() async throws {
    let test = StoreUnderTest()
    let (store, older) = try Self.storeAndOlderVersion(test)
    try Self.write(older, test)
    guard case .merged(let outcome, let kept?)? = await store.checkFile(), outcome.repaired == [] else {
      return #expect(Bool(false))
    }
    let conflicts = outcome.conflicts
    #expect(
      conflicts == [MergeConflict(table: "theme", id: "", properties: ["accent"], resolution: .tookOursOverOlder)])
    let aside = try SnapshotFile.decode(Workspace.self, from: #require(test.fileSystem[kept]))
    #expect(aside.isStoredLike(older))
    try await store.close()
    #expect(try test.stored(Workspace.self).theme.accent == "saved by the store")
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func aCurrentWriterChangesOnlyAValue() async throws {
    let test = StoreUnderTest()
    let (store, _) = try Self.storeAndOlderVersion(test)
    var theirs = try test.stored(Workspace.self)
    theirs.theme.size = 30
    try Self.write(theirs, test)
    try store.write { $0.theme.name = "dark" }
    guard case .merged(let outcome, nil)? = await store.checkFile(), outcome.conflicts == [], outcome.repaired == []
    else { return #expect(Bool(false)) }
    try await store.close()
    let theme = try test.stored(Workspace.self).theme
    #expect(theme == Workspace.Theme(name: "dark", accent: "saved by the store", size: 30))
    #expect(store.snapshot().value.allViolations() == [])
  }

  // MARK: Several merge bases

  @Test func withSeveralBasesWhatDiffersFromAnyIsChanged() {
    var (first, second) = (Workspace(), Workspace())
    first.theme.name = "first"
    second.theme.name = "second"
    var (ours, theirs) = (second, first)
    theirs.theme.size = 20
    ours.selected = 1
    let merge = Workspace.merging(bases: [first, second], ours: ours, theirs: theirs)
    #expect(merge.value.theme.name == "second" && merge.value.theme.size == 20 && merge.value.selected == 1)
    #expect(merge.conflicts == [MergeConflict(table: "theme", id: "", properties: ["name"], resolution: .tookOurs)])
    theirs.selected = 2
    let base = Workspace.merging(bases: [first, second], ours: ours, theirs: theirs, policy: .base)
    #expect(base.value.theme.name == "second" && base.value.selected == nil)
    #expect(base.conflicts.map(\.resolution) == [.tookBase, .tookBase])
  }

  // MARK: Unknown content

  private static func content(_ text: String) throws -> SnapshotContent<Workspace> {
    let text = #"{"snapshot":{"schema":"workspace","version":1},"items":[],"others":[],"# + text + "}"
    return try SnapshotFile.decodeContent(Workspace.self, from: Array(text.utf8))
  }

  private static func text(_ content: SnapshotContent<Workspace>) throws -> String {
    String(decoding: try SnapshotFile.encode(content, as: .json), as: UTF8.self)
  }

  private static let theme = #""name":"light","size":12,"margins":{"left":1,"right":1}"#

  @Test func unknownKeysOfAValueAreMerged() throws {
    let base = try Self.content(#""theme":{\#(Self.theme),"a":1,"b":1,"c":1}"#)
    let ours = try Self.content(#""theme":{\#(Self.theme),"a":2,"b":1,"c":2}"#)
    let theirs = try Self.content(#""theme":{\#(Self.theme),"a":1,"c":3,"d":4}"#)
    let merge = SnapshotContent.merging(base: base, ours: ours, theirs: theirs)
    #expect(try Self.text(merge.content).contains(#""margins":{"left":1,"right":1},"a":2,"c":2,"d":4}"#))
    #expect(merge.conflicts == [MergeConflict(table: "theme", id: "", properties: ["c"], resolution: .tookOurs)])
    #expect(merge.content.unknownKeys.map(\.description) == ["theme.a", "theme.c", "theme.d"])
    let other = SnapshotContent.merging(base: base, ours: ours, theirs: theirs, policy: .theirs)
    #expect(try Self.text(other.content).contains(#""a":2,"c":3,"d":4}"#))
  }

  @Test func unknownValuesAreMerged() throws {
    let base = try Self.content(#""both":{"a":1,"b":1},"gone":1,"text":"x","turned":[{"id":1}]"#)
    let ours = try Self.content(#""both":{"a":2,"b":1},"text":"y","turned":[{"id":1}],"new":true"#)
    let theirs = try Self.content(#""both":{"a":1,"b":3},"gone":1,"text":"z","turned":5,"other":null"#)
    let merge = SnapshotContent.merging(base: base, ours: ours, theirs: theirs)
    let text = try Self.text(merge.content)
    for part in [#""both":{"a":2,"b":3}"#, #""text":"y""#, #""turned":5"#, #""new":true"#, #""other":null"#] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains(#""gone""#))
    #expect(merge.conflicts == [MergeConflict(table: "text", id: "", resolution: .tookOurs)])
    // Nothing is in the file twice.
    let again = try SnapshotFile.decodeContent(Workspace.self, from: Array(text.utf8))
    #expect(try ModelDifference(from: merge.content, to: again).isEmpty)
  }

  @Test func differencesHaveWhatIsUnknown() throws {
    let old = try Self.content(#""theme":{\#(Self.theme),"a":1},"more":1,"less":{"x":1}"#)
    let new = try Self.content(#""theme":{\#(Self.theme),"a":2},"more":2,"else":true"#)
    let lines = try ModelDifference(from: old, to: new).lines
    #expect(
      lines == [
        "~ theme", "    a: 1 → 2", "+ else", "    value: true", "- less", "    x: 1", "~ more", "    value: 1 → 2",
      ])
    #expect(try ModelDifference(from: new, to: new).isEmpty)
  }

  /// Our unknown content is no newer than the file that theirs was made from.
  @Test func aMergeTakesWhatTheirsDidToWhatIsUnknown() async throws {
    let test = StoreUnderTest()
    test.bytes = Array(
      try Self.text(Self.content(#""theme":{\#(Self.theme),"a":1,"b":1},"more":{"x":1}"#)).utf8)
    let store = try Self.open(test)
    try store.write { $0.selected = 1 }
    let theirs = try Self.content(#""theme":{\#(Self.theme),"a":2},"mode":"read""#)
    test.bytes = Array(try Self.text(theirs).utf8)
    _ = await store.checkFile()
    try await store.close()
    let saved = String(decoding: try #require(test.bytes), as: UTF8.self)
    #expect(saved.contains(#""a":2}"#) && !saved.contains("more"))
    #expect(saved.contains(#""selected":1"#) && saved.contains(#""mode":"read""#))
  }

  @Test func salvageKeepsAnUnknownValueOfALine() throws {
    let text =
      #"{"snapshot":{"schema":"workspace","version":1}}"# + "\n" + #"{"field":"more","value":{"x":1}}"# + "\n"
      + #"{"table":"items","record":{"id":1,"value":}}"# + "\n" + #"{"field":"mode","value":"read"}"# + "\n"
    let salvaged = try Salvaged<Workspace>(of: Array(text.utf8))
    #expect(salvaged.value.mode == .read)
    #expect(salvaged.content.unknownKeys.map(\.description) == ["the value more"])
    #expect(salvaged.losses.contains { $0.table == "items" })
  }

  // MARK: Concurrent transactions

  /// The model has padding between its properties, which is no change of the state beside the tables.
  @Test func twoBranchesChangeDifferentProperties() async throws {
    let store = Store(Workspace())
    try await store.performBackground { value in
      value.theme.name = "dark"
      let ended = DispatchSemaphore(value: 0)
      Thread {
        #expect(throws: Never.self) {
          try store.write {
            $0.theme.size = 20
            try $0.items.upsert(Counter(id: 1, value: 1))
          }
        }
        ended.signal()
      }.start()
      ended.wait()
    }
    let value = store.snapshot().value
    #expect(value.theme == Workspace.Theme(name: "dark", accent: nil, size: 20))
    #expect(value.items.count == 1 && store.revision == 2)
    #expect(value.allViolations() == [])
  }
}
