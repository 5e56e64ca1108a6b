import Foundation
import Synchronization

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A process with a store of its model.
final class Party<Root: ExplorerModel>: ExplorerParty {
  let number: Int
  unowned let world: ExplorerWorld
  private(set) var store: Store<Root>?
  private var undos: UndoHistory<Root>?
  private(set) var states: [[Int: Int]] = [[:]]
  var isUncertain = false
  /// The states of the process before. A store that is opened while another one saves may not have the last lines yet.
  private var inherited: [[Int: Int]] = []
  /// Whether its store was opened in the middle of a step of another one.
  private var wasOpenedInside = false
  /// Its records when its store was opened.
  private var opened: [Int: Int] = [:]
  /// The records that this process has changed.
  private var touched: Set<Int> = []
  private var scheduler = ManualScheduler()
  /// That of a store that was deallocated without `close`.
  private var abandoned: ManualScheduler?
  private var process: Int32 = 0
  private var fileSystem: ObservedFileSystem?
  private var life = ProcessLife()
  private var dead: [Any] = []

  init(_ number: Int, in world: ExplorerWorld) {
    self.number = number
    self.world = world
  }

  var model: any ExplorerModel.Type { Root.self }

  func upgraded() -> any ExplorerParty {
    if Root.self == FirstCounters.self { return replaced(by: SecondCounters.self) }
    return Root.renamed.map { replaced(by: $0) } ?? self
  }

  private func replaced<Newer: ExplorerModel>(by type: Newer.Type) -> any ExplorerParty {
    // A store that cannot save is given up. What was not acknowledged may be lost.
    if let store, (try? perform(.reopen)) == nil, self.store === store {
      // Under the names of before, nothing may be saved from here on.
      if Root.renamed == nil { try? perform(.abandon) } else { endNow() }
    }
    let next = Party<Newer>(number, in: world)
    (next.states, next.isUncertain) = (states, isUncertain)
    next.dead = [dead, store as Any, fileSystem as Any]
    next.abandoned = abandoned
    return next
  }

  var numbers: [Int: Int] { store?.read { $0.numbers } ?? [:] }
  var isOpen: Bool { store != nil }
  var isClean: Bool { store != nil && states.count == 1 && store?.status.isDirty == false && !isUncertain }
  var violation: String? { store?.snapshot().value.allViolations().first?.description }

  var unseen: Set<Int> {
    guard wasOpenedInside else { return [] }
    return inherited.reduce(into: []) { unseen, saved in
      unseen.formUnion(Set(saved.keys).union(opened.keys).filter { saved[$0] != opened[$0] })
    }
  }

  /// Its records after its last change.
  private var left: [Int: Int] = [:]
  /// Its unsaved versions of the records that all stores change. A removal counts as one.
  var unsaved: [Int: Int] = [:]
  /// The versions before these; nil for a record that was not there.
  var saved: [Int: Int?] = [:]

  func requireOwnRecords() throws {
    let before = left
    left = own
    try requireUnsaved()
    if store == nil || isUncertain || isKilled || before == left { return }
    let changed = Set(before.keys).union(left.keys).filter { before[$0] != left[$0] }
    let isExplained = changed.allSatisfy { id in
      world.told.contains(id) || !touched.contains(id) && inherited.contains { $0[id] == left[id] }
    }
    if isExplained { return }
    throw ExplorerWorld.Failure("store \(number) has \(left), and has left \(before)")
  }

  private var own: [Int: Int] { world.own(number, numbers) }

  func open() throws {
    (inherited, touched, unsaved) = (states, [], [:])
    process = world.startProcess()
    let (process, life, world) = (process, ProcessLife(), world)
    self.life = life
    let number = number
    let fileSystem = ObservedFileSystem(
      world.disk, leavingOut: world.leavingOut, process: process, processes: world
    ) { _, call in
      if life.isOver { return EIO }
      world.letOthersRun(number, call, life.holdsLock.withLock { $0 }?() == true)
      guard life.endsNow() else { return nil }
      life.end()
      world.endProcess(process)
      return EIO
    }
    life.holdsLock.withLock { $0 = Callback { [weak fileSystem] in fileSystem?.holdsLock == true } }
    life.atEnd.withLock { $0 = Callback { [weak fileSystem] in fileSystem?.closeAll() } }
    self.fileSystem = fileSystem
    scheduler = ManualScheduler()
    // The clocks of the processes differ by days.
    scheduler.date += TimeInterval(number * 100_000)
    let store = try Store<Root>.open(
      at: ExplorerWorld.url, options: world.options(access: world.mode.access(of: number)), fileSystem: fileSystem,
      scheduler: scheduler, initial: Root.first)
    self.store = store
    left = own
    opened = left
    wasOpenedInside = world.isInside
    if let report = store.openReport?.journal {
      world.toldFiles.formUnion(report.kept)
      report.outcome.map { world.tell($0) }
    }
    undos = UndoHistory(of: store)
    note(.open, from: nil, store)
    // The last one that closes the file does not know of it, and may bring back the bytes of an earlier version.
    if store.saver?.inTurn({ store.saver?.file.session.lock?.wasUnlisted }) == true { endNow() }
  }

  /// Whether its process was killed in its last step.
  private(set) var wasKilled = false
  var isKilled: Bool { life.isOver }

  func whileBusy(_ body: () -> Void) { scheduler.whileBusy(body) }
  func goOn() { scheduler.runPending() }

