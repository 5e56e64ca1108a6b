import Testing

@testable import SnapshotStore
@testable import TestSupport

/// What a merge keeps beside the file: what a side has changed, and no other has.
struct LostRecordsTests {
  /// Words, and a table that a rule makes of them.
  private struct Dictionary: Model {
    var words = Table<Word>()
    var lengths = Table<Word>()
    static let schema = Schema<Dictionary>(
      "dictionary", version: 1,
      Field("words", \.words),
      Field("lengths", \.lengths).derived())
  }

  @Test func whatARuleHasMadeIsNotLost() throws {
    var side = Dictionary()
    try side.lengths.insert(Word(id: "three", count: 2))
    #expect(LostRecords.value(of: side, since: Dictionary(), missingIn: Dictionary(), nil) == nil)
    try side.words.insert(Word(id: "one"))
    let lost = try #require(LostRecords.value(of: side, since: Dictionary(), missingIn: Dictionary(), nil))
    #expect(lost.words.map(\.id) == ["one"] && lost.lengths.isEmpty)
    #expect(lost.allViolations() == [])
  }

  @Test func eachDecisionLosesTheOtherSide() {
    func conflict(_ resolution: MergeConflict.Resolution) -> MergeConflict {
      MergeConflict(table: "words", id: "one", resolution: resolution)
    }
    for ours in [MergeConflict.Resolution.tookOurs, .keptOurChange, .leftTheirsOut, .tookOursOverOlder] {
      #expect(!conflict(ours).losesOurs && conflict(ours).losesTheirs)
    }
    for theirs in [MergeConflict.Resolution.tookTheirs, .keptTheirChange, .leftOursOut] {
      #expect(conflict(theirs).losesOurs && !conflict(theirs).losesTheirs)
    }
    for neither in [MergeConflict.Resolution.tookBase, .removed] {
      #expect(conflict(neither).losesOurs && conflict(neither).losesTheirs)
    }
  }
}
