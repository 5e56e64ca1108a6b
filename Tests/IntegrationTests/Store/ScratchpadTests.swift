import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Staged changes that are merged back or dropped.
struct ScratchpadTests {
  private static func store(_ values: [Int: Int] = [1: 1, 2: 2]) throws -> Store<Counters> {
    var counters = Counters()
    for (id, value) in values { try counters.set(id, to: value) }
    return Store(counters)
  }

  private static func values(_ value: Counters) -> [Int: Int] {
    Dictionary(uniqueKeysWithValues: value.left.map { ($0.id, $0.value) })
  }

  @Test func aScratchpadIsStagedAndCommitted() throws {
    let store = try Self.store()
    let pad = store.scratchpad()
    #expect(pad.changes.isEmpty)
    try pad.write { try $0.set(1, to: 9) }
    try store.write { try $0.set(2, to: 8) }
    #expect(store.read(Self.values) == [1: 1, 2: 8])
    #expect(pad.read(Self.values) == [1: 9, 2: 2])
    #expect(pad.changes.changes(in: \.left).map(\.id) == [1])
    #expect(try pad.commit().conflicts == [])
    #expect(store.read(Self.values) == [1: 9, 2: 8])
    #expect(pad.read(Self.values) == [1: 9, 2: 8] && pad.changes.isEmpty)
    #expect(store.revision == 2)
    // A commit without changes is no transaction, but it takes over the parent's changes.
    try store.write { try $0.set(3, to: 3) }
    try pad.commit()
    #expect(store.revision == 3 && pad.read(Self.values)[3] == 3)
  }

  @Test func aConflictLeavesBothAsTheyAre() throws {
    let store = try Self.store()
    let pad = store.scratchpad()
    try pad.write { try $0.set(1, to: 9) }
    try store.write { try $0.set(1, to: 8) }
    let refusal = #expect(throws: TransactionRefusal.self) { try pad.commit() }
    #expect(refusal?.conflicts == [MergeConflict(table: "left", id: "1", properties: ["value"], resolution: .tookOurs)])
    #expect(refusal?.description == "left 1, value: both changed it")
    #expect(store.read(Self.values)[1] == 8 && pad.read(Self.values)[1] == 9 && !pad.changes.isEmpty)
    #expect(try pad.commit(policy: .theirs).conflicts.map(\.resolution) == [.tookTheirs])
    #expect(store.read(Self.values)[1] == 9)
  }

  @Test func theParentMayWin() throws {
    let store = try Self.store()
    let pad = store.scratchpad()
    try pad.write { try $0.set(1, to: 9) }
    try store.write { try $0.set(1, to: 8) }
    try pad.commit(policy: .ours)
    #expect(store.read(Self.values)[1] == 8 && pad.read(Self.values)[1] == 8 && pad.changes.isEmpty)
    #expect(store.revision == 1)
  }

  // A record that does not fit is in the scratchpad alone. It must not be lost with the scratchpad.
  @Test func whatDoesNotFitIsNotLost() {
    each([MergePolicy.theirs, .fail, .newest, .resolve { _ in .theirs }]) { (policy: MergePolicy) throws in
      let store = Store(ThreeWayMergeTests.NamedList())
      let pad = store.scratchpad()
      try store.write { try $0.list.insert(.init(id: 1, name: "a")) }
      try pad.write { try $0.list.insert(.init(id: 2, name: "a")) }
      for step in [{ try pad.commit(policy: policy) }, { try pad.refresh(policy: policy) }] {
        let refusal = #expect(throws: TransactionRefusal.self) { try step() }
        #expect(refusal?.conflicts.map(\.resolution) == [.leftTheirsOut])
        #expect(store.revision == 1 && pad.read { $0.list.map(\.id) } == [2])
      }
      #expect(try pad.commit(policy: .ours).conflicts.map(\.resolution) == [.leftTheirsOut])
      #expect(pad.read { $0.list.map(\.id) } == [1])
    }
  }