  func perform(_ step: ExplorerStep) throws {
    wasKilled = false
    // A wait for the one that has the file alone takes real time.
    if step.takesLock, number > 0, world.mode.isFirstExclusive, world.parties[0].isOpen {
      if step == .reopen { endNow() }
      return
    }
    do {
      if store == nil {
        // What was given up still tries to save, and has the lock of an exclusive store until then.
        abandoned?.advance(by: .seconds(300))
        try open()
        abandoned = nil
      }
      guard let store else { return }
      try perform(step, store)
    } catch {
      if isKilled { bury() }
      throw error
    }
    if isKilled { bury() }
  }

  /// The process is killed between two steps. The next step starts another one.
  private func endNow() {
    world.endProcess(process)
    life.end()
    bury()
  }

  /// The process was killed. Its store never does anything again.
  private func bury() {
    dead += [store as Any, fileSystem as Any]
    (store, undos, fileSystem) = (nil, nil, nil)
    life = ProcessLife()
    (wasKilled, world.hasKilled) = (true, true)
  }

  private func perform(_ step: ExplorerStep, _ store: Store<Root>) throws {
    switch step {
    case .set(let slot, let value): try change { try store.write { try put(slot, value, in: &$0) } }
    case .remove(let slot): try change { try store.write { try put(slot, nil, in: &$0) } }
    case .removeAll: try change { try store.write { for id in own.keys.sorted() { try $0.put(id, nil) } } }
    case .commit(let slot, let value):
      try change {
        let pad = store.scratchpad()
        try pad.write { try put(slot, value, in: &$0) }
        _ = try pad.commit(policy: .ours)
      }
    case .perform(let slot, let value): try change { try undos?.perform("set") { try put(slot, value, in: &$0) } }
    case .undo: try change { _ = try undos?.undo() }
    case .redo: try change { _ = try undos?.redo() }
    case .flush, .fold:
      store.resume()
      let (now, isDirty, before) = (own, store.status.isDirty, state(of: store))
      defer { note(step == .fold ? .fold : .save, from: before, store) }
      try store.flushAndWait(folding: step == .fold)
      acknowledge(now, isDirty)
    case .foldOften(let slot, let times):
      store.resume()
      for time in 1...times {
        try change { try store.write { try put(slot, time, in: &$0) } }
        // A power cut may leave any of them. The next flush acknowledges the last one.
        try store.flushAndWait(folding: true)
        acknowledgeContested()
      }
    case .look:
      store.resume()
      let before = state(of: store)
      store.checkFileAndWait()
      note(.look, from: before, store)
      scheduler.advance(by: .seconds(3))
      if isUncertain { noteRestored() }
    case .wait(let seconds): scheduler.advance(by: .seconds(seconds))
    case .suspend:
      try store.suspendAndWait(flushing: false)
      if let open = fileSystem?.open, !open.isEmpty {
        throw ExplorerWorld.Failure("the suspended store \(number) has files open: \(open)")
      }
    case .setClock(let hours): scheduler.date += TimeInterval(hours) * 3_600
    case .kill(let calls): life.calls.withLock { $0 = calls }
    case .reopen:
      let (now, isDirty) = (own, store.status.isDirty)
      try store.closeAndWait()
      acknowledge(now, isDirty)
      world.endProcess(process)
      (self.store, undos) = (nil, nil)
    case .abandon:
      (self.store, undos) = (nil, nil)
      scheduler.advance(by: .seconds(1))
      abandoned = scheduler
    default: break
    }
  }

  private func state(of store: Store<Root>) -> FileState? {
    store.saver.map { saver in saver.inTurn { FileState(of: saver.file) } }
  }

  /// - Parameter from: the state before the event.
  private func note(_ event: FileTransition.Event, from: FileState?, _ store: Store<Root>) {
    guard !isKilled, let to = state(of: store) else { return }
    world.transitions.insert(FileTransition(from: from, event: event, to: to))
  }

  private func noteForeignChange() {
    do {
      try requireOwnRecords()
    } catch { world.unexpected = world.unexpected ?? error }
  }

  private func change(_ body: () throws -> Void) throws {
    noteForeignChange()
    let (before, contested) = (left, world.contested(numbers))
    defer {
      noteContested(contested)
      left = own
      touched.formUnion(Set(before.keys).union(left.keys).filter { before[$0] != left[$0] })
      if states.last != own { states.append(own) }
    }
    try body()
  }

  /// - Parameter hasSaved: whether something was saved. Otherwise a store that was opened while another one saved may
  ///   not know yet what the process before it has saved.
  private func acknowledge(_ now: [Int: Int], _ hasSaved: Bool) {
    if isKilled { return }
    noteForeignChange()
    acknowledgeContested()
    // Others may have saved in the middle.
    if hasSaved, !world.isInside {
      for (id, mark) in world.contested(numbers) { world.marks.acknowledge(id, mark) }
    }
    guard hasSaved else {
      if let index = states.lastIndex(of: now) {
        states.removeFirst(index)
      } else if world.mode.mayMerge || hasOnlyTold(now, states.last ?? [:]) {
        // By evidence, a record may be kept that another store has removed.
        states = [now]
      }
      return
    }
    inherited = []
    states = own == now ? [now] : [now, own]
    isUncertain = false
  }

  private func hasOnlyTold(_ now: [Int: Int], _ before: [Int: Int]) -> Bool {
    Set(now.keys).union(before.keys).allSatisfy { now[$0] == before[$0] || world.told.contains($0) }
  }

  /// Its records are those of the restored version, if they are on the disk like this.
  private func noteRestored() {
    guard store?.status.isDirty == false else { return }
    left = own
    acknowledge(own, true)
  }

  func endAll() {
    life.calls.withLock { $0 = 0 }
    (store, undos) = (nil, nil)
    dead = []
  }
}
