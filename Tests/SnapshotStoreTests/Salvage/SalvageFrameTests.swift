import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Members of a damaged file that are single values, and those that are properties of a record.
@Suite struct SalvageFrameTests {
  struct Look: Codable, Equatable, Sendable { var theme = "light" }

  struct Page: Record {
    let id: Int
    var text = ""
    var look = Look()
    var last = 0
  }

  struct Book: Model {
    var pages = Table<Page>()
    var look = Look()
    var count = -1
    static let schema = Schema<Book>(
      "book", version: 1,
      Field("pages", \.pages),
      Field("look", \.look),
      Field("count", \.count))
  }

  /// The same with more fields than `Book` knows.
  struct Wider: Model {
    var pages = Table<Page>()
    var look = Look()
    var count = 5
    var author = Look(theme: "me")
    var things = ["a", "b"]
    var title = "Title"
    static let schema = Schema<Wider>(
      "book", version: 1,
      Field("pages", \.pages),
      Field("look", \.look),
      Field("count", \.count),
      Field("author", \.author),
      Field("things", \.things),
      Field("title", \.title))
  }

  private func book() throws -> Book {
    var book = Book()
    book.look.theme = "mine"
    book.count = 97
    for id in 0..<3 { try book.pages.insert(Page(id: id, text: "t", look: Look(theme: "other"), last: 666)) }
    return book
  }

  @Test func aRecordWithoutItsBrace() throws {
    let bytes = try SnapshotFile.encode(book(), as: .json)
    for id in 0..<3 {
      let salvaged = try Salvaged<Book>(of: bytes.replacing("{\"id\":\(id)", with: "\"id\":\(id)"))
      #expect(salvaged.value.look.theme == "mine" && salvaged.value.count == 97)
      #expect(salvaged.value.pages.count == 2, "\(salvaged.losses)")
      #expect(!salvaged.losses.contains { $0.kind == .value }, "\(salvaged.losses)")
    }
  }

  /// One byte is removed, or replaced by another.
  @Test(arguments: [FileFormat.json, .ndjson]) func noPropertyIsTheValue(_ format: FileFormat) throws {
    let bytes = try SnapshotFile.encode(book(), as: format)
    for index in stride(from: 0, to: bytes.count, by: 3) {
      for replacement in ["", "}", "]", "\""] {
        let damaged = bytes[..<index] + Array(replacement.utf8) + bytes[(index + 1)...]
        guard let salvaged = try? Salvaged<Book>(of: Array(damaged)) else { continue }
        #expect(salvaged.value.look.theme != "other", "byte \(index): \(replacement)")
        let isNamed = salvaged.losses.contains { $0.table == "look" }
        #expect(salvaged.value.look.theme != "light" || isNamed, "byte \(index): \(replacement) \(salvaged.losses)")
      }
    }
  }

  @Test func aNameWithAWrongLetterIsAMissingValue() throws {
    for format in FileFormat.allCases {
      let bytes = try SnapshotFile.encode(book(), as: format)
      let name = format == .ndjson ? "\"field\":\"look\"" : "look"
      guard let range = bytes.lastRange(of: Array(name.utf8)) else { continue }
      // A binary list writes a key once for all its objects.
      if format == .binary { continue }
      var damaged = bytes
      damaged[range.upperBound - (format == .ndjson ? 2 : 1)] = UInt8(ascii: "x")
      let salvaged = try Salvaged<Book>(of: damaged)
      #expect(salvaged.losses.contains { $0.kind == .value && $0.table == "look" }, "\(format): \(salvaged.losses)")
    }
  }

  @Test func unknownValuesAreKept() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var wider = Wider()
      try wider.pages.insert(Page(id: 1, text: "First"))
      try wider.pages.insert(Page(id: 2, text: "Second"))
      var bytes = try SnapshotFile.encode(wider, as: format)
      let place = try #require(bytes.firstRange(of: Array("First".utf8)))
      bytes[place.lowerBound] = 0xFF
      let salvaged = try Salvaged<Book>(of: bytes)
      #expect(salvaged.value.pages.ids.elementsEqual([2]) && salvaged.value.count == 5)
      let again = try SnapshotFile.decode(Wider.self, from: SnapshotFile.encode(salvaged.content, as: format))
      #expect(again.author == wider.author && again.things == wider.things && again.title == wider.title)
      #expect(Set(salvaged.losses.map(\.kind)).isSubset(of: [.record, .file]), "\(salvaged.losses)")
    }
  }

  struct Person: Record {
    let id: String
    var name: String
  }

  struct Crew: Model {
    var people = Table<Person>()
    static let schema = Schema<Crew>("crew", version: 1, Field("people", \.people))
  }

  struct Ship: Model {
    var people = Table<Person>()
    var author = Person(id: "me", name: "Me")
    static let schema = Schema<Ship>("crew", version: 1, Field("people", \.people), Field("author", \.author))
  }

  @Test func anUnknownValueOfABinaryListIsNoRecord() throws {
    var ship = Ship()
    try ship.people.insert(Person(id: "a", name: "Anna"))
    try ship.people.insert(Person(id: "b", name: "Berta"))
    var bytes = try SnapshotFile.encode(ship, as: .binary)
    let place = try #require(bytes.firstRange(of: Array("Berta".utf8)))
    bytes[place.lowerBound] = 0xFF
    let salvaged = try Salvaged<Crew>(of: bytes)
    #expect(salvaged.value.people.ids.elementsEqual(["a"]), "\(salvaged.losses)")
    #expect(salvaged.content.unknownKeys.map(\.description) == ["the value author"])
  }
}
