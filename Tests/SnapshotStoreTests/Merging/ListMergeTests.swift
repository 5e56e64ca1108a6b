import SnapshotStore
import Testing

/// Three-way merging of lists without equal elements.
struct ListMergeTests {
  @Test func bothSidesAddAndRemove() {
    let merged = [String].merging(base: ["a", "b", "c"], ours: ["c", "b", "x"], theirs: ["a", "y", "c"])
    #expect(merged == ["c", "x", "y"])
  }

  @Test func aSideThatAloneChangedTheListGivesItsOrder() {
    #expect([Int].merging(base: [1, 2, 3], ours: [1, 2, 3], theirs: [3, 4, 1]) == [3, 4, 1])
    #expect([Int].merging(base: [1, 2, 3], ours: [3, 4, 1], theirs: [1, 2, 3]) == [3, 4, 1])
  }

  @Test func anOrderThatBothChangedIsOurs() {
    #expect([Int].merging(base: [1, 2, 3], ours: [3, 2, 1], theirs: [2, 1, 3]) == [3, 2, 1])
  }

  @Test func whatBothAddedStandsOnceAtOurPlace() {
    #expect([Int].merging(base: [], ours: [7, 8], theirs: [9, 8, 7]) == [7, 8, 9])
  }

  @Test func anElementThatOneSideRemovedAndTheOtherMovedIsRemoved() {
    #expect([Int].merging(base: [1, 2], ours: [2, 1], theirs: [1]) == [1])
    #expect([Int].merging(base: [1, 2], ours: [1], theirs: [2, 1]) == [1])
  }

  /// The caller's order decides which spellings are one element.
  @Test func ofTwoSpellingsOursStays() {
    let (ours, theirs) = (["x", "caf\u{E9}"], ["cafe\u{301}"])
    let byText = [String].merging(base: [], ours: ours, theirs: theirs)
    #expect(byText.map { Array($0.utf8) } == ours.map { Array($0.utf8) })
    let unchanged = [String].merging(base: ["caf\u{E9}"], ours: theirs, theirs: ["caf\u{E9}"])
    #expect(unchanged.map { Array($0.utf8) } == theirs.map { Array($0.utf8) })
    let byBytes = [String].merging(base: [], ours: ours, theirs: theirs) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(byBytes.map { Array($0.utf8) } == (ours + theirs).map { Array($0.utf8) })
  }
}
