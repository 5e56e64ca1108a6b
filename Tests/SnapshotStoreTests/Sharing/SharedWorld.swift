import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Processes that share one file. Each edit writes a value of its own, so that it can be found again.
final class SharedWorld: SimulatedProcesses {
  /// What a process does next.
  enum Step: Sendable {
    /// Adds a record.
    case add
    /// Changes a record that others change too.
    case edit(Int)
    /// Removes such a record.
    case remove(Int)
    case flush
    case fold
    /// Holds and saves nothing until a later step that needs the file.
    case suspend(flushing: Bool)
    case look
    /// The clock of the process jumps, forwards or back.
    case setClock(hours: Int)
    /// This number of writes to the lock file will fail.
    case failNotes(Int)
    /// Ends at once, and begins again. The number of calls until then.
    case kill(after: Int)
    case reopen
    /// A short session of another program.
    case update
    /// Another program has the file alone for a while.
    case openAlone
    /// A program without this library reads the file. It knows no lock and no journal.
    case readAsOther
    /// That program changes a record in what it has read, and replaces the file with it.
    case replaceAsOther(Int)
  }

  private struct Record: Sendable {
    /// Large numbers: a file that has one shows which version its program has read.
    var lastMark = 9_000_000
    /// The marks that were written over a mark.
    var overwritten: [Int: [Int]] = [:]
    /// The mark that a mark has taken the place of.
    var parents: [Int: Int] = [:]
    /// The record of each mark that stands for a removal.
    var removed: [Int: Int] = [:]
    /// The record of each mark that was reported as saved.
    var saved: [Int: Int] = [:]
    /// The processes that are running, by their numbers.
    var running: Set<Int32> = []
    var lastProcess: Int32 = 0
    /// What the other program has read.
    var read: [UInt8]?
    var problems: [String] = []
    var reports: [ExternalChange] = []
    var hasKilled = false
    var hasFailedNotes = false
  }

  let disk = InMemoryFileSystem(directories: ["/dir"])
  let path = "/dir/store.json"
  let journal: JournalPolicy
  /// Steps of the library that are left out, as if it had forgotten them.
  let leavingOut: Set<String>
  private let record = SmallLock(Record())

  init(journal: JournalPolicy, leavingOut: Set<String> = []) {
    self.journal = journal
    self.leavingOut = leavingOut
  }

  var problems: [String] { record.withLock { $0.problems } }

  /// A new process with a number of its own.
  func startProcess() -> Int32 {
    record.withLock { record in
      record.lastProcess += 1
      record.running.insert(record.lastProcess)
      return record.lastProcess
    }
  }

  func killProcess(_ number: Int32) {
    record.withLock { record in
      record.running.remove(number)
      record.hasKilled = true
    }
  }

  /// A store whose line could not be removed from the lock file counts as open until its process ends.
  var mayLeaveLines: Bool { record.withLock { $0.hasFailedNotes } }

  func noteFailed() { record.withLock { $0.hasFailedNotes = true } }

  func isRunning(_ number: Int32) -> Bool { record.withLock { $0.running.contains(number) } }

  func fail(_ problem: String) { record.withLock { $0.problems.append(problem) } }
  func report(_ change: ExternalChange) { record.withLock { $0.reports.append(change) } }

  /// Writes a new mark to a record; nil for a new record.
  ///
  /// - Returns: the mark, and the id of its record.
  func edit(_ id: Int?, in value: inout Counters) throws -> (mark: Int, id: Int) {
    let mark = record.withLock { record in
      record.lastMark += 1
      return record.lastMark
    }
    let id = id ?? mark
    let old = value.left[id]?.value
    try value.set(id, to: mark)
    record.withLock { record in
      record.parents[mark] = old
      // A record that is added again takes the place of its removal.
      for old in old.map({ [$0] }) ?? record.removed.filter({ $0.value == id }).map(\.key) {
        record.overwritten[old, default: []].append(mark)
      }
    }
    return (mark, id)
  }

  /// Removes a record, if it is there.
  func remove(_ id: Int, in value: inout Counters) {
    guard let old = value.left[id]?.value else { return }
    _ = value.left.remove(id)
    record.withLock { record in
      record.lastMark += 1
      record.removed[record.lastMark] = id
      record.parents[record.lastMark] = old
      record.overwritten[old, default: []].append(record.lastMark)
    }
  }

  var hasOtherProgram: Bool { record.withLock { $0.read != nil } }

  func readAsOther() {
    let bytes = disk[path]
    record.withLock { $0.read = bytes }
  }

  func replaceAsOther(_ id: Int) throws {
    guard let read = record.withLock({ $0.read }) else { return }
    var theirs = try SnapshotFile.decode(Counters.self, from: read)
    _ = try edit(id, in: &theirs)
    let bytes = try SnapshotFile.encode(theirs, as: .json)
    record.withLock { $0.read = bytes }
    disk[path] = bytes
  }

  func saved(_ marks: [(mark: Int, id: Int)]) {
    record.withLock { record in
      for (mark, id) in marks { record.saved[mark] = id }
    }
  }

  /// What the file and its journal hold.
  func stored() throws -> Counters {
    let content = try disk.readJournaled(at: FileLocation(path, on: disk), limit: .max)
    return try SnapshotFile.decode(Counters.self, from: content.folded(ReadLimits(), path: path))
  }

  /// Looks for each mark that was saved: in the file, among those that another one there has overwritten, and in the
  /// files that were kept.
  func checkSavedMarks() throws {
    let kept = disk.paths.filter { $0.contains(".conflict-") || $0.contains(".before-merge-") }
    // A process may have been killed while it wrote one. Then it has not saved anything that contradicts it.
    let stored = try stored()
    let values = [stored] + kept.compactMap { try? SnapshotFile.decode(Counters.self, from: disk[$0] ?? []) }
    let record = record.withLock { $0 }
    func first(_ mark: Int) -> Int { record.parents[mark].map(first) ?? mark }
    // A removal holds if the record is gone. Another process may have added one with the same id, without having seen
    // the one that was removed. A removal gives way to a change by another process, which is reported unless that was
    // killed. The program without this library may put the record back.
    let contested = record.reports.flatMap { change -> [String] in
      if case .merged(let outcome, _) = change { outcome.conflicts.map(\.id) } else { [] }
    }
    let removed = record.removed.filter { mark, id in
      record.read != nil || record.hasKilled || contested.contains("\(id)")
        || stored.left[id].map { first($0.value) == first(mark) } != true
    }
    let found = Set(values.flatMap { $0.left.map(\.value) }).union(removed.keys)
    var known: [Int: Bool] = [:]
    func isAccountedFor(_ mark: Int) -> Bool {
      if let known = known[mark] { return known }
      let result = found.contains(mark) || record.overwritten[mark, default: []].contains(where: isAccountedFor)
      known[mark] = result
      return result
    }
    for (mark, id) in record.saved where !isAccountedFor(mark) {
      fail("lost: record \(id), mark \(mark); \(stored.left[id]?.value ?? 0) is there")
    }
    checkReports(kept, record)
  }

  /// What a merge has not taken is reported, with the file in which it is. A killed process may not have told it.
  private func checkReports(_ kept: [String], _ record: Record) {
    let told = record.reports.flatMap { change -> [String?] in
      switch change {
      case .merged(let outcome, let kept): [kept, outcome.keptOurs]
      case .rejected(_, let kept), .reloaded(let kept): [kept]
      case .replaced(let kept): [kept]
      case .refused, .unreadable, .removed: []
      }
    }
    if record.hasKilled { return }
    for path in kept where !told.contains(path) { fail("nobody was told of \(path)") }
  }
}
