import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Processes that share one file. Each edit writes a value of its own, so that it can be found again.
final class SharedWorld: SimulatedProcesses {
  /// What a process does next.
  enum Step: Sendable {
    /// Adds a record.
    case add
    /// Changes a record that others change too.
    case edit(Int)
    /// Removes such a record.
    case remove(Int)
    case flush
    case fold
    /// Holds and saves nothing until a later step that needs the file.
    case suspend(flushing: Bool)
    case look
    /// Ends at once, and begins again. The number of calls until then.
    case kill(after: Int)
    case reopen
    /// A short session of another program.
    case update
    /// Another program has the file alone for a while.
    case openAlone
    /// A program without this library reads the file. It knows no lock and no journal.
    case readAsOther
    /// That program changes a record in what it has read, and replaces the file with it.
    case replaceAsOther(Int)
  }

  private struct Record: Sendable {
    /// Large numbers: a file that has one shows which version its program has read.
    var lastMark = 9_000_000
    /// The marks that were written over a mark.
    var overwritten: [Int: [Int]] = [:]
    /// The record of each mark that stands for a removal.
    var removed: [Int: Int] = [:]
    /// The record of each mark that was reported as saved.
    var saved: [Int: Int] = [:]
    /// The processes that are running, by their numbers.
    var running: Set<Int32> = []
    var lastProcess: Int32 = 0
    /// What the other program has read.
    var read: [UInt8]?
    var problems: [String] = []
    var reports: [String] = []
  }

  let disk = InMemoryFileSystem(directories: ["/dir"])
  let path = "/dir/store.json"
  let journal: JournalPolicy
  /// Steps of the library that are left out, as if it had forgotten them.
  let leavingOut: Set<String>
  private let record = SmallLock(Record())

  init(journal: JournalPolicy, leavingOut: Set<String> = []) {
    self.journal = journal
    self.leavingOut = leavingOut
  }

  var problems: [String] { record.withLock { $0.problems } }
  var reports: [String] { record.withLock { $0.reports } }

  /// A new process with a number of its own.
  func startProcess() -> Int32 {
    record.withLock { record in
      record.lastProcess += 1
      record.running.insert(record.lastProcess)
      return record.lastProcess
    }
  }

  func endProcess(_ number: Int32) { _ = record.withLock { $0.running.remove(number) } }

  func isRunning(_ number: Int32) -> Bool { record.withLock { $0.running.contains(number) } }

  func fail(_ problem: String) { record.withLock { $0.problems.append(problem) } }
  func report(_ text: String) { record.withLock { $0.reports.append(text) } }

  /// Writes a new mark to a record; nil for a new record.
  ///
  /// - Returns: the mark, and the id of its record.
  func edit(_ id: Int?, in value: inout Counters) throws -> (mark: Int, id: Int) {
    let mark = record.withLock { record in
      record.lastMark += 1
      return record.lastMark
    }
    let id = id ?? mark
    let old = value.left[id]?.value
    try value.set(id, to: mark)
    record.withLock { record in
      // A record that is added again takes the place of its removal.
      for old in old.map({ [$0] }) ?? record.removed.filter({ $0.value == id }).map(\.key) {
        record.overwritten[old, default: []].append(mark)
      }
    }
    return (mark, id)
  }

  /// Removes a record, if it is there.
  func remove(_ id: Int, in value: inout Counters) {
    guard let old = value.left[id]?.value else { return }
    _ = value.left.remove(id)
    record.withLock { record in
      record.lastMark += 1
      record.removed[record.lastMark] = id
      record.overwritten[old, default: []].append(record.lastMark)
    }
  }

  var hasOtherProgram: Bool { record.withLock { $0.read != nil } }

  func readAsOther() {
    let bytes = disk[path]
    record.withLock { $0.read = bytes }
  }

  func replaceAsOther(_ id: Int) throws {
    guard let read = record.withLock({ $0.read }) else { return }
    var theirs = try SnapshotFile.decode(Counters.self, from: read)
    _ = try edit(id, in: &theirs)
    let bytes = try SnapshotFile.encode(theirs, as: .json)
    record.withLock { $0.read = bytes }
    disk[path] = bytes
  }

  func saved(_ marks: [(mark: Int, id: Int)]) {
    record.withLock { record in
      for (mark, id) in marks { record.saved[mark] = id }
    }
  }

  /// What the file and its journal hold.
  func stored() throws -> Counters {
    let content = try disk.readJournaled(at: FileLocation(path, on: disk), limit: .max)
    return try SnapshotFile.decode(Counters.self, from: content.folded(ReadLimits(), path: path))
  }

  /// Looks for each mark that was saved: in the file, among those that another one there has overwritten, and in the
  /// files that were kept.
  func checkSavedMarks() throws {
    let kept = disk.paths.filter { $0.contains(".conflict-") || $0.contains(".before-merge-") }
    // A process may have been killed while it wrote one. Then it has not saved anything that contradicts it.
    let values = try [stored()] + kept.compactMap { try? SnapshotFile.decode(Counters.self, from: disk[$0] ?? []) }
    let record = record.withLock { $0 }
    // Another process may have added a record with the same id, without having seen the one that was removed.
    let found = Set(values.flatMap { $0.left.map(\.value) }).union(record.removed.keys)
    var known: [Int: Bool] = [:]
    func isAccountedFor(_ mark: Int) -> Bool {
      if let known = known[mark] { return known }
      let result = found.contains(mark) || record.overwritten[mark, default: []].contains(where: isAccountedFor)
      known[mark] = result
      return result
    }
    for (mark, id) in record.saved where !isAccountedFor(mark) { fail("lost: record \(id), mark \(mark)") }
  }
}

