import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The proof of "what can be lost" within the process. Every call fails, is cut short, is delayed, or is the last one
/// before a power cut. Every disk that may be left is opened. See Docs/Decisions/0019-crash-model.md.
struct CrashStatesTests {
  @Test func nothingPromisedIsLost() throws {
    let all = try check(CrashScenario.all)
    print("crash states: \(all.summary)")
    #expect(all.problems.prefix(10) == [])
    #expect(all.states > Proofs.pick(full: 80_000, quick: 1_000))
  }

  @Test func nothingPromisedIsLostWithAJournal() throws {
    let all = try check(CrashScenario.withJournal)
    print("crash states with a journal: \(all.summary)")
    #expect(all.problems.prefix(10) == [])
    #expect(all.states > Proofs.pick(full: 20_000, quick: 500))
  }

  @Test func nothingPromisedIsLostByStoresThatShareAFile() throws {
    let all = try check(CrashScenario.shared)
    print("crash states of shared files: \(all.summary)")
    #expect(all.problems.prefix(10) == [])
    #expect(all.states > Proofs.pick(full: 5_000, quick: 200))
  }

  private func check(_ scenarios: [CrashScenario]) throws -> CrashChecker {
    let checkers = Mutex<[CrashChecker]>([])
    DispatchQueue.concurrentPerform(iterations: scenarios.count) { index in
      var checker = CrashChecker()
      checker.share = Proofs.pick(full: 1, quick: 40)
      #expect(throws: Never.self) { try checker.check(scenarios[index]) }
      #expect(
        checker.states > Proofs.pick(full: 500, quick: 2), "\(scenarios[index].name): few states; does it do anything?"
      )
      checkers.withLock { $0.append(checker) }
    }
    return checkers.withLock { $0.reduce(CrashChecker()) { $0.together(with: $1) } }
  }

  // The negative controls.
  @Test func everyFlawIsFound() {
    each(PlainWriter.Flaw.allCases) { (flaw: PlainWriter.Flaw) throws in
      var checker = CrashChecker()
      checker.endsAtFirst = !Proofs.areFull
      try checker.check(PlainWriter(flaws: [flaw]).scenario)
      print("control \(flaw): \(checker.summary)")
      #expect(checker.lost.count + checker.torn.count > 0)
    }
  }

  @Test func everyFlawOfAJournalIsFound() {
    each(JournalFlaw.allCases) { (flaw: JournalFlaw) throws in
      var checker = CrashChecker()
      checker.endsAtFirst = !Proofs.areFull
      try checker.check(flaw.scenario)
      print("control \(flaw): \(checker.summary)")
      #expect(checker.lost.count + checker.torn.count > 0)
    }
  }

  @Test func everyFlawOfASharedJournalIsFound() {
    each(JournalFlaw.allCases) { (flaw: JournalFlaw) throws in
      var checker = CrashChecker()
      checker.endsAtFirst = !Proofs.areFull
      try checker.check(flaw.sharedScenario)
      print("control \(flaw), shared: \(checker.summary)")
      #expect(checker.lost.count + checker.torn.count > 0)
    }
  }

  @Test func foundationsWayIsFound() throws {
    var checker = CrashChecker()
    try checker.check(PlainWriter.likeFoundation.scenario)
    print("control Foundation: \(checker.summary)")
    #expect(!checker.lost.isEmpty && !checker.torn.isEmpty)
  }
}
