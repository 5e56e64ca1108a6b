import Dispatch
import Testing

@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A tag that exists keeps its spelling: also if a block or a scratchpad makes it later, from a value without the tag.
@Suite struct TagSpellingTests {
  private let store = Store(Notebook())

  private func spellings(_ store: Store<Notebook>) -> [String] { store.read { $0.tags.map(\.name) } }

  @Test func inABlock() async throws {
    let (hasBegun, goesOn, hasEnded) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    func begin() {
      store.performBackground { value in
        hasBegun.signal()
        goesOn.wait()
        let tag = value.tag(named: "paris")
        try value.addNote(text: "One", tags: [tag.id])
      } completion: { _ in
        hasEnded.signal()
      }
    }
    begin()
    #expect(await hasBegun.arrives())
    #expect(try store.tag(named: "PARIS").name == "PARIS")
    goesOn.signal()
    #expect(await hasEnded.arrives())
    #expect(spellings(store) == ["PARIS"])
    #expect(store.read { $0.notes.map(\.tags) } == [["paris"]])
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test(arguments: [MergePolicy.fail, .theirs, .newest]) func inAScratchpad(policy: MergePolicy) throws {
    let pad = store.scratchpad()
    try store.tag(named: "PARIS")
    try pad.write { _ = $0.tag(named: "paris") }
    #expect(try pad.commit(policy: policy).conflicts == [])
    #expect(spellings(store) == ["PARIS"])
    #expect(spellings(pad.store) == ["PARIS"])
  }

  @Test func inAScratchpadThatIsRefreshed() throws {
    let pad = store.scratchpad()
    try store.tag(named: "PARIS")
    try pad.write { _ = $0.tag(named: "paris") }
    #expect(try pad.refresh().conflicts == [])
    #expect(spellings(pad.store) == ["PARIS"])
    try pad.commit()
    #expect(spellings(store) == ["PARIS"])
  }

  // A tag that both have seen can get another spelling.
  @Test func anotherSpellingOfTheSameTag() throws {
    let tag = try store.tag(named: "Paris")
    let pad = store.scratchpad()
    try pad.write { _ = try $0.renameTag(tag.id, to: "PARIS") }
    try pad.commit()
    #expect(spellings(store) == ["PARIS"])
  }
}
