import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// An external change that the store does not take in. The file system has no notifications, so the store looks every
/// two seconds.
@Suite(.timeLimit(.minutes(30)))
struct RefusedChangeTests {
  /// A store that has saved, what its program was told, and how often the file was read.
  private struct World {
    let test = StoreUnderTest()
    let store: Store<Counters>
    private let told = Messages()

    init(_ externalChanges: ExternalChange.Policy, _ policy: SavePolicy = .manual) throws {
      var options = StoreOptions(policy: policy)
      options.externalChanges = externalChanges
      options.log = { _ in }
      options.onExternalChange = { [told] change in told.add(World.name(change)) }
      store = try test.open(Counters.self, options)
      try store.write { try $0.set(1, to: 1) }
      try store.flushAndWait()
    }

    static func name(_ change: ExternalChange?) -> String {
      switch change {
      case .unreadable?: "unreadable"
      case .merged?: "merged"
      case .reloaded?: "reloaded"
      case .replaced?: "replaced"
      case .rejected?: "rejected"
      case .refused?: "refused"
      case .removed?: "removed"
      case nil: "nothing"
      }
    }

    /// Another program writes the file.
    func change(_ value: Int) throws { test.bytes = try SaverExternalChangeTests.externalBytes(value) }

    /// What the program is told in a time, and how often the file is read.
    func pass(_ time: Duration) -> (told: [String], reads: Int) {
      let (before, calls) = (told.all.count, test.fileSystem.calls.count)
      test.scheduler.advance(by: time)
      return (
        Array(told.all[before...]), test.fileSystem.calls[calls...].count { $0.name == "read" || $0.name == "pread" }
      )
    }

    var everythingTold: [String] { told.all }

    func check() { #expect(store.snapshot().value.allViolations() == []) }
  }

  private enum Refusal: CaseIterable {
    case fail, reloadBesideChanges, damagedFile, newerVersion, emptyFile

    var policy: ExternalChange.Policy {
      switch self {
      case .fail: .fail
      case .reloadBesideChanges: .reload
      case .damagedFile, .newerVersion, .emptyFile: .merge
      }
    }

    var told: String { policy == .merge ? "unreadable" : "refused" }

    func meet(_ world: World) throws {
      switch self {
      case .fail: try world.change(99)
      case .reloadBesideChanges:
        try world.store.write { try $0.set(5, to: 5) }
        try world.change(99)
      case .damagedFile: world.test.bytes = Array("{".utf8)
      case .emptyFile: world.test.bytes = []
      case .newerVersion:
        world.test.bytes = Array(#"{"snapshot":{"schema":"counters","version":2},"left":[],"right":[]}"#.utf8)
      }
    }
  }

  @Test func oneChangeIsToldOnceAndReadOnce() {
    each(Refusal.allCases) { (refusal: Refusal) throws in
      let world = try World(refusal.policy)
      try refusal.meet(world)
      let first = world.pass(.seconds(2))
      #expect(first.told == [refusal.told])
      let later = world.pass(.seconds(60))
      #expect(later.told == [])
      #expect(later.reads == 0)
      world.check()
    }
  }

  @Test func everyNewChangeIsTold() throws {
    let world = try World(.fail)
    for value in 2...4 {
      try world.change(value)
      #expect(world.pass(.seconds(10)).told == ["refused"])
    }
    // Another kind of refusal.
    world.test.bytes = Array("{".utf8)
    #expect(world.pass(.seconds(10)).told == ["unreadable"])
    world.check()
  }

  // The saves of a store with changes meet the same change again and again.
  @Test(arguments: [ExternalChange.Policy.fail, .reload]) func savesDoNotTellItAgain(
    _ policy: ExternalChange.Policy
  ) throws {
    let world = try World(policy, .automatic())
    try world.store.write { try $0.set(2, to: 2) }
    try world.change(99)
    #expect(world.pass(.seconds(100)).told == ["refused"])
    #expect(world.store.status.failedSaves > 3)
    #expect(world.pass(.seconds(100)).reads == 0)
    let error = #expect(throws: SnapshotError.self) { try world.store.flushAndWait() }
    #expect(error?.code == .changedExternally)
    #expect(world.pass(.seconds(100)).told == [])
    // Once the file is out of the way, the change is saved.
    world.test.bytes = nil
    #expect(world.pass(.seconds(60)).told == ["removed"])
    #expect(try world.test.stored().left.map(\.id) == [1, 2])
    world.check()
  }

