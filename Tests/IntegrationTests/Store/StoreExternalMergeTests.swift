import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Both sides have changed the value: merged, and the losing version is kept.
@Suite(.timeLimit(.minutes(30)))
struct StoreExternalMergeTests {
  @Test(arguments: [false, true]) func bothSidesAreMerged(_ looksBeforeTheSave: Bool) async throws {
    let world = try ExternalChangeWorld(.merge)
    try world.store.write {
      try $0.set(2, to: 8)
      try $0.set(3, to: 3)
    }
    try world.change {
      try $0.set(1, to: 9)
      try $0.set(4, to: 4)
    }
    if looksBeforeTheSave {
      guard case .merged(let outcome, nil)? = await world.store.checkFile() else {
        return #expect(Bool(false))
      }
      let conflicts = outcome.conflicts
      let repaired = outcome.repaired
      #expect(conflicts == [])
      #expect(repaired == [])
    }
    try await world.store.close()
    #expect(world.values == [1: 9, 2: 8, 3: 3, 4: 4])
    #expect(try world.stored() == world.values)
    #expect(world.test.paths == [world.test.path])
  }

  @Test func aConflictLosesNothing() async throws {
    let world = try ExternalChangeWorld(.merge)
    try world.store.write { try $0.set(1, to: 8) }
    try world.change { try $0.set(1, to: 9) }
    let external = world.test.bytes
    guard case .merged(let outcome, let kept?)? = await world.store.checkFile() else {
      return #expect(Bool(false))
    }
    let conflicts = outcome.conflicts
    #expect(conflicts == [MergeConflict(table: "left", id: "1", properties: ["value"], resolution: .tookOurs)])
    #expect(kept == "/dir/store.conflict-2026-01-01T00.00.00Z.json")
    try await world.store.close()
    #expect(try world.stored() == [1: 8, 2: 2])
    #expect(world.test.fileSystem[kept] == external)
  }

  // If theirs cannot be kept, it is not overwritten either.
  @Test(arguments: [ExternalChange.Policy.merge, .keepOurs])
  func whatCannotBeKeptStays(_ policy: ExternalChange.Policy) async throws {
    let world = try ExternalChangeWorld(policy)
    try world.store.write { try $0.set(1, to: 8) }
    try world.change { try $0.set(1, to: 9) }
    world.test.fileSystem.injectFault { $0.name == "linkat" ? ENOSPC : nil }
    guard case .unreadable(let error)? = await world.store.checkFile() else { return #expect(Bool(false)) }
    #expect(error.systemError == ENOSPC)
    await #expect(throws: SnapshotError.self) { try await world.store.flush() }
    #expect(try world.stored() == [1: 9, 2: 2])
    world.test.fileSystem.injectFault(nil)
    try await world.store.close()
    #expect(try world.stored() == [1: 8, 2: 2])
    #expect(world.test.paths.count == 2)
  }

  // A transaction that flushes waits for the save, so the save must not wait for the transaction.
  @Test(arguments: [ExternalChange.Policy.reload, .merge]) func aFlushInATransactionEnds(
    _ policy: ExternalChange.Policy
  ) async throws {
    let world = try ExternalChangeWorld(policy)
    try world.store.write { try $0.set(2, to: 8) }
    try world.change { try $0.set(1, to: 9) }
    try world.store.write { counters in
      let error = #expect(throws: SnapshotError.self) { try world.store.flushAndWait() }
      #expect(error?.code == .changedExternally)
      try counters.set(3, to: 3)
    }
    #expect(try world.stored() == [1: 9, 2: 2])
    if policy == .merge {
      try await world.store.close()
      #expect(try world.stored() == [1: 9, 2: 8, 3: 3])
    }
  }

  // A merge that needs repair keeps both sides.
  @Test func whatIsRepairedIsNamedAndKept() async throws {
    let test = StoreUnderTest()
    var options = StoreOptions(policy: .manual)
    options.log = { _ in }
    options.externalChanges = .merge
    let store = try test.open(Notebook.self, options)
    let (tag, note) = try store.write { notebook in
      let tag = notebook.tag(named: "Paris")
      return (tag, try notebook.addNote(text: "one"))
    }
    try await store.flush()
    var theirs: Notebook = try test.stored(Notebook.self)
    try theirs.deleteTag(tag.id)
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    try store.write { try $0.setTags([tag.id], of: note.id) }
    guard case .merged(let outcome, _?)? = await store.checkFile(), outcome.conflicts == [] else {
      return #expect(Bool(false))
    }
    let repaired = outcome.repaired
    #expect(repaired.map(\.place) == ["tags “paris”"])
    #expect(store.read { $0.tags.contains("paris") })
    #expect(store.snapshot().value.allViolations() == [])
    #expect(test.paths.contains { $0.contains(".before-merge-") })
    #expect(test.paths.contains { $0.contains(".conflict-") })
    try await store.close()
  }
}