/// The time until a process is killed.
private final class Life: Sendable {
  private let calls = SmallLock<Int?>(nil)

  var isOver: Bool { calls.withLock { $0 == 0 } }

  /// - Parameter count: the number of calls until the end; nil for no end.
  func end(after count: Int?) { calls.withLock { $0 = count } }

  /// Counts a call. Returns whether the process is killed by it.
  func endsNow() -> Bool {
    calls.withLock { calls in
      calls = calls.map { $0 - 1 }
      return calls == 0
    }
  }
}

/// One process of a world. It may be killed, and begin again.
final class SharedProcess: @unchecked Sendable {
  let number: Int
  private let world: SharedWorld
  private let baton: Baton?
  private var fileSystem: ObservedFileSystem
  private var scheduler = ManualScheduler()
  private(set) var store: Store<Counters>?
  private var unsaved: [(mark: Int, id: Int)] = []
  private var life = Life()
  /// Killed stores, which never do anything again.
  private var dead: [Store<Counters>?] = []
  private var isInterruptible = true

  init(_ number: Int, in world: SharedWorld, _ baton: Baton?) {
    (self.number, self.world, self.baton) = (number, world, baton)
    fileSystem = ObservedFileSystem(world.disk)
    start()
  }

  private func start() {
    let (number, baton, life) = (number, baton, Life())
    self.life = life
    let process = world.startProcess()
    fileSystem = ObservedFileSystem(
      world.disk, leavingOut: world.leavingOut, process: process, processes: world
    ) { [weak self, world] _, _ in
      if life.isOver { return EIO }
      if self?.isInterruptible == true { baton?.pass(from: number) }
      guard life.endsNow() else { return nil }
      self?.fileSystem.closeAll()
      world.endProcess(process)
      return EIO
    }
    scheduler = ManualScheduler()
    // The clocks of the processes differ by days.
    scheduler.date += TimeInterval((number % 2 == 0 ? 1 : -1) * number * 100_000)
  }

  func perform(_ step: SharedWorld.Step) {
    do {
      try attempt(step)
    } catch {
      if !life.isOver { world.fail("process \(number), \(step): \(error)") }
    }
    if life.isOver { beginAgain() }
  }

  private func beginAgain() {
    dead.append(store)
    store = nil
    unsaved = []
    start()
  }

  private func attempt(_ step: SharedWorld.Step) throws {
    if store == nil { store = try waiting { try open(.shared) } }
    guard let store else { return }
    switch step {
    case .add: unsaved.append(try store.write { try world.edit(nil, in: &$0) })
    case .edit(let id): unsaved.append(try store.write { try world.edit(id, in: &$0) })
    case .remove(let id): try store.write { world.remove(id, in: &$0) }
    case .suspend(let flushing): try suspend(flushing)
    case .flush: try flush(folding: false)
    case .fold: try flush(folding: true)
    case .look:
      store.resume()
      store.checkFileAndWait()
      scheduler.advance(by: .seconds(3))
    case .kill(let calls): life.end(after: calls)
    case .reopen:
      try waiting { try store.closeAndWait() }
      world.saved(unsaved)
      unsaved = []
      self.store = nil
    case .update:
      var mark: (mark: Int, id: Int)?
      try waiting {
        try Store<Counters>.update(
          at: URL(fileURLWithPath: world.path), options: options(.exclusive), waitingAtMost: .zero,
          fileSystem: fileSystem, scheduler: ManualScheduler()
        ) { mark = try world.edit(nil, in: &$0) }
      }
      if let mark { world.saved([mark]) }
    case .readAsOther: world.readAsOther()
    case .replaceAsOther(let id): try world.replaceAsOther(id)
    case .openAlone:
      let alone = try waiting { try open(.exclusive) }
      let marks = try (1...2).map { _ in try alone.write { try world.edit(1, in: &$0) } }
      try alone.closeAndWait()
      world.saved(marks)
    }
  }

  private func suspend(_ flushing: Bool) throws {
    if flushing { try flush(folding: false) }
    try store?.suspendAndWait(flushing: false)
    if !fileSystem.open.isEmpty { world.fail("a suspended store has files open: \(fileSystem.open)") }
  }

  private func flush(folding: Bool) throws {
    store?.resume()
    do {
      try waiting { try store?.flushAndWait(folding: folding) }
    } catch let error as SnapshotError where error.code == .changedExternally && world.hasOtherProgram {
      // The other program was in between twice.
      return
    }
    world.saved(unsaved)
    unsaved = []
  }

  /// Repeats what others prevent.
  private func waiting<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<10_000 {
      do {
        return try body()
      } catch let error as SnapshotError where error.code == .locked {
        baton?.pass(from: number, isBlocked: true)
        if life.isOver { throw error }
      }
    }
    throw SnapshotError(.locked, "the others never let go", path: world.path)
  }

  private func options(_ access: StoreAccess) -> StoreOptions {
    var options = StoreOptions(policy: .manual, access: access, threads: 1, journal: world.journal)
    options.log = { _ in }
    options.externalChanges = .merge
    options.onExternalChange = { [world, number] change in world.report("process \(number): \(change)") }
    return options
  }

  private func open(_ access: StoreAccess) throws -> Store<Counters> {
    try Store<Counters>.open(
      at: URL(fileURLWithPath: world.path), options: options(access), fileSystem: fileSystem, scheduler: scheduler)
  }

  /// Opens its store, without interruption.
  func begin() {
    isInterruptible = false
    perform(.look)
    isInterruptible = true
  }

  /// Does what is left, without interruption.
  func rest() {
    isInterruptible = false
    if !life.isOver { life.end(after: nil) }
    scheduler.advance(by: .seconds(3))
    perform(.flush)
    perform(.look)
  }
}
