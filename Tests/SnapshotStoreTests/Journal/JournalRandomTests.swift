import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A store with a journal, and all that may happen to it, in random order.
///
/// It saves, folds and is killed, and the disk is full. One program knows no journal and writes the file. Another one
/// removes or changes the journal. Counters are only added, so nothing that anybody has saved may ever be missing.
struct JournalRandomTests {
  @Test func nothingThatWasSavedIsEverMissing() {
    each(SeededGenerator.seeds(48)) { (seed: UInt64) throws in
      var world = try JournalWorld(seed: seed)
      for _ in 0..<50 { try world.step() }
      try world.finish()
    }
  }
}

private final class CallCount: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

private struct JournalWorld {
  private var random: SeededGenerator
  private var disk = InMemoryFileSystem(directories: ["/dir"])
  private var scheduler = ManualScheduler(runsAtOnce: true)
  private var store: Store<Counters>
  /// The counters that are saved, by the store or by the other program.
  private var saved: Set<Int> = []
  private var lastID = 0

  private static let path = "/dir/store.json"

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    store = try Self.open(disk, scheduler, .automatic(), limit: 2_000)
  }

  private static func open(
    _ disk: InMemoryFileSystem, _ scheduler: ManualScheduler, _ policy: SavePolicy, limit: Int
  ) throws -> Store<Counters> {
    var options = StoreOptions.journaled(policy)
    options.journal = .beside(size: limit, share: 0, quietTime: .seconds(20))
    options.externalChanges = .merge
    options.generations = Generation.Policy(count: 2, interval: .seconds(30))
    return try Store<Counters>.open(
      at: URL(fileURLWithPath: path), options: options, fileSystem: disk, scheduler: scheduler)
  }

  mutating func step() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: try change()
    case 6..<10: try save(folding: false)
    case 10: try save(folding: true)
    case 11..<13: scheduler.advance(by: .seconds(Int.random(in: 1...40, using: &random)))
    case 13..<15: try editFile()
    case 15: try spoilJournal()
    case 16: try fillDisk()
    case 17: try reopen(closing: true)
    default: try reopen(closing: false)
    }
  }

  private mutating func change() throws {
    lastID += 1
    try store.write { try $0.set(lastID, to: Int.random(in: 0..<1_000_000, using: &random)) }
  }

  private mutating func save(folding: Bool) throws {
    // Without a change the store does not look at the file.
    try change()
    try store.flushAndWait(folding: folding)
    saved.formUnion(store.read { $0.left.ids })
    try check(store.snapshot().value)
  }

  /// The other program reads and writes the file alone.
  private mutating func editFile() throws {
    guard let bytes = disk[Self.path] else { return }
    var value: Counters = try SnapshotFile.decode(from: bytes)
    lastID += 1
    try value.right.insert(Counter(id: lastID, value: lastID))
    disk[Self.path] = try SnapshotFile.encode(value, as: .json)
    saved.insert(lastID)
  }

  /// The store has to notice it at the next save, before it is killed.
  private mutating func spoilJournal() throws {
    guard let bytes = disk[JournalStoreTests.journalPath] else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: disk[JournalStoreTests.journalPath] = nil
    case 1: disk.overwrite(JournalStoreTests.journalPath) { $0.removeLast(bytes.count / 3) }
    case 2: disk[JournalStoreTests.journalPath] = Array(bytes.dropFirst(7))
    default: disk[JournalStoreTests.journalPath] = bytes
    }
    try save(folding: Bool.random(using: &random))
  }

  private mutating func fillDisk() throws {
    let fails = Int.random(in: 1...3, using: &random)
    let count = CallCount()
    disk.injectFault { call in
      ["write", "fsync", "renameat", "unlinkat", "linkat"].contains(call.name) && count.next().isMultiple(of: fails)
        ? ENOSPC : nil
    }
    try change()
    try? store.flushAndWait(folding: Bool.random(using: &random))
    disk.injectFault(nil)
  }

  private mutating func reopen(closing: Bool) throws {
    if closing {
      try store.closeAndWait()
      saved.formUnion(store.read { $0.left.ids })
      #expect(disk[JournalStoreTests.journalPath] == nil)
    } else {
      // The process is killed. The other program may write the file before the next one starts.
      saved.formUnion(store.snapshot().value.left.ids.filter { _ in store.durableRevision == store.revision })
      disk = disk.copyOfFiles()
      scheduler = ManualScheduler(runsAtOnce: true)
      if Bool.random(using: &random) { try editFile() }
    }
    let policy: SavePolicy = [.automatic(), .manual, .immediate].randomElement(using: &random) ?? .manual
    store = try Self.open(disk, scheduler, policy, limit: Int.random(in: 300...3_000, using: &random))
    try check(store.snapshot().value)
  }

  mutating func finish() throws {
    try save(folding: false)
    let location = try FileLocation(Self.path, on: disk)
    let read = try disk.readJournaled(at: location, limit: .max).folded(ReadLimits(), path: Self.path)
    try check(SnapshotFile.decode(from: read))
    try reopen(closing: true)
    try check(SnapshotFile.decode(from: #require(disk[Self.path])))
  }

  private func check(_ value: Counters) throws {
    let missing = saved.subtracting(value.left.ids).subtracting(value.right.ids)
    #expect(missing.isEmpty, "missing: \(missing.sorted())")
    #expect(value.allViolations() == [])
  }
}
