import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Random runs of everything that can happen to a file, each checked after every step. `Scripts/explore` makes many.
///
/// `SNAPSHOT_EXPLORE=1000` sets the number of runs of each mode, `SNAPSHOT_SEED=7` repeats one seed with a trace. A run
/// that fails is shrunk to few steps.
struct ExplorerTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isTraced = environment["SNAPSHOT_SEED"] != nil

  private static var seeds: Range<UInt64> {
    if let text = environment["SNAPSHOT_SEED"], let seed = UInt64(text) { return seed..<seed + 1 }
    let first = environment["SNAPSHOT_EXPLORE_FROM"].flatMap { UInt64($0) } ?? 1
    let count = environment["SNAPSHOT_EXPLORE"].flatMap { UInt64($0) } ?? Proofs.pick(full: 100, quick: 12)
    return first..<first + count
  }

  private static let modes = ExplorerMode.all.filter { mode in
    environment["SNAPSHOT_EXPLORE_MODE"].map { $0 == mode.name } ?? true
  }

  @Test(arguments: modes)
  func nothingAcknowledgedIsLost(_ mode: ExplorerMode) {
    var struck = 0
    let trace: ExplorerWorld.Trace? = Self.isTraced ? { @Sendable line in print("  \(line)") } : nil
    for seed in Self.seeds {
      let run = ExplorerRun(mode, seed: seed)
      let (problem, faults) = run.problem(trace: trace)
      struck += faults
      guard let problem else { continue }
      Issue.record("\(mode), seed \(seed): \(problem)\n\(run.shrunk().text)")
    }
    if Self.seeds.count > 100 { print("explored \(mode): \(Self.seeds.count) runs, \(struck) faults") }
  }

  // The negative controls: the library without one kind of its calls.
  static let flaws: [(name: String, leavingOut: Set<String>)] = [
    ("no-fsync", ["fsync temporary"]), ("no-directory-fsync", ["fsync directory"]),
    ("no-line-sync", ["fdatasync temporary", "fdatasync journal"]), ("no-lock", ["flock lock"]),
    ("own-lineage", ["others' saves"]), ("no-notes", ["pwrite lock"]),
  ]

  @Test func everyFlawIsFound() {
    each(Self.flaws.map(\.name), Self.flaws.map(\.leavingOut)) { (name: String, leavingOut: Set<String>) in
      guard Self.flaws.contains(where: { $0.name == name && $0.leavingOut == leavingOut }) else { return }
      var count = 0
      let isFound = (1...UInt64(400)).contains { seed in
        ExplorerMode.all.contains { mode in
          count += 1
          return ExplorerRun(mode, seed: seed).problem(leavingOut: leavingOut).problem != nil
        }
      }
      #expect(isFound)
      print("explored the flaw \(name): \(isFound ? "found" : "not found") in \(count) runs")
    }
  }

  /// A new public function that saves needs a step, or a reason why it has none.
  @Test func everyFunctionThatSavesHasAStep() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/SnapshotStore").standardizedFileURL
    var names: Set<String> = []
    for room in ["Store", "Persistence"] {
      let folder = sources.appending(path: room)
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /public (?:static )?func ([a-zA-Z]+)/) { names.insert(String(match.1)) }
      }
    }
    #expect(names.count > 30)
    let known = Set(ExplorerStep.functions.keys).union(ExplorerStep.withoutStep.keys).union(ExplorerStep.reading)
    #expect(names.subtracting(known) == [])
    #expect(known.subtracting(names) == [])
  }
}
