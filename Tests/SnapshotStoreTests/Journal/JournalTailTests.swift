import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The lines behind a known place of a journal.
struct JournalTailTests {
  /// The bytes behind each line, with the place behind it.
  private func places(_ bytes: [UInt8]) throws -> [(offset: Int, end: JournalPosition)] {
    let journal = try readJournal(bytes)
    let header = try #require(bytes.firstIndex(of: 0x0A)) + 1
    var places = [(header, try readJournal(Array(bytes.prefix(header))).end)]
    for line in journal.lines {
      let end = line.range.upperBound + 1
      places.append((end, try readJournal(Array(bytes.prefix(end))).end))
    }
    return places
  }

  private func tail(
    _ bytes: [UInt8], _ place: (offset: Int, end: JournalPosition), of header: JournalHeader
  ) throws -> Journal {
    try Journal(Array(bytes[place.offset...]), behind: place.end, of: header, limits: ReadLimits())
  }

  @Test func aTailHasTheLinesBehindThePlace() throws {
    let book = try oddJournal()
    let whole = try readJournal(book.bytes)
    let header = try #require(whole.header)
    for (index, place) in try places(book.bytes).enumerated() {
      for torn in [0, 3] {
        let bytes = book.bytes + Array("{\"n\"".utf8.prefix(torn))
        let tail = try tail(bytes, place, of: header)
        #expect(tail.lines.map(\.number) == whole.lines.dropFirst(index).map(\.number))
        #expect(tail.lines.map(\.kind) == whole.lines.dropFirst(index).map(\.kind))
        #expect(tail.end == whole.end)
        #expect(tail.tornBytes == torn)
      }
    }
  }

  @Test func aTailOfAnotherChainIsDamage() throws {
    let book = try oddJournal()
    let header = try #require(readJournal(book.bytes).header)
    let places = try places(book.bytes)
    for (place, other) in zip(places.dropLast(2), places.dropFirst()) {
      let error = #expect(throws: SnapshotError.self) {
        try tail(book.bytes, (other.offset, place.end), of: header)
      }
      #expect(error?.code == .damagedJournal)
    }
    // A whole journal is no tail.
    let error = #expect(throws: SnapshotError.self) { try tail(book.bytes, (0, places[0].end), of: header) }
    #expect(error?.code == .damagedJournal)
  }

  @Test func theLinesAreReplayedOntoTheKnownValue() throws {
    var book = try JournalUnderTest(OddModel.sample())
    let header = try #require(readJournal(book.bytes).header)
    for text in ["one", "two", "three"] {
      let (offset, end, known) = (book.bytes.count, book.end, book.value)
      try book.change { try $0.steps.update(Step.Key(owner: "Ada", number: 2)) { $0.text = text } }
      let tail = try tail(book.bytes, (offset, end), of: header)
      let replayed = try tail.replay(
        tail.lines[...], onto: SnapshotContent(known, book.base.unknown), JournalUnderTest<OddModel>.options,
        idKeys: [:], limits: ReadLimits())
      #expect(try SnapshotFile.encode(replayed.value, as: .json) == SnapshotFile.encode(book.value, as: .json))
    }
  }

  /// A store reads what others have appended to the journal that it has open, although that has lost its name.
  @Test func theLimitBoundsWhatIsReadOfALostJournal() throws {
    let test = StoreUnderTest()
    func open() throws -> Store<Counters> {
      try test.open(Counters.self, StoreOptions(policy: .manual, access: .shared, journal: .beside(), log: { _ in }))
    }
    let (a, b) = (try open(), try open())
    for value in 1...2 {
      try a.write { try $0.set(value, to: value) }
      try a.flushAndWait()
      b.checkFileAndWait()
    }
    let saver = try #require(b.saver)
    let known = try saver.inTurn { () throws in try #require(saver.file.session.journal.state).size }
    try a.write { try $0.set(3, to: 3) }
    try a.flushAndWait()
    let count = try #require(test.fileSystem[JournalStoreTests.journalPath]).count - known
    try saver.inTurn { () throws in
      let journal = saver.file.session.journal
      #expect(try journal.rest(ReadLimits(fileSize: count))?.lines.map(\.number) == [3])
      #expect(try journal.rest(ReadLimits(fileSize: count - 1)) == nil)
    }
    #expect(a.snapshot().value.allViolations() == [])
  }
}
