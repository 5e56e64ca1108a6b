import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What merges keep beside a file is bounded, and nothing that is new, renamed or damaged is removed.
struct CopyBoundTests {
  private let test = StoreUnderTest()
  private let log = Messages()

  /// A copy that is so many days old. With a number, several of one second.
  private func place(_ word: String, days: Double, number: Int = 1, bytes: Int = 1) -> String {
    let date = test.scheduler.date.addingTimeInterval(-days * 86_400).inFileName
    let path = "/dir/store.\(word)-\(date)\(number == 1 ? "" : "-\(number)").json"
    test.fileSystem[path] = [UInt8](repeating: 0x20, count: bytes)
    return path
  }

  /// Merges a conflict once: the store keeps its value, and the file of another program beside it.
  private func meetConflict() throws {
    var options = StoreOptions(policy: .manual)
    options.externalChanges = .keepOurs
    options.generations = .none
    options.log = { [log] in log.add($0) }
    let store = try test.open(Counters.self, options)
    try store.write { try $0.set(1, to: 1) }
    try store.flushAndWait()
    test.bytes = try SaverExternalChangeTests.externalBytes(7)
    test.scheduler.advance(by: .seconds(2))
    try store.flushAndWait()
    try store.closeAndWait()
    #expect(store.snapshot().value.allViolations() == [])
  }

  private var removals: [String] { log.all.filter { $0.contains("removed") } }

  @Test func theOldestGoFirst() throws {
    let old = (0..<120).map { place($0.isMultiple(of: 2) ? "conflict" : "before-merge", days: 200 - Double($0)) }
    try meetConflict()
    #expect(old.prefix(21).allSatisfy { test.fileSystem[$0] == nil })
    #expect(old.dropFirst(21).allSatisfy { test.fileSystem[$0] != nil })
    #expect(test.paths.count { $0.contains("conflict-") || $0.contains("before-merge-") } == 100)
    #expect(removals.count == 1)
    #expect(removals.first?.contains("removed 21 old files that merges had kept") == true)
    #expect(removals.first?.contains((old[0] as NSString).lastPathComponent) == true)
  }

  // All of one second: their numbers have their order, not that of letters.
  @Test func copiesOfOneSecondGoInTheOrderOfTheirNumbers() throws {
    let old = (1...110).map { place("conflict", days: 40, number: $0) }
    try meetConflict()
    #expect(old.prefix(11).allSatisfy { test.fileSystem[$0] == nil })
    #expect(old.dropFirst(11).allSatisfy { test.fileSystem[$0] != nil })
  }

  @Test func whatMayNotHaveBeenSeenStays() throws {
    let young = (1...150).map { place("conflict", days: 29.9, number: $0) }
    try meetConflict()
    #expect(young.allSatisfy { test.fileSystem[$0] != nil })
    #expect(removals == [])
  }

  @Test func aCopyIsOldAfterThirtyDays() throws {
    let location = try FileLocation(test.path, on: test.fileSystem)
    _ = (1...101).map { place("conflict", days: 30, number: $0) }
    func removed(_ seconds: TimeInterval) -> Int {
      Quarantine.trim(
        beside: location, on: test.fileSystem, date: test.scheduler.date.addingTimeInterval(seconds)
      ).count
    }
    #expect(removed(-1) == 0)
    #expect(removed(0) == 1)
  }

