import Foundation
import Testing

@testable import SnapshotStore

/// The proof of "what can be lost" within the process: every call fails, is cut short, delayed, or the last one before a
/// power cut, and every disk that may be left is opened. See Docs/Decisions/0019-crash-model.md.
struct CrashStatesTests {
  @Test func nothingPromisedIsLost() throws {
    var checker = CrashChecker()
    for scenario in CrashScenario.all {
      let before = checker.states
      let start = Date()
      try checker.check(scenario)
      print("DEBUG", scenario.name, checker.runs, checker.states, checker.differentDisks, checker.problems.count, Date().timeIntervalSince(start)); fflush(nil)
      #expect(checker.states - before > 500, "\(scenario.name): few states; does it do anything?")
    }
    print(
      "crash states: \(checker.states) checked, \(checker.lost.count) lost, \(checker.torn.count) torn",
      "(\(CrashScenario.all.count) programs, \(checker.runs) runs, \(checker.differentDisks) different disks)")
    #expect(checker.problems.prefix(10) == [])
    #expect(checker.states > 50_000)
  }

  // The negative controls.
  @Test(arguments: PlainWriter.Flaw.allCases)
  func everyFlawIsFound(_ flaw: PlainWriter.Flaw) throws {
    var checker = CrashChecker()
    try checker.check(PlainWriter(flaws: [flaw]).scenario)
    print("crash states, control \(flaw): \(checker.lost.count) lost, \(checker.torn.count) torn of \(checker.states)")
    #expect(checker.lost.count + checker.torn.count > 0)
  }

  @Test func foundationsWayIsFound() throws {
    var checker = CrashChecker()
    try checker.check(PlainWriter.likeFoundation.scenario)
    #expect(!checker.lost.isEmpty && !checker.torn.isEmpty)
  }
}
