@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The end of a run.
extension ExplorerWorld {
  /// Everything works again: all stores save, and have the same value.
  func comeToRest() throws {
    isReplaced = false
    // Beside a newer version, the first one cannot save any more.
    for number in parties.indices { _ = upgrade(number) }
    if mode.isFirstExclusive, parties[0].isOpen { try parties[0].perform(.reopen) }
    let parties = parties.filter { !mode.isFirstExclusive || $0.number > 0 }
    var last: (any Error)?
    var rounds = 0
    for _ in 0..<14 where rounds < 4 {
      last = nil
      for party in parties {
        do {
          try party.perform(.flush)
        } catch { last = error }
        try? party.perform(.wait(seconds: 60))
        try? party.perform(.look)
      }
      rounds = last == nil ? rounds + 1 : 0
    }
    if let last { throw Failure("does not recover: \(last)") }
    try check(disk.copyOfFiles(), "at the end")
    let values = parties.map(\.numbers)
    let agree = zip(parties, values).allSatisfy { party, value in
      value == values[0].filter { party.model.knows($0.key) }
    }
    if !agree { throw Failure("the stores do not agree: \(values)") }
    if mode.hasReader, disk[Self.path] != nil {
      if reader == nil { reader = try openReader(mode.newestModel) }
      reader?.checkFileAndWait()
      let read = reader?.numbers ?? [:]
      if read != values[0] { throw Failure("the reader has \(read), and the stores \(values[0])") }
    }
    if disk[Self.path] != nil { try requireStored(values[0], mode.newestModel) }
    for party in parties { if let problem = party.violation { throw Failure(problem) } }
    for party in parties {
      // The system may tell of a failed sync of another process now.
      if (try? party.perform(.reopen)) == nil { try party.perform(.reopen) }
    }
    try check(disk.copyOfFiles(), "closed")
    try checkFiles()
    try checkPowerCuts("at the end")
  }

  /// Throws if the file and its journal do not have the value of the stores.
  private func requireStored<Root: ExplorerModel>(_ numbers: [Int: Int], _ type: Root.Type) throws {
    let stored = try SnapshotFile.decode(type, from: readBytes(on: disk)).numbers
    if stored != numbers { throw Failure("the file has \(stored), and the stores \(numbers)") }
  }

  /// What is beside the file, when all stores are closed.
  private func checkFiles() throws {
    let paths = disk.paths.filter { $0.hasPrefix("/dir/") }
    let kept = paths.filter { $0.contains(".conflict-") || $0.contains(".before-merge-") }
    // A program that was killed may not have told what it has kept, and a copy that failed is made again.
    if !hasKilled, struck.isEmpty, let path = kept.first(where: { !toldFiles.contains($0) }) {
      throw Failure("nobody was told of \(path)")
    }
    // Without the list of users, no store can know that it is the last one.
    if mode.losesLockFile || mode.hasMoves || !struck.isEmpty { return }
    let hidden = paths.filter { $0.hasSuffix(".journal") || $0.hasSuffix(".lock") }
    if !hidden.isEmpty { throw Failure("left at the end: \(hidden)") }
  }
}

extension ExternalChange {
  /// The files with what a merge has not taken.
  var files: [String] {
    switch self {
    case .merged(let outcome, let kept): [kept, outcome.keptOurs].compactMap(\.self)
    case .rejected(_, let kept), .reloaded(let kept): [kept].compactMap(\.self)
    case .replaced(let kept): [kept]
    case .refused, .unreadable, .removed: []
    }
  }
}
