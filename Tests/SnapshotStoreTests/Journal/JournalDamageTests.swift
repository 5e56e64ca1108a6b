import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Damage is an error, except at the end of the last line. Nothing damaged is ever replayed.
@Suite struct JournalDamageTests {
  private static func book() throws -> JournalUnderTest<OddModel> {
    var book = try JournalUnderTest(OddModel.sample())
    try book.change { $0.recent = ["\u{E9}\u{1F600}"] }
    try book.change { try $0.steps.update(Step.Key(owner: "Ada", number: 2)) { $0.text = "two" } }
    book.fold(to: JournalBase(sum: .checksum(12), size: 34))
    try book.change { $0.spots.remove(Spot.Place(x: 1, y: 2)) }
    return book
  }

  private static func journal(_ bytes: [UInt8], threads: Int = 1) throws -> Journal {
    try Journal(bytes, limits: ReadLimits(), threads: threads)
  }

  /// The offsets behind the line feeds.
  private static func ends(_ bytes: [UInt8]) -> [Int] { bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 } }

  @Test func everyCutIsTorn() throws {
    let book = try Self.book()
    let ends = Self.ends(book.bytes)
    each(Proofs.share(of: 0...book.bytes.count, oneIn: 5) + ends) { (count: Int) throws in
      let whole = ends.filter { $0 <= count }
      for zeros in [0, 1, 5_000] {
        let bytes = Array(book.bytes[..<count]) + Array(repeating: 0, count: zeros)
        let journal = try Self.journal(bytes)
        #expect((journal.header == nil) == whole.isEmpty && journal.lines.count == max(0, whole.count - 1))
        #expect(journal.tornBytes == bytes.count - (whole.last ?? 0))
        #expect(journal.end.number == max(0, whole.count - 1))
        let salvaged = Journal(salvaging: bytes, limits: ReadLimits())
        #expect(salvaged.lines.count == journal.lines.count && salvaged.losses == [] && salvaged.end == journal.end)
        #expect(salvaged.tornBytes == journal.tornBytes)
      }
      // A line that has its line feed but not all of its bytes.
      guard count < book.bytes.count, !whole.isEmpty, !ends.contains(count), !ends.contains(count + 1) else { return }
      let torn = try Self.journal(Array(book.bytes[..<count]) + [0x0A, 0, 0])
      #expect(torn.lines.count == whole.count - 1)
    }
  }

  @Test func everyBitFlipIsSeen() throws {
    let book = try Self.book()
    let ends = Self.ends(book.bytes)
    let last = ends[ends.count - 2]
    each(Proofs.share(of: 0..<book.bytes.count * 8, oneIn: 23)) { (bit: Int) throws in
      var bytes = book.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let line = ends.filter { $0 <= bit / 8 }.count + 1
      let salvaged = Journal(salvaging: bytes, limits: ReadLimits())
      #expect(salvaged.lines.count <= 4)
      if last..<bytes.count - 1 ~= bit / 8 {
        let journal = try Self.journal(bytes)
        #expect(journal.lines.count == 3 && journal.tornBytes == bytes.count - last)
      } else {
        // Also for a line feed, behind which more or nothing follows.
        let error = expectRefusal(.damagedJournal) { _ = try Self.journal(bytes) }
        #expect(error?.position?.line == line)
        #expect(expectRefusal(.damagedJournal) { _ = try Self.journal(bytes, threads: 3) }?.position == error?.position)
      }
    }
  }

  @Test func linesOutOfPlace() throws {
    let lines = try Self.book().lines.map { Array($0.utf8) + [0x0A] }
    var other = try JournalUnderTest(OddModel.sample())
    try other.change { $0.recent = ["other"] }
    try other.change { $0.recent = [] }
    let strangers = other.lines.map { Array($0.utf8) + [0x0A] }
    for index in 1..<lines.count {
      var swapped = lines
      swapped.swapAt(index, index - 1)
      expectRefusal(.damagedJournal) { _ = try Self.journal(Array(swapped.joined())) }
      var repeated = lines
      repeated.insert(lines[index], at: index)
      let error = expectRefusal(.damagedJournal) { _ = try Self.journal(Array(repeated.joined())) }
      #expect(error?.position?.line == index + 2)
      var foreign = lines
      foreign[index] = strangers[min(index, 2)]
      expectRefusal(.damagedJournal) { _ = try Self.journal(Array(foreign.joined())) }
      guard index < lines.count - 1 else { continue }
      var dropped = lines
      dropped.remove(at: index)
      expectRefusal(.damagedJournal) { _ = try Self.journal(Array(dropped.joined())) }
    }
    expectRefusal(.damagedJournal) { _ = try Self.journal(Array(lines.dropFirst().joined())) }
    expectRefusal(.damagedJournal) { _ = try Self.journal(Array((strangers + lines).joined())) }
  }

  /// Every line that can be known to be right is used, and the others are named.
  @Test func salvageKeepsWhatIsRight() throws {
    let lines = try Self.book().lines.map { Array($0.utf8) + [0x0A] }
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
    let lines = try Self.book().lines.map { Array($0.utf8) + [0x0A] }
    let short = Array(repeating: UInt8(0x0A), count: 1_000_000) + Array("{}\n".utf8)
    let bytes = lines[0] + lines[1] + short + lines[2]
    let error = expectRefusal(.damagedJournal) { _ = try Self.journal(bytes) }
    #expect(error?.position?.line == 3)
    let journal = Journal(salvaging: bytes, limits: ReadLimits())
    #expect(journal.lines.map(\.number) == [1, 2] && journal.losses.map(\.fileLine) == [3])
    #expect(journal.losses.first?.range.count == short.count - 1)
    // At the end they are one torn line, or damage.
    #expect(try Self.journal(lines[0] + [0x0A, 0, 0]).tornBytes == 3)
    expectRefusal(.damagedJournal) { _ = try Self.journal(lines[0] + [0x0A, 0x0A]) }
  }

  private static let first = #"{"journal":1,"schema":"odd","version":3,"date":"2025-11-16T15:33:20Z","#

  @Test func headersAreStrict() throws {
    let base = #""base":{"checksum":1,"size":2}"#
    #expect(try Self.journal(journalLine(Self.first + base)).header?.base.size == 2)
    let wrong = [
      Self.first, Self.first + #""base":{"checksum":1}"#, Self.first + #""base":{"size":2,"checksum":1}"#,
      Self.first + #""base":{"checksum":4294967296,"size":2}"#, Self.first + #""base":{"checksum":-1,"size":2}"#,
      Self.first + #""base":{"checksum":01,"size":2}"#, Self.first + base + #","more":1"#, Self.first + " " + base,
      #"{"journal":1,"version":3,"schema":"odd","date":"2025-11-16T15:33:20Z","# + base,
      #"{"journal":1,"schema":"odd","version":0,"date":"2025-11-16T15:33:20Z","# + base,
      #"{"journal":1,"schema":"odd","version":2147483648,"date":"2025-11-16T15:33:20Z","# + base,
      #"{"journal":1,"schema":7,"version":3,"date":"2025-11-16T15:33:20Z","# + base,
      #"{"journal":1,"schema":"odd","version":3,"date":"2025-11-16","# + base,
      #"{"journal":1,"schema":"odd","version":3,"date":"2025-11-16T15:33:20.0Z","# + base,
      #"{"journal":"1","schema":"odd"}"#, "{}",
    ]
    each(wrong) { (text: String) throws in
      expectRefusal(.damagedJournal) { _ = try Self.journal(journalLine(text)) }
    }
    let newer = expectRefusal(.newerVersion) { _ = try Self.journal(journalLine(#"{"journal":2,"x":[]"#)) }
    #expect(newer?.advice != nil)
  }

  /// Lines whose checksum is right, but which break the rules.
  @Test func linesAreStrict() throws {
    let header = journalLine(Self.first + #""base":{"checksum":1,"size":2}"#)
    let sum = try Self.journal(header).end.sum
    func read(_ rest: String, _ start: String? = nil) throws -> SnapshotContent<OddModel> {
      let line = journalLine((start ?? #"{"n":1,"after":\#(sum),"date":"2025-11-16T15:33:20Z","#) + rest)
      return try JournalUnderTest.replay(header + line, onto: SnapshotContent(OddModel()))
    }
    #expect(try read(#""set":{"recent":["a"]}"#).value.recent == ["a"])
    #expect(try read(#""put":{"legacy":[{"id":1,"name":"a"}]},"set":{"recent":[]}"#).value.legacy.count == 1)
    let damaged = [
      "", #""set":{"recent":[]},"put":{}"#, #""set":{"recent":[]},"set":{"recent":[]}"#, #""x":{}"#,
      #""set":{"recent":[],"recent":[]}"#, #""set":{"recent":[]"#, #""set":{"recent":[]}}"#, #""set":{"recent":[]},"#,
      #""put":{"legacy":[]},"set":{"legacy":[]}"#, #""ids":{"legacy":1},"put":{"legacy":[]}"#,
      #""set":{"recent":[1,]}"#,
      #""set":[]"#, #""fold":{"checksum":1,"size":2},"set":{}"#, #""set":{"recent":[]},"fold":{"checksum":1,"size":2}"#,
    ]
    each(damaged) { (text: String) throws in
      let error = expectRefusal(.damagedJournal) { _ = try read(text) }
      #expect(error?.position?.line == 2)
    }
    let date = #""date":"2025-11-16T15:33:20Z","#
    let starts = [
      #"{"n":2,"after":\#(sum),\#(date)"#, #"{"n":0,"after":\#(sum),\#(date)"#, #"{"n":01,"after":\#(sum),\#(date)"#,
      #"{"n":1,\#(date)"#, #"{"n":1,"after":\#(sum),"date":7,"#, #"{"n": 1,"after":\#(sum),\#(date)"#,
      #"{"n":1,"after":4294967296,\#(date)"#,
    ]
    each(starts) { (start: String) throws in
      expectRefusal(.damagedJournal) { _ = try read(#""set":{"recent":["a"]}"#, start) }
    }
    // Half of a character.
    var bytes = Array(#"{"n":1,"after":\#(sum),\#(date)"set":{"recent":[""#.utf8) + [0xA9] + Array(#""]}"#.utf8)
    bytes += Array(",\"sum\":\(Checksum.cksum(bytes[...]))}\n".utf8)
    expectRefusal(.damagedJournal) { _ = try Self.journal(header + bytes) }
  }

  /// Content that does not fit to the model has the errors of a file, with the line and the place.
  @Test func contentIsAsStrictAsAFile() throws {
    let header = journalLine(Self.first + #""base":{"checksum":1,"size":2}"#)
    let sum = try Self.journal(header).end.sum
    func replay(_ rest: String, _ limits: ReadLimits = ReadLimits()) throws {
      let line = journalLine(#"{"n":1,"after":\#(sum),"date":"2025-11-16T15:33:20Z","# + rest)
      let journal = try Journal(header + line, limits: limits)
      let options = JournalUnderTest<OddModel>.options
      _ = try journal.replay(
        journal.lines[...], onto: SnapshotContent(OddModel.sample()), options, idKeys: [:], limits: limits)
    }
    func refused(
      _ code: SnapshotError.Code, _ path: String?, _ rest: String, _ limits: ReadLimits = ReadLimits(),
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let error = expectRefusal(code, sourceLocation: sourceLocation) { try replay(rest, limits) }
      #expect(error?.dataPath == path && error?.position?.line == 2, sourceLocation: sourceLocation)
    }
    let legacy = #""put":{"legacy":[{"id":1,"name":"a"},"#
    refused(.missingKey, "put.legacy[1]", legacy + #"{"id":1}]}"#)
    refused(.invalidValue, "put.legacy[1].name", legacy + #"{"id":1,"name":2}]}"#)
    refused(.invalidValue, "put.legacy[1].id", legacy + #"{"id":1.0,"name":"b"}]}"#)
    refused(.duplicate, "put.legacy", legacy + #"{"id":2,"name":"a"}]}"#)
    refused(.duplicate, "put.legacy[1]", legacy + #"{"id":2,"id":2,"name":"b"}]}"#)
    refused(.invalidValue, "put.legacy", #""put":{"legacy":{}}"#)
    refused(.invalidValue, "put.recent", #""put":{"recent":[]}"#)
    refused(.invalidValue, "set.legacy", #""set":{"legacy":[]}"#)
    refused(.invalidValue, "set.recent[0]", #""set":{"recent":[1]}"#)
    refused(.invalidValue, "removed.legacy[0]", #""removed":{"legacy":[1]}"#)
    refused(.invalidValue, "removed.steps[0]", #""removed":{"steps":[1]}"#)
    // The line ends inside an array.
    refused(.invalidValue, "put.legacy[1]", #""put":{"legacy":[{"id":1,"name":"a"}"#)
    let three = legacy + #"{"id":1,"name":"b"},{"id":1,"name":"c"}]}"#
    refused(.limitExceeded, "put.legacy", three, ReadLimits(elementCount: 2))
    let long = #""put":{"legacy":[{"id":1,"name":"abcdefghijklm"}]}"#
    refused(.limitExceeded, "put.legacy[0]", long, ReadLimits(textSize: 12))
    refused(.limitExceeded, nil, #""set":{"recent":["a","b"]}"#, ReadLimits(elementCount: 1))
    refused(.limitExceeded, nil, #""set":{"mode":{"broken":{"a":{}}}}"#, ReadLimits(depth: 3))
    expectRefusal(.tooLarge) { try replay(legacy, ReadLimits(fileSize: 200)) }
  }

  @Test func theSchemaMustFit() throws {
    let book = try Self.book()
    func code(_ header: String, _ options: DecodingOptions) throws -> SnapshotError.Code? {
      let header = journalLine(header + #""base":{"checksum":1,"size":2}"#)
      let sum = try Self.journal(header).end.sum
      let line = journalLine(#"{"n":1,"after":\#(sum),"date":"2025-11-16T15:33:20Z","set":{"recent":[]}"#)
      let journal = try Self.journal(header + line)
      do {
        _ = try journal.replay(journal.lines[...], onto: book.content(), options, idKeys: [:], limits: ReadLimits())
        return nil
      } catch let error as SnapshotError {
        return error.code
      }
    }
    let options = JournalUnderTest<OddModel>.options
    #expect(try code(Self.first, options) == nil)
    #expect(try code(Self.first.replacing("odd", with: "even"), options) == .wrongSchema)
    #expect(try code(Self.first.replacing(":3", with: ":2"), options) == .olderVersion)
    #expect(try code(Self.first.replacing(":3", with: ":4"), options) == .newerVersion)
    var lenient = options
    lenient.acceptsNewerVersion = true
    #expect(try code(Self.first.replacing(":3", with: ":4"), lenient) == nil)
  }

  /// A unique key that two records would have is refused, with the line of the second.
  @Test func uniqueKeysCountForTheResult() throws {
    var directory = Directory()
    try directory.people.insert(Person(id: 1, email: "a"))
    var book = try JournalUnderTest(directory)
    try book.change { try $0.people.upsert(Person(id: 1, email: "b")) }
    try book.change { try $0.people.upsert(Person(id: 2, email: "a")) }
    try book.change { try $0.people.upsert(Person(id: 3, email: "c")) }
    try book.expectReplays()
    let journal = try Self.journal(book.bytes)
    var wrong = Directory()
    try wrong.people.insert(Person(id: 7, email: "a"))
    let error = expectRefusal(.uniqueKeyTaken) {
      _ = try JournalUnderTest.replay(book.bytes, onto: SnapshotContent(wrong))
    }
    #expect(error?.position?.line == 3 && error?.dataPath == "put.people" && journal.lines.count == 3)
  }

  /// Without types, a line names the key of ids. Another line may name another one.
  @Test func keysOfIDsMayChange() throws {
    let header = journalLine(Self.first + #""base":{"checksum":1,"size":2}"#)
    func replay(_ sections: [String]) throws -> [String?] {
      var (bytes, last) = (header, try Self.journal(header).end.sum)
      for (index, section) in sections.enumerated() {
        bytes += journalLine(#"{"n":\#(index + 1),"after":\#(last),"date":"2025-11-16T15:33:20Z","# + section)
        last = try Self.journal(bytes).end.sum
      }
      let journal = try Self.journal(bytes)
      let content = try journal.replay(
        journal.lines[...], onto: SnapshotContent<UntypedModel>(schema: "odd", version: 3),
        JournalUnderTest<OddModel>.options, idKeys: [:], limits: ReadLimits())
      return content[table: "t"]?.values.map { $0.record?["x"]?.text } ?? []
    }
    func put(_ key: String, _ a: Int, _ b: Int, _ x: String) -> String {
      #""ids":{"t":"\#(key)"},"put":{"t":[{"a":\#(a),"b":\#(b),"x":"\#(x)"}]}"#
    }
    let lines = [put("a", 1, 7, "one"), put("a", 2, 8, "two"), put("b", 3, 7, "three")]
    #expect(try replay(lines) == ["three", "two"])
    #expect(try replay(lines + [put("a", 1, 9, "new"), put("a", 3, 9, "last")]) == ["new", "two", "last"])
    expectRefusal(.duplicate) {
      _ = try replay(lines + [put("a", 1, 9, "new"), put("a", 3, 9, "last"), put("b", 5, 9, "")])
    }
    #expect(try replay(lines + [#""ids":{"t":"a"},"removed":{"t":[3]}"#, put("b", 4, 7, "four")]) == ["four", "two"])
    expectRefusal(.recordNotFound) { _ = try replay(lines + [#""ids":{"t":"a"},"removed":{"t":[1]}"#]) }
    expectRefusal(.missingKey) { _ = try replay(lines + [put("c", 1, 1, "")]) }
    expectRefusal(.limitExceeded) {
      _ = try replay((0..<65).map { #""ids":{"t":"k\#($0)"},"put":{"t":[{"k\#($0)":1}]}"# })
    }
  }

  /// Without types, a record that is removed must be found.
  @Test func anOldRecordMustBeThere() throws {
    var book = try JournalUnderTest(OddModel.sample())
    try book.change { $0.steps.remove(Step.Key(owner: "Ada", number: 2)) }
    try book.change { $0.legacy.remove("key 1") }
    let edited = String(decoding: book.file, as: UTF8.self)
    for (old, new, line) in [("Step 2", "Step two", 2), ("\"key 1\"", "\"key one\"", 3)] {
      let file = Array(edited.replacing(old, with: new).utf8)
      let content: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(
        from: file, options: ReadOptions(acceptsChecksumMismatch: true))
      let journal = try Self.journal(book.bytes)
      let error = expectRefusal(.recordNotFound) {
        _ = try journal.replay(
          journal.lines[...], onto: content, JournalUnderTest<OddModel>.options, idKeys: [:], limits: ReadLimits())
      }
      #expect(error?.position?.line == line)
    }
  }
}
