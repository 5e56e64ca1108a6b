import Foundation
import Synchronization

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Injects a fault at every call of a program and crashes it. Then it opens the store on every disk that a crash may
/// leave, and compares the value with the acknowledged ones.
struct CrashChecker {
  /// After a failed call that changes the disk, a crash is also tried before this number of syncs and renames. Only a
  /// sync removes any of the possible states. So a crash before another call leaves no state that a crash before the
  /// next of these does not leave.
  static let reach = 4

  /// The inverse of the share of calls that get a fault.
  var share = 1
  /// Whether the first loss is enough, as for a program with a known flaw.
  var endsAtFirst = false
  private(set) var runs = 0
  private(set) var states = 0
  private(set) var lost: [String] = []
  private(set) var torn: [String] = []
  /// Other broken promises: a program that did not recover from a failure, or that left a file behind.
  private(set) var other: [String] = []
  /// The results of opening, by the content of the disk: different runs lead to the same disks.
  private var outcomes: [[String: [UInt8]]: Outcome] = [:]
  /// The values that were found or acknowledged, so that each is compared once and not with every disk.
  private var values: [Counters] = []

  private var earlierDisks = 0

  var differentDisks: Int { earlierDisks + outcomes.count }
  /// For the log, and for scripts that search the log for it.
  var summary: String {
    "\(states) checked, \(lost.count) lost, \(torn.count) torn (\(runs) runs, \(differentDisks) different disks)"
  }

  var problems: [String] { lost + torn + other }

  /// The result for a user after a crash.
  private enum Outcome {
    case value(Int)
    case noFile
    case torn(String)
    /// The value is there, but the store cannot go on.
    case stuck(String)
  }

  /// A fault at a call.
  private enum Disturbance: CaseIterable {
    case crash, failure, lastingFailure, shortWrite, delay
  }

  mutating func check(_ scenario: CrashScenario) throws {
    // The content of a disk has another meaning for another program.
    earlierDisks += outcomes.count
    outcomes = [:]
    let (calm, failure) = try scenario.run { _, _ in nil }
    if let failure { other.append("\(scenario.name): fails by itself: \(failure)") }
    judge(calm, .init(), "\(scenario.name): at the end")
    let calls = calm.disk.calls
    let names = calls.map(\.name)
    for call in share == 1 ? Array(1...names.count) : Proofs.share(of: 1...names.count, oneIn: share) {
      if endsAtFirst, !lost.isEmpty || !torn.isEmpty { return }
      for disturbance in Disturbance.allCases where isPossible(disturbance, at: calls[call - 1], scenario) {
        try check(scenario, names, disturbance, at: call, crashAt: nil)
      }
      for later in 1...Self.reach where calls[call - 1].changesDisk {
        for disturbance in [Disturbance.failure, .shortWrite]
        where disturbance != .shortWrite || calls[call - 1].isWrite {
          try check(scenario, names, disturbance, at: call, crashAt: later)
        }
      }
    }
  }

  private func isPossible(
    _ disturbance: Disturbance, at call: InMemoryFileSystem.Call, _ scenario: CrashScenario
  ) -> Bool {
    switch disturbance {
    case .shortWrite: call.isWrite
    // A lock that is held can be released.
    case .failure: call.name != "funlock"
    // A store that shares its file looks by a timer. Here that would be on the thread of its own save.
    case .delay: !scenario.isShared
    case .crash, .lastingFailure: true
    }
  }

  /// - Parameter crash: the milestone after the disturbed call before which the power fails; nil means at the end.
  private mutating func check(
    _ scenario: CrashScenario, _ names: [String], _ disturbance: Disturbance, at call: Int, crashAt crash: Int?
  ) throws {
    let name = names[call - 1]
    let number: Int32 = ["write": ENOSPC, "pwrite": ENOSPC, "renameat": EBUSY][name] ?? EIO
    let (run, failure) = try scenario.run { run, event in
      let current = event.number
      if let crash, current > call, event.isMilestone, run.nextMilestone() == crash { return .crash }
      switch disturbance {
      case .crash: return current == call ? .crash : nil
      case .failure: return current == call ? .fail(number) : nil
      case .lastingFailure: return current >= call ? .fail(number) : nil
      case .shortWrite: return current == call ? .shorten(to: 7) : nil
      case .delay:
        if current == call { run.delay(call: call) }
        return nil
      }
    }
    let crashPlace = crash.map { ", crash \($0) milestones later" } ?? ""
    let place = "\(scenario.name): \(disturbance) at call \(call) (\(name))\(crashPlace)"
    if crash == nil, disturbance != .crash, disturbance != .lastingFailure {
      if let failure { other.append("\(place): not recovered from: \(failure)") }
      let unacknowledged = run.witness.withLock { $0.unacknowledged }
      if unacknowledged > 0 { other.append("\(place): \(unacknowledged) commits failed twice") }
    }
    // After a failure, fewer prefixes of the writes: the plain crashes have all of them.
    judge(run, disturbance == .crash ? .init() : .init(cuts: 3), place)
  }