  @Test func anExplicitLookReturnsTheReactionAgain() async throws {
    let world = try World(.fail)
    try world.change(99)
    #expect(world.pass(.seconds(2)).told == ["refused"])
    for _ in 0..<3 { #expect(World.name(await world.store.checkFile()) == "refused") }
    #expect(world.everythingTold == ["refused"])
    world.test.bytes = nil
    for _ in 0..<3 { #expect(World.name(await world.store.checkFile()) == "removed") }
    #expect(world.everythingTold == ["refused", "removed"])
    #expect(world.pass(.seconds(10)).told == [])
    world.check()
  }

  // A look may come between the end of a save and the news of it. Then the store is not clean for a moment.
  @Test func aReloadFollowsOnceTheStoreIsClean() throws {
    let test = StoreUnderTest()
    let told = Messages()
    let store = SmallLock<Store<Counters>?>(nil)
    var options = StoreOptions(policy: .manual, externalChanges: .reload)
    options.onExternalChange = { told.add(World.name($0)) }
    options.log = { line in
      guard line.hasSuffix("is saved again"), let store = store.withLock({ $0 }) else { return }
      test.bytes = try? SaverExternalChangeTests.externalBytes(99)
      store.checkFileAndWait()
    }
    let opened = try test.open(Counters.self, options)
    store.withLock { $0 = opened }
    try opened.write { try $0.set(1, to: 1) }
    test.setDiskFull(true)
    #expect(throws: SnapshotError.self) { try opened.flushAndWait() }
    test.setDiskFull(false)
    try opened.flushAndWait()
    #expect(told.all == ["refused"])
    test.scheduler.advance(by: .seconds(2))
    #expect(told.all == ["refused", "reloaded"])
    #expect(opened.read { $0.left[1]?.value } == 99)
    #expect(opened.snapshot().value.allViolations() == [])
    store.withLock { $0 = nil }
  }

  // Each removal is told once. The next save creates the file again.
  @Test(arguments: [ExternalChange.Policy.fail, .keepOurs, .merge]) func aRemovedFileIsToldOnce(
    _ policy: ExternalChange.Policy
  ) throws {
    let world = try World(policy)
    for _ in 0..<3 {
      world.test.bytes = nil
      #expect(world.pass(.seconds(60)).told == ["removed"])
      #expect(world.store.revision <= world.store.durableRevision + 1)
      try world.store.write { try $0.set(1, to: ($0.left[1]?.value ?? 0) + 1) }
      try world.store.flushAndWait()
      #expect(try world.test.stored() == world.store.snapshot().value)
    }
    world.check()
  }

  // What may end by itself is tried again, but told once.
  @Test func aFileThatCannotBeReadForAWhileIsTakenInLater() throws {
    let world = try World(.reload)
    try world.change(99)
    world.test.fileSystem.injectFault { ["read", "pread"].contains($0.name) ? EIO : nil }
    #expect(world.pass(.seconds(60)).told == ["unreadable"])
    world.test.fileSystem.injectFault(nil)
    #expect(world.pass(.seconds(20)).told == ["reloaded"])
    #expect(world.store.read { $0.left[1]?.value } == 99)
    world.check()
  }

  // The next version may have the same size and date, so the file is read again in any case.
  @Test func aChangeOfThisMomentIsReadAgain() throws {
    let world = try World(.reload)
    let whole = try SaverExternalChangeTests.externalBytes(99)
    world.test.bytes = [UInt8(ascii: "x")] + whole.dropFirst()
    // The dates of files in memory begin with 1970.
    world.test.scheduler.date = Date(timeIntervalSince1970: 0)
    world.store.checkFileAndWait()
    #expect(world.everythingTold == ["unreadable"])
    world.test.fileSystem.overwrite(world.test.path) { $0 = whole }
    #expect(world.pass(.seconds(2)).told == ["reloaded"])
    #expect(world.store.read { $0.left[1]?.value } == 99)
    world.check()
  }
}
