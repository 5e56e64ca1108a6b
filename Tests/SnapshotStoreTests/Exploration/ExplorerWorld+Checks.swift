import Foundation

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What has to be true of a disk on which nothing runs any more.
extension ExplorerWorld {
  /// Each of the disks that a power cut may leave.
  func checkPowerCuts(_ what: String) throws {
    for (number, state) in disk.statesAfterCrash(.init(cuts: 3, changes: 6, states: 24)).enumerated() {
      try check(state, "power cut \(number) \(what)")
    }
  }

  /// What was acknowledged is there, or in a file beside it, and is the same with types and without.
  func check(_ disk: InMemoryFileSystem, _ what: String) throws {
    guard disk[Self.path] != nil else {
      if parties.allSatisfy({ $0.isUncertain || $0.states.contains([:]) }) { return }
      throw Failure("\(what): there is no file")
    }
    let typed = try value(on: disk, what)
    let kept = disk.contents.filter { $0.key.contains(".conflict-") || $0.key.contains(".before-merge-") }.values
      .compactMap { try? SnapshotFile.decode(Counters.self, from: $0) }
    for party in parties where !party.isUncertain {
      try check(typed.own(party.number, of: classes), among: party.states, kept, "\(what): store \(party.number)")
      if party.hasBothTables, typed.own(party.number, of: classes) != typed.ownRight(party.number, of: classes) {
        throw Failure("\(what): the tables of store \(party.number) do not fit together")
      }
    }
    for (index, records) in others.enumerated() {
      let own = typed.own(mode.stores + index, of: classes)
      try check(own, among: [records], kept, "\(what): \(index == 0 ? "a command" : "another program")")
    }
  }

  private func check(_ own: [Int: Int], among states: [[Int: Int]], _ kept: [Counters], _ what: String) throws {
    if states.contains(own) { return }
    // What lost a conflict is in a file beside it.
    let isKept = states[0].allSatisfy { id, value in
      own[id] == value || kept.contains { $0.left[id]?.value == value }
    }
    if isKept, own.keys.allSatisfy({ id in states.contains { $0[id] != nil } }) { return }
    throw Failure(
      "\(what) has \(own), which is none of its \(states.count) states since \(states[0]): \(states.last ?? [:])")
  }

  /// The value that a program finds, with types and without.
  private func value(on disk: InMemoryFileSystem, _ what: String) throws -> Counters {
    let bytes: [UInt8]
    do {
      let location = try FileLocation(Self.path, on: disk)
      bytes = try disk.readJournaled(at: location, limit: .max).folded(ReadLimits(), path: Self.path)
    } catch {
      throw Failure("\(what): cannot be read without types: \(error)")
    }
    var options = StoreOptions(policy: .manual, access: mode.access, threads: 1)
    options.log = { _ in }
    let typed: Counters
    do {
      disk.setMode(0o600, of: Self.path)
      let store = try Store<Counters>.open(
        at: Self.url, options: options, fileSystem: disk, scheduler: ManualScheduler())
      typed = store.snapshot().value
    } catch {
      throw Failure("\(what): cannot be opened: \(error)")
    }
    if let problem = typed.left.invariantViolations().first { throw Failure("\(what): \(problem)") }
    if try SnapshotFile.decode(Counters.self, from: bytes) != typed {
      throw Failure("\(what): with types and without are different")
    }
    return typed
  }
}

extension ExplorerStep {
  /// Whether it changes nothing on the disk and acknowledges nothing.
  var isQuiet: Bool {
    switch self {
    case .flush, .fold, .reopen: false
    default: true
    }
  }
}

extension Counters {
  /// The records of one class, by id.
  func own(_ number: Int, of classes: Int) -> [Int: Int] { left.byID.filter { $0.key % classes == number } }
  func ownRight(_ number: Int, of classes: Int) -> [Int: Int] { right.byID.filter { $0.key % classes == number } }
}

extension Table<Counter> {
  var byID: [Int: Int] { Dictionary(uniqueKeysWithValues: map { ($0.id, $0.value) }) }
}
