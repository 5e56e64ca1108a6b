import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Damage is an error, except at the end of the last line. Nothing damaged is ever replayed.
@Suite struct JournalDamageTests {
  /// The offsets behind the line feeds.
  private static func ends(_ bytes: [UInt8]) -> [Int] { bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 } }

  @Test func everyCutIsTorn() throws {
    let book = try oddJournal()
    let ends = Self.ends(book.bytes)
    each(Proofs.share(of: 0...book.bytes.count, oneIn: 5) + ends) { (count: Int) throws in
      let whole = ends.filter { $0 <= count }
      for zeros in [0, 1, 5_000] {
        let bytes = Array(book.bytes[..<count]) + Array(repeating: 0, count: zeros)
        let journal = try readJournal(bytes)
        #expect((journal.header == nil) == whole.isEmpty && journal.lines.count == max(0, whole.count - 1))
        #expect(journal.tornBytes == bytes.count - (whole.last ?? 0))
        #expect(journal.end.number == max(0, whole.count - 1))
        let salvaged = Journal(salvaging: bytes, limits: ReadLimits())
        #expect(salvaged.lines.count == journal.lines.count && salvaged.losses == [] && salvaged.end == journal.end)
        #expect(salvaged.tornBytes == journal.tornBytes)
      }
      // A line that has its line feed but not all of its bytes.
      guard count < book.bytes.count, !whole.isEmpty, !ends.contains(count), !ends.contains(count + 1) else { return }
      let torn = try readJournal(Array(book.bytes[..<count]) + [0x0A, 0, 0])
      #expect(torn.lines.count == whole.count - 1)
    }
  }

  @Test func everyBitFlipIsSeen() throws {
    let book = try oddJournal()
    let ends = Self.ends(book.bytes)
    let last = ends[ends.count - 2]
    each(Proofs.share(of: 0..<book.bytes.count * 8, oneIn: 23)) { (bit: Int) throws in
      var bytes = book.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let line = ends.filter { $0 <= bit / 8 }.count + 1
      let salvaged = Journal(salvaging: bytes, limits: ReadLimits())
      #expect(salvaged.lines.count <= 4)
      if last..<bytes.count - 1 ~= bit / 8 {
        let journal = try readJournal(bytes)
        #expect(journal.lines.count == 3 && journal.tornBytes == bytes.count - last)
      } else {
        // Also for a line feed, behind which more or nothing follows.
        let error = expectRefusal(.damagedJournal) { _ = try readJournal(bytes) }
        #expect(error?.position?.line == line)
        #expect(expectRefusal(.damagedJournal) { _ = try readJournal(bytes, threads: 3) }?.position == error?.position)
      }
    }
  }

  @Test func linesOutOfPlace() throws {
    let lines = try oddJournal().lines.map { Array($0.utf8) + [0x0A] }
    var other = try JournalUnderTest(OddModel.sample())
    try other.change { $0.recent = ["other"] }
    try other.change { $0.recent = [] }
    let strangers = other.lines.map { Array($0.utf8) + [0x0A] }
    for index in 1..<lines.count {
      var swapped = lines
      swapped.swapAt(index, index - 1)
      expectRefusal(.damagedJournal) { _ = try readJournal(Array(swapped.joined())) }
      var repeated = lines
      repeated.insert(lines[index], at: index)
      let error = expectRefusal(.damagedJournal) { _ = try readJournal(Array(repeated.joined())) }
      #expect(error?.position?.line == index + 2)
      var foreign = lines
      foreign[index] = strangers[min(index, 2)]
      expectRefusal(.damagedJournal) { _ = try readJournal(Array(foreign.joined())) }
      guard index < lines.count - 1 else { continue }
      var dropped = lines
      dropped.remove(at: index)
      expectRefusal(.damagedJournal) { _ = try readJournal(Array(dropped.joined())) }
    }
    expectRefusal(.damagedJournal) { _ = try readJournal(Array(lines.dropFirst().joined())) }
    expectRefusal(.damagedJournal) { _ = try readJournal(Array((strangers + lines).joined())) }
  }

  /// Every line that can be known to be right is used, and the others are named.
  @Test func salvageKeepsWhatIsRight() throws {
    let lines = try oddJournal().lines.map { Array($0.utf8) + [0x0A] }
    func salvage(_ lines: [[UInt8]]) -> Journal { Journal(salvaging: Array(lines.joined()), limits: ReadLimits()) }
    var damaged = lines
    damaged[2][20] ^= 1
    var journal = salvage(damaged)
    #expect(journal.lines.map(\.number) == [1, 3, 4] && journal.losses.map(\.numbers) == [2...2])
    #expect(journal.losses.map(\.fileLine) == [3] && journal.losses[0].range.count == lines[2].count - 1)
    #expect(journal.tornBytes == 0)
    // Missing lines have no bytes.
    journal = salvage([lines[0], lines[1], lines[4]])
    #expect(journal.lines.map(\.number) == [1, 4] && journal.losses.map(\.numbers) == [2...3])
    #expect(journal.losses[0].range.isEmpty)
    // A repeated line, one of another journal, and text of no kind.
    journal = salvage([lines[0], lines[1], lines[1], Array("#\n".utf8), lines[2], lines[3], lines[4]])
    #expect(journal.lines.map(\.number) == [1, 2, 3, 4] && journal.losses.map(\.numbers) == [nil, nil])
    damaged = lines
    damaged[0][3] ^= 1
    journal = salvage(damaged)
    #expect(journal.header == nil && journal.lines.map(\.number) == [1, 2, 3, 4] && journal.losses.count == 1)
    #expect(journal.lines(since: JournalBase(sum: .checksum(12), size: 34))?.map(\.number) == [4])
    // What was lost at the end, and what was not written to its end.
    damaged = lines
    damaged[3][9] ^= 1
    damaged[4][9] ^= 1
    journal = salvage(damaged)
    #expect(journal.lines.map(\.number) == [1, 2] && journal.losses.map(\.fileLine) == [4])
    #expect(journal.tornBytes == lines[4].count)
    // A number can be anything.
    let far = journalLine(#"{"n":999999999999999999,"after":1,"date":"2025-11-16T15:33:20Z","set":{"recent":[]}"#)
    journal = salvage([lines[0], far])
    #expect(journal.losses.map(\.numbers) == [1...999_999_999_999_999_998])
  }

  /// Texts that are too short for lines take no memory of their own.
  @Test func manyShortTexts() throws {
    let lines = try oddJournal().lines.map { Array($0.utf8) + [0x0A] }
    let short = Array(repeating: UInt8(0x0A), count: 1_000_000) + Array("{}\n".utf8)
    let bytes = lines[0] + lines[1] + short + lines[2]
    let error = expectRefusal(.damagedJournal) { _ = try readJournal(bytes) }
    #expect(error?.position?.line == 3)
    let journal = Journal(salvaging: bytes, limits: ReadLimits())
    #expect(journal.lines.map(\.number) == [1, 2] && journal.losses.map(\.fileLine) == [3])
    #expect(journal.losses.first?.range.count == short.count - 1)
    // At the end they are one torn line, or damage.
    #expect(try readJournal(lines[0] + [0x0A, 0, 0]).tornBytes == 3)
    expectRefusal(.damagedJournal) { _ = try readJournal(lines[0] + [0x0A, 0x0A]) }
  }

  /// Two journals on one file have lines of the same numbers. Only its own line names the checksum of the one before.
  @Test func salvageTakesNoLineOfAnotherJournal() throws {
    let book = try oddJournal()
    var other = try JournalUnderTest(OddModel.sample())
    try other.change { $0.recent = ["other"] }
    try other.change { $0.recent = [] }
    var lines = book.lines
    lines.insert(other.lines[2], at: 2)
    let journal = Journal(salvaging: Array((lines.joined(separator: "\n") + "\n").utf8), limits: ReadLimits())
    #expect(try journal.lines.map(\.sum) == readJournal(book.bytes).lines.map(\.sum))
    #expect(journal.losses.map(\.fileLine) == [3])
  }

  /// Without another line feed, the damaged line looks as if it was not written to its end.
  @Test func theOnlyLineFeedIsDamaged() throws {
    let line = try Array(oddJournal().lines[0].utf8)
    #expect(try readJournal(line).tornBytes == line.count)
    let error = expectRefusal(.damagedJournal) { _ = try readJournal(line + [0x0B]) }
    #expect(error?.position?.line == 1)
  }
}
