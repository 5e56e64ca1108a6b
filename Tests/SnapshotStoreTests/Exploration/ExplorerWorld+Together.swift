import Synchronization

@testable import SnapshotStore
@testable import TestSupport

/// Stores that each have a thread. One of them runs at a time.
struct Together {
  /// Whether another store may run before a call. The lock is that of the file.
  typealias CallFilter = @Sendable (_ call: String, _ holdsLock: Bool) -> Bool

  let baton: Baton
  let canSwitch: CallFilter
}

/// A run in which stores are interrupted at any of their calls.
extension ExplorerWorld {
  /// Makes the steps of each store, then lets all come to rest, and checks the disk.
  ///
  /// - Returns: the number of times that a store could have been interrupted.
  /// - Throws: what is wrong.
  func runTogether(
    _ scripts: [[ExplorerStep]], isOpenBefore: Bool = false, switchingAt canSwitch: @escaping Together.CallFilter,
    _ choose: @escaping Baton.Choice
  ) throws -> Int {
    makeParties()
    defer { endRun() }
    if isOpenBefore { for party in parties { try party.open() } }
    begin()
    isInside = true
    let baton = Baton(scripts.count, choose)
    together = Together(baton: baton, canSwitch: canSwitch)
    baton.run { [unowned self] number in
      for step in scripts[number] {
        do {
          try makeStep(step, number)
        } catch {
          unexpected = unexpected ?? error
        }
      }
    }
    together = nil
    isInside = false
    if let unexpected { throw unexpected }
    plan.withLock { $0.isOff = true }
    try comeToRest()
    return baton.steps
  }

  /// Makes a step of a store, and repeats it while another one has the file.
  private func makeStep(_ step: ExplorerStep, _ number: Int) throws {
    marks.step += 1
    let faults = struck.count
    for _ in 0..<10_000 {
      let failure = perform(step, by: parties[number])
      trace?(
        "\(marks.step) \(number) \(step)\(failure.map { ": \($0)" } ?? "") has \(contested(parties[number].numbers))")
      guard let error = failure else { return }
      if (error as? SnapshotError)?.code == .locked {
        together?.baton.pass(from: number, isBlocked: true)
        continue
      }
      // A call has failed, the process was killed, or another program was in between twice.
      let isInBetween = (error as? SnapshotError)?.code == .changedExternally && mode.hasOthers
      if isInBetween || struck.count > faults || parties[number].wasKilled { return }
      throw error
    }
    throw Failure("the others never let go of the file")
  }

  /// Called before each call of a store.
  func letOthersRun(_ number: Int, _ call: String, _ holdsLock: Bool) {
    guard let together, together.canSwitch(call, holdsLock) else { return }
    together.baton.pass(from: number)
  }
}
