import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Two sides of one value, merged record by record.
struct ThreeWayMergeTests {
  private static func counters(_ values: [Int: Int]) throws -> Counters {
    var counters = Counters()
    for (id, value) in values { try counters.set(id, to: value) }
    return counters
  }

  private static func values(_ counters: Counters) -> [Int: Int] {
    Dictionary(uniqueKeysWithValues: counters.left.map { ($0.id, $0.value) })
  }

  @Test func oneRecord() {
    each(
      [
        // base, ours, theirs, merged, resolution
        ([1: 1], [1: 1], [1: 2], [1: 2], nil), ([1: 1], [1: 2], [1: 1], [1: 2], nil),
        ([1: 1], [1: 2], [1: 2], [1: 2], nil),
        ([1: 1], [1: 1], [:], [:], nil), ([1: 1], [:], [1: 1], [:], nil), ([1: 1], [:], [:], [:], nil),
        ([:], [1: 1], [2: 2], [1: 1, 2: 2], nil), ([:], [1: 1], [1: 1], [1: 1], nil),
        ([1: 1], [1: 2], [1: 3], [1: 2], MergeConflict.Resolution.tookOurs), ([:], [1: 2], [1: 3], [1: 2], .tookOurs),
        ([1: 1], [:], [1: 3], [1: 3], .keptTheirChange), ([1: 1], [1: 2], [:], [1: 2], .keptOurChange),
      ] as [([Int: Int], [Int: Int], [Int: Int], [Int: Int], MergeConflict.Resolution?)]
    ) {
      (
        base: [Int: Int], ours: [Int: Int], theirs: [Int: Int], merged: [Int: Int],
        resolution: MergeConflict.Resolution?
      ) throws in
      let result = try Counters.merging(
        base: Self.counters(base), ours: Self.counters(ours), theirs: Self.counters(theirs))
      #expect(Self.values(result.value) == merged)
      // For a record that both have, the property is named.
      let properties = resolution == .tookOurs ? ["value"] : []
      let conflict = resolution.map { MergeConflict(table: "left", id: "1", properties: properties, resolution: $0) }
      #expect(result.conflicts == (conflict.map { [$0] } ?? []))
      #expect(result.value.allViolations() == [])
    }
  }

  // Random edits on both sides, against the rule for one record applied to each.
  @Test func manyRecords() {
    each(1...20 as ClosedRange<UInt64>) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var base: [Int: Int] = [:]
      for id in 0..<200 where Bool.random(using: &random) { base[id] = 0 }
      func edited(_ values: [Int: Int], _ random: inout SeededGenerator) -> [Int: Int] {
        var values = values
        for _ in 0..<80 {
          values[Int.random(in: 0..<200, using: &random)] = [nil, 1, 2].randomElement(using: &random) ?? nil
        }
        return values
      }
      let (ours, theirs) = (edited(base, &random), edited(base, &random))
      let result = try Counters.merging(
        base: Self.counters(base), ours: Self.counters(ours), theirs: Self.counters(theirs))
      var conflicts = 0
      for id in 0..<200 {
        let (b, o, t) = (base[id], ours[id], theirs[id])
        let isConflict = o != t && o != b && t != b
        let expected = o == b ? t : t == b || o == t ? o : o ?? t
        #expect(result.value.left[id]?.value == expected, "seed \(seed), record \(id)")
        conflicts += isConflict ? 1 : 0
      }
      #expect(result.conflicts.count == conflicts, "seed \(seed)")
      #expect(result.value.allViolations() == [])
    }
  }

  // Neither side has removed anything.
  @Test func aNoteAndItsTombstoneDoNotGoTogether() throws {
    let base = Notebook(sources: NotebookSources(now: { .day(1) }, nextNoteID: sequentialNoteIDs(first: 1)))
    var (ours, theirs) = (base, base)
    let note = try ours.addNote(text: "A")
    try theirs.addNote(text: "A")
    theirs.deleteNotes([note.id])
    for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
      let merge = Notebook.merging(base: base, ours: ours, theirs: theirs)
      #expect(merge.repaired.count == 1 && merge.value.notes.count == 1 && merge.value.deletedNotes.isEmpty)
      #expect(merge.value.allViolations() == [])
    }
  }

  // A file that was edited by hand may have broken references, whichever side has changes.
  @Test(arguments: [true, false]) func whatAFileRefersToIsRepaired(_ oursHasChanged: Bool) throws {
    var base = Notebook(sources: NotebookSources(now: { .day(1) }, nextNoteID: sequentialNoteIDs(first: 1)))
    let note = try base.addNote(text: "A")
    var (ours, theirs) = (base, base)
    if oursHasChanged { try ours.setText("B", of: note.id) }
    try theirs.notes.update(note.id) { $0.tags = ["paris"] }
    let merge = Notebook.merging(base: base, ours: ours, theirs: theirs)
    #expect(merge.repaired.map(\.place) == ["tags “paris”"] && merge.value.tags["paris"] != nil)
    #expect(merge.value.allViolations() == [])
  }

  struct Named: Record {
    let id: Int
    var name: String
    static let byName = Index<Named, String>("name", unique: true) { $0.name }
    static let indexes = Indexes(byName)
  }

  struct NamedList: Model {
    var list = Table<Named>()
    static let schema = Schema<NamedList>("named", version: 1, Field("list", \.list))
  }

  // Both sides gave away a name that only one record can have.
  @Test func aUniqueKeyIsGivenOnce() throws {
    var base = NamedList()
    try base.list.insert(Named(id: 1, name: "a"))
    try base.list.insert(Named(id: 2, name: "b"))
    var (ours, theirs) = (base, base)
    try ours.list.insert(Named(id: 3, name: "c"))
    try theirs.list.insert(Named(id: 4, name: "c"))
    // Names that were only handed over are not such a case.
    theirs.list.remove(1)
    try theirs.list.update(2) { $0.name = "a" }
    try theirs.list.insert(Named(id: 5, name: "b"))
    let result = NamedList.merging(base: base, ours: ours, theirs: theirs)
    #expect(result.value.list.map(\.name) == ["a", "c", "b"])
    #expect(result.value.list.map(\.id) == [2, 3, 5])
    #expect(result.conflicts == [MergeConflict(table: "list", id: "4", resolution: .leftTheirsOut)])
    #expect(result.value.allViolations() == [])
  }

  /// Ours removed a record and gave its name to another one, theirs changed the record. It is not told as restored.
  @Test func whatDoesNotFitIsNotToldAsRestored() throws {
    var base = NamedList()
    try base.list.insert(Named(id: 1, name: "a"))
    var (ours, theirs) = (base, base)
    ours.list.remove(1)
    try ours.list.insert(Named(id: 2, name: "b"))
    try theirs.list.update(1) { $0.name = "b" }
    let result = NamedList.merging(base: base, ours: ours, theirs: theirs)
    #expect(result.value.list.map(\.id) == [2])
    #expect(result.conflicts == [MergeConflict(table: "list", id: "1", resolution: .leftTheirsOut)])
  }
}
