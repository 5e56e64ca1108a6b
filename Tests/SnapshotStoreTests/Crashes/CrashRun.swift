import Foundation
import Synchronization

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// One run of a program on a failing disk, with a witness of the acknowledged values.
final class CrashRun: Sendable {
  let disk: InMemoryFileSystem
  let clock = ManualScheduler()
  let scenario: CrashScenario
  let witness = Mutex(CrashWitness(before: nil))
  private let store = Mutex<Store<Counters>?>(nil)
  private let milestones = Atomic(0)
  /// What other programs have added to the file, to be merged with what the store has.
  private let external = Mutex<[Int]>([])
  /// What must be on the disk in some file.
  let mustRemain = Mutex<[UInt8]?>(nil)

  init(of scenario: CrashScenario, on disk: InMemoryFileSystem) {
    self.disk = disk
    self.scenario = scenario
    witness.withLock { $0 = CrashWitness(before: scenario.before) }
    mustRemain.withLock { $0 = scenario.damaged }
  }

  var path: String { scenario.path }
  var url: URL { URL(fileURLWithPath: path) }

  static func options(_ policy: SavePolicy = .manual, createsFile: Bool = true) -> StoreOptions {
    // One thread, so that the calls have one order.
    var options = StoreOptions(policy: policy, createsFile: createsFile, threads: 1)
    options.log = { _ in }
    return options
  }

  /// Opens the store; a second time if the first fails, as a user would.
  func open(
    _ policy: SavePolicy = .manual, generations: Generation.Policy = Generation.Policy(),
    journal: JournalPolicy = .none
  ) throws -> Store<Counters> {
    var options = Self.options(policy)
    options.generations = generations
    options.journal = journal
    options.recovery = scenario.recovery
    options.externalChanges = scenario.externalChanges
    // Opening makes a missing file.
    witness.withLock { if $0.allowed == [nil] { $0.submit(Counters()) } }
    let store = try twice {
      try Store<Counters>.open(at: url, options: options, fileSystem: disk, scheduler: clock)
    }
    witness.withLock { $0.acknowledge(store.snapshot().value) }
    self.store.withLock { $0 = store }
    return store
  }

  /// Changes the value without waiting for the disk.
  func write(_ id: Int, to store: Store<Counters>) throws {
    var value = store.snapshot().value
    try value.set(id, to: id)
    try submit(value)
    try store.write { try $0.set(id, to: id) }
  }

  /// Records a value that may be in the file from now on, with the ids that others have added.
  private func submit(_ value: Counters) throws {
    let value = try merged(value)
    witness.withLock { $0.submit(value) }
  }

  private func merged(_ value: Counters) throws -> Counters {
    var value = value
    for id in external.withLock({ $0 }) { try value.set(id, to: id) }
    return value
  }

  /// Another program adds to the content of the file, durably.
  func otherProgramSets(_ id: Int) {
    guard !disk.isCrashed, let old = disk[path], var theirs: Counters = try? SnapshotFile.decode(from: old),
      (try? theirs.set(id, to: id)) != nil, let bytes = try? SnapshotFile.encode(theirs, as: .json)
    else { return }
    disk[path] = bytes
    if scenario.externalChanges == .merge {
      external.withLock { $0.append(id) }
      try? witness.withLock { try $0.add(id) }
      // What the store has and could not save yet is merged when it can.
      if let store = store.withLock({ $0 }) { try? submit(store.snapshot().value) }
    } else {
      witness.withLock {
        $0.submit(theirs)
        $0.acknowledge(theirs)
      }
      mustRemain.withLock { $0 = bytes }
    }
  }

  /// Changes the value, and flushes; again if that fails.
  func commit(_ id: Int, to store: Store<Counters>, folding: Bool = false) throws {
    try write(id, to: store)
    let value = try merged(store.snapshot().value)
    promise(value) { try store.flushAndWait(folding: folding) }
  }

  /// Removes a counter, and flushes; again if that fails.
  func takeBack(_ id: Int, from store: Store<Counters>) throws {
    var value = store.snapshot().value
    value.left.remove(id)
    try submit(value)
    try store.write { _ = $0.left.remove(id) }
    promise(value) { try store.flushAndWait() }
  }

  /// Opens one of several stores that share the file. Nobody else may change it.
  func share(journal: JournalPolicy) throws -> Store<Counters> {
    var options = Self.options()
    options.access = .shared
    options.journal = journal
    return try twice {
      try Store<Counters>.open(at: url, options: options, fileSystem: disk, scheduler: clock)
    }
  }

  /// Adds a counter in such a store, and flushes; again if that fails.
  func commit(_ id: Int, sharing store: Store<Counters>, folding: Bool = false) throws {
    try witness.withLock { try $0.offer(id) }
    try store.write { try $0.set(id, to: id) }
    do {
      try twice { try store.flushAndWait(folding: folding) }
      witness.withLock { $0.require(id) }
    } catch {
      witness.withLock { $0.unacknowledged += 1 }
    }
  }

  func closeShared(_ store: Store<Counters>) throws { try twice { try store.closeAndWait() } }

  /// Opens a store with a journal, commits a change, and drops the store without closing it.
  func leave(_ id: Int) throws {
    let store = try open(journal: .beside())
    try commit(id, to: store)
    self.store.withLock { $0 = nil }
  }

  /// Changes the value in a session of its own.
  func update(_ id: Int) throws {
    let next = try witness.withLock { witness in
      var next = (witness.allowed.last ?? nil) ?? Counters()
      try next.set(id, to: id)
      if witness.allowed == [nil] { witness.submit(Counters()) }
      witness.submit(next)
      return next
    }
    promise(next) {
      try Store<Counters>.update(
        at: url, options: Self.options(), waitingAtMost: .zero, fileSystem: disk, scheduler: clock
      ) { try $0.set(id, to: id) }
    }
  }

  /// Calls a function that acknowledges a value when it returns; calls it again if it fails.
  func promise(_ value: Counters, _ body: () throws -> Void) {
    do {
      try twice(body)
      witness.withLock { $0.acknowledge(value) }
    } catch {
      witness.withLock { $0.unacknowledged += 1 }
    }
  }

  /// Records the revision that a store reports as durable.
  func believe(_ store: Store<Counters>) {
    let latest = store.snapshot()
    if store.durableRevision >= latest.revision { witness.withLock { $0.acknowledge(latest.value) } }
  }

  func close(_ store: Store<Counters>) throws {
    self.store.withLock { $0 = nil }
    try twice { try store.closeAndWait() }
    witness.withLock { $0.acknowledge(store.snapshot().value) }
  }

  /// The events during a long call: time passes, timers fire, and the value is changed.
  func delay(call: Int) {
    clock.advance(by: .seconds(60))
    if let store = store.withLock({ $0 }) { try? write(1000 + call, to: store) }
  }

  /// Counts from 1.
  func nextMilestone() -> Int { milestones.wrappingAdd(1, ordering: .relaxed).newValue }

  private func twice<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { return try body() }
  }
}

extension InMemoryFileSystem.Call {
  /// Whether the call changes the disk if it succeeds.
  var changesDisk: Bool {
    isWrite || isSync || ["create", "renameat", "linkat", "unlinkat", "mkdirat"].contains(name)
  }

  /// Whether the success of a save depends on this call.
  var isMilestone: Bool { isSync || name == "renameat" }

  var isWrite: Bool { name == "write" || name == "pwrite" }

  private var isSync: Bool { name == "fsync" || name == "fdatasync" }
}