  // A commit is final: its changes are not made again, even if the scratchpad could not continue from there.
  @Test func whatIsCommittedIsNotCommittedAgain() throws {
    let store = Store(ThreeWayMergeTests.NamedList())
    try store.write { try $0.list.insert(.init(id: 1, name: "a")) }
    let pad = store.scratchpad()
    try pad.write { try $0.list.update(1) { $0.name = "b" } }
    try store.write { try $0.list.insert(.init(id: 2, name: "c")) }
    // During the parent's transaction, the scratchpad takes a name that the parent has.
    let observer = try #require(
      store.observers.add { _ in
        #expect(throws: Never.self) { try pad.write { try $0.list.insert(.init(id: 3, name: "c")) } }
      })
    try pad.commit()
    store.observers.remove(observer)
    #expect(store.read { $0.list.map(\.name) } == ["b", "c"] && pad.read { $0.list.map(\.name) } == ["b", "c"])
    #expect(throws: TransactionRefusal.self) { try pad.refresh() }
    try store.write { try $0.list.update(1) { $0.name = "e" } }
    try pad.write { try $0.list.update(3) { $0.name = "d" } }
    #expect(try pad.commit().conflicts == [])
    #expect(store.read { $0.list.map(\.name) } == ["e", "c", "d"])
  }

  @Test func scratchpadsAreNested() throws {
    let store = try Self.store()
    let outer = store.scratchpad()
    let inner = outer.scratchpad()
    try inner.write { try $0.set(1, to: 9) }
    try inner.commit()
    #expect(outer.read(Self.values)[1] == 9 && store.read(Self.values)[1] == 1)
    try outer.commit()
    #expect(store.read(Self.values)[1] == 9)
    try inner.write { try $0.set(1, to: 10) }
    try outer.discard()
    try inner.discard()
    #expect(inner.read(Self.values)[1] == 9 && inner.changes.isEmpty)
  }

  @Test func newsComeIn() throws {
    let store = try Self.store()
    let pad = store.scratchpad()
    try pad.write { try $0.set(1, to: 9) }
    try store.write {
      try $0.set(1, to: 8)
      try $0.set(2, to: 8)
    }
    #expect(throws: TransactionRefusal.self) { try pad.refresh(policy: .fail) }
    #expect(pad.read(Self.values) == [1: 9, 2: 2])
    #expect(try pad.refresh().conflicts.map(\.resolution) == [.tookTheirs])
    #expect(pad.read(Self.values) == [1: 9, 2: 8])
    #expect(pad.changes.changes(in: \.left).map(\.id) == [1])
    #expect(try pad.commit().conflicts == [])
    #expect(store.read(Self.values) == [1: 9, 2: 8])
    try pad.write { try $0.set(1, to: 0) }
    try pad.discard()
    #expect(pad.read(Self.values) == [1: 9, 2: 8])
  }

  // State beside the tables is the scratchpad's own.
  @Test func onlyTablesAreDiscarded() throws {
    let store = Store(try Notebook.small())
    let pad = store.scratchpad()
    try pad.write { $0.goTo(day: 9) }
    try pad.write { try $0.setText("staged", of: 1000) }
    try store.write { try $0.setText("news", of: 1001) }
    try pad.discard()
    #expect(pad.read { $0.notes.map(\.text) } == ["First", "news"] && pad.changes.isEmpty)
    #expect(pad.read { $0.sources.now() } == .day(9) && store.read { $0.sources.now() } == .day(1))
    #expect(store.read { $0.allViolations() } == [])
  }

  @Test func aClosedParentKeepsNothingFromBeingTried() async throws {
    let store = try Self.store()
    let pad = store.scratchpad()
    try pad.write { try $0.set(1, to: 9) }
    try await store.close()
    #expect { try pad.commit() } throws: { ($0 as? SnapshotError)?.code == .closed }
    #expect(pad.read(Self.values)[1] == 9 && !pad.changes.isEmpty)
  }

  // Three generations of random edits, refreshes and commits. Then all edits that nobody else overwrote are in the
  // store.
  @Test func nothingIsLost() {
    each(1...20 as ClosedRange<UInt64>) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let store = try Self.store([:])
      var pads: [Scratchpad<Counters>] = [store.scratchpad()]
      for _ in 0..<4 { pads.append(try #require(pads.randomElement(using: &random)).scratchpad()) }
      // Each writes only to ids of its own, so every edit must arrive.
      var expected: [Int: Int] = [:]
      for step in 0..<300 {
        let index = Int.random(in: 0...pads.count, using: &random)
        let id = index * 1000 + Int.random(in: 0..<20, using: &random)
        if index == pads.count {
          try store.write { try $0.set(id, to: step) }
          expected[id] = step
          continue
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: #expect(try pads[index].commit().conflicts == [], "seed \(seed)")
        case 1: #expect(try pads[index].refresh(policy: .fail).conflicts == [], "seed \(seed)")
        default:
          try pads[index].write { try $0.set(id, to: step) }
          expected[id] = step
        }
      }
      // A pad is committed after its children.
      for pad in pads.reversed() { #expect(try pad.commit().conflicts == []) }
      #expect(store.read(Self.values) == expected, "seed \(seed)")
      #expect(store.read { $0.allViolations() } == [])
    }
  }
}
