import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Differences and merges of content with keys and names that look the same. They are two keys.
@Suite struct KeySpellingMergeTests {
  @Test func whatDiffersIsNamed() throws {
    let old = try Spellings.content(Spellings.file(.json))
    let new = try Spellings.content(
      Spellings.file(.json, [Spellings.record(1, "known", "changed"), Spellings.record(2)]))
    let difference = try ModelDifference(from: old, to: new)
    #expect(difference.records.count == 1)
    #expect(Spellings.isSame(difference.records.flatMap { $0.properties.map(\.name) }, [Spellings.decomposed]))
    #expect(try ModelDifference(from: old, to: old).isEmpty)
    // A key in another spelling is another key.
    let respelled = Item(.dictionary([Item.Member(key: "A\u{30A}", value: 1)]))
    let spelled = Item(.dictionary([Item.Member(key: "\u{C5}", value: 1)]))
    let both = try #require(RecordDifference(table: "t", id: "1", idItem: nil, old: spelled, new: respelled))
    #expect(Spellings.isSame(both.properties.map(\.name), ["\u{C5}", "A\u{30A}"]))
  }

  @Test func threeWaysMergeBoth() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let base = try Spellings.content(Spellings.file(format))
      let ours = try Spellings.content(Spellings.file(format, [Spellings.record(1, "ours"), Spellings.record(2)]))
      let theirs = try Spellings.content(
        Spellings.file(format, [Spellings.record(1, "known", "theirs"), Spellings.record(2)]))
      let merge = SnapshotContent.merging(base: base, ours: ours, theirs: theirs)
      #expect(merge.conflicts.isEmpty)
      let expected = try Spellings.content(
        Spellings.file(format, [Spellings.record(1, "ours", "theirs"), Spellings.record(2)]))
      #expect(
        try SnapshotFile.encode(merge.content, as: format) == SnapshotFile.encode(expected, as: format))
      // Without a base, as a sync.
      var synced = ours
      synced.mergeUnknown(from: theirs, policy: .theirs)
      #expect(Spellings.isSame(synced.unknownKeys.map(\.description), Spellings.unknownKeys + Spellings.unknownTables))
    }
  }

  @Test func aStoreMergesBothOfAnExternalChange() async throws {
    var options = StoreOptions(policy: .manual)
    options.externalChanges = .merge
    options.log = { _ in }
    let test = StoreUnderTest()
    test.bytes = Spellings.file(.json)
    let store = try test.open(Spellings.Menu.self, options)
    try store.write { try $0.dishes.update(1) { $0.name = "ours" } }
    test.bytes = Spellings.file(.json, [Spellings.record(1, "known", "theirs"), Spellings.record(2)])
    _ = await store.checkFile()
    try await store.close()
    let expected = try Spellings.content(
      Spellings.file(.json, [Spellings.record(1, "ours", "theirs"), Spellings.record(2)]))
    #expect(try test.bytes == SnapshotFile.encode(expected, as: .json))
  }

  /// One property of a known record that both sides changed, beside its namesake that only one side changed.
  @Test func knownPropertiesOfBothSpellings() throws {
    let base = Twins(id: 1, composed: "a", decomposed: "b")
    let ours = Twins(id: 1, composed: "ours", decomposed: "b")
    let theirs = Twins(id: 1, composed: "a", decomposed: "theirs")
    var merge = try #require(PropertyMerge(bases: [base], ours: ours, theirs: theirs, rules: []))
    merge.run { _, _ in .ours }
    #expect(merge.tookOurs.isEmpty)
    let merged = try ItemDecoder.decode(Twins.self, from: merge.item)
    #expect(merged.composed == "ours" && merged.decomposed == "theirs")
  }
}

/// A record with properties under both keys. An enum cannot have both as cases.
private struct Twins: Record {
  let id: Int
  var composed: String
  var decomposed: String

  init(id: Int, composed: String, decomposed: String) {
    (self.id, self.composed, self.decomposed) = (id, composed, decomposed)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    id = try container.decode(Int.self, forKey: AnyKey("id"))
    composed = try container.decode(String.self, forKey: AnyKey("caf\u{E9}"))
    decomposed = try container.decode(String.self, forKey: AnyKey("cafe\u{301}"))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode(id, forKey: AnyKey("id"))
    try container.encode(composed, forKey: AnyKey("caf\u{E9}"))
    try container.encode(decomposed, forKey: AnyKey("cafe\u{301}"))
  }
}
