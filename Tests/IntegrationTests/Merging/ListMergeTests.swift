import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Lists with additions and removals on both sides.
struct ListMergeTests {
  struct Box: Record {
    let id: Int
    var words: [String] = []
    static let mergeRules: [MergeRule] = [.elements("words")]
  }

  struct Boxes: Model {
    var boxes = Table<Box>()
    static let schema = Schema<Boxes>("boxes", version: 1, Field("boxes", \.boxes))

    init() {}

    init(_ words: [String]) throws { try boxes.insert(Box(id: 1, words: words)) }
  }

  /// The merge of a list, in the simplest form.
  private static func merged(
    _ common: [String], _ mine: [String], _ changed: [String], _ areSame: (String, String) -> Bool
  ) -> [String] {
    func has(_ list: [String], _ word: String) -> Bool { list.contains { areSame($0, word) } }
    if mine.count == common.count, zip(mine, common).allSatisfy(areSame) { return changed }
    if changed.count == common.count, zip(changed, common).allSatisfy(areSame) { return mine }
    return mine.filter { !has(common, $0) || has(changed, $0) } + changed.filter { !has(common, $0) && !has(mine, $0) }
  }

  /// Among them two spellings of one word, which are equal as texts, but not as bytes.
  private static func words(_ random: inout SeededGenerator) -> [String] {
    let all = ["a", "b", "c", "caf\u{E9}", "cafe\u{301}", "d", "e", ""]
    return all.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)).map(\.self)
  }

  @Test func listsAreMergedElementByElement() {
    each(1...20 as ClosedRange<UInt64>) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      for _ in 0..<20 {
        let (common, mine, changed) = (Self.words(&random), Self.words(&random), Self.words(&random))
        let merge = try Boxes.merging(base: Boxes(common), ours: Boxes(mine), theirs: Boxes(changed))
        let expected = Self.merged(common, mine, changed) { $0.utf8.elementsEqual($1.utf8) }
        #expect(merge.value.boxes[1]?.words.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "seed \(seed)")
        #expect(merge.value.allViolations() == [])
      }
    }
  }

  // The copy of a note is merged by another function, which compares texts as Swift does.
  @Test func listsOfADetachedNoteAreMerged() {
    each(1...20 as ClosedRange<UInt64>) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      for _ in 0..<20 {
        var base = Note(id: 1, text: "", creationDate: .day(1))
        var (note, copy) = (base, base)
        base.tags = Self.words(&random).uniqued()
        note.tags = Self.words(&random).uniqued()
        copy.tags = Self.words(&random).uniqued()
        let merge = DetachedMerge(copy: copy, base: base, into: note)
        #expect(merge.result.note.tags == Self.merged(base.tags, note.tags, copy.tags, ==), "seed \(seed)")
      }
    }
  }

  // Quadratic time would be minutes.
  @Test(.timeLimit(.minutes(30))) func longListsTakeNoLonger() throws {
    let count = 20_000
    let common = (0..<count).map { "\($0)" }
    let (mine, changed) = (common.dropFirst(10) + ["mine"], common.dropLast(10) + ["changed"])
    let expected = Array(common.dropFirst(10).dropLast(10) + ["mine", "changed"])
    let merge = try Boxes.merging(base: Boxes(common), ours: Boxes(Array(mine)), theirs: Boxes(Array(changed)))
    #expect(merge.value.boxes[1]?.words == expected)
    var base = Note(id: 1, text: "", creationDate: .day(1))
    var (note, copy) = (base, base)
    (base.tags, note.tags, copy.tags) = (common, Array(mine), Array(changed))
    #expect(DetachedMerge(copy: copy, base: base, into: note).result.note.tags == expected)
  }
}
