import Foundation
import Synchronization
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Another program changes the file of an open store: noticed, and handled by the policy.
@Suite(.timeLimit(.minutes(30)))
struct StoreExternalChangeTests {
  @Test func nothingHappenedIsNothing() async {
    await each([ExternalChange.Policy.fail, .reload, .merge, .keepOurs]) {
      (policy: ExternalChange.Policy) async throws in
      let world = try ExternalChangeWorld(policy)
      #expect(await world.store.checkFile() == nil)
      // Touched, or replaced by the same bytes.
      world.test.bytes = world.test.bytes
      #expect(await world.store.checkFile() == nil)
      try world.store.write { try $0.set(1, to: 5) }
      try await world.store.flush()
      #expect(await world.store.checkFile() == nil)
      #expect(try world.stored() == [1: 5, 2: 2])
      #expect(world.store.revision == 2)
      try await world.store.close()
    }
  }

  @Test func byDefaultTheNextSaveFails() async throws {
    let world = try ExternalChangeWorld(.fail)
    try world.change { try $0.set(1, to: 9) }
    guard case .refused? = await world.store.checkFile() else { return #expect(Bool(false)) }
    try world.store.write { try $0.set(2, to: 8) }
    let error = await #expect(throws: SnapshotError.self) { try await world.store.flush() }
    #expect(error?.code == .changedExternally)
    #expect(try world.stored() == [1: 9, 2: 2])
    #expect(world.values == [1: 1, 2: 8])
  }

  @Test func aCleanStoreIsReloaded() async throws {
    let world = try ExternalChangeWorld(.reload)
    let changes = world.store.changes
    try world.change { try $0.set(1, to: 9) }
    guard case .reloaded? = await world.store.checkFile() else { return #expect(Bool(false)) }
    #expect(world.values == [1: 9, 2: 2])
    #expect(!world.store.status.isDirty)
    var iterator = changes.makeAsyncIterator()
    let set = try #require(await iterator.next())
    #expect(set.origin == .file)
    #expect(set.changes(in: \.left).map(\.id) == [1])
    // The store continues from there.
    try world.store.write { try $0.set(2, to: 8) }
    try await world.store.close()
    #expect(try world.stored() == [1: 9, 2: 8])
    #expect(world.test.replacements == 3)
  }

  // Another program empties the file and then writes it, and the check comes in between: it measures nothing, and reads
  // everything.
  @Test func aFileThatGrowsUnderTheEyesIsReloadedOnce() async throws {
    let world = try ExternalChangeWorld(.reload)
    var theirs: Counters = try world.test.stored()
    try theirs.set(1, to: 9)
    let bytes = try SnapshotFile.encode(theirs, as: .json)
    let (fileSystem, path) = (world.test.fileSystem, world.test.path)
    fileSystem.overwrite(path) { $0 = [] }
    let isEmpty = Mutex(true)
    fileSystem.injectEvent { call in
      let isFirstRead = call.name == "read" && isEmpty.withLock { $0 }
      if isFirstRead {
        isEmpty.withLock { $0 = false }
        fileSystem.overwrite(path) { $0 = bytes }
      }
      return nil
    }
    guard case .reloaded? = await world.store.checkFile() else { return #expect(Bool(false)) }
    #expect(isEmpty.withLock { !$0 } && world.values == [1: 9, 2: 2])
    #expect(await world.store.checkFile() == nil)
    try world.store.write { try $0.set(2, to: 8) }
    try await world.store.close()
    #expect(try world.stored() == [1: 9, 2: 8])
  }

  @Test func unsavedChangesAreNotReloadedOver() async throws {
    let world = try ExternalChangeWorld(.reload)
    try world.store.write { try $0.set(2, to: 8) }
    try world.change { try $0.set(1, to: 9) }
    guard case .refused? = await world.store.checkFile() else { return #expect(Bool(false)) }
    #expect(world.values == [1: 1, 2: 8])
    await #expect(throws: SnapshotError.self) { try await world.store.flush() }
    #expect(try world.stored() == [1: 9, 2: 2])
  }

  @Test func oursReplacesWhatIsKept() async throws {
    let world = try ExternalChangeWorld(.keepOurs)
    try world.change { try $0.set(1, to: 9) }
    let external = world.test.bytes
    guard case .replaced(let kept)? = await world.store.checkFile() else { return #expect(Bool(false)) }
    #expect(world.store.status.isDirty)
    try await world.store.close()
    #expect(try world.stored() == [1: 1, 2: 2])
    #expect(world.test.fileSystem[kept] == external)
  }

  // An editor may be in the middle of writing; a file that is gone is made anew.
  @Test(arguments: [ExternalChange.Policy.reload, .merge, .keepOurs])
  func whatCannotBeReadIsLeftAlone(_ policy: ExternalChange.Policy) async throws {
    let world = try ExternalChangeWorld(policy)
    let good = world.test.bytes
    world.test.bytes = Array("{".utf8)
    guard case .unreadable? = await world.store.checkFile() else { return #expect(Bool(false)) }
    try world.store.write { try $0.set(1, to: 8) }
    await #expect(throws: SnapshotError.self) { try await world.store.flush() }
    #expect(world.test.bytes == Array("{".utf8))
    world.test.bytes = good
    try await world.store.flush()
    #expect(try world.stored() == [1: 8, 2: 2])
    world.test.bytes = nil
    guard case .removed? = await world.store.checkFile() else { return #expect(Bool(false)) }
    try world.store.write { try $0.set(1, to: 7) }
    try await world.store.close()
    #expect(try world.stored() == [1: 7, 2: 2])
  }

  // A store that only reads follows the file, and never writes, whatever the policy.
  @Test(arguments: [ExternalChange.Policy.reload, .merge, .keepOurs]) func whoOnlyReadsFollows(
    _ policy: ExternalChange.Policy
  ) async throws {
    let world = try ExternalChangeWorld(.fail)
    var options = StoreOptions(policy: .readOnly)
    options.log = { _ in }
    options.externalChanges = policy
    let reader = try world.test.open(Counters.self, options)
    try world.store.write { try $0.set(1, to: 7) }
    try await world.store.flush()
    guard case .reloaded? = await reader.checkFile() else { return #expect(Bool(false)) }
    #expect(reader.read { $0.left[1]?.value } == 7)
    try await reader.flush()
    try await reader.close()
    try world.store.write { try $0.set(1, to: 8) }
    try await world.store.close()
    #expect(try world.stored() == [1: 8, 2: 2])
    #expect(world.test.paths == [world.test.path])
  }

  // A deallocated store cannot ask the program: its changes are put beside the file, and the file is free.
  @Test func aStoreThatIsDeallocatedLeavesItsChangesBeside() throws {
    let test = StoreUnderTest()
    let external: [UInt8]
    do {
      let store = try test.open(Counters.self, .automatic())
      try store.write { try $0.set(1, to: 1) }
      try store.flushAndWait()
      var theirs = try test.stored(Counters.self)
      try theirs.set(1, to: 9)
      external = try SnapshotFile.encode(theirs, as: .json)
      test.bytes = external
      try store.write { try $0.set(1, to: 2) }
    }
    #expect(test.bytes == external)
    let aside = try #require(test.paths.first { $0.contains(".unsaved-") })
    #expect(try SnapshotFile.decode(Counters.self, from: #require(test.fileSystem[aside])).left[1]?.value == 2)
    try test.open(Counters.self).closeAndWait()
    #expect(test.openCount == 0)
  }

  // After closing, the file belongs to others, even if a check of it was under way.
  @Test func nothingIsMetAfterClosing() async throws {
    let world = try ExternalChangeWorld(.keepOurs)
    try await world.store.close()
    try world.change { try $0.set(1, to: 9) }
    #expect(await world.store.checkFile() == nil)
    #expect(try world.stored() == [1: 9, 2: 2])
  }

  // State outside the tables is the store's own.
  @Test func sourcesStay() async throws {
    let test = StoreUnderTest()
    var options = StoreOptions(policy: .manual)
    options.log = { _ in }
    options.externalChanges = .reload
    let store = try test.open(Notebook.self, options)
    try store.write {
      $0.sources = NotebookSources(now: { .day(7) }, nextNoteID: sequentialNoteIDs(first: 5000))
      _ = try $0.addNote(text: "ours")
    }
    try await store.flush()
    var theirs = try test.stored(Notebook.self)
    _ = try theirs.addNote(text: "theirs")
    test.bytes = try SnapshotFile.encode(theirs, as: .json)
    _ = await store.checkFile()
    let note = try store.write { try $0.addNote(text: "next") }
    #expect(note.id == 5001)
    #expect(note.creationDate == .day(7))
    #expect(store.read { $0.notes.count } == 3)
    #expect(store.snapshot().value.allViolations() == [])
    try await store.close()
  }

  // The real case: an editor replaces the file, and the store takes it over by itself, repeatedly. The store's own
  // saves are no changes.
  @Test(arguments: [true, false]) func theFolderIsWatched(_ inPlace: Bool) async throws {
    try await FolderUnderTest.with(.real) { folder in
      let url = folder.url("store.json")
      let (news, continuation) = AsyncStream.makeStream(of: ExternalChange.self)
      var options = StoreOptions(policy: .manual)
      options.log = { _ in }
      options.externalChanges = .reload
      options.onExternalChange = { continuation.yield($0) }
      let store = try Store<Counters>.open(at: url, options: options)
      var iterator = news.makeAsyncIterator()
      for value in 1_000_000_001...1_000_000_005 {
        try store.write { try $0.set(1, to: value) }
        try await store.flush()
        var theirs: Counters = try SnapshotFile.read(at: url)
        try theirs.set(2, to: value)
        let data = Data(try SnapshotFile.encode(theirs, as: .json))
        try data.write(to: url, options: inPlace ? [] : [.atomic])
        // In place, the first checks may find half a file.
        reading: while let change = await iterator.next() {
          switch change {
          case .reloaded: break reading
          case .unreadable: continue
          default: Issue.record("\(change)")
          }
        }
        #expect(store.read { $0.left[2]?.value } == value)
      }
      try await store.close()
      #expect(folder.allNames.filter { !$0.contains("generations") } == ["store.json"])
    }
  }
}
