import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Every line and every byte of a file is damaged in many ways. No record comes into another table, and each is in the
/// result or in the bytes beside it.
struct SalvageLineTests {
  struct Book: Record {
    let id: Int
    var title: String
    var parts: [[String: String]] = []
  }

  struct Person: Record {
    let id: String
    var name: String
  }

  struct Library: Model {
    var books = Table<Book>()
    var old = Table<Book>()
    var people = Table<Person>()
    static let schema = Schema<Library>(
      "library", version: 1,
      Field("books", \.books),
      Field("old", \.old),
      Field("people", \.people))
  }

  private let fixtures: [Fixture]

  init() throws {
    var library = Library()
    for id in 1...4 {
      try library.books.insert(Book(id: id, title: "Title \(id)", parts: [["a": "\(id)"], ["b": "x"]]))
    }
    for id in 4...7 { try library.old.insert(Book(id: id, title: "Old title \(id)")) }
    for id in ["ann", "bob", "eve"] { try library.people.insert(Person(id: id, name: "Name of \(id)")) }
    let formats: [FileFormat] = [.json, .xml, .ndjson]
    let files = try formats.map { try Self.fixture("\($0)", SnapshotFile.encode(library, as: $0)) }
    // As tools print it for people.
    let root = try JSONFormat.root(SourceText(files[0].bytes, isText: true), limits: ReadLimits())
    fixtures = files + [try Self.fixture("indented JSON", Array(Self.indented(root, "").utf8))]
  }

  /// A file, and where its records are.
  private struct Fixture: CustomStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// The records of each table, as they are written.
    let records: [String: [[UInt8]]]
    /// The lines of each record.
    let places: [Range<Int>]
    var lines: [Range<Int>] { SalvageLineTests.lines(of: bytes) }
    var description: String { name }

