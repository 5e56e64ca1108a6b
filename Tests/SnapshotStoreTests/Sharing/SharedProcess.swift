import Foundation
import Synchronization

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The time until a process is killed, and what fails until then.
private final class Life: Sendable {
  private let calls = SmallLock<Int?>(nil)
  private let failingNotes = SmallLock(0)

  var isOver: Bool { calls.withLock { $0 == 0 } }

  /// - Parameter count: the number of calls until the end; nil for no end.
  func end(after count: Int?) { calls.withLock { if $0 != 0 { $0 = count } } }

  /// Counts a call. Returns whether the process is killed by it.
  func endsNow() -> Bool {
    calls.withLock { calls in
      calls = calls.map { $0 - 1 }
      return calls == 0
    }
  }

  func failNotes(_ count: Int) { failingNotes.withLock { $0 = count } }

  /// Counts a write to the lock file. Returns whether it fails.
  func failsNote() -> Bool {
    failingNotes.withLock { count in
      if count == 0 { return false }
      count -= 1
      return true
    }
  }
}

/// One process of a world. It may be killed, and begin again.
final class SharedProcess: @unchecked Sendable {
  typealias CallFilter = @Sendable (_ call: String, _ holdsLock: Bool) -> Bool

  let number: Int
  private let world: SharedWorld
  private let baton: Baton
  private let canSwitch: CallFilter
  private var fileSystem: ObservedFileSystem
  private var scheduler = ManualScheduler()
  private(set) var store: Store<Counters>?
  private var unsaved: [(mark: Int, id: Int)] = []
  private var life = Life()
  /// Killed stores, which never do anything again.
  private var dead: [Store<Counters>?] = []
  private var isInterruptible = true

  /// - Parameter canSwitch: whether another process may run before a call. The lock is that of the file.
  init(_ number: Int, in world: SharedWorld, _ baton: Baton, _ canSwitch: @escaping CallFilter = { _, _ in true }) {
    (self.number, self.world, self.baton, self.canSwitch) = (number, world, baton, canSwitch)
    fileSystem = ObservedFileSystem(world.disk)
    start()
  }

  private func start() {
    let (number, baton, life) = (number, baton, Life())
    self.life = life
    let process = world.startProcess()
    fileSystem = ObservedFileSystem(
      world.disk, leavingOut: world.leavingOut, process: process, processes: world
    ) { [weak self, world] _, call in
      if life.isOver { return EIO }
      if let self, isInterruptible, canSwitch(call, fileSystem.holdsLock) { baton.pass(from: number) }
      guard life.endsNow() else {
        guard call == "pwrite lock", life.failsNote() else { return nil }
        world.noteFailed()
        return EIO
      }
      self?.fileSystem.closeAll()
      world.killProcess(process)
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
    case .setClock(let hours): scheduler.date += TimeInterval(hours) * 3_600
    case .kill(let calls): life.end(after: calls)
    case .failNotes(let count): life.failNotes(count)
    case .reopen:
      try waiting { try store.closeAndWait() }
      acknowledgeUnsaved()
      self.store = nil
    case .update:
      var mark: (mark: Int, id: Int)?
      try waiting {
        try Store<Counters>.update(
          at: URL(fileURLWithPath: world.path), options: options(.exclusive), waitingAtMost: .zero,
          fileSystem: fileSystem, scheduler: ManualScheduler()
        ) { mark = try world.edit(nil, in: &$0) }
      }
      if let mark, !life.isOver { world.saved([mark]) }
    case .readAsOther: world.readAsOther()
    case .replaceAsOther(let id): try world.replaceAsOther(id)
    case .openAlone:
      let alone = try waiting { try open(.exclusive) }
      let marks = try (1...2).map { _ in try alone.write { try world.edit(1, in: &$0) } }
      try alone.closeAndWait()
      if !life.isOver { world.saved(marks) }
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
    acknowledgeUnsaved()
  }

  /// The program is told that its changes are saved, unless it was killed by then.
  private func acknowledgeUnsaved() {
    if life.isOver { return }
    world.saved(unsaved)
    unsaved = []
  }

  /// Repeats what others prevent.
  private func waiting<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<10_000 {
      do {
        return try body()
      } catch let error as SnapshotError where error.code == .locked {
        baton.pass(from: number, isBlocked: true)
        if life.isOver { throw error }
      }
    }
    throw SnapshotError(.locked, "the others never let go", path: world.path)
  }

  private func options(_ access: StoreAccess) -> StoreOptions {
    var options = StoreOptions(policy: .manual, access: access, threads: 1, journal: world.journal)
    options.log = { _ in }
    options.externalChanges = .merge
    options.onExternalChange = { [world] change in world.report(change) }
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
    life.failNotes(0)
    scheduler.advance(by: .seconds(3))
    perform(.flush)
    perform(.look)
  }
}
