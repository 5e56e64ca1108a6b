@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A store with a journal, of which one kind of call does nothing: the negative controls.
enum JournalFlaw: CaseIterable {
  /// Lines are not synced.
  case noLineSync
  /// A new journal is not synced before it gets its name.
  case noFirstSync
  /// The name of a new journal is not synced.
  case noNameSync
  /// The journal is removed before the new file's name is durable.
  case noDirectorySync

  var scenario: CrashScenario {
    let scenario = CrashScenario(name: "a journal with the flaw \(self)", before: CrashScenario.counters(1...2)) {
      run in
      let store = try run.open(journal: .beside())
      for id in 3...5 { try run.commit(id, to: store) }
      try run.close(store)
    }
    return flawed(scenario)
  }

  /// The same with two stores that share the file.
  var sharedScenario: CrashScenario { flawed(CrashScenario.shared[0]) }

  private func flawed(_ scenario: CrashScenario) -> CrashScenario {
    var scenario = scenario
    scenario.ignores = { call, calls in
      ["fsync", "fdatasync"].contains(call.name) && matches(calls.dropLast().reversed())
    }
    return scenario
  }

  /// Whether a sync has this flaw, by the calls before it, the latest first.
  private func matches(_ before: ReversedCollection<ArraySlice<InMemoryFileSystem.Call>>) -> Bool {
    guard let last = before.first else { return false }
    return switch self {
    case .noLineSync: last.name == "pwrite"
    case .noFirstSync: last.name == "fchmod"
    case .noNameSync: last.name == "renameat" && last.target.hasSuffix(".journal")
    case .noDirectorySync: last.name == "renameat" && !last.target.hasSuffix(".journal")
    }
  }
}
