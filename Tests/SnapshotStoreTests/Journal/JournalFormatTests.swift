import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The exact text of journals, and where a replay begins.
@Suite struct JournalFormatTests {
  private typealias Books = JournalUnderTest<OddModel>

  private static func text(_ text: JournalText?) throws -> String {
    String(decoding: try #require(text).bytes, as: UTF8.self)
  }

  @Test func theTextIsAsSpecified() throws {
    let date = Date(timeIntervalSinceReferenceDate: 785_000_000.25)
    var writer = JournalWriter()
    let header = JournalWriter.header(
      JournalHeader(
        schema: "di\"rectory", version: 7, base: JournalBase(sum: .checksum(4_294_967_295), size: 98), date: date))
    let first =
      #"{"journal":1,"schema":"di\"rectory","version":7,"date":"2025-11-16T15:33:20.25Z","#
      + #""base":{"checksum":4294967295,"size":98}"#
    #expect(header.bytes == journalLine(first))
    #expect(header.end.number == 0 && header.bytes == Array("\(first),\"sum\":\(header.end.sum)}\n".utf8))
    var old = Directory()
    try old.words.insert(Word(id: "gone"))
    try old.words.insert(Word(id: "kept"))
    try old.words.insert(Word(id: "same"))
    var new = old
    new.words.remove("gone")
    try new.words.upsert(Word(id: "kept", count: 2))
    try new.words.upsert(Word(id: "same"))
    try new.words.upsert(Word(id: "\u{1}\u{2028}é\"", count: -3))
    try new.people.upsert(Person(id: 3, email: "a", age: .nan))
    let line = try #require(
      try writer.changes(
        from: old, to: new, unknown: UnknownContent(), after: header.end, date: date, limit: .max))
    let text =
      #"{"n":1,"after":\#(header.end.sum),"date":"2025-11-16T15:33:20.25Z","removed":{"words":["gone"]},"#
      + #""put":{"words":[{"id":"\u0001\u2028é\"","count":-3},{"id":"kept","count":2}],"#
      + #""people":[{"id":3,"email":"a","age":"NaN","groups":[],"phones":[]}]}"#
    #expect(String(decoding: line.bytes, as: UTF8.self) == String(decoding: journalLine(text), as: UTF8.self))
    let fold = JournalWriter.fold(to: JournalBase(sum: .digest(0), size: 0), after: line.end, date: date)
    let mark =
      #"{"n":2,"after":\#(line.end.sum),"date":"2025-11-16T15:33:20.25Z","fold":{"digest":0,"size":0}"#
    #expect(fold.bytes == journalLine(mark))
    let journal = try Journal(header.bytes + line.bytes + fold.bytes, limits: ReadLimits())
    #expect(
      journal.header
        == JournalHeader(
          schema: "di\"rectory", version: 7, base: JournalBase(sum: .checksum(4_294_967_295), size: 98), date: date))
    #expect(journal.lines.map(\.number) == [1, 2] && journal.lines.map(\.date) == [date, date])
    #expect(journal.lines[1].kind == .fold(JournalBase(sum: .digest(0), size: 0)))
    #expect(journal.end == fold.end && journal.tornBytes == 0 && journal.losses == [])
    #expect(Array((header.bytes + line.bytes)[journal.lines[0].range]) + [0x0A] == line.bytes)
  }

  /// The example in the specification is a journal, with the checksums that a reader computes.
  @Test func theExampleIsAJournal() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/SnapshotStore/SnapshotStore.docc/FileFormats.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: "```json\n{\"journal\":1"))
    let end = try #require(text[start.upperBound...].range(of: "```"))
    let example = text[start.lowerBound..<end.lowerBound].dropFirst("```json\n".count).replacing("\n ", with: "")
    let journal = try Journal(Array(example.utf8), limits: ReadLimits())
    #expect(journal.lines.count == 3 && journal.tornBytes == 0)
    #expect(journal.lines(since: JournalBase(sum: .checksum(196_988_752), size: 958))?.map(\.number) == [3])
  }

  /// Other keys of ids are named, records without a key of ids stand in the line as they were.
  @Test func idsStandUnderTheirKeys() throws {
    var book = try Books(OddModel.sample())
    try book.change { model in
      try model.gadgets.update(7) { $0.name = "seven" }
      model.spots.remove(Spot.Place(x: 1, y: 2))
      try model.steps.update(Step.Key(owner: "Ada", number: 2)) { $0.text = "two" }
      model.steps.remove(Step.Key(owner: "Ada", number: 3))
      try model.legacy.update("key 1") { $0.old = 0 }
      model.recent = []
      model.mode = .on(level: 1, since: Date(timeIntervalSinceReferenceDate: 0.5))
    }
    let line = try #require(book.lines.last)
    let ids = #""ids":{"gad gets.\#u{E9}":"serial no.","spots":"place","steps":null,"legacy":"name"}"#
    #expect(line.contains(ids + #","removed":{"spots":[{"x":1,"y":2}]},"old":{"steps":["#))
    let steps = (2...3).map { #"{"owner":"Ada","number":\#($0),"text":"Step \#($0)"}"# }
    #expect(line.contains(#""old":{"steps":[\#(steps[0]),\#(steps[1])]},"put":{"#))
    #expect(line.contains(#""set":{"recent":[],"mode":{"on":{"level":1,"since":"2001-01-01T00:00:00.5Z"}}},"sum":"#))
    try book.expectReplays()
  }

  /// Nothing is written if nothing differs that is saved.
  @Test func nothingIsNoLine() throws {
    var book = try Books(OddModel.sample())
    #expect(try !book.change { _ in })
    #expect(
      try !book.change { model in
        for gadget in model.gadgets { try model.gadgets.upsert(gadget) }
        model.ratio = .nan
      })
    #expect(try book.change { $0.ratio = -.nan })
    try book.expectReplays()
  }

  /// A key that has the id in some records only by chance does not name them.
  @Test func aKeyByChanceIsNotTaken() throws {
    var book = try JournalUnderTest(Chances())
    try book.change { model in
      for id in 1...3 { try model.items.upsert(Chance(other: id, id: id)) }
    }
    try book.change { model in
      for id in [1, 3] { try model.items.upsert(Chance(other: id, id: id, text: "new")) }
    }
    try book.change { try $0.items.upsert(Chance(other: 1, id: 4)) }
    try book.change { $0.items.remove(4) }
    #expect(book.lines.dropFirst().allSatisfy { $0.contains(#""ids":{"items":"b"}"#) })
    try book.expectReplays()
  }

  /// An id may be written in another way than the property that has it.
  @Test func anIDThatIsMadeFromAPropertyIsNotTaken() throws {
    var book = try JournalUnderTest(Folded())
    try book.change { model in
      for name in ["a", "b", "C"] { try model.items.upsert(FoldedName(name: name)) }
    }
    try book.change { try $0.items.upsert(FoldedName(name: "c", text: "new")) }
    try book.change { $0.items.remove("a") }
    #expect(book.lines.dropFirst().contains { $0.contains(#""ids":{"items":null}"#) })
    try book.expectReplays()
  }

  /// Ids that are equal in Swift may have different bytes. The old record must not stay.
  @Test func equalIDsOfOtherBytes() throws {
    var directory = Directory()
    try directory.words.insert(Word(id: "caf\u{E9}"))
    try directory.words.insert(Word(id: "x"))
    try directory.readings.insert(Reading(id: 0))
    try directory.readings.insert(Reading(id: 1))
    var book = try JournalUnderTest(directory)
    try book.change { directory in
      try directory.words.upsert(Word(id: "cafe\u{301}", count: 2))
      try directory.readings.upsert(Reading(id: -0.0, value: 1))
    }
    try book.expectReplays()
  }

  @Test func aLongLineIsRefused() throws {
    var writer = JournalWriter()
    let header = JournalWriter.header(
      JournalHeader(
        schema: "directory", version: 1, base: JournalBase(sum: .checksum(1), size: 1), date: Books.date))
    var new = Directory()
    for id in 0..<50 { try new.words.insert(Word(id: "\(id)")) }
    func write(_ limit: Int) throws -> JournalText? {
      try writer.changes(
        from: Directory(), to: new, unknown: UnknownContent(), after: header.end, date: Books.date, limit: limit)
    }
    let size = try #require(try write(.max)).bytes.count
    #expect(try write(size)?.bytes.count == size)
    for limit in [0, 100, size - 1] { expectRefusal(.limitExceeded) { _ = try write(limit) } }
  }

  @Test func aReplayBeginsBehindTheLastMark() throws {
    var book = try JournalUnderTest(Directory())
    let first = JournalUnderTest<Directory>.identity(of: book.file)
    let (second, third) = (JournalBase(sum: .checksum(2), size: 2), JournalBase(sum: .checksum(3), size: 3))
    func numbers(_ base: JournalBase) throws -> [Int]? {
      try Journal(book.bytes, limits: ReadLimits()).lines(since: base).map { $0.map(\.number) }
    }
    // Without changes it stands on any file.
    #expect(try numbers(first) == [] && numbers(second) == [])
    try book.change { try $0.words.insert(Word(id: "a")) }
    book.fold(to: second)
    #expect(try numbers(first) == [1] && numbers(second) == [] && numbers(third) == nil)
    try book.change { try $0.words.insert(Word(id: "b")) }
    book.fold(to: third)
    try book.change { try $0.words.insert(Word(id: "c")) }
    #expect(try numbers(first) == [1, 2, 3, 4, 5] && numbers(second) == [3, 4, 5] && numbers(third) == [5])
    // The file has become what it was before.
    book.fold(to: second)
    #expect(try numbers(second) == [] && numbers(third) == [5])
    #expect(try numbers(JournalBase(sum: .digest(2), size: 2)) == nil)
    #expect(try numbers(JournalBase(sum: .checksum(2), size: 3)) == nil)
    try book.expectReplays()
  }

  /// A cut begins anew on the same file, so the lines before it count on no file.
  @Test func aReplayBeginsBehindACut() throws {
    var book = try JournalUnderTest(Directory())
    let file = JournalUnderTest<Directory>.identity(of: book.file)
    try book.change { try $0.words.insert(Word(id: "a")) }
    book.fold(to: file, isWhole: false)
    func words() throws -> [String]? {
      let journal = try readJournal(book.bytes)
      let lines = try #require(journal.lines(since: file))
      return try journal.replay(
        lines, onto: book.content(), JournalUnderTest<Directory>.options, idKeys: [:], limits: ReadLimits()
      ).value.words.map(\.id)
    }
    #expect(try words() == [])
    try book.change { try $0.words.insert(Word(id: "b")) }
    #expect(try words() == ["b"])
  }

  /// What a lock file says of another journal says nothing of this one, which may be shorter.
  @Test func linesOfAnotherJournalAreNotMissing() throws {
    let journal = try readJournal(oddJournal().bytes)
    func isMissing(_ start: UInt32, _ number: Int) -> Bool {
      JournalEnd(journal: start, size: 9, number: number, sum: 7).isMissing(in: journal)
    }
    #expect(isMissing(journal.start, 5) && !isMissing(journal.start, 4))
    #expect(!isMissing(journal.start ^ 1, 5))
  }

  /// Such an id is not written by the code that writes the record.
  @Test func aRecordThatWritesItselfMayHaveAnIDOfAnotherType() throws {
    var book = try JournalUnderTest(Marks())
    let ids = (0..<4).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)) }
    try book.change { marks in for id in ids { try marks.items.insert(Mark(id: id)) } }
    for (number, id) in ids.enumerated() { try book.change { try $0.items.upsert(Mark(id: id, count: number + 1)) } }
    try book.change { $0.items.remove(ids[1]) }
    #expect(book.lines.count == 7)
    try book.expectReplays()
  }

  /// Without types, new tables and values stand behind the others, in the order in which they came.
  @Test func newNamesStandInTheOrderOfTheirLines() throws {
    let file = #"{"snapshot":{"schema":"odd","version":3},"old":1}"#
    let date = #""date":"2025-11-16T15:33:20Z","#
    let base = #""base":{"checksum":1,"size":2}"#
    var bytes = journalLine(#"{"journal":1,"schema":"odd","version":3,"# + date + base)
    for (index, section) in [#""set":{"value":7}"#, #""put":{"table":[{"id":1}]}"#].enumerated() {
      bytes += journalLine(#"{"n":\#(index + 1),"after":\#(try readJournal(bytes).end.sum),"# + date + section)
    }
    let content: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(from: Array(file.utf8))
    let journal = try readJournal(bytes)
    let replayed = try journal.replay(
      journal.lines[...], onto: content, JournalUnderTest<OddModel>.options, idKeys: [:], limits: ReadLimits())
    #expect(replayed.names == ["old", "value", "table"])
  }
}

/// A record that writes itself, with an id that is neither a number nor a text.
private struct Mark: DirectRecord {
  let id: UUID
  var count = 0

  init(id: UUID, count: Int = 0) { (self.id, self.count) = (id, count) }

  init(reading reader: inout RecordReader) throws(RecordReader.Mismatch) {
    id = try reader.read("id")
    count = try reader.read("count")
  }

  func write(to writer: inout RecordWriter) {
    writer.write("id", id)
    writer.write("count", count)
  }
}

private struct Marks: Model {
  var items = Table<Mark>()
  static let schema = Schema<Marks>("marks", version: 1, Field("items", \.items))
}

/// A record of which another property may have the value of the id.
private struct Chance: Record {
  var other: Int
  let id: Int
  var text = ""

  enum CodingKeys: String, CodingKey {
    case other = "a"
    case id = "b"
    case text
  }
}

private struct Chances: Model {
  var items = Table<Chance>()
  static let schema = Schema<Chances>("chances", version: 1, Field("items", \.items))
}

/// A record whose id is its name in small letters.
private struct FoldedName: Record {
  var name: String
  var text = ""
  var id: String { name.lowercased() }
}

private struct Folded: Model {
  var items = Table<FoldedName>()
  static let schema = Schema<Folded>("folded", version: 1, Field("items", \.items))
}
