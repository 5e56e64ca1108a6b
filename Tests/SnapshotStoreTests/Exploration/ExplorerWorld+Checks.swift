import Foundation

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What has to be true of a disk on which nothing runs any more.
extension ExplorerWorld {
  /// Each of the disks that a power cut may leave.
  var statesAfterPowerCuts: [InMemoryFileSystem] { disk.statesAfterCrash(.init(cuts: 3, changes: 6, states: 24)) }

  func checkPowerCuts(_ what: String) throws {
    for (number, state) in statesAfterPowerCuts.enumerated() {
      try checkOnce(state, "power cut \(number) \(what)", possible)
    }
  }

  /// The same for a disk that may be like one that was checked before. Temporary files have no meaning.
  func checkOnce(_ disk: InMemoryFileSystem, _ what: String, _ possible: Possible) throws {
    var hasher = Hasher()
    hasher.combine(disk.contents.filter { !$0.key.hasSuffix(".tmp") })
    hasher.combine(possible)
    hasher.combine(told)
    hasher.combine(toldOfSecond)
    hasher.combine(isReplaced)
    if mode.isContested { hasher.combine(marks) }
    if checked.insert(hasher.finalize()).inserted { try check(disk, what, possible) }
  }

  /// What may be on the disk.
  struct Possible: Hashable {
    /// The states of each store; nil if they are uncertain.
    var stores: [[[Int: Int]]?]
    /// The same of commands and of another program.
    var others: [[[Int: Int]]]
    /// What was reported as saved of the records that all stores change.
    var acknowledged: [Int: Set<Int>]

    /// What may be there in the middle of a step, with what may be there behind it.
    func or(_ other: Possible) -> Possible {
      Possible(
        stores: zip(stores, other.stores).map { one, two in one.flatMap { one in two.map { one + $0 } } },
        others: zip(others, other.others).map { $0 + $1 }, acknowledged: acknowledged)
    }
  }

  /// What may be there between two steps.
  var possible: Possible {
    Possible(
      stores: parties.map { $0.isUncertain ? nil : $0.states }, others: others, acknowledged: marks.acknowledged)
  }

  /// What was acknowledged is there, or in a file beside it, and is the same with types and without.
  ///
  /// - Returns: the records that are not as they were acknowledged, because of a conflict.
  @discardableResult
  func check(_ disk: InMemoryFileSystem, _ what: String) throws -> Set<Int> { try check(disk, what, possible) }

  @discardableResult
  func check(_ disk: InMemoryFileSystem, _ what: String, _ possible: Possible) throws -> Set<Int> {
    guard disk[Self.path] != nil else {
      if possible.stores.allSatisfy({ $0?.contains([:]) != false }) { return [] }
      throw Failure("\(what): there is no file")
    }
    return try check(disk, mode.newestModel, what, possible)
  }

  private func check<Root: ExplorerModel>(
    _ disk: InMemoryFileSystem, _ type: Root.Type, _ what: String, _ possible: Possible
  ) throws -> Set<Int> {
    let (found, outcome): (Root, MergeOutcome?) = try open(disk, what)
    let numbers = found.numbers
    let known = (told, toldOfSecond, marks)
    defer { (told, toldOfSecond, marks) = known }
    if let outcome { tell(outcome) }
    let kept = disk.contents.filter { $0.key.contains(".conflict-") || $0.key.contains(".before-merge-") }.values
      .compactMap { try? SnapshotFile.decode(type, from: $0).numbers }
    var wrong: Set<Int> = []
    for (number, states) in possible.stores.enumerated() {
      guard let states else { continue }
      wrong.formUnion(try check(own(number, numbers), among: states, kept, "\(what): store \(number)"))
      guard let second = found.secondNumbers, mode.model(number) == type else { continue }
      let (one, other) = (own(number, numbers), own(number, second))
      let different = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
      // A program that does not know one of the tables may decide a conflict in another way there.
      if !different.isEmpty, mode.programs != .unlike || !toldOfSecond.isSuperset(of: different) {
        throw Failure("\(what): the tables of store \(number) do not fit together: \(one) and \(other)")
      }
      wrong.formUnion(different)
    }
    for (index, states) in possible.others.enumerated() {
      let own = own(mode.stores + index, numbers)
      wrong.formUnion(
        try check(own, among: states, kept, "\(what): \(index == 0 ? "a command" : "another program")"))
    }
    let lost = marks.lost(in: numbers, kept: kept, possible.acknowledged)
    if !lost.isEmpty {
      throw Failure("\(what) has \(contested(numbers)), and has lost what was saved of \(lost)")
    }
    return wrong
  }

  private func check(
    _ own: [Int: Int], among states: [[Int: Int]], _ kept: [[Int: Int]], _ what: String
  ) throws -> Set<Int> {
    if states.contains(own) { return [] }
    let wrong = states.map { state in Set(own.keys).union(state.keys).filter { own[$0] != state[$0] } }
    if let wrong = wrong.first(where: told.isSuperset) { return wrong }
    // What lost a conflict is in a file beside it.
    let isKept = states[0].allSatisfy { id, value in own[id] == value || kept.contains { $0[id] == value } }
    if isKept, own.keys.allSatisfy({ id in states.contains { $0[id] != nil } }) { return wrong[0] }
    throw Failure(
      "\(what) has \(own), which is none of its \(states.count) states since \(states[0]): \(states.last ?? [:])")
  }

  /// The value that a program finds, with types and without, and how it was merged.
  private func open<Root: ExplorerModel>(
    _ disk: InMemoryFileSystem, _ what: String
  ) throws -> (Root, MergeOutcome?) {
    var bytes: [UInt8]?
    do {
      bytes = try readBytes(on: disk)
    } catch {
      // Only types can merge a journal with a file on which it does not stand. The journal of a copied folder is set
      // aside behind the rename of a fold.
      if !isReplaced, !mode.hasMoves { throw Failure("\(what): cannot be read without types: \(error)") }
    }
    var options = StoreOptions(policy: .manual, access: mode.access, threads: 1)
    options.log = { _ in }
    let store: Store<Root>
    do {
      disk.setMode(0o600, of: Self.path)
      store = try Store<Root>.open(at: Self.url, options: options, fileSystem: disk, scheduler: ManualScheduler())
    } catch {
      throw Failure("\(what): cannot be opened: \(error)")
    }
    let typed = store.snapshot().value
    if let problem = typed.allViolations().first { throw Failure("\(what): \(problem)") }
    if let bytes, try !SnapshotFile.decode(Root.self, from: bytes).hasSameRecords(as: typed) {
      throw Failure("\(what): with types and without are different")
    }
    return (typed, store.openReport?.journal?.outcome)
  }

  /// The file with its journal, as a program without types reads it.
  func readBytes(on disk: InMemoryFileSystem) throws -> [UInt8] {
    let location = try FileLocation(Self.path, on: disk)
    return try disk.readJournaled(at: location, limit: .max).folded(ReadLimits(), path: Self.path)
  }
}

extension ExplorerStep {
  /// Whether it makes calls fail, or ends a process.
  var isFailure: Bool {
    switch self {
    case .fail, .failNext, .fill, .protect, .kill: true
    default: false
    }
  }

  /// Whether it changes nothing on the disk and acknowledges nothing.
  var isQuiet: Bool {
    switch self {
    case .flush, .fold, .reopen: false
    default: true
    }
  }
}
