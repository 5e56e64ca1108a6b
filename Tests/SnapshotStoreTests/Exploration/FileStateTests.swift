import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// `Docs/FILE-STATES.md` says what happens, and nothing else.
struct FileStateTests {
  @Test func thePageHasTheTransitionsOfTheExplorer() throws {
    var (found, foundAfterFailures): (Set<FileTransition>, Set<FileTransition>) = ([], [])
    for mode in ExplorerMode.all {
      // The file of another program is rare.
      for seed in UInt64(1)...Proofs.pick(full: mode.hasOthers ? 480 : 90, quick: 8) {
        let run = ExplorerRun(mode, seed: seed)
        found.formUnion(try run.withoutFailures.transitions())
        foundAfterFailures.formUnion(try run.transitions())
      }
    }
    let documented = try FileTransition.documented(under: "If nothing fails")
    let documentedAfterFailures = try FileTransition.documented(under: "After a failure")
    #expect(order(found.subtracting(documented)) == [], "missing under “If nothing fails”")
    #expect(
      order(foundAfterFailures.subtracting(documented).subtracting(documentedAfterFailures)) == [],
      "missing under “After a failure”")
    #expect(documented.isDisjoint(with: documentedAfterFailures))
    #expect(Set(documented.map(\.to)).union(documentedAfterFailures.map(\.to)).count == FileState.allCases.count - 2)
    guard Proofs.areFull else { return }
    #expect(order(documented.subtracting(found)) == [], "never seen")
    #expect(order(documentedAfterFailures.subtracting(foundAfterFailures)) == [], "never seen after a failure")
  }

  private func order(_ transitions: Set<FileTransition>) -> [String] { transitions.map(\.description).sorted() }
}
