import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Tombstones in merges, in files that others changed, and in damaged files.
struct TombstoneFileTests {
  private static let articles = [PressArticle(id: 1, text: "one"), PressArticle(id: 2, text: "two")]

  // MARK: Merging

  @Test func removedByOneSideAndEditedByTheOther() throws {
    let base = try Press(articles: Self.articles)
    let ours = Store(base)
    try ours.write { $0.articles.removeAll() }
    var theirs = base
    try theirs.articles.update(1) { $0.text = "edited" }
    for (one, other) in [(ours.snapshot().value, theirs), (theirs, ours.snapshot().value)] {
      let merged = Press.merging(base: base, ours: one, theirs: other)
      #expect(merged.value.allViolations() == [] && merged.value.articles.ids == [1])
      #expect(merged.value.deletions == [2: .day(10)] && merged.value.articles[1]?.changed == .day(10, plus: 1))
      #expect(merged.repaired.map(\.place) == ["deletedArticles 1"])
    }
  }

  @Test func bothSidesRemovedIt() throws {
    let base = try Press(articles: Self.articles)
    let sides = try [Date.day(5), .day(7)].map { day in
      let store = Store(base)
      try store.write {
        $0.now = day
        _ = $0.articles.remove(1)
      }
      return store.snapshot().value
    }
    let merged = Press.merging(base: base, ours: sides[0], theirs: sides[1])
    #expect(merged.value.deletions == [1: .day(7)] && merged.conflicts.isEmpty && merged.value.allViolations() == [])
  }

  // MARK: Files that others change

  /// A store on a file, and another program without tombstones that edits the file.
  private static func world(
    _ policy: ExternalChange.Policy, _ edit: (inout Press) throws -> Void, ours: (inout Press) throws -> Void = { _ in }
  ) async throws -> Press {
    let test = StoreUnderTest()
    var options = StoreOptions(policy: .manual)
    options.externalChanges = policy
    test.bytes = try SnapshotFile.encode(try Press(articles: articles), as: .json)
    let store = try test.open(Press.self, options)
    var other = try test.stored(Press.self)
    try edit(&other)
    test.bytes = try SnapshotFile.encode(other, as: .json)
    try store.write(ours)
    _ = await store.checkFile()
    try await store.close()
    let value = store.snapshot().value
    #expect(value.allViolations() == [])
    #expect(try test.stored(Press.self).hasSameRecords(as: value))
    return value
  }

  @Test(arguments: [ExternalChange.Policy.merge, .reload]) func aFileWithoutARecord(
    _ policy: ExternalChange.Policy
  ) async throws {
    let value = try await Self.world(policy) { _ = $0.articles.remove(1) }
    #expect(value.deletions == [1: .day(10)] && value.articles.ids == [2])
  }

  @Test func aFileWithoutARecordBesideOurChange() async throws {
    let value = try await Self.world(.merge) {
      _ = $0.articles.remove(1)
    } ours: {
      try $0.articles.insert(PressArticle(id: 3))
    }
    #expect(value.deletions == [1: .day(10)] && value.articles.ids == [2, 3])
  }

  @Test func theFileHasATombstoneOfWhatWeEdited() async throws {
    let value = try await Self.world(.merge) {
      _ = $0.articles.remove(1)
      try $0.deletedArticles.insert(Tombstone(id: 1, deletionDate: .day(14)))
    } ours: {
      try $0.articles.update(1) { $0.text = "edited" }
    }
    #expect(value.deletions.isEmpty && value.articles[1]?.changed == .day(14, plus: 1))
  }

  @Test func aCommandThatChangesAFile() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("press.json")
    try SnapshotFile.create(try Press(articles: Self.articles), as: .json, at: url)
    try SnapshotFile.change(Press.self, at: url) { _ = $0.value.articles.remove(2) }
    #expect(try SnapshotFile.read(Press.self, at: url).deletions == [2: .day(10)])
  }

  // MARK: Files by hand

  private static func byHand() throws -> Press {
    var press = try Press(articles: articles)
    try press.deletedArticles.insert(Tombstone(id: 1, deletionDate: .day(4)))
    return press
  }

  @Test func aFileWithARecordAndItsTombstone() throws {
    let press = try Self.byHand()
    #expect(press.allViolations() == ["articles 1: it also has a tombstone in “deletedArticles”"])
    let store = Store(press)
    // The next change of the record decides, and so do the rules.
    try store.runRules()
    #expect(store.read { $0.allViolations() == [] && $0.articles[1]?.changed == .day(4, plus: 1) })
  }

  @Test func aRecordThatLosesItsOldTombstoneWhenItIsRemoved() throws {
    let store = Store(try Self.byHand())
    try store.write { _ = $0.articles.remove(1) }
    #expect(store.read { $0.deletions == [1: .day(4)] && $0.allViolations() == [] })
  }

  @Test func theFormOfATombstone() throws {
    let tombstones = [Tombstone<PressArticle>(id: 1, deletionDate: .day(1)), Tombstone(id: 2, deletionDate: nil)]
    var press = Press()
    try press.deletedArticles.upsert(contentsOf: tombstones)
    for format in FileFormat.allCases {
      let bytes = try SnapshotFile.encode(press, as: format)
      #expect(try SnapshotFile.decode(Press.self, from: bytes).deletedArticles.map(\.self) == tombstones)
      if format == .json {
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        #expect(text.contains(#"[{"id":1,"deletionDate":"2020-01-01T00:00:00Z"},{"id":2}]"#))
      }
    }
  }

  // MARK: Damaged files

  @Test func aDeletedRecordDoesNotComeBackFromAnOlderVersion() throws {
    let older = try Press(articles: Self.articles + [PressArticle(id: 3, text: "three")])
    let store = Store(older)
    try store.write { _ = $0.articles.remove(1) }
    var text = String(decoding: try SnapshotFile.encode(store.snapshot().value, as: .json), as: UTF8.self)
    let place = try #require(text.range(of: "\"three\""))
    text.replaceSubrange(place, with: "three")
    let salvaged = try Salvaged<Press>(of: Array(text.utf8))
    #expect(salvaged.value.articles.ids == [2])
    let filled = try salvaged.filled(from: SnapshotContent(older))
    #expect(filled.content.value.articles.ids == [2, 3] && filled.content.value.deletions == [1: .day(10)])
    #expect(filled.content.value.allViolations() == [])
  }

  // MARK: Parts

  struct Office: Model {
    var press = Press()
    static let schema = Schema<Office>("office", version: 1, Field(part: \.press, prefix: "p."))
  }

  @Test func aPartKeepsItsTombstones() throws {
    var office = Office()
    office.press = try Self.byHand()
    #expect(office.allViolations() == ["p.articles 1: it also has a tombstone in “deletedArticles”"])
    let store = Store(office)
    let history = UndoHistory(of: store, now: { .day(11) })
    try store.write { _ = $0.press.articles.remove(2) }
    #expect(store.read { $0.press.deletions } == [1: .day(4), 2: .day(10)])
    try history.undo()
    #expect(store.read { $0.press.articles[2]?.changed } == .day(11))
    let merged = Office.merging(base: Office(), ours: office, theirs: store.snapshot().value)
    #expect(merged.value.allViolations() == [] && merged.repaired.map(\.place) == ["p.deletedArticles 1"])
  }
}
