import Foundation
import Synchronization

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A disk, the stores that have one file on it open, and what each of them was told is saved.
///
/// Each store changes records of its own, so nothing is in conflict, and everything that is lost is noticed. A run has
/// one thread. The calls to the disk use the plan only, which has a lock.
final class ExplorerWorld: SimulatedProcesses, @unchecked Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// The planned faults of the disk.
  struct Plan: Sendable {
    var failing: [Int: Int32] = [:]
    /// The name of a call that fails the next time, and how many that write fail after it.
    var failingNext: (call: String, more: Int)?
    /// The name of the last call.
    var last = ""
    /// The calls at which every write fails.
    var full: Range<Int>?
    /// At which call another store acts.
    var interruption: Int?
    /// The disk before each call that writes, if that is asked for.
    var middle: [InMemoryFileSystem]?
    var isOff = false
    var struck: [String] = []
    /// The processes that are running.
    var running: Set<Int32> = []
    var lastProcess: Int32 = 0
  }

  typealias Trace = @Sendable (String) -> Void

  static let path = "/dir/store.json"
  static let url = URL(fileURLWithPath: path)

  let disk = InMemoryFileSystem(directories: ["/dir"])
  let mode: ExplorerMode
  /// Calls that the library seems to have forgotten, for the negative controls.
  let leavingOut: Set<String>
  var parties: [any ExplorerParty] = []
  var reader: (any ExplorerReader)?
  let plan = SmallLock(Plan())
  /// What commands and another program have saved: the possible states of the records of each.
  var others: [[[Int: Int]]] = [[[:]], [[:]]]
  /// The records that a conflict has changed, which a program was told. What was acknowledged does not hold for them.
  var told: Set<Int> = []
  /// The same for the second table.
  var toldOfSecond: Set<Int> = []
  /// What was wrong in the middle of a step.
  var unexpected: (any Error)?
  /// The versions of the records that all stores change.
  var marks = ExplorerMarks()
  /// What another program has read of the file, and changes later; nil if it reads it then.
  var readByOther: [UInt8]?
  /// Whether another program has replaced the file, and no store has saved it durably since.
  var isReplaced = false
  let trace: Trace?
  /// Lets other stores run before a call, if each has a thread.
  var together: Together?
  /// Whether a process was killed.
  var hasKilled = false
  /// The files that programs were told of.
  var toldFiles: Set<String> = []
  /// What another store does in the middle of a step.
  var interruption: ((any ExplorerParty) -> Void)?
  /// The states of disks that were checked, with what had to be there.
  var checked: Set<Int> = []
  /// Whether that is under way.
  var isInside = false
  /// The store whose step it is.
  var actor = 0
  /// The ways in which the states of files have followed each other.
  var transitions: Set<FileTransition> = []

  init(_ mode: ExplorerMode, leavingOut: Set<String> = [], trace: Trace? = nil) {
    self.mode = mode
    self.leavingOut = leavingOut
    self.trace = trace
  }

  var struck: [String] { plan.withLock { $0.struck } }

  /// The number of classes of records: those of the stores, of commands, of another program, and those that all change.
  var classes: Int { mode.stores + (mode.isContested ? 3 : 2) }

  // MARK: Processes

  func startProcess() -> Int32 {
    plan.withLock { plan in
      plan.lastProcess += 1
      plan.running.insert(plan.lastProcess)
      return plan.lastProcess
    }
  }

  func endProcess(_ number: Int32) { plan.withLock { _ = $0.running.remove(number) } }
  func isRunning(_ number: Int32) -> Bool { plan.withLock { $0.running.contains(number) } }

  // MARK: A run

  /// Makes all steps, and checks the disk after each of them.
  ///
  /// - Parameter cut: the step after which the power may be cut.
  /// - Throws: what is wrong.
  func run(_ steps: [(party: Int, step: ExplorerStep)], cut: Int) throws {
    makeParties()
    defer { endRun() }
    for party in parties { try party.open() }
    begin()
    var checkedCalls = 0
    for (index, (number, step)) in steps.enumerated() {
      let party = parties[number]
      switch step {
      case .interrupt(let calls, let slot, let value): interrupt(after: calls, [.set(slot: slot, to: value), .flush])
      case .openInside(let calls, let slot, let value): interrupt(after: calls, [.reopen, .set(slot: slot, to: value)])
      default: break
      }
      let before = possible
      (actor, marks.step) = (number, index)
      let looksInside = index == cut || step == .fold
      if looksInside { plan.withLock { $0.middle = [] } }
      let error = step == .upgrade ? upgrade(number) : perform(step, by: party)
      trace?("\(index) \(number) \(step)\(error.map { ": \($0)" } ?? "")")
      party.goOn()
      for party in parties { try party.requireOwnRecords() }
      if let unexpected { throw unexpected }
      if looksInside { try checkMiddle(before, "during step \(index) \(step)") }
      let calls = disk.calls
      // What only reads leaves the disk as it was.
      let isChanged = calls[checkedCalls...].contains { Self.writing.contains($0.name) } || step == .loseLockFile
      let made = calls[checkedCalls...].filter { Self.failing.contains($0.name) }
      trace?("    \(made.map { "\($0.name) \($0.target)" })")
      checkedCalls = calls.count
      if case .replaceFile = step {
      } else if isReplaced {
        // A power cut may bring back a line that has failed.
        isReplaced = ([disk] + statesAfterPowerCuts).contains { (try? readBytes(on: $0)) == nil }
      }
      if isChanged || !step.isQuiet {
        let wrong = try check(disk.copyOfFiles(), "killed after step \(index) \(step)")
        // A conflict is over when all is as it was acknowledged, and no store has another result that is not saved.
        if parties.allSatisfy({ !$0.isOpen || $0.isClean }) {
          (told, toldOfSecond) = (told.intersection(wrong), toldOfSecond.intersection(wrong))
        }
      }
      if index == cut { try checkPowerCuts("after step \(index) \(step)") }
    }
    plan.withLock { $0.isOff = true }
    disk.setMode(0o600, of: Self.path)
    try comeToRest()
  }

  func makeParties() {
    func party<Root: ExplorerModel>(_ number: Int, _ type: Root.Type) -> any ExplorerParty {
      Party<Root>(number, in: self)
    }
    parties = (0..<mode.stores).map { party($0, mode.model($0)) }
  }

  func endRun() {
    disk.injectEvent(nil)
    for party in parties { party.endAll() }
  }

  /// Lets another store make steps in the middle of one of this store.
  private func interrupt(after calls: Int, _ steps: [ExplorerStep]) {
    interruption = { other in for step in steps { try? other.perform(step) } }
    let due = disk.calls.count + calls
    plan.withLock { $0.interruption = due }
  }

  private static let failing: Set<String> = [
    "write", "pwrite", "fsync", "fdatasync", "renameat", "create", "linkat", "mkdirat", "unlinkat",
  ]
  private static let writing: Set<String> = failing.subtracting(["fsync", "fdatasync"])
  private static let filling: Set<String> = ["write", "pwrite", "create", "mkdirat"]

  /// Lets the planned faults strike. Only calls that write fail, as on real disks.
  func begin() {
    disk.injectEvent { [weak self] call in
      if Self.writing.contains(call.name) { self?.lookInside(before: call) }
      return self?.plan.withLock { plan -> InMemoryFileSystem.Event? in
        // What follows a rename makes the name durable.
        let isFolder = plan.last == "renameat" && call.name == "fsync"
        plan.last = call.name
        if plan.isOff { return nil }
        if Self.failing.contains(call.name), let due = plan.failing.keys.filter({ $0 <= call.number }).min() {
          plan.struck.append("\(call.number) \(call.name) \(call.target)")
          return plan.failing.removeValue(forKey: due).map { .fail($0) }
        }
        if let next = plan.failingNext, next.call == (isFolder ? "fsync of a name" : call.name) {
          plan.failingNext = nil
          for index in 0..<next.more { plan.failing[call.number + 1 + index] = EIO }
          plan.struck.append("\(call.number) \(call.name) \(call.target)")
          return .fail(EIO)
        }
        guard plan.full?.contains(call.number) == true, Self.filling.contains(call.name) else { return nil }
        plan.struck.append("\(call.number) \(call.name) \(call.target) full")
        return .fail(ENOSPC)
      }
    }
  }

  /// Keeps the disk, or lets another store act, in the middle of a step.
  private func lookInside(before call: InMemoryFileSystem.Call) {
    if plan.withLock({ !$0.isOff && $0.middle != nil }) {
      let copy = disk.copyOfFiles()
      plan.withLock { $0.middle?.append(copy) }
    }
    let isDue = plan.withLock { plan in
      guard !plan.isOff, let number = plan.interruption, number <= call.number else { return false }
      plan.interruption = nil
      return true
    }
    if !isDue { return }
    isInside = true
    defer { isInside = false }
    parties[actor].whileBusy { interruption?(parties[(actor + 1) % mode.stores]) }
  }

  /// Checks what a process leaves that is killed in the middle of a step.
  private func checkMiddle(_ before: Possible, _ what: String) throws {
    let states = plan.withLock { plan in
      defer { plan.middle = nil }
      return plan.middle ?? []
    }
    for (number, state) in states.enumerated() {
      try checkOnce(state, "killed before write \(number) \(what)", before.or(possible))
    }
  }

  func openReader<Root: ExplorerModel>(_ type: Root.Type) throws -> any ExplorerReader {
    var options = StoreOptions(policy: .readOnly, threads: 1, externalChanges: .reload)
    options.log = { _ in }
    return try Store<Root>.open(at: Self.url, options: options, fileSystem: disk, scheduler: ManualScheduler())
  }

  /// The records of one class.
  func own(_ number: Int, _ numbers: [Int: Int]) -> [Int: Int] { numbers.filter { $0.key % classes == number } }

  /// The records that all stores change.
  func contested(_ numbers: [Int: Int]) -> [Int: Int] { mode.isContested ? own(classes - 1, numbers) : [:] }

  func isContested(_ id: Int) -> Bool { mode.isContested && id % classes == classes - 1 }

  /// The id of a record of a class, or of one that all change.
  func id(_ slot: Int, of number: Int) -> Int {
    slot * classes + (mode.isContested && slot > 0 ? classes - 1 : number)
  }

  func options(access: StoreAccess) -> StoreOptions {
    var options = StoreOptions(
      policy: mode.policy, access: access, threads: 1, journal: mode.journal,
      externalChanges: .merge)
    options.log = { [trace] line in trace?("    \(line)") }
    options.onExternalChange = { [weak self] change in
      guard let self else { return }
      toldFiles.formUnion(change.files)
      if let path = change.files.first(where: { self.disk[$0] == nil }) {
        unexpected = unexpected ?? Failure("a program was told of \(path), which is not there")
      }
      if case .merged(let outcome, _) = change { tell(outcome) }
    }
    return options
  }

  func tell(_ outcome: MergeOutcome) {
    // The properties of a single value may have a letter before the number. Unknown ones are named like tables.
    let names = outcome.conflicts.flatMap { [$0.id, $0.table] + ($0.id.isEmpty ? $0.properties : []) }
    let ids = Set(names.compactMap { Int($0.drop(while: \.isLetter)) })
    told.formUnion(ids)
    marks.tell(ids)
    let second = outcome.conflicts.filter { $0.table == "right" }
    // Of a table that a program does not know, it may tell the name only.
    toldOfSecond.formUnion(second.contains { $0.id.isEmpty } ? Set(0..<200) : Set(second.compactMap { Int($0.id) }))
    trace?("    told of \(outcome.conflicts.map(\.description))")
    let unseen = parties.reduce(into: Set<Int>()) { $0.formUnion($1.unseen) }
    let all = ids.union(outcome.repaired.map { Int($0.place.split(separator: " ").last ?? "") ?? -1 })
    if ids.contains(where: isContested) { return }
    if !mode.mayMerge, unexpected == nil, all.isEmpty || !all.isSubset(of: unseen) {
      unexpected = Failure(
        "what a program of this library has saved was merged as a file of unknown origin: \(outcome)")
    }
  }
}
