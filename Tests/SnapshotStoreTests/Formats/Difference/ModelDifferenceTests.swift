import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The differences of two values, as text for people and as JSON for programs.
@Suite struct ModelDifferenceTests {
  struct Place: Codable, Equatable, Sendable {
    var city: String
    var country: String?
  }

  struct Page: Record {
    let id: Int
    var text: String
    var number = 0.0
    var place = Place(city: "Paris")
    var marks: [String: Int] = [:]
  }

  struct Book: Model {
    var pages = Table<Page>()
    var words = Table<Word>()
    static let schema = Schema<Book>("book", version: 1, Field("pages", \.pages), Field("words", \.words))
  }

  private static func book(_ pages: Page...) throws -> Book {
    var book = Book()
    book.pages = try Table(pages)
    return book
  }

  private static func lines(_ old: Page, _ new: Page) throws -> [String] {
    Array(try ModelDifference(from: book(old), to: book(new)).lines.dropFirst())
  }

  @Test func aHundredRecordsAreDescribed() throws {
    var book = Book()
    book.words = try Table((1...100).map { Word(id: "\($0)") })
    #expect(try !ModelDifference(from: Book(), to: book).description.contains("more record"))
    try book.words.insert(Word(id: "101"))
    #expect(try ModelDifference(from: Book(), to: book).description.contains("… and 1 more record"))
  }