  /// The folder may be large. So a store looks for old copies once an hour.
  @Test func aStoreThatStaysOpenRemovesCopiesAgainAfterAnHour() throws {
    var options = StoreOptions(policy: .manual)
    (options.externalChanges, options.generations) = (.keepOurs, .none)
    options.log = { [log] in log.add($0) }
    let store = try test.open(Counters.self, options)
    func meetConflict(_ value: Int, after wait: Duration) throws -> Int {
      test.scheduler.advance(by: wait)
      test.bytes = try SaverExternalChangeTests.externalBytes(value)
      try store.write { try $0.set(1, to: -value) }
      try store.flushAndWait()
      return removals.count
    }
    _ = (1...110).map { place("conflict", days: 60, number: $0) }
    #expect(try meetConflict(1, after: .seconds(2)) == 1)
    _ = (1...110).map { place("conflict", days: 60, number: $0) }
    #expect(try meetConflict(2, after: .seconds(1_800)) == 1)
    #expect(try meetConflict(3, after: .seconds(1_801)) == 2)
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func theSizesAreBoundedToo() throws {
    let old = (0..<5).map { place("before-merge", days: 100 - Double($0), bytes: 10) }
    let location = try FileLocation(test.path, on: test.fileSystem)
    let trim = { (byteCount: Int) in
      Quarantine.trim(
        beside: location, on: test.fileSystem, date: test.scheduler.date, CopyBound(byteCount: byteCount))
    }
    #expect(trim(50) == [])
    #expect(trim(49).map { "/dir/\($0)" } == [old[0]])
    // The newest one stays, however large.
    #expect(trim(1).map { "/dir/\($0)" } == Array(old[1...3]))
    #expect(test.fileSystem[old[4]] != nil)
  }

  @Test func otherFilesStay() throws {
    let date = test.scheduler.date.addingTimeInterval(-86_400 * 400).inFileName
    let others =
      [
        "store.damaged-\(date).json", "store.unsaved-\(date).json", "store.journal-\(date).json",
        "store.conflict-\(date) of Anna.json", "store.conflict-\(date)-x.json", "store.conflict-\(date)-0.json",
        "store.conflict-\(date)-1.json", "store.conflict-\(date)-02.json", "store.conflict-\(date)-+2.json",
        "store.conflict-\(date)x2.json", "store.conflict-2025.json", "store.conflict-.json",
        "store.conflict-\(date).txt",
        "Store.conflict-\(date).json", "store.conflict-\(date).conflict-\(date).json", "my store.conflict-\(date).json",
      ].map { "/dir/\($0)" }
    for path in others { test.fileSystem[path] = [0x20] }
    let folder = "/dir/store.conflict-\(date).json"
    test.fileSystem.placeDirectory(folder)
    _ = (1...100).map { place("conflict", days: 60, number: $0) }
    try meetConflict()
    #expect(removals.first?.contains("removed 1 old file that merges had kept") == true)
    for path in others { #expect(test.fileSystem[path] != nil, "\(path)") }
    #expect(test.fileSystem.directories.contains(folder))
  }

  // It has the bytes that a merge would keep now. But it may be removed before anyone has seen it.
  @Test func anOldCopyIsNotUsedAgain() throws {
    let location = try FileLocation(test.path, on: test.fileSystem)
    let old = place("conflict", days: 16, bytes: 3)
    let find = {
      Quarantine.copy(
        of: [0x20, 0x20, 0x20], beside: location, on: test.fileSystem, as: "conflict", date: test.scheduler.date)
    }
    #expect(find() == nil)
    let halfway = place("conflict", days: 15, bytes: 3)
    #expect(find() == nil && test.fileSystem[halfway] != nil)
    let young = place("conflict", days: 14, bytes: 3)
    #expect(find() == young)
    #expect(test.fileSystem[old] != nil)
  }

  /// The names of copies must not exceed 255 bytes. Of a longer name, the copies of another file look alike.
  @Test func copiesOfLongNamesStay() throws {
    let date = test.scheduler.date.addingTimeInterval(-86_400 * 400).inFileName
    func removals(_ length: Int) throws -> Int {
      let name = String(repeating: "n", count: length - 5) + ".json"
      let (start, end) = Quarantine.parts(of: name, "conflict")
      for number in 2...120 { test.fileSystem["/dir/\(start)\(date)-\(number)\(end)"] = [0x20] }
      let location = try FileLocation("/dir/\(name)", on: test.fileSystem)
      return Quarantine.trim(beside: location, on: test.fileSystem, date: test.scheduler.date).count
    }
    #expect(try removals(180) == 19)
    #expect(try removals(181) == 0)
    #expect(Quarantine.parts(of: "n." + String(repeating: "x", count: 40), "conflict").end.utf8.count == 32)
  }

  // Someone may have opened a copy as a store, or edited it.
  @Test func aCopyInUseStays() throws {
    let old = (1...110).map { place("conflict", days: 60, number: $0) }
    for path in [old[0], old[1]] { test.fileSystem["/dir/.\((path as NSString).lastPathComponent).lock"] = [] }
    let location = try FileLocation(test.path, on: test.fileSystem)
    let removed = Quarantine.trim(beside: location, on: test.fileSystem, date: test.scheduler.date)
    #expect(removed.count == 8)
    #expect(test.fileSystem[old[0]] != nil && test.fileSystem[old[1]] != nil && test.fileSystem[old[2]] == nil)
  }

  // A folder that may not be changed is no reason for a failed merge.
  @Test func aFailedRemovalIsNotTold() throws {
    let old = (1...110).map { place("conflict", days: 60, number: $0) }
    test.fileSystem.injectFault { $0.name == "unlinkat" ? EACCES : nil }
    let location = try FileLocation(test.path, on: test.fileSystem)
    #expect(Quarantine.trim(beside: location, on: test.fileSystem, date: test.scheduler.date) == [])
    #expect(old.allSatisfy { test.fileSystem[$0] != nil })
  }

  @Test func aCopyThatCannotBeWrittenLeavesNothing() throws {
    let location = try FileLocation(test.path, on: test.fileSystem)
    test.setDiskFull(true)
    let error = #expect(throws: SnapshotError.self) {
      try Quarantine.write(
        PiecedBytes([0x20]), beside: location, on: test.fileSystem, as: "conflict", date: test.scheduler.date)
    }
    #expect(error?.systemError == ENOSPC)
    #expect(test.paths == [] && test.openCount == 0)
  }
}
