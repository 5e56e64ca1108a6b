import Foundation
import Synchronization
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Records that both sides have added are merged by property, like all others.
struct AddedRecordTests {
  struct Place: Record {
    let id: String
    var name = ""
    var nameChanged: Date?
    var town: String?
    var stars: Int?
    var kinds: [String] = []
    var kindsChanged: Date?

    static let mergeRules: [MergeRule] = [
      .together(["name"], modified: "nameChanged"), .elements("kinds", modified: "kindsChanged"),
    ]
  }

  struct Places: Model {
    var places = Table<Place>()
    static let schema = Schema<Places>("places", version: 1, Field("places", \.places))
  }

  private static func merge(
    _ ours: Place, _ theirs: Place, _ policy: MergePolicy = .ours
  ) throws -> (Place?, [MergeConflict]) {
    var (a, b) = (Places(), Places())
    try a.places.insert(ours)
    try b.places.insert(theirs)
    let merge = Places.merging(base: Places(), ours: a, theirs: b, policy: policy)
    #expect(merge.value.allViolations() == [])
    return (merge.value.places["a"], merge.conflicts)
  }

  @Test func whatIsEqualAgrees() {
    each([MergePolicy.fail, .ours, .theirs, .newest]) { (policy: MergePolicy) throws in
      let (place, conflicts) = try Self.merge(
        Place(id: "a", name: "A", nameChanged: .day(1), town: "Paris"),
        Place(id: "a", name: "A", nameChanged: .day(2), town: "Paris"), policy)
      #expect(place == Place(id: "a", name: "A", nameChanged: .day(2), town: "Paris") && conflicts == [])
    }
  }

  // With any policy: the dates show which side is newer.
  @Test func theLaterDateWins() {
    each([MergePolicy.fail, .ours, .theirs, .newest]) { (policy: MergePolicy) throws in
      let older = Place(id: "a", name: "A", nameChanged: .day(1), kinds: ["x"], kindsChanged: .day(2))
      let newer = Place(id: "a", name: "B", nameChanged: .day(2), kinds: ["y"], kindsChanged: .day(1))
      let expected = Place(id: "a", name: "B", nameChanged: .day(2), kinds: ["x"], kindsChanged: .day(2))
      for (ours, theirs) in [(older, newer), (newer, older)] {
        let (place, conflicts) = try Self.merge(ours, theirs, policy)
        #expect(place == expected && conflicts == [])
      }
    }
  }

  @Test func whatNoDateDecidesIsAConflictOfThatPropertyOnly() throws {
    let ours = Place(id: "a", name: "A", nameChanged: .day(1), town: "Paris", kinds: ["x"])
    let theirs = Place(id: "a", name: "B", nameChanged: .day(2), town: "Rome", stars: 3, kinds: ["x"])
    let (place, conflicts) = try Self.merge(ours, theirs)
    #expect(place == Place(id: "a", name: "B", nameChanged: .day(2), town: "Paris", kinds: ["x"]))
    #expect(
      conflicts == [
        MergeConflict(table: "places", id: "a", properties: ["town", "stars"], resolution: .tookOurs)
      ])
    let (other, _) = try Self.merge(ours, theirs, .theirs)
    #expect(other == Place(id: "a", name: "B", nameChanged: .day(2), town: "Rome", stars: 3, kinds: ["x"]))
    // With the same date neither is newer.
    var same = theirs
    same.nameChanged = .day(1)
    #expect(try Self.merge(ours, same).1.first?.properties == ["name", "town", "stars"])
  }

  // MARK: The same new tag on two sides

  private static func store() -> Store<Notebook> {
    Store(Notebook(sources: NotebookSources(now: { .day(1) }, nextNoteID: sequentialNoteIDs())))
  }

  @Test func scratchpadsThatMakeTheSameTag() throws {
    let store = Self.store()
    let pads = [store.scratchpad(), store.scratchpad()]
    for (number, pad) in pads.enumerated() {
      try pad.write { notebook in
        notebook.goTo(day: 2 + number)
        let tag = notebook.tag(named: number == 0 ? "Paris" : "PARIS")
        try notebook.upsert(Note(id: Int64(number), text: "\(number)", creationDate: .day(2)))
        try notebook.setTags([tag.id], of: Int64(number))
      }
    }
    #expect(try pads[1].commit().conflicts == [])
    #expect(try pads[0].commit() == MergeOutcome())
    #expect(store.read { $0.tags.map(\.name) } == ["PARIS"] && store.read { $0.notes.count } == 2)
    #expect(store.read { $0.allViolations() } == [])
  }

  @Test func aBackgroundBlockThatMakesTheSameTag() async throws {
    let store = Self.store()
    let runs = Mutex(0)
    try await store.performBackground { notebook in
      runs.withLock { $0 += 1 }
      notebook.tags = try Table([SnapshotNotebook.Tag(#require(TagName("Paris")), nameModificationDate: .day(2))])
      let ended = DispatchSemaphore(value: 0)
      Thread {
        #expect(throws: Never.self) { try store.write { $0.tag(named: "Paris") } }
        ended.signal()
      }.start()
      ended.wait()
    }
    #expect(runs.withLock { $0 } == 1)
    #expect(store.read { $0.tags.map(\.nameModificationDate) } == [.day(2)])
    #expect(store.read { $0.allViolations() } == [])
  }

  @Test func bothDeletedTheSameNote() throws {
    let base = try Notebook.small()
    var (ours, theirs) = (base, base)
    ours.deleteNotes([1000])
    theirs.goTo(day: 2)
    theirs.deleteNotes([1000])
    let merge = Notebook.merging(base: base, ours: ours, theirs: theirs, policy: .fail)
    #expect(merge.conflicts == [] && merge.value.deletedNotes[1000]?.deletionDate == .day(2))
    #expect(merge.value.allViolations() == [])
  }
}
