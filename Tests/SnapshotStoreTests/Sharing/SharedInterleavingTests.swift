import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Two processes that share a file and make three edits, in every order of the calls that the other one can notice.
struct SharedInterleavingTests {
  private typealias Script = [SharedWorld.Step]

  private static let saves: [(Script, Script)] = [
    ([.edit(1), .flush, .edit(1), .flush], [.edit(1), .flush]),
    ([.edit(1), .flush, .remove(1), .flush], [.edit(1), .flush]),
    ([.edit(1), .flush, .edit(1), .fold], [.edit(1), .fold]),
  ]

  /// One of the two reads without the lock.
  private static let looks: [(Script, Script)] = [
    ([.edit(1), .flush, .edit(1), .flush], [.look, .edit(1), .flush]),
    ([.edit(1), .flush, .edit(1), .fold], [.edit(1), .look, .flush]),
    ([.edit(1), .fold], [.look, .look]),
    ([.edit(1), .flush], [.update]),
  ]

  private static let journals: [JournalPolicy] = [.none, .beside()]

  private func run(_ scripts: (Script, Script), _ journal: JournalPolicy, _ orders: Interleavings) -> [String] {
    SharedStoreModelTests.run(
      [scripts.0, scripts.1], journal: journal, isOpenBefore: true, switchingAt: orders.canSwitch
    ) { _, running, others, isBlocked in orders.choose(running, others[0], isBlocked) }.problems
  }

  @Test(.enabled(if: Proofs.areFull)) func everyOrderOfSaves() {
    each(Array(Self.saves.indices), Self.journals) { (index: Int, journal: JournalPolicy) in
      let orders = Interleavings(hasReaders: false)
      var count = 0
      repeat {
        #expect(run(Self.saves[index], journal, orders) == [], "order \(count)")
        count += 1
      } while orders.next()
      // Each of the three saves of the two processes comes first, second or third.
      #expect(count >= 3)
    }
  }

  /// Some of the orders, for a run that does not take all.
  @Test(arguments: SeededGenerator.seeds(Proofs.pick(full: 1, quick: 6))) func ordersOfSaves(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    each(Array(Self.saves.indices), Self.journals) { (index: Int, journal: JournalPolicy) in
      let orders = Interleavings(hasReaders: false, prefix: (0..<40).map { _ in .random(using: &random) })
      #expect(run(Self.saves[index], journal, orders) == [], "seed \(seed)")
    }
  }

  /// A reader asks again and again while the lock is held, so there are too many orders to take all.
  @Test(arguments: SeededGenerator.seeds(Proofs.pick(full: 200, quick: 4)))
  func ordersBesideAReader(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    each(Array(Self.looks.indices), Self.journals) { (index: Int, journal: JournalPolicy) in
      let orders = Interleavings(hasReaders: true, prefix: (0..<40).map { _ in .random(using: &random) })
      #expect(run(Self.looks[index], journal, orders) == [], "seed \(seed)")
    }
  }

  /// A process is killed at each call of its saves, and the other one goes on.
  @Test func killedAtEveryCall() {
    each(Array(Self.saves.indices), Self.journals) { (index: Int, journal: JournalPolicy) in
      let (first, second) = Self.saves[index]
      let count = Self.run([first, second], journal, killingAt: nil).steps
      for call in Proofs.share(of: 1...count, oneIn: 7) {
        #expect(Self.run([first, second], journal, killingAt: call).problems == [], "killed at call \(call)")
      }
    }
  }

  /// - Parameter call: the call of the first process that kills it. The other one goes on then.
  private static func run(
    _ scripts: [Script], _ journal: JournalPolicy, killingAt call: Int?
  ) -> (problems: [String], steps: Int) {
    let kill = call.map { [SharedWorld.Step.kill(after: $0)] } ?? []
    return SharedStoreModelTests.run([kill + scripts[0], scripts[1]], journal: journal, isOpenBefore: true) {
      step, running, others, isBlocked in
      isBlocked || call.map { step == $0 + 1 } == true ? others[0] : running
    }
  }
}
