import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Programs that know different things of one file.
extension KnownMomentTests {
  /// Two stores that do not know a table, which nobody changes.
  @Test func unknownContentThatNobodyChangesNeedsNoWholeSave() throws {
    var all = Counters()
    try all.right.insert(Counter(id: 7, value: 7))
    test.bytes = try SnapshotFile.encode(all, as: .json)
    func open() throws -> Store<LeftCounters> {
      var options = StoreOptions(policy: .manual, access: .shared, journal: .beside(), externalChanges: .merge)
      options.log = { _ in }
      return try test.open(LeftCounters.self, options)
    }
    let (a, b) = (try open(), try open())
    func add(_ id: Int, _ store: Store<LeftCounters>) throws {
      try store.write { try $0.left.insert(Counter(id: id, value: id)) }
    }
    try add(1, a)
    try a.flushAndWait(folding: true)
    test.scheduler.advance(by: .seconds(30))
    b.checkFileAndWait()
    let bytes = test.bytes
    try add(2, b)
    try add(3, a)
    try a.flushAndWait()
    try b.flushAndWait()
    #expect(b.read { $0.left.map(\.id) } == [1, 2, 3])
    #expect(test.bytes == bytes)
  }

  /// A version of a sync service, which is removed once it is durable.
  private struct Version: ConflictVersion {
    let url = URL(filePath: "/dir/other.json")
    let onResolution: @Sendable () -> Void

    func resolve() { onResolution() }
  }

  /// A store that does not know a table merges records of it. Then another one folds, and the first one reads that.
  @Test func unknownContentThatWasMergedIsSaved() throws {
    let onChange = SmallLock<Callback<Void, Void>?>(nil)
    func open() throws -> Store<LeftCounters> {
      var options = StoreOptions(policy: .manual, access: .shared, journal: .beside(), externalChanges: .merge)
      options.log = { _ in }
      options.onExternalChange = { _ in onChange.withLock { $0.take() }?() }
      return try test.open(LeftCounters.self, options)
    }
    let (a, b) = (try open(), try open())
    try a.write { try $0.left.insert(Counter(id: 1, value: 1)) }
    try a.flushAndWait(folding: true)
    test.scheduler.advance(by: .seconds(30))
    var theirs: Counters = try test.stored()
    try theirs.right.insert(Counter(id: 7, value: 7))
    test.fileSystem["/dir/other.json"] = try SnapshotFile.encode(theirs, as: .json)
    onChange.withLock {
      $0 = Callback {
        _ = try? a.write { try $0.left.insert(Counter(id: 2, value: 2)) }
        try? a.flushAndWait(folding: true)
      }
    }
    let found = SmallLock<[Int]?>(nil)
    let version = Version { [test] in
      let content = try? test.fileSystem.readJournaled(at: FileLocation(test.path, on: test.fileSystem), limit: .max)
      let bytes = try? content?.folded(ReadLimits(), path: test.path)
      let value = bytes.flatMap { try? SnapshotFile.decode(Counters.self, from: $0) }
      found.withLock { $0 = value.map { $0.left.map(\.id) + $0.right.map(\.id) } }
    }
    b.mergeVersions([version])
    #expect(onChange.withLock { $0 == nil })
    #expect(found.withLock { $0 } == [1, 2, 7])
  }

  /// The older program folds the journal that the newer one has open.
  @Test func aProgramOfAnOlderVersionFolds() throws {
    func open<Root: Model>(_ type: Root.Type) throws -> Store<Root> {
      var options = StoreOptions(policy: .manual, access: .shared, journal: .beside(), externalChanges: .merge)
      options.log = { _ in }
      return try test.open(type, options)
    }
    let a = try open(FirstCounters.self)
    let b = try open(SecondCounters.self)
    try b.write { try $0.put(2, 2) }
    try a.write { try $0.put(1, 1) }
    try a.flushAndWait()
    try a.flushAndWait(folding: true)
    try a.closeAndWait()
    try b.flushAndWait()
    #expect(b.read { $0.numbers.keys.sorted() } == [1, 2])
  }
}
