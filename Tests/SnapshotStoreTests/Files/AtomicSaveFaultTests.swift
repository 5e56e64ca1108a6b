import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Every system call of a save fails in turn. The path has the complete old bytes or the complete new ones, and the
/// error says which.
struct AtomicSaveFaultTests {
  static let old = Array("the old content".utf8)
  static let new = Array("the new content, written in several pieces".utf8)

  struct Situation: CustomTestStringConvertible, Sendable {
    let kind: FolderUnderTest.Kind
    let hasOldFile: Bool
    /// Whether all calls after the failed one fail too, as on a removed disk.
    let lasts: Bool
    let error: Int32

    static let all = FolderUnderTest.Kind.allCases.flatMap { kind in
      [true, false].flatMap { hasOldFile in
        [true, false].flatMap { lasts in
          [EIO, ENOSPC].map { Situation(kind: kind, hasOldFile: hasOldFile, lasts: lasts, error: $0) }
        }
      }
    }

    var testDescription: String {
      "\(kind), \(hasOldFile ? "old file" : "no file"), \(lasts ? "lasting" : "once"), errno \(error)"
    }
  }

  @Test func everyCallMayFail() {
    each(Situation.all) { (situation: Situation) throws in
      var outcomes: Set<String> = []
      for number in 1...50 {
        var isDone = false
        try FolderUnderTest.with(situation.kind) { folder in
          let outcome = try Self.save(in: folder, situation, failing: number)
          outcomes.insert(outcome)
          isDone = outcome == "no fault"
        }
        if isDone { break }
      }
      // All three results occurred, so the loop skipped none.
      let expected: Set = ["not committed", "indeterminate", "no fault"]
      #expect(outcomes == (situation.lasts ? expected : expected.union(["not cleaned up"])))
    }
  }

  /// Saves with one failing call, checks the result, and returns its kind.
  private static func save(
    in folder: FolderUnderTest, _ situation: Situation, failing number: Int
  ) throws -> String {
    let before = situation.hasOldFile ? old : nil
    if situation.hasOldFile { folder["file"] = old }
    let location = try folder.location("file")
    let observed = ObservedFileSystem(folder.fileSystem, writeLimit: 20) { call, _ in
      call == number || (situation.lasts && call > number) ? situation.error : nil
    }
    let result = Result { () throws(SnapshotError) in
      try AtomicSave(fileSystem: observed, location: location).replace(with: new)
    }
    let place = "call \(number), failed: \(observed.faults)"

    let outcome: String
    switch result {
    case .success(let saved):
      // A failed cleanup is no failure.
      let faults = observed.faults.filter { $0 != "readdir" }
      #expect(folder["file"] == new, "\(place)")
      #expect(saved.directoryFailure?.code == (faults.isEmpty ? nil : .indeterminate), "\(place)")
      #expect(saved.directoryFailure?.systemError == (faults.isEmpty ? nil : situation.error), "\(place)")
      outcome = observed.faults.isEmpty ? "no fault" : faults.isEmpty ? "not cleaned up" : "indeterminate"
    case .failure(let error):
      #expect(folder["file"] == before, "\(place)")
      #expect(error.code == .ioFailed, "\(place)")
      #expect(error.systemError == situation.error, "\(place)")
      #expect(error.path == location.path, "\(place)")
      #expect(error.message.contains("nothing was replaced"), "\(place)")
      outcome = "not committed"
    }
    #expect(observed.open == [], "\(place)")
    let leftovers = folder.names.filter { $0 != "file" }
    if !observed.faults.contains("unlinkat") { #expect(leftovers == [], "\(place)") }

    // A retry starts from the beginning and succeeds, whatever was left behind.
    try AtomicSave(fileSystem: folder.fileSystem, location: location).replace(with: new)
    #expect(folder["file"] == new, "\(place)")
    return outcome
  }

  // Some errors have messages of their own, for example for a removed folder. But a failed save always names the failed
  // call, its error, and says that the file is unchanged.
  @Test func everyErrorSaysWhatFailed() {
    each(
      ["open directory", "create temporary", "write temporary", "renameat"],
      [ENOENT, EISDIR, ENOTDIR, ELOOP, EACCES, EROFS, EDQUOT]
    ) { (step: String, number: Int32) throws in
      try FolderUnderTest.with(.inMemory) { folder in
        folder["file"] = Self.old
        let observed = ObservedFileSystem(folder.fileSystem) { _, name in name == step ? number : nil }
        let location = try folder.location("file")
        let error = #expect(throws: SnapshotError.self) {
          try AtomicSave(fileSystem: observed, location: location).replace(with: Self.new)
        }
        #expect(error?.systemError == number)
        #expect(error?.path == location.path)
        #expect(error?.message.contains(step) == true)
        #expect(error?.message.contains("nothing was replaced") == true)
      }
    }
  }

  // The store's own tests inject faults into the file system in memory. This test shows that those faults, too, reach
  // every call.
  @Test func theFaultsOfTheFileSystemInMemoryReachEveryCall() throws {
    for number in 1...50 {
      let fileSystem = InMemoryFileSystem(directories: ["/folder"])
      fileSystem["/folder/file"] = Self.old
      let location = try FileLocation("/folder/file", on: fileSystem)
      let before = fileSystem.calls.count
      let count = FaultCounter(failing: number)
      fileSystem.injectFault { _ in count.next() }
      let result = Result { try AtomicSave(fileSystem: fileSystem, location: location).replace(with: Self.new) }
      let committed = (try? result.get()) != nil
      #expect(fileSystem["/folder/file"] == (committed ? Self.new : Self.old))
      #expect(fileSystem.paths == ["/folder/file"])
      #expect(fileSystem.openCount == 0)
      if fileSystem.calls.count - before < number { return }
    }
    Issue.record("there is no end of calls")
  }
}
