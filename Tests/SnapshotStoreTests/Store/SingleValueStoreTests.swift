import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Single values beside tables, in a store: transactions, merging, undo, migrations, schemas.
@Suite struct SingleValueStoreTests {
  @Test func aChangeMakesARevisionAndIsSaved() throws {
    let test = StoreUnderTest()
    let store = try test.open(Workspace.self, .manual)
    try store.write { $0.theme.name = "dark" }
    #expect(store.revision == 1)
    try store.flushAndWait()
    #expect(try test.stored(Workspace.self).theme.name == "dark")
    // The same value again, also as another array in memory, is no change.
    try store.write { $0.theme.name = "dark" }
    try store.write { $0.recent = ["fir" + "st"].map { $0 } }
    try store.write { $0.cache = 7 }
    #expect(store.revision == 1)
    #expect(store.snapshot().value.cache == 7)
    // An equal value with another written form is one.
    try store.write { $0.ratio = 0 }
    try store.write { $0.ratio = -0.0 }
    #expect(store.revision == 3)
    try store.write { $0.ratio = .nan }
    try store.write { _ = try $0.items.insert(Counter(id: 1, value: 1)) }
    try store.write { _ in }
    #expect(store.revision == 5)
    try store.closeAndWait()
    #expect(try test.stored(Workspace.self).ratio.isNaN)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func everySaveHoldsTheValue() {
    each(FileFormat.allCases, SeededGenerator.seeds(2)) { (format: FileFormat, seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let test = StoreUnderTest()
      let store = try test.open(Workspace.self, .manual, format: format)
      for _ in 0..<25 {
        try store.write { try $0.change(&generator) }
        try store.flushAndWait()
        let value = store.snapshot().value
        #expect(try test.bytes == SnapshotFile.encode(value, as: format))
        #expect(try test.stored(Workspace.self).isStoredLike(value))
      }
      try store.closeAndWait()
      #expect(store.snapshot().value.allViolations() == [])
    }
  }

  /// Its `==` ignores the property that cannot be written.
  struct Level: Codable, Equatable, Sendable {
    var id = 1
    var height = 0

    static func == (a: Level, b: Level) -> Bool { a.id == b.id }

    func encode(to encoder: any Encoder) throws {
      if height < 0 { throw CocoaError(.coderInvalidValue) }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(height, forKey: .height)
    }
  }

  struct Gauge: Model {
    var level = Level()
    static let schema = Schema<Gauge>("gauge", version: 1, Field("level", \.level))
  }

  @Test func aValueThatCannotBeWrittenIsReportedThoughItIsEqual() throws {
    let test = StoreUnderTest()
    let store = try test.open(Gauge.self, .manual)
    try store.write { $0.level.height = -1 }
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    try store.write { $0.level.height = 9 }
    try store.flushAndWait()
    #expect(try test.stored(Gauge.self).level.height == 9)
    try store.closeAndWait()
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func changeSetsHaveThem() throws {
    var after = Workspace()
    after.theme.size = 20
    let changes = ChangeSet(before: Workspace(), after: after, revision: 1)
    #expect(!changes.isEmpty)
    #expect(changes.change(of: \.theme)?.before.size == 12)
    #expect(changes.change(of: \.theme)?.after.size == 20)
    #expect(changes.change(of: \.mode) == nil)
    #expect(ChangeSet(before: after, after: after, revision: 1).isEmpty)
  }

  @Test func differencesHaveThem() throws {
    var after = Workspace()
    after.theme.margins.left = 2
    after.mode = .read
    let difference = try ModelDifference(from: Workspace(), to: after)
    #expect(
      difference.lines == [
        "~ theme", "    margins.left: 1 → 2", "~ mode", #"    value: "edit" → "read""#,
      ])
    #expect(difference.json.contains(#"{"table":"mode","id":null,"change":"updated""#))
    #expect(try ModelDifference(from: after, to: after).isEmpty)
  }

  // MARK: Merging

  @Test func mergingGoesByPropertyOrWhole() throws {
    let base = Workspace()
    var (ours, theirs) = (base, base)
    ours.theme.name = "dark"
    theirs.theme.size = 20
    theirs.recent = ["theirs"]
    ours.selected = 1
    theirs.selected = 2
    try theirs.items.insert(Counter(id: 1, value: 1))
    let merge = Workspace.merging(base: base, ours: ours, theirs: theirs)
    #expect(merge.value.theme == Workspace.Theme(name: "dark", accent: nil, size: 20))
    #expect(merge.value.recent == ["theirs"] && merge.value.selected == 1 && merge.value.items.count == 1)
    #expect(merge.conflicts.map(\.description) == ["selected: both changed it; ours was taken"])
    theirs.theme.name = "other"
    let taken = Workspace.merging(base: base, ours: ours, theirs: theirs, policy: .theirs)
    #expect(taken.value.theme.name == "other" && taken.value.selected == 2)
    #expect(taken.conflicts.map(\.place) == ["theme, name", "selected"])
    let chosen = Workspace.merging(
      base: base, ours: ours, theirs: theirs,
      policy: .resolve { ($0.theirs as? Workspace.Theme)?.name == "other" ? .theirs : .ours })
    #expect(chosen.value.theme.name == "other" && chosen.value.selected == 1)
  }

  /// A merge with oneself, with the base, and of one-sided changes.
  @Test func lawsOfMerging() {
    each(SeededGenerator.seeds(8)) { (seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let base = try Workspace.random(&generator)
      var changed = base
      for _ in 0..<6 { try changed.change(&generator) }
      for (ours, theirs) in [(changed, base), (base, changed), (changed, changed)] {
        let merge = Workspace.merging(base: base, ours: ours, theirs: theirs)
        #expect(merge.value.isStoredLike(changed) && merge.conflicts.isEmpty)
        let whole = Workspace.mergingWhole(base: base, ours: ours, theirs: theirs, policy: .ours)
        #expect(whole.value.isStoredLike(changed) && whole.conflicts.isEmpty)
      }
    }
  }

  @Test func scratchpadsAndUndoHaveThem() throws {
    let store = Store(Workspace())
    let history = UndoHistory(of: store)
    let pad = store.scratchpad()
    try pad.write { $0.theme.name = "dark" }
    try store.write { $0.theme.size = 20 }
    #expect(store.snapshot().value.theme.name == "light")
    _ = try pad.commit()
    #expect(store.snapshot().value.theme == Workspace.Theme(name: "dark", accent: nil, size: 20))
    _ = try history.undo()
    #expect(store.snapshot().value.theme == Workspace.Theme(name: "light", accent: nil, size: 20))
    _ = try history.redo()
    #expect(store.snapshot().value.theme.name == "dark")
    #expect(store.snapshot().value.allViolations() == [])
  }

  // MARK: Migrations

  private struct Later: Model {
    var look = Workspace.Theme()
    var items = Table<Counter>()
    var recent: Set<String> = []
    var count = 7
    static let schema = Schema<Later>(
      "workspace", version: 2,
      Field("look", \.look),
      Field("items", \.items),
      Field("recent", \.recent),
      Field("count", \.count),
      migrations: [
        Migration("a look instead of a theme", to: 2) { tree in
          try tree.renameValue("theme", to: "look")
          var look = tree[value: "look"]?.record ?? [:]
          look["name"] = UntypedValue((look["name"]?.text ?? "") + "!")
          tree[value: "look"] = UntypedValue(look)
          tree[value: "count"] = UntypedValue(tree[value: "recent"]?.array?.count ?? 0)
          for name in ["mode", "selected", "dates", "ratio"] { tree[value: name] = nil }
          tree.dropTable("others")
        }
      ])
  }

  @Test func stepsReadChangeAddAndRename() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var workspace = Workspace()
      workspace.theme.name = "dark"
      workspace.recent = ["a", "b"]
      try workspace.items.insert(Counter(id: 1, value: 1))
      let bytes = try SnapshotFile.encode(workspace, as: format)
      let later = try SnapshotFile.decode(Later.self, from: bytes)
      #expect(later.look.name == "dark!" && later.recent == ["a", "b"] && later.count == 2 && later.items.count == 1)
      let salvaged = try Salvaged<Later>(of: bytes)
      #expect(salvaged.isComplete && salvaged.value.isStoredLike(later))
      guard format.isText else { return }
      let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "dark", with: "d\u{1}rk")
      let damaged = try Salvaged<Later>(of: Array(text.utf8))
      #expect(damaged.value.items.count == 1 && damaged.value.count == 2, "\(damaged.losses)")
      #expect(damaged.losses.contains { $0.kind == .value })
    }
  }

  @Test func valuesAndTablesOfATree() throws {
    var tree = MigrationTree()
    tree[value: "a"] = 1
    tree["t"].append(["id": 1])
    #expect(tree.values.map(\.name) == ["a"] && tree.tableNames == ["t"])
    #expect(tree[value: "t"]?.array?.count == 1)
    expectRefusal(.duplicate) { try tree.renameValue("a", to: "t") }
    tree[value: "list"] = [["x"]]
    #expect(tree["list"].count == 1)
    tree["list"].append([:])
    #expect(tree.values.map(\.name) == ["a"] && tree[value: "list"]?.array?.count == 2)
    tree[value: "t"] = nil
    #expect(tree.tableNames == ["list"])
  }

  // MARK: Mistakes

  private struct Twice: Model {
    var theme = Workspace.Theme()
    static let schema = Schema<Twice>("m", version: 1, Field("theme", \.theme), Field("look", \.theme))
  }

  private struct Overlapping: Model {
    var theme = Workspace.Theme()
    static let schema = Schema<Overlapping>(
      "m", version: 1,
      Field("theme", \.theme),
      Field("size", \.theme.size))
  }

  @Test func oneValueInTwoFieldsTraps() async {
    await #expect(processExitsWith: .failure) { _ = Store<Twice>() }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Store<Overlapping>()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("“theme” and “size”"))
  }
}
