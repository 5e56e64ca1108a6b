import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The folder of a store with a journal is moved away, and another one takes its place.
struct MovedJournalTests {
  private let test = StoreUnderTest()
  private let log = Messages()
  private let store: Store<Counters>

  init() throws {
    var options = StoreOptions.journaled()
    options.log = { [log] in log.add($0) }
    options.externalChanges = .merge
    store = try test.open(Counters.self, options)
    for id in 1...3 {
      try store.write { try $0.set(id, to: id) }
      try store.flushAndWait(folding: id == 1)
    }
  }

  // The journal in the copy ends when the file there is written.
  @Test(arguments: [false, true]) func aCopyTakesItsPlace(_ changes: Bool) throws {
    test.fileSystem.replaceDirectory("/dir", moving: "/moved")
    if changes {
      try store.write { try $0.set(4, to: 4) }
      try store.flushAndWait()
      #expect(try test.reread() == store.snapshot().value)
    }
    try store.closeAndWait()
    #expect(test.journal == nil)
    #expect(try test.stored() == store.snapshot().value)
    #expect(test.paths.filter { $0.hasPrefix("/dir/") } == ["/dir/store.json"])
    #expect(log.all == [])
  }

  // A store without a journal does not take that of another one for its own.
  @Test(arguments: [false, true]) func aCopyWasContinued(_ folds: Bool) throws {
    if folds { try store.flushAndWait(folding: true) }
    test.fileSystem.replaceDirectory("/dir", moving: "/moved")
    let other = StoreUnderTest()
    for (path, bytes) in test.fileSystem.contents where path.hasPrefix("/dir/") && !path.hasSuffix(".lock") {
      other.fileSystem[path] = bytes
    }
    var options = StoreOptions.journaled()
    options.access = .shared
    let peer = try other.open(Counters.self, options)
    try peer.write { try $0.set(9, to: 90) }
    try peer.flushAndWait()
    let journal = try #require(other.journal)
    test.fileSystem["/dir/.store.json.journal"] = other.fileSystem["/dir/.store.json.journal"]
    try store.write { try $0.set(4, to: 4) }
    try store.flushAndWait()
    try store.closeAndWait()
    #expect(test.journal == nil)
    let kept = test.fileSystem.contents.filter { $0.key.contains(".journal-") }.values
    #expect(kept.contains { Array($0.prefix { $0 != 0 }) == journal })
    try peer.closeAndWait()
  }

  // Its journal has what this store never had. It is kept under another name, and the log says so.
  @Test(arguments: [1, 9]) func anotherJournalIsInTheNewFolder(_ id: Int) throws {
    test.fileSystem.replaceDirectory("/dir", moving: "/moved")
    let other = StoreUnderTest()
    let stranger = try other.open(Counters.self, .journaled())
    try stranger.write { try $0.set(1, to: 1) }
    try stranger.flushAndWait(folding: true)
    try stranger.write { try $0.set(id, to: 90) }
    try stranger.flushAndWait()
    let journal = try #require(other.journal)
    test.bytes = other.bytes
    test.fileSystem["/dir/.store.json.journal"] = journal
    try store.write { try $0.set(4, to: 4) }
    try store.flushAndWait()
    try store.closeAndWait()
    #expect(test.journal == nil)
    #expect(try test.stored().left.map(\.id) == [1, 2, 3, 4])
    #expect(test.fileSystem.contents.contains { $0.key.contains(".journal-") && $0.value == journal })
    #expect(log.all.contains { $0.contains(".journal-") })
    try stranger.closeAndWait()
  }
}
