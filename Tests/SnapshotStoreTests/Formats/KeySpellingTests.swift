import Testing

@testable import SnapshotStore
@testable import TestSupport

/// Keys and names that look the same, and that Swift's `==` holds equal, but that have other bytes. They are two keys.
@Suite struct KeySpellingTests {
  @Test func aStoreKeepsBoth() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let test = StoreUnderTest()
      test.bytes = Spellings.file(format)
      let store = try test.open(Spellings.Menu.self, .manual)
      let report = try #require(store.openReport)
      #expect(Spellings.isSame(report.unknownKeys.map(\.description), Spellings.unknownKeys + Spellings.unknownTables))
      #expect(Set(report.unknownKeys).count == 7)
      #expect(store.read { $0.dishes[1]?.name } == "known")
      try store.write { try $0.dishes.update(1) { $0.name = "new" } }
      try store.closeAndWait()
      var expected = try Spellings.content(Spellings.file(format, [Spellings.record(1, "new"), Spellings.record(2)]))
      #expect(try test.bytes == SnapshotFile.encode(expected, as: format))
      let again = try test.open(Spellings.Menu.self, .manual)
      #expect(again.openReport?.unknownKeys == report.unknownKeys)
      #expect(again.snapshot().value.allViolations() == [])
      try again.write { $0.dishes.remove(2) }
      try again.closeAndWait()
      expected.value.dishes.remove(2)
      #expect(try test.bytes == SnapshotFile.encode(expected, as: format))
    }
  }

  @Test func everyFormatHoldsBoth() {
    each(FileFormat.allCases, FileFormat.allCases) { (format: FileFormat, other: FileFormat) throws in
      let there = try SnapshotFile.encode(Spellings.content(Spellings.file(format)), as: other)
      let back = try SnapshotFile.encode(Spellings.content(there), as: format)
      #expect(try back == SnapshotFile.encode(Spellings.content(Spellings.file(format)), as: format))
      #expect(
        try Spellings.isSame(
          Spellings.content(there).unknownKeys.map(\.description), Spellings.unknownKeys + Spellings.unknownTables))
      let summary = try SnapshotSummary(of: there)
      #expect(Set(summary.tables.map { ExactText($0.name) }).count == 5)
    }
  }

  /// A key that only looks like that of a property is another key; the message shows the difference.
  @Test func anotherSpellingIsNotTheProperty() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = Spellings.file(format, [["id": 1, "cafe\u{301}": "x"]])
      let error = #expect(throws: SnapshotError.self) { try Spellings.content(bytes) }
      #expect(error?.code == .missingKey)
      #expect(
        error?.message == "the key “caf\\u{E9}” is missing; “cafe\\u{301}”, which looks the same, is another one")
    }
  }

  @Test func theSameBytesTwiceAreRefused() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let twice = Item.Member(key: Spellings.decomposed, value: Item(.null))
      guard case .dictionary(let members) = Spellings.record(1).content else { return }
      let bytes = Spellings.file(format, [Item(.dictionary(members + [twice]))])
      let error = #expect(throws: SnapshotError.self) { try Spellings.content(bytes) }
      #expect(error?.code == .duplicate)
    }
  }

  // MARK: Migrations, salvage and encoders

  @Test func migrationsTellThemApart() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let bytes = Spellings.file(format)
      let content = try SnapshotFile.decodeContent(Spellings.MenuToday.self, from: bytes)
      let dish = try #require(content.value.dishes[1])
      #expect(dish.name == "known" && dish.second == "other")
      #expect(
        Spellings.isSame(
          content.unknownKeys.map(\.description),
          [
            "dishes.A\u{30A}, in 2 records", "dishes.\u{C5}, in 2 records", "dishes.\u{212B}, in 2 records",
            "the table A\u{30A}, with 1 record", "the table drinks, with 1 record", "the table twin, with 1 record",
            "the table \u{212B}, with 2 records",
          ]))
    }
  }

  @Test func salvageKeepsBoth() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      // With a wrong checksum.
      let bytes = Spellings.file(format).replacing(Array("other".utf8), with: Array("OTHER".utf8))
      let salvaged = try Salvaged<Spellings.Menu>(of: bytes)
      #expect(salvaged.losses.map(\.code) == [.checksumMismatch], "\(salvaged.losses)")
      #expect(
        Spellings.isSame(
          salvaged.content.unknownKeys.map(\.description), Spellings.unknownKeys + Spellings.unknownTables)
      )
      #expect(salvaged.value.dishes.map(\.name) == ["known", "known"])
    }
  }

  /// A table with a similar name is not that of the schema, even if its records have the right form.
  @Test func salvageKeepsTheUnknownTable() throws {
    let name = Spellings.decomposed
    let tables: KeyValuePairs<String, [Item]> = [name: [["id": 1, "caf\u{E9}": "known"]], Spellings.composed: []]
    let bytes = Crafted.document(tables, as: .ndjson, schema: "menu")
    let salvaged = try Salvaged<Spellings.Menu>(
      of: bytes + Array("{\"table\":\"drinks\",\"record\":{\"id\":\"x}}\n".utf8))
    #expect(salvaged.value.dishes.isEmpty)
    #expect(Spellings.isSame(salvaged.content.unknownKeys.map(\.description), ["the table \(name), with 1 record"]))
  }

  /// An encoder that writes both keys.
  @Test(arguments: [1, 20]) func encodersWriteBoth(_ count: Int) throws {
    var keys: [ExactText: Int] = [:]
    for number in 0..<count {
      for (spelling, value) in [("e\u{301}", 1), ("\u{E9}", 2)] { keys[ExactText("\(spelling)\(number)")] = value }
    }
    let item = try ItemEncoder.item(forRecord: ManyKeys(id: 1, keys: keys))
    #expect(item.allMembers?.count == 2 * count + 1)
    #expect(try ItemDecoder.decode(ManyKeys.self, from: item) == ManyKeys(id: 1, keys: keys))
  }
}

/// A record with arbitrary keys.
private struct ManyKeys: Record {
  let id: Int
  var keys: [ExactText: Int]

  init(id: Int, keys: [ExactText: Int]) { (self.id, self.keys) = (id, keys) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    id = try container.decode(Int.self, forKey: AnyKey("id"))
    keys = [:]
    for key in container.allKeys where key.stringValue != "id" {
      keys[ExactText(key.stringValue)] = try container.decode(Int.self, forKey: key)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode(id, forKey: AnyKey("id"))
    for (key, value) in keys.sorted(by: { $0.key.text < $1.key.text }) {
      try container.encode(value, forKey: AnyKey(key.text))
    }
  }
}
