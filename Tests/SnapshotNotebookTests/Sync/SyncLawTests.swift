import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The laws by which merged copies agree, on random notebooks. Set `SNAPSHOT_SEED` to repeat one.
struct SyncLawTests {
  private static func merged(_ a: Notebook, _ b: Notebook, _ policy: SyncPolicy = .newest) throws -> Notebook {
    var result = a
    try result.merge(SyncContent(b), policy: policy)
    return result
  }

  private static func bytes(_ notebook: Notebook) throws -> [UInt8] {
    Array(try SnapshotFile.encode(notebook, as: .json))
  }

  @Test func mergingTwiceChangesNothing() {
    each(SeededGenerator.seeds(40)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let (a, b) = (SyncFixtures.notebook(using: &random), SyncFixtures.notebook(using: &random))
      for policy in SyncPolicy.allCases {
        let store = Store<Notebook>(a)
        let content = SyncContent(b)
        let first = try store.write { try $0.merge(content, policy: policy) }
        let after = store.snapshot()
        #expect(first.isUnchanged == (after.revision == 0))
        #expect(first.isUnchanged == after.value.hasSameTables(as: a))
        let second = try store.write { try $0.merge(content, policy: policy) }
        #expect(second.isUnchanged)
        #expect(store.revision == after.revision)
        #expect(after.value.allViolations() == [])
        #expect(try Self.merged(a, a, policy).hasSameTables(as: a))
      }
    }
  }

  /// In either direction.
  @Test func theDirectionDoesNotMatter() {
    each(SeededGenerator.seeds(40)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let (a, b) = (SyncFixtures.notebook(using: &random), SyncFixtures.notebook(using: &random))
      #expect(try Self.bytes(Self.merged(a, b)) == Self.bytes(Self.merged(b, a)))
    }
  }

  /// In any order and any grouping, as long as nothing was deleted.
  @Test func theOrderDoesNotMatter() {
    each(SeededGenerator.seeds(25)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let copies = (0..<3).map { _ in SyncFixtures.notebook(using: &random, hasTombstones: false) }
      var results: Set<[UInt8]> = []
      for order in Self.orders {
        let (a, b, c) = (copies[order[0]], copies[order[1]], copies[order[2]])
        results.insert(try Self.bytes(Self.merged(Self.merged(a, b), c)))
        results.insert(try Self.bytes(Self.merged(a, Self.merged(b, c))))
      }
      #expect(results.count == 1)
    }
  }

  /// With tombstones of known dates, the order still does not matter for the sets of existing and deleted notes.
  @Test func theOrderDoesNotMatterForWhatIsDeleted() {
    each(SeededGenerator.seeds(25)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let copies = (0..<3).map { _ in SyncFixtures.notebook(using: &random, hasUnknownDates: false) }
      var results: Set<[String]> = []
      for order in Self.orders {
        let (a, b, c) = (copies[order[0]], copies[order[1]], copies[order[2]])
        for result in [
          try Self.merged(Self.merged(a, b), c), try Self.merged(a, Self.merged(b, c)),
        ] {
          results.insert(result.notes.ids.map { "\($0)" } + result.deletedNotes.map { "\($0)" })
        }
      }
      #expect(results.count == 1)
    }
  }

  /// Copies that merge in turn, in both directions, agree in the end, whatever was deleted.
  @Test func copiesThatMeetInTurnAgree() {
    each(SeededGenerator.seeds(25)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var copies = (0..<3).map { _ in SyncFixtures.notebook(using: &random) }
      let order = [0, 1, 2].shuffled(using: &random)
      for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        let (a, b) = (copies[order[i]], copies[order[j]])
        copies[order[i]] = try Self.merged(a, b)
        copies[order[j]] = try Self.merged(b, a)
      }
      #expect(Set(try copies.map(Self.bytes)).count == 1)
      #expect(copies.allSatisfy { $0.allViolations() == [] })
    }
  }

  /// The outgoing content is enough for the other side to reach the same result, and a second merge changes nothing.
  @Test func whatGoesOutIsEnough() {
    each(SeededGenerator.seeds(25)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let (a, b) = (SyncFixtures.notebook(using: &random), SyncFixtures.notebook(using: &random))
      let here = try Self.merged(a, b)
      let outgoing = here.missing(from: SyncContent(b))
      let there = try Self.merged(b, outgoing)
      #expect(try Self.bytes(there) == Self.bytes(here))
      #expect(outgoing.allViolations() == [])
      #expect(here.missing(from: SyncContent(there)).hasSameRecords(as: Notebook()))
      #expect(try Self.merged(a, here.changed(since: a)).hasSameRecords(as: here))
    }
  }

  /// A merge of Vesper's form gives the same result as the notebook itself, within the limits of the form.
  @Test func vespersFormComesToTheSame() {
    each(SeededGenerator.seeds(25)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let a = SyncFixtures.notebook(using: &random)
      let b = SyncFixtures.notebook(using: &random, hasUnknownDates: false).asVesperHoldsIt
      for policy in SyncPolicy.allCases {
        var result = a
        try result.merge(SyncContent(vesper: b.vesperJSON()), policy: policy)
        #expect(try Self.bytes(result) == Self.bytes(Self.merged(a, b, policy)))
      }
    }
  }

  private static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
}
