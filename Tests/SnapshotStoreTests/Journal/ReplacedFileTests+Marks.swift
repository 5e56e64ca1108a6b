import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A journal with the mark of a fold comes back after a power cut, because its removal was not synced. Another program
/// has changed the file of the fold.
extension ReplacedFileTests {
  /// - Parameters:
  ///   - line: what a line of the journal has.
  ///   - fold: what the fold has on top of it.
  ///   - edit: what the other program changes.
  ///   - isBaseKept: whether the file on which the journal was begun is a generation.
  func disk<Root: Model>(
    _ first: (inout Root) throws -> Void, line: (inout Root) throws -> Void, fold: (inout Root) throws -> Void,
    edit: (inout Root) throws -> Void, isBaseKept: Bool = false
  ) throws -> InMemoryFileSystem {
    let test = StoreUnderTest()
    let store = try test.open(Root.self, .journaled())
    try store.write(first)
    try store.flushAndWait(folding: true)
    let base = try #require(test.fileSystem[Self.path])
    try store.write(line)
    try store.flushAndWait()
    try store.write(fold)
    test.fileSystem.injectFault { $0.name == "renameat" && $0.target == "store.json" ? EIO : nil }
    #expect(throws: SnapshotError.self) { try store.flushAndWait(folding: true) }
    let journal = try #require(test.journal)
    test.fileSystem.injectFault(nil)
    try store.flushAndWait(folding: true)
    let disk = test.fileSystem.copyOfFiles()
    try store.closeAndWait()
    for path in disk.paths where path.contains(".generations/") { disk[path] = isBaseKept ? base : nil }
    var theirs: Root = try SnapshotFile.decode(from: #require(disk[Self.path]))
    try edit(&theirs)
    disk[Self.path] = try SnapshotFile.encode(theirs, as: .json)
    disk[JournalStoreTests.journalPath] = journal
    return disk
  }

  /// The same for counters. Counter 10 is that of the other program.
  private func disk(
    from first: [Int], line: (inout Counters) throws -> Void, fold: (inout Counters) throws -> Void,
    isBaseKept: Bool = false
  ) throws -> InMemoryFileSystem {
    try disk(
      { for id in first { try $0.set(id, to: id) } }, line: line, fold: fold, edit: { try $0.set(10, to: 10) },
      isBaseKept: isBaseKept)
  }

  private func expect(_ disk: InMemoryFileSystem, has ids: [Int], telling conflicts: [MergeConflict]) throws {
    let store = try open(disk)
    #expect(store.snapshot().value.left.map(\.id) == ids)
    #expect(store.openReport?.journal?.outcome?.conflicts == conflicts)
    try store.closeAndWait()
  }

  /// The mark names the content on which the journal was begun, so the lines before it are in no file.
  @Test func linesBeforeAMarkOfTheSameContentAreNotMerged() throws {
    let disk = try disk(from: [2], line: { try $0.set(1, to: 1) }, fold: { _ = $0.left.remove(1) })
    try expect(disk, has: [2, 10], telling: [])
  }

  /// The mark names a file that nobody has. Its lines may be in there, and what the fold has removed is in no line.
  @Test func aRecordThatAFoldMayHaveRemovedIsTold() throws {
    let disk = try disk(
      from: [2], line: { try $0.set(1, to: 1) },
      fold: { value in
        value.left.remove(1)
        try value.set(3, to: 3)
      })
    let conflict = MergeConflict(table: "left", id: "1", properties: [], resolution: .keptOurChange)
    try expect(disk, has: [1, 2, 3, 10], telling: [conflict])
  }

  /// A record of the base that a line removes, and the fold behind it puts back. The generation is no proof then.
  @Test func aRecordThatAFoldMayHavePutBackStays() throws {
    let disk = try disk(
      from: [1, 2], line: { _ = $0.left.remove(2) }, fold: { for id in 2...3 { try $0.set(id, to: id) } },
      isBaseKept: true)
    #expect(disk.paths.contains { $0.contains(".generations/") })
    let conflict = MergeConflict(table: "left", id: "2", properties: [], resolution: .keptTheirChange)
    try expect(disk, has: [1, 2, 3, 10], telling: [conflict])
  }
}