    /// The place of a table among others.
    func order(_ table: String) -> Int { ["books", "old", "people"].firstIndex(of: table) ?? 0 }
  }

  private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
      let end = (bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count - 1) + 1
      lines.append(start..<end)
      start = end
    }
    return lines
  }

  private static func indented(_ item: Item, _ margin: String) -> String {
    let inner = margin + "  "
    if let members = item.allMembers, !members.isEmpty {
      let parts = members.filter { $0.key != "checksum" }.map {
        "\(inner)\"\($0.key.text)\": \(indented($0.value, inner))"
      }
      return "{\n" + parts.joined(separator: ",\n") + "\n\(margin)}"
    }
    if let elements = item.elements, !elements.isEmpty {
      return "[\n" + elements.map { inner + indented($0, inner) }.joined(separator: ",\n") + "\n\(margin)]"
    }
    return String(decoding: item.jsonBytes, as: UTF8.self)
  }

  private static func fixture(_ name: String, _ bytes: [UInt8]) throws -> Fixture {
    let content = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes)
    let lines = Self.lines(of: bytes)
    var places: [Range<Int>] = []
    for table in content.tables {
      for item in table.items {
        // In newline-delimited JSON it begins within its line.
        let first = lines.firstIndex { $0.contains(item.offset) }!
        let indent = bytes[lines[first]].prefix { ByteText.isWhitespace($0) }
        let isMore = name.contains("indented") || name == "xml"
        let last =
          isMore
          ? lines[(first + 1)...].firstIndex {
            bytes[$0].starts(with: indent + Array((name == "xml" ? "</dict>" : "}").utf8))
          }! : first
        places.append(lines[first].lowerBound..<lines[last].upperBound)
      }
    }
    return Fixture(name: name, bytes: bytes, records: Self.records(content), places: places)
  }

  private static func records(_ content: SnapshotContent<UntypedModel>) -> [String: [[UInt8]]] {
    Dictionary(uniqueKeysWithValues: content.tables.map { ($0.name, $0.items.map(\.jsonBytes)) })
  }

  // MARK: The promise

  private struct Losses {
    var lost = 0
    var misplaced: [String] = []
    var gone: [String] = []
  }

  /// What a damaged file has lost.
  ///
  /// - Parameter hit: the bytes of the original that are damaged or removed.
  private func losses(_ fixture: Fixture, _ damaged: [UInt8], hit: Range<Int>) throws -> Losses {
    var losses = Losses()
    guard let salvaged = try? Salvaged<UntypedModel>(of: damaged) else {
      losses.lost = fixture.places.count
      return losses
    }
    let content = salvaged.content
    let bytes = try SnapshotFile.encode(content, as: .json)
    _ = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes)
    let found = Self.records(content)
    for (name, records) in found where !name.hasPrefix("recovered") {
      let ids = content[table: name]?.values.compactMap { $0.record?["id"]?.item.jsonBytes } ?? []
      if Set(ids).count < ids.count { losses.misplaced.append("\(name): one id twice") }
      let elsewhere = fixture.records.filter { $0.key != name }.values.joined()
      for record in records where fixture.records[name]?.contains(record) == false && elsewhere.contains(record) {
        losses.misplaced.append("\(name): \(String(decoding: record, as: UTF8.self))")
      }
    }
    let all = Set(found.values.joined())
    for (place, record) in zip(
      fixture.places, fixture.records.sorted { fixture.order($0.key) < fixture.order($1.key) }.flatMap(\.value))
    {
      if all.contains(record) { continue }
      losses.lost += 1
      if place.overlaps(hit) { continue }
      let text = fixture.bytes[place].split(separator: UInt8(ascii: "\n")).first.map(Array.init) ?? []
      var own = text.drop { ByteText.isWhitespace($0) }
      if own.last == UInt8(ascii: ",") { own.removeLast() }
      if salvaged.unusedBytes.firstRange(of: Array(own)) == nil {
        losses.gone.append(String(decoding: own, as: UTF8.self))
      }
    }
    return losses
  }

  private func expect(_ losses: Losses, atMost most: Int, _ what: String) {
    #expect(losses.misplaced == [], "\(what)")
    #expect(losses.gone == [], "\(what)")
    #expect(losses.lost <= most, "\(what): \(losses.lost) lost")
  }

  private static let marks = ["#####", "<<<<<<< HEAD", "=======", "xx,", "// a comment", "}", "]", "\u{0}\u{0}"]

  @Test func everyLineReplaced() {
    each(fixtures, Self.marks) { (fixture: Fixture, mark: String) throws in
      for line in fixture.lines {
        let damaged = fixture.bytes[..<line.lowerBound] + Array((mark + "\n").utf8) + fixture.bytes[line.upperBound...]
        expect(try losses(fixture, Array(damaged), hit: line), atMost: 1, "\(fixture), \(mark) at \(line.lowerBound)")
      }
    }
  }

  @Test func everyLineRemoved() {
    each(fixtures) { (fixture: Fixture) throws in
      for line in fixture.lines {
        let damaged = fixture.bytes[..<line.lowerBound] + fixture.bytes[line.upperBound...]
        // A record without its last line takes the next one along.
        expect(try losses(fixture, Array(damaged), hit: line), atMost: 2, "\(fixture), removed at \(line.lowerBound)")
      }
    }
  }

  @Test func everyLineDoubled() {
    each(fixtures) { (fixture: Fixture) throws in
      for line in fixture.lines {
        let damaged = fixture.bytes[..<line.upperBound] + fixture.bytes[line.lowerBound...]
        expect(try losses(fixture, Array(damaged), hit: line), atMost: 1, "\(fixture), doubled at \(line.lowerBound)")
      }
    }
  }

  /// A line that another tool has added.
  @Test func aLineBeforeEveryLine() {
    each(fixtures, Self.marks) { (fixture: Fixture, mark: String) throws in
      for line in fixture.lines where fixture.places.allSatisfy({ !$0.dropFirst().contains(line.lowerBound) }) {
        let damaged = fixture.bytes[..<line.lowerBound] + Array((mark + "\n").utf8) + fixture.bytes[line.lowerBound...]
        expect(
          try losses(fixture, Array(damaged), hit: 0..<0), atMost: mark == "]" ? 4 : 0,
          "\(fixture), \(mark) before \(line.lowerBound)")
      }
    }
  }

  @Test func everyCut() {
    each(fixtures) { (fixture: Fixture) throws in
      for count in 1..<fixture.bytes.count {
        let whole = fixture.places.count { $0.upperBound <= count }
        let losses = try losses(fixture, Array(fixture.bytes[..<count]), hit: count..<fixture.bytes.count)
        let isBehindHeader = count > fixture.places[0].lowerBound
        expect(losses, atMost: isBehindHeader ? fixture.places.count - whole : .max, "\(fixture) of \(count) bytes")
      }
    }
  }

  @Test func everyBit() {
    each(fixtures) { (fixture: Fixture) throws in
      for index in Proofs.share(of: fixture.bytes.indices, oneIn: 4) {
        for bit in 0..<8 {
          var damaged = fixture.bytes
          damaged[index] ^= 1 << bit
          // A name with another letter is another name.
          expect(try losses(fixture, damaged, hit: index..<index + 1), atMost: 2, "\(fixture), bit \(bit) of \(index)")
        }
      }
    }
  }
}
