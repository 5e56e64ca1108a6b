import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A line whose checksum is right must still keep the rules of a journal, of its schema and of the file.
@Suite struct JournalStrictnessTests {
  private static let first = #"{"journal":1,"schema":"odd","version":3,"date":"2025-11-16T15:33:20Z","#

  @Test func headersAreStrict() throws {
    let base = #""base":{"checksum":1,"size":2}"#
    #expect(try readJournal(journalLine(Self.first + base)).header?.base.size == 2)
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
      expectRefusal(.damagedJournal) { _ = try readJournal(journalLine(text)) }
    }
    let newer = expectRefusal(.newerVersion) { _ = try readJournal(journalLine(#"{"journal":3,"x":[]"#)) }
    #expect(newer?.advice != nil)
  }

  /// Lines whose checksum is right, but which break the rules.
  @Test func linesAreStrict() throws {
    let header = journalLine(Self.first + #""base":{"checksum":1,"size":2}"#)
    let sum = try readJournal(header).end.sum
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
      #""set":{"recent":[1,]}"#, #""set":{"snapshot":["a"]}"#, #""put":{"snapshot":[]}"#,
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
    expectRefusal(.damagedJournal) { _ = try readJournal(header + bytes) }
  }

  /// The lines before a second first line would count on no file.
  @Test func aFirstLineStandsOnlyAtTheBeginning() throws {
    let header = journalLine(Self.first + #""base":{"checksum":1,"size":2}"#)
    let line = journalLine(
      #"{"n":1,"after":\#(try readJournal(header).end.sum),"date":"2025-11-16T15:33:20Z","set":{"recent":[]}"#)
    #expect(try readJournal(header + line).lines.count == 1)
    for bytes in [header + header, header + line + header, header + header + line] {
      let error = expectRefusal(.damagedJournal) { _ = try readJournal(bytes) }
      #expect(error?.position?.line == (bytes == header + line + header ? 3 : 2))
    }
  }

  /// The search for the checksum ends at the first byte of the file.
  @Test(arguments: ["1}", "12}", "}", ",\"sum\":1}"]) func aLineOfACheckSumAlone(_ text: String) throws {
    let header = journalLine(Self.first + #""base":{"checksum":1,"size":2}"#)
    expectRefusal(.damagedJournal) { _ = try readJournal(Array("\(text)\n".utf8) + header) }
    let salvaged = Journal(salvaging: Array("\(text)\n".utf8) + header, limits: ReadLimits())
    #expect(salvaged.losses.map(\.fileLine) == [1, 2] && salvaged.lines.isEmpty)
  }

  /// Content that does not fit to the model has the errors of a file, with the line and the place.
  @Test func contentIsAsStrictAsAFile() throws {
    let header = journalLine(Self.first + #""base":{"checksum":1,"size":2}"#)
    let sum = try readJournal(header).end.sum
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
    let book = try oddJournal()
    func code(_ header: String, _ options: DecodingOptions) throws -> SnapshotError.Code? {
      let header = journalLine(header + #""base":{"checksum":1,"size":2}"#)
      let sum = try readJournal(header).end.sum
      let line = journalLine(#"{"n":1,"after":\#(sum),"date":"2025-11-16T15:33:20Z","set":{"recent":[]}"#)
      let journal = try readJournal(header + line)
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
    let journal = try readJournal(book.bytes)
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
      var (bytes, last) = (header, try readJournal(header).end.sum)
      for (index, section) in sections.enumerated() {
        bytes += journalLine(#"{"n":\#(index + 1),"after":\#(last),"date":"2025-11-16T15:33:20Z","# + section)
        last = try readJournal(bytes).end.sum
      }
      let journal = try readJournal(bytes)
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

  /// The limit counts for the table after all lines. Its name stands whole in the error.
  @Test func theRecordsOfAnUnknownTableAreLimited() throws {
    let name = String(repeating: "n", count: 60)
    var bytes = journalLine(Self.first + #""base":{"checksum":1,"size":2}"#)
    bytes += journalLine(
      #"{"n":1,"after":\#(try readJournal(bytes).end.sum),"date":"2025-11-16T15:33:20Z","#
        + #""put":{"\#(name)":[{"id":4}]}"#)
    let journal = try readJournal(bytes)
    let file = #"{"snapshot":{"schema":"odd","version":3},"\#(name)":[{"id":1},{"id":2},{"id":3}]}"#
    let content: SnapshotContent<UntypedModel> = try SnapshotFile.decodeContent(from: Array(file.utf8))
    func count(_ limit: Int) throws -> Int? {
      try journal.replay(
        journal.lines[...], onto: content, JournalUnderTest<OddModel>.options, idKeys: [:],
        limits: ReadLimits(elementCount: limit)
      )[table: name]?.values.count
    }
    #expect(try count(4) == 4)
    #expect(expectRefusal(.limitExceeded) { _ = try count(3) }?.dataPath == name)
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
      let journal = try readJournal(book.bytes)
      let error = expectRefusal(.recordNotFound) {
        _ = try journal.replay(
          journal.lines[...], onto: content, JournalUnderTest<OddModel>.options, idKeys: [:], limits: ReadLimits())
      }
      #expect(error?.position?.line == line)
    }
  }
}
