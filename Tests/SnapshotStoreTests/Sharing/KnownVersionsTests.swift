import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A store finds the versions that led to what is on the disk. A wrong one would be the wrong base of a merge.
struct KnownVersionsTests {
  private let file = JournalBase(sum: .checksum(1), size: 10)
  private let next = JournalBase(sum: .checksum(2), size: 20)
  private let other = JournalBase(sum: .checksum(3), size: 30)

  /// A content that can be told from others.
  private func content(_ value: Int) throws -> SnapshotContent<Counters> {
    var counters = Counters()
    try counters.set(1, to: value)
    return SnapshotContent(counters)
  }

  private func value(_ found: (position: FilePosition, content: SnapshotContent<Counters>)?) -> Int? {
    found?.content.value.left[1]?.value
  }

  private func disk(_ base: JournalBase, _ journal: Journal? = nil) -> FileDescent {
    FileDescent(base: base, journal: journal, lockFile: nil)
  }

  // MARK: Moments that may have come

  /// The save of the second version has failed, but another store finds the file in place.
  @Test func aVersionThatMayBeOnTheDiskIsFoundThere() throws {
    var versions = KnownVersions<Counters>()
    versions.note(FilePosition(base: file), try content(1))
    versions.note(FilePosition(base: next), try content(2), isSure: false)
    #expect(value(versions.newest(before: disk(next))) == 2)
    #expect(value(versions.newest(before: disk(file))) == 1)
    #expect(value(versions.newest) == 1)
  }

  @Test func aVersionThatWasOnTheDiskIsNotChangedByAFailedSave() throws {
    var versions = KnownVersions<Counters>()
    versions.note(FilePosition(base: file), try content(1))
    versions.note(FilePosition(base: file), try content(2), isSure: false)
    #expect(value(versions.newest) == 1)
    #expect(value(versions.newest(before: disk(file))) == 1)
  }

  /// Lines were cut off and written anew. What is saved then was made from both versions.
  @Test func linesThatWereWrittenAnewAreNotThoseOfBefore() throws {
    var versions = KnownVersions<Counters>()
    var positions: [FilePosition] = []
    for (number, sum) in [(2, 5), (3, 6), (3, 7), (4, 8)] as [(Int, UInt32)] {
      positions.append(
        FilePosition(base: file, journal: 9, end: JournalPosition(number: number, sum: sum)))
      versions.note(positions[positions.count - 1], try content(number))
      #expect(versions.tips == (number == 4 || sum < 7 ? positions.suffix(1) : positions.suffix(2)))
    }
  }

  @Test func onlyTheVersionThatDidNotComeIsForgotten() throws {
    var versions = KnownVersions<Counters>()
    for (number, base) in [file, next].enumerated() {
      versions.note(FilePosition(base: base), try content(number), isSure: false)
    }
    versions.withdraw(FilePosition(base: next))
    #expect(value(versions.newest(before: disk(file))) == 0)
    #expect(versions.newest(before: disk(next)) == nil)
  }

  // MARK: Lines and marks

  /// A line and the mark of a fold behind it.
  private func folded() throws -> (journal: Journal, first: JournalBase) {
    var book = try JournalUnderTest(Counters())
    try book.change { try $0.set(1, to: 1) }
    book.fold(to: next)
    return (try readJournal(book.bytes), JournalUnderTest<Counters>.identity(of: book.file))
  }

  private func position(on base: JournalBase, _ journal: Journal, line: Int) -> FilePosition {
    let end = line == 0 ? journal.start : journal.lines[line - 1].sum
    return FilePosition(base: base, journal: journal.start, end: JournalPosition(number: line, sum: end))
  }

  /// What a line says is in the file that was folded from it. A line on a third file has another value.
  @Test func aLineLedToTheFileThatWasFoldedFromIt() throws {
    let (journal, first) = try folded()
    for isSure in [true, false] {
      func includes(_ base: JournalBase) -> Bool {
        disk(next, journal).includes(position(on: base, journal, line: 1), isSure: isSure)
      }
      #expect(includes(first) && includes(next))
      #expect(!includes(other))
    }
  }

  /// The file of a mark was in place, and the next one was made from it. A file that no mark names was not.
  @Test func aFileLedToTheDiskIfAMarkNamesIt() throws {
    let (journal, _) = try folded()
    func includes(_ base: JournalBase) -> Bool {
      disk(file, journal).includes(position(on: base, journal, line: 0), isSure: true)
    }
    #expect(includes(next))
    #expect(!includes(other))
  }

  // MARK: Runs of journals

  /// What a program without the types has changed is settled by those who have them. Nothing else is.
  @Test(arguments: [0, 2]) func aNewRunSaysWhetherTheOldOneHadUntypedChanges(_ untyped: Int) {
    var old = JournalPast(place: JournalPast.Place(run: 5, number: 3))
    old.untyped = untyped
    let end = FilePosition(
      base: file, journal: 7, place: JournalPast.Place(run: 5, number: 2), end: JournalPosition(number: 4, sum: 9))
    old.before = end
    let new = JournalPast(behind: old)
    #expect(new.includes(end))
    #expect(new.hasUntyped(since: end) == (untyped > 0))
    #expect(!new.hasMerge(since: end))
  }
}
