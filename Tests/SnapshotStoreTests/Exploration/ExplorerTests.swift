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
    let count = environment["SNAPSHOT_EXPLORE"].flatMap { UInt64($0) } ?? Proofs.pick(full: 100, quick: 8)
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
      let shrunk = run.shrunk()
      Issue.record("\(mode), seed \(seed): \(problem)\n\(shrunk.text)")
      if Self.isTraced {
        print("  the shrunk run:")
        _ = shrunk.problem(trace: trace)
      }
    }
    if Self.seeds.count > 100 { print("explored \(mode): \(Self.seeds.count) runs, \(struck) faults") }
  }

  // The negative controls: the library without one kind of its calls.
  private static let flaws: [(name: String, leavingOut: Set<String>)] = [
    ("no-fsync", ["fsync temporary"]), ("no-directory-fsync", ["fsync directory"]), ("in-place", ["one step"]),
    ("foundation", ["fsync temporary", "fsync directory", "flock lock"]),
    ("journal-no-line-sync", ["fdatasync temporary", "fdatasync journal"]),
    ("journal-no-first-sync", ["fsync new journal"]),
    ("journal-no-name-sync", ["fsync names"]), ("journal-removed-first", ["order"]),
    ("sharing-no-lock", ["flock lock"]),
  ]

  @Test func everyFlawIsFound() {
    for flaw in Self.flaws {
      expectFound(flaw.name, 1...400, flaw.leavingOut)
    }
  }

  // A mistake that Scripts/plant-flaws has put into this build.
  @Test(.enabled(if: environment["SNAPSHOT_FLAW"] != nil)) func aPlantedFlawIsFound() {
    expectFound(Self.environment["SNAPSHOT_FLAW"] ?? "", Self.seeds.lowerBound...Self.seeds.upperBound - 1)
  }

  private func expectFound(
    _ name: String, _ seeds: ClosedRange<UInt64>, _ leavingOut: Set<String> = []
  ) {
    var (count, text) = (0, "not found")
    let isFound = seeds.contains { seed in
      Self.modes.contains { mode in
        count += 1
        guard let problem = ExplorerRun(mode, seed: seed).problem(leavingOut: leavingOut).problem else { return false }
        text = "found by \(mode): \(problem.prefix(100))"
        return true
      }
    }
    #expect(isFound, "\(name)")
    print("explored the flaw \(name): run \(count), \(text)")
  }

  /// A new public function that saves needs a step, or a reason why it has none.
  @Test func everyFunctionThatSavesHasAStep() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/SnapshotStore").standardizedFileURL
    var names: Set<String> = []
    for room in ["Store", "Editing", "Saving", "StoreFile", "WholeFiles"] {
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