  @Test func recordsAndProperties() throws {
    var old = try Self.book(Page(id: 1, text: "a"), Page(id: 2, text: "b"), Page(id: 3, text: "c"))
    try old.words.insert(Word(id: "gone"))
    var new = old
    try new.pages.update(2) {
      $0.text = "B"
      $0.place.country = "France"
      $0.marks = ["x": 1]
    }
    try new.pages.insert(Page(id: 4, text: "d"))
    new.words.remove("gone")
    let difference = try ModelDifference(from: old, to: new)
    #expect(
      difference.lines == [
        "~ pages 2", #"    text: "b" → "B""#, #"    place.country: nothing → "France""#, "    marks.x: nothing → 1",
        "+ pages 4", "    id: 4", #"    text: "d""#, "    number: 0.0", #"    place: {"city":"Paris"}"#,
        "    marks: {}",
        "- words gone", #"    id: "gone""#, "    count: 1",
      ])
    #expect(difference.summary == "1 new, 1 gone, 1 changed")
    #expect(difference.description.hasSuffix("\n    count: 1\n1 new, 1 gone, 1 changed"))
    #expect(
      difference.json.split(separator: "\n")[1]
        == #"{"table":"pages","id":2,"change":"updated","properties":[{"name":"text","old":"b","new":"B"},"#
        + #"{"name":"place.country","new":"France"},{"name":"marks.x","new":1}]},"#)
    #expect(try JSONSerialization.jsonObject(with: Data(difference.json.utf8)) is [Any])
  }

  @Test func nothingDiffers() throws {
    let nan = Page(id: 1, text: "a", number: .nan)
    let difference = try ModelDifference(from: Self.book(nan), to: Self.book(nan))
    #expect(difference.isEmpty)
    #expect(difference.description == "the same")
    #expect(difference.json == "[]\n")
  }

  /// A table that the schema does not know. A missing one is not an empty one.
  @Test func anEmptyTableDiffersFromNone() {
    let empty = [UntypedTable(name: "list")]
    #expect(UntypedComparison(from: [], to: empty).records.map(\.change) == [.inserted])
    #expect(UntypedComparison(from: empty, to: []).records.map(\.change) == [.removed])
    #expect(UntypedComparison(from: empty, to: empty).records.isEmpty)
  }

  // `==` holds both pairs equal; a file does not.
  @Test func whatAFileTellsApart() throws {
    #expect(
      try Self.lines(Page(id: 1, text: "", number: 0.0), Page(id: 1, text: "", number: -0.0))
        == ["    number: 0.0 → -0.0"])
    #expect(
      try Self.lines(Page(id: 1, text: "\u{E9}"), Page(id: 1, text: "e\u{301}"))
        == ["    text: \"\u{E9}\" → the same in another Unicode form"])
  }

  @Test func longTextsAreCutToWhatDiffers() throws {
    let prefix = String(repeating: "x", count: 500)
    let lines = try Self.lines(Page(id: 1, text: prefix + "Old"), Page(id: 1, text: prefix + "New"))
    let kept = String(repeating: "x", count: 20)
    #expect(lines == [#"    text: …\#(kept)Old" → …\#(kept)New""#])
  }

  @Test func linesOfATextAreComparedOneByOne() throws {
    let old = (1...20).map { "line \($0)" }
    var new = old
    new[9] = "line ten"
    new.append("more")
    let lines = try Self.lines(
      Page(id: 1, text: old.joined(separator: "\n")), Page(id: 1, text: new.joined(separator: "\n")))
    #expect(
      lines.map { $0.dropFirst(4) } == [
        "text:", "  …", "    line 9", "  - line 10", "  + line ten", "    line 11", "  …", "    line 20", "  + more",
      ])
  }

  @Test func aTextThatHasLinesOnOneSide() throws {
    #expect(
      try Self.lines(Page(id: 1, text: "a\nb"), Page(id: 1, text: "a"))
        == ["    text:", "        a", "      - b"])
    #expect(
      try Self.lines(Page(id: 1, text: "a"), Page(id: 1, text: "a\nb"))
        == ["    text:", "        a", "      + b"])
  }

  @Test func nothingSteersATerminal() throws {
    let lines = try Self.lines(Page(id: 1, text: "\u{1B}[2J\na"), Page(id: 1, text: "\u{202E}\nb"))
    #expect(lines.allSatisfy { !$0.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E } })
    #expect(lines.contains { $0.contains(#"\u{1B}[2J"#) })
  }

  // A difference is empty exactly if both values are saved as the same bytes, and it names exactly the records that
  // differ.
  @Test func itNamesWhatDiffers() {
    each(SeededGenerator.seeds(20)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var old = Directory()
      old.people.changeAtRandom(200, using: &random)
      var new = old
      new.people.changeAtRandom(seed.isMultiple(of: 5) ? 0 : 30, using: &random)
      let difference = try ModelDifference(from: old, to: new)
      func json(_ person: Person?) throws -> String? { try person.map { try SnapshotFile.json(of: $0) } }
      let expected = try (0..<200).filter { try json(old.people[$0]) != json(new.people[$0]) }
      #expect(difference.records.map(\.id) == expected.map(String.init), "seed \(seed)")
      let bytes = try [old, new].map { try SnapshotFile.encode($0, as: .json) }
      #expect(difference.isEmpty == (bytes[0] == bytes[1]), "seed \(seed)")
      // Values that share nothing in memory have the same differences.
      let apart: Directory = try SnapshotFile.decode(from: bytes[0])
      #expect(try ModelDifference(from: apart, to: new).json == difference.json, "seed \(seed)")
    }
  }

  // The common and the removed lines give the old text, the common and the new lines the new one.
  @Test func linesOfRandomTexts() {
    each(SeededGenerator.seeds(20)) { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      func text() -> String {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in ["a", "b", "", "c"].randomElement(using: &random) ?? ""
        }
        .joined(separator: "\n")
      }
      let (old, new) = (text(), text())
      let lines = LineDifference(from: old, to: new).lines
      func count(_ mark: String) -> Int { lines.count { $0.hasPrefix(mark) } }
      let (before, after) = (old.components(separatedBy: "\n").count, new.components(separatedBy: "\n").count)
      #expect(count("+ ") - count("- ") == after - before, "seed \(seed)")
      #expect(lines.allSatisfy { !$0.hasPrefix("+") && !$0.hasPrefix("-") } == (old == new), "seed \(seed)")
    }
  }
  // Lines that are not shown are counted, wherever they are.
  @Test func longDifferencesAreCounted() {
    each(SeededGenerator.seeds(40)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let old = (0..<200).map { "line \($0)" }
      var new = old
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        let index = Int.random(in: 0..<new.count, using: &random)
        if Bool.random(using: &random) { new[index] += "!" } else { new.insert("another", at: index) }
      }
      let lines = LineDifference(from: old.joined(separator: "\n"), to: new.joined(separator: "\n")).lines
      let shown = lines.count { $0.hasPrefix("- ") || $0.hasPrefix("+ ") }
      let counted = try #require(
        lines.last.map { $0.wholeMatch(of: /… and (\d+) more lines/).flatMap { Int($0.output.1) } ?? 0 })
      #expect(shown + counted == new.difference(from: old).count, "seed \(seed)")
    }
  }

  @Test func theFortiethLineIsNotTheLast() {
    let old = (0..<150).map { "line \($0)" }
    var new = old
    for index in 0..<20 { new[index] = "other \(index)" }
    new[100] = "other"
    let lines = LineDifference(from: old.joined(separator: "\n"), to: new.joined(separator: "\n")).lines
    #expect(lines.count == 41 && lines.last == "… and 2 more lines")
  }
}