  /// Cuts the power, and checks every disk that may be left.
  private mutating func judge(
    _ run: CrashRun, _ limits: InMemoryFileSystem.CrashLimits, _ place: String
  ) {
    runs += 1
    run.disk.crash()
    let allowed = Set(run.witness.withLock { $0.allowed }.map { $0.map { number(of: $0) } })
    let mustRemain = run.mustRemain.withLock { $0 }
    for state in run.disk.statesAfterCrash(limits) {
      states += 1
      let what = { "\(place): \(state.contents.mapValues(\.count).sorted { $0.key < $1.key })" }
      if let mustRemain, !state.contents.values.contains(mustRemain) { torn.append("\(what()): a file is gone") }
      switch outcome(of: state, run) {
      case .value(let number):
        if !allowed.contains(number) {
          lost.append("\(what()): holds \(values[number].left.map(\.id)), not what was promised")
        }
      case .noFile:
        if !allowed.contains(nil) { lost.append("\(what()): the file is not there") }
      case .torn(let why): torn.append("\(what()): \(why)")
      case .stuck(let why): other.append("\(what()): \(why)")
      }
    }
  }

  private mutating func outcome(of disk: InMemoryFileSystem, _ run: CrashRun) -> Outcome {
    let image = Self.image(of: disk)
    if let known = outcomes[image] { return known }
    let outcome = open(disk, run.scenario)
    outcomes[image] = outcome
    return outcome
  }

  /// The combined findings of two checkers, for different programs.
  func together(with other: CrashChecker) -> CrashChecker {
    var sum = self
    sum.runs += other.runs
    sum.states += other.states
    sum.lost += other.lost
    sum.torn += other.torn
    sum.other += other.other
    sum.earlierDisks += other.differentDisks
    return sum
  }

  private mutating func number(of value: Counters) -> Int {
    if let number = values.firstIndex(of: value) { return number }
    values.append(value)
    return values.count - 1
  }

  /// The relevant part of a disk. The random name of a temporary is not relevant. Of temporaries, and of the text in a
  /// lock file, which is for messages, only the existence of content is relevant.
  private static func image(of disk: InMemoryFileSystem) -> [String: [UInt8]] {
    var image: [String: [UInt8]] = [:]
    for (path, bytes) in disk.contents {
      if path.hasSuffix(".tmp") {
        image[bytes.isEmpty ? "empty temporaries" : "temporaries", default: []].append(1)
      } else {
        image[path] = path.hasSuffix(".lock") ? (bytes.isEmpty ? [] : [1]) : bytes
      }
    }
    return image
  }

  /// Opens the store as the user's next launch does, and tries to change and save it.
  private mutating func open(_ disk: InMemoryFileSystem, _ scenario: CrashScenario) -> Outcome {
    let (path, damaged) = (scenario.path, scenario.damaged)
    let hadFile = disk[path] != nil
    let isRecovered = damaged != nil && disk[path] == damaged
    func open() throws -> Store<Counters> {
      var options = CrashRun.options(createsFile: !hadFile)
      options.recovery = scenario.recovery
      return try Store<Counters>.open(
        at: URL(fileURLWithPath: path), options: options, fileSystem: disk, scheduler: ManualScheduler())
    }
    let store: Store<Counters>
    do {
      store = try open()
    } catch {
      return hadFile ? .torn("\(error)") : .stuck("no new file can be made: \(error)")
    }
    let value = store.snapshot().value
    guard isRecovered || store.openReport?.source == (hadFile ? .file : .created) else {
      return .torn("was opened from elsewhere: \(String(describing: store.openReport))")
    }
    do {
      try store.write { try $0.set(-1, to: 1) }
      try store.closeAndWait()
      let again = try open()
      let isSame = again.snapshot().value == store.snapshot().value
      try again.closeAndWait()
      if !isSame { return .stuck("what was saved afterwards is not there") }
    } catch {
      return .stuck("cannot be saved: \(error)")
    }
    // Every listed older version is complete.
    let kept = disk.contents.filter { $0.key.contains(".generations/") }
    for (path, bytes) in kept where !path.hasSuffix(".tmp") {
      do { _ = try SnapshotFile.decode(Counters.self, from: bytes) } catch { return .torn("\(path): \(error)") }
    }
    if let damaged, !disk.contents.values.contains(damaged) { return .torn("the damaged file is gone") }
    let rest = disk.paths.filter { kept[$0] == nil && !scenario.mayLeave($0) }
    if rest != [path] { return .stuck("left behind: \(rest)") }
    if !value.allViolations().isEmpty { return .torn("violations: \(value.allViolations())") }
    return hadFile ? .value(number(of: value)) : .noFile
  }
}

extension CrashScenario {
  /// Whether a file may remain at the end, beside the store's own.
  fileprivate func mayLeave(_ path: String) -> Bool {
    if path.hasSuffix(".lock") { return isShared }
    // One that cannot be read when it is folded may be that of another program by then.
    if path.contains(".journal-") { return findsJournal || isShared || externalChanges != .fail }
    return damaged != nil && path.contains(".damaged-") || externalChanges != .fail && path.contains(".conflict-")
  }
}
