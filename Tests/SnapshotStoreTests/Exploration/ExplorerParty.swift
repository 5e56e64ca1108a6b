import Foundation
import Synchronization

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A model of a store that explores.
protocol ExplorerModel: Model {
  var left: Table<Counter> { get set }
  /// Sets a record in all tables that the model knows; nil removes it.
  mutating func put(_ id: Int, _ value: Int?) throws
}

extension Counters: ExplorerModel {
  mutating func put(_ id: Int, _ value: Int?) throws {
    if let value {
      try left.upsert(Counter(id: id, value: value))
      try right.upsert(Counter(id: id, value: value))
    } else {
      left.remove(id)
      right.remove(id)
    }
  }
}

/// The same file, as a program knows it that has not heard of the second table.
struct LeftCounters: ExplorerModel {
  var left = Table<Counter>()

  static let schema = Schema<LeftCounters>(name: "counters", version: 1) { Field("left", \.left) }

  mutating func put(_ id: Int, _ value: Int?) throws {
    if let value { try left.upsert(Counter(id: id, value: value)) } else { left.remove(id) }
  }
}

/// A process with a store.
protocol ExplorerParty: AnyObject {
  var number: Int { get }
  /// The possible contents of its records on the disk. The first is what was acknowledged last.
  var states: [[Int: Int]] { get }
  /// Whether a restore has left it open what is on the disk.
  var isUncertain: Bool { get set }
  var isClean: Bool { get }
  var hasBothTables: Bool { get }
  var left: [Int: Int] { get }
  /// What is wrong with its value; nil if nothing is.
  var violation: String? { get }
  func open() throws
  func perform(_ step: ExplorerStep) throws
  /// Ends all stores, the killed ones too.
  func endAll()
}

/// The time until a process is killed.
private final class Life: Sendable {
  /// The number of calls until then; nil for never.
  let calls = SmallLock<Int?>(nil)
  /// Closes what the process has open.
  let atEnd = SmallLock<Callback<Void, Void>?>(nil)
  private let hasEnded = Atomic(false)

  var isOver: Bool { hasEnded.load(ordering: .relaxed) }

  /// Counts a call. Returns whether the process is killed by it.
  func endsNow() -> Bool {
    calls.withLock { calls in
      calls = calls.map { $0 - 1 }
      return calls.map { $0 < 0 } ?? false
    }
  }

  func end() {
    hasEnded.store(true, ordering: .relaxed)
    atEnd.withLock { $0 }?()
  }
}

/// The same with its model.
final class Party<Root: ExplorerModel>: ExplorerParty {
  let number: Int
  private unowned let world: ExplorerWorld
  private var store: Store<Root>?
  private var undos: UndoHistory<Root>?
  private(set) var states: [[Int: Int]] = [[:]]
  var isUncertain = false
  private var scheduler = ManualScheduler()
  private var process: Int32 = 0
  private var fileSystem: ObservedFileSystem?
  private var life = Life()
  private var dead: [(Store<Root>?, ObservedFileSystem?)] = []

  init(_ number: Int, in world: ExplorerWorld) {
    self.number = number
    self.world = world
  }

  var hasBothTables: Bool { Root.self == Counters.self }
  var left: [Int: Int] { store?.read { $0.left.byID } ?? [:] }
  var isClean: Bool { store != nil && states.count == 1 && store?.status.isDirty == false && !isUncertain }
  var violation: String? { store?.snapshot().value.allViolations().first?.description }

  private var own: [Int: Int] { left.filter { $0.key % world.classes == number } }
  private func id(_ slot: Int) -> Int { slot * world.classes + number }

  func open() throws {
    process = world.startProcess()
    let (process, life, world) = (process, Life(), world)
    self.life = life
    let fileSystem = ObservedFileSystem(
      world.disk, leavingOut: world.leavingOut, process: process, processes: world
    ) { _, _ in
      if life.isOver { return EIO }
      guard life.endsNow() else { return nil }
      life.end()
      world.endProcess(process)
      return EIO
    }
    life.atEnd.withLock { $0 = Callback { [weak fileSystem] in fileSystem?.closeAll() } }
    self.fileSystem = fileSystem
    scheduler = ManualScheduler()
    // The clocks of the processes differ by days.
    scheduler.date += TimeInterval(number * 100_000)
    let store = try Store<Root>.open(
      at: ExplorerWorld.url, options: world.options(access: world.mode.access), fileSystem: fileSystem,
      scheduler: scheduler)
    self.store = store
    undos = UndoHistory(of: store)
  }

  private var isKilled: Bool { life.isOver }

  func perform(_ step: ExplorerStep) throws {
    do {
      if store == nil { try open() }
      guard let store else { return }
      try perform(step, store)
    } catch {
      if isKilled { bury() }
      throw error
    }
    if isKilled { bury() }
  }

  /// The process was killed. Its store never does anything again.
  private func bury() {
    dead.append((store, fileSystem))
    (store, undos, fileSystem) = (nil, nil, nil)
    life = Life()
  }

  private func perform(_ step: ExplorerStep, _ store: Store<Root>) throws {
    switch step {
    case .set(let slot, let value): try change { try store.write { try $0.put(id(slot), value) } }
    case .remove(let slot): try change { try store.write { try $0.put(id(slot), nil) } }
    case .removeAll: try change { try store.write { for id in own.keys { try $0.put(id, nil) } } }
    case .commit(let slot, let value):
      try change {
        let pad = store.scratchpad()
        try pad.write { try $0.put(id(slot), value) }
        _ = try pad.commit(policy: .ours)
      }
    case .perform(let slot, let value): try change { try undos?.perform("set") { try $0.put(id(slot), value) } }
    case .undo: try change { _ = try undos?.undo() }
    case .redo: try change { _ = try undos?.redo() }
    case .flush, .fold:
      store.resume()
      let now = own
      try store.flushAndWait(folding: step == .fold)
      acknowledge(now)
    case .look:
      store.resume()
      store.checkFileAndWait()
      scheduler.advance(by: .seconds(3))
      if isUncertain { noteRestored() }
    case .wait(let seconds): scheduler.advance(by: .seconds(seconds))
    case .suspend: try store.suspendAndWait(flushing: false)
    case .setClock(let hours): scheduler.date += TimeInterval(hours) * 3_600
    case .kill(let calls): life.calls.withLock { $0 = calls }
    case .reopen:
      let now = own
      try store.closeAndWait()
      acknowledge(now)
      world.endProcess(process)
      (self.store, undos) = (nil, nil)
    case .abandon:
      (self.store, undos) = (nil, nil)
      scheduler.advance(by: .seconds(1))
    default: break
    }
  }

  private func change(_ body: () throws -> Void) throws {
    defer { if states.last != own { states.append(own) } }
    try body()
  }

  private func acknowledge(_ now: [Int: Int]) {
    if isKilled { return }
    states = own == now ? [now] : [now, own]
    isUncertain = false
  }

  /// Its records are those of the restored version, if they are on the disk like this.
  private func noteRestored() {
    guard store?.status.isDirty == false else { return }
    acknowledge(own)
  }

  func endAll() {
    life.calls.withLock { $0 = 0 }
    (store, undos) = (nil, nil)
    dead = []
  }
}
