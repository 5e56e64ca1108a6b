import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A merge costs as much as the side with fewer changes, and may be done in steps. Neither may affect the result.
struct MergeStepsTests {
  private typealias Named = ThreeWayMergeTests.Named
  private typealias NamedList = ThreeWayMergeTests.NamedList

  private static func list(_ ids: some Sequence<Int>) throws -> NamedList {
    var value = NamedList()
    for id in ids { try value.list.insert(Named(id: id, name: "\(id)")) }
    return value
  }

  private static func edited(
    _ value: NamedList, _ changes: Int, _ random: inout SeededGenerator
  ) -> NamedList {
    var value = value
    for _ in 0..<changes {
      let id = Int.random(in: 0..<12, using: &random)
      if Int.random(in: 0..<4, using: &random) == 0 {
        value.list.remove(id)
      } else {
        _ = try? value.list.upsert(Named(id: id, name: "\(Int.random(in: 0..<16, using: &random))"))
      }
    }
    return value
  }

  // With many other records on one side, the changes of the other side are merged into it.
  @Test func theSideWithMoreChangesDoesNotMatter() {
    each(SeededGenerator.seeds(40)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let base = try Self.list(0..<6)
      let (ours, theirs) = (Self.edited(base, 3, &random), Self.edited(base, 3, &random))
      let others = 1_000..<1_020
      for policy in [MergePolicy.ours, .theirs, .resolve { $0.properties.isEmpty ? .ours : .theirs }] {
        let expected = NamedList.merging(base: base, ours: ours, theirs: theirs, policy: policy)
        for isTheirs in [true, false] {
          var (ours, theirs) = (ours, theirs)
          for id in others {
            let other = Named(id: id, name: "other \(id)")
            if isTheirs { try theirs.list.insert(other) } else { try ours.list.insert(other) }
          }
          var merge = NamedList.merging(base: base, ours: ours, theirs: theirs, policy: policy)
          #expect(merge.value.allViolations() == [])
          #expect(merge.value.list.remove(others).count == others.count)
          #expect(merge.value == expected.value, "seed \(seed), \(policy)")
          #expect(merge.conflicts == expected.conflicts, "seed \(seed), \(policy)")
        }
      }
    }
  }

  // The notebook's answer from the changes alone is never less than what repair finds by looking at everything.
  @Test func nothingThatNeedsRepairIsMissed() {
    each(SeededGenerator.seeds(40)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var base = Notebook(sources: NotebookSources(nextNoteID: sequentialNoteIDs()))
      for name in ["a", "b", "c"] { _ = base.tag(named: name) }
      for id in ["x", "y"] { try base.add(Attachment(id: id, mimeType: "image/png", height: 1, width: 1)) }
      for number in 0..<6 { try base.addNote(text: "\(number)", tags: ["a"].filter { _ in number.isMultiple(of: 2) }) }
      func edited() throws -> Notebook {
        var value = base
        for _ in 0..<3 {
          let id = Note.ID(1_000 + Int.random(in: 0..<6, using: &random))
          switch Int.random(in: 0..<6, using: &random) {
          case 0: _ = value.deleteNotes([id])
          case 1: _ = try? value.setTags([["a", "b", "c"].randomElement(using: &random) ?? ""], of: id)
          case 2: _ = try? value.setAttachments(["x"], of: id)
          case 3: _ = value.deleteOrphanedTags()
          case 4: _ = value.deleteOrphanedAttachments()
          default: if let note = base.notes[id] { try? value.upsert(note) }
          }
        }
        return value
      }
      var checked = 0
      for _ in 0..<20 {
        let (ours, theirs) = (try edited(), try edited())
        var merge = ThreeWayMerge(
          bases: [base], theirs: theirs, policy: .ours, options: [], value: ours, theirSide: nil)
        Notebook.schema.visit(&merge)
        let changes = ChangeSet(before: base, after: ours, revision: 0)
        if merge.isWhole, !merge.value.mayNeedRepairAsWhole(after: changes) {
          checked += 1
          let repaired = merge.repaired(with: ours)
          #expect(repaired.repaired == [] && repaired.value.hasSameRecords(as: merge.value), "seed \(seed)")
          #expect(merge.value.allViolations() == [])
        }
      }
      #expect(checked > 0, "seed \(seed)")
    }
  }

  // Without a conflict, the number of intermediate changes by others does not matter.
  @Test func stepsComeToTheSame() {
    each(SeededGenerator.seeds(40)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let base = try Self.list(0..<6)
      let draft = Self.edited(base, 2, &random)
      var published = base
      var change = MergedChange(draft, madeFrom: base, policy: .fail, isTransaction: true) { _ in }
      var isDisturbed = false
      for _ in 0..<4 where !isDisturbed {
        let newer = Self.edited(published, 1, &random)
        let before = change.value
        let isDone = change.rebase(from: published, onto: newer, isQuick: true)
        #expect(isDone || change.value == before)
        if !isDone { _ = change.rebase(from: published, onto: newer, isQuick: false) }
        published = newer
        isDisturbed = !change.conflicts.isEmpty
        if isDisturbed { break }
        let atOnce = NamedList.merging(base: base, ours: published, theirs: draft)
        #expect(change.value == atOnce.value && atOnce.conflicts.isEmpty, "seed \(seed)")
        #expect(change.value.allViolations() == [])
      }
    }
  }
}
