import Foundation
import Testing

@testable import SnapshotStore

/// Keys and names that look the same, and that Swift's `==` holds to be the same, but that are written in other bytes. They are two.
@Suite struct KeySpellingTests {
  /// “café” with one scalar at its end and with two.
  private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

  private static func record(_ id: Int64, _ known: String = "known", _ other: Item = "other") -> Item {
    let angstroms: [Item.Member] = ["\u{C5}", "A\u{30A}", "\u{212B}"].enumerated().map {
      Item.Member(key: $1, value: Item(.integer(Int64($0))))
    }
    return Item(
      .dictionary(
        [
          Item.Member(key: "id", value: Item(.integer(id))),
          Item.Member(key: composed, value: Item(.string(known))),
          Item.Member(key: decomposed, value: other),
        ] + angstroms))
  }

  /// A table whose records have both keys, its unknown namesake, and two unknown tables that look the same.
  private static func file(_ format: FileFormat, _ records: [Item] = [record(1), record(2)]) -> [UInt8] {
    Crafted.document(
      [
        composed: records, decomposed: [["id": 1, "a": 1]], "\u{212B}": [["id": "\u{212B}"], ["id": "A\u{30A}"]],
        "A\u{30A}": [["id": 3]], "drinks": [["id": "tea", "size": 1]],
      ], as: format, schema: "menu")
  }

  private static func content(_ bytes: [UInt8]) throws -> SnapshotContent<Menu> {
    try SnapshotFile.decodeContent(from: bytes)
  }

  /// What is not known, of both records: nothing may be missing, and nothing else there.
  private static let unknownKeys = [
    "A\u{30A}, in 2 records", "cafe\u{301}, in 2 records", "\u{C5}, in 2 records", "\u{212B}, in 2 records",
  ].map { "\(composed).\($0)" }
  private static let unknownTables = [
    "the table A\u{30A}, with 1 record", "the table cafe\u{301}, with 1 record", "the table \u{212B}, with 2 records",
  ]

  private static func isSame(_ a: [String], _ b: [String]) -> Bool {
    a.map { ExactText($0) } == b.map { ExactText($0) }
  }

  // MARK: Files and stores

  @Test(arguments: FileFormat.allCases) func aStoreKeepsBoth(_ format: FileFormat) throws {
    let test = StoreUnderTest()
    test.bytes = Self.file(format)
    let store = try test.open(Menu.self, .manual)
    let report = try #require(store.openReport)
    #expect(Self.isSame(report.unknownKeys.map(\.description), Self.unknownKeys + Self.unknownTables))
    #expect(Set(report.unknownKeys).count == 7)
    #expect(store.read { $0.dishes[1]?.name } == "known")
    try store.write { try $0.dishes.update(1) { $0.name = "new" } }
    try store.closeAndWait()
    var expected = try Self.content(Self.file(format, [Self.record(1, "new"), Self.record(2)]))
    #expect(try test.bytes == SnapshotFile.encode(expected, as: format).bytes)
    let again = try test.open(Menu.self, .manual)
    #expect(again.openReport?.unknownKeys == report.unknownKeys)
    #expect(again.snapshot().value.allViolations() == [])
    try again.write { $0.dishes.remove(2) }
    try again.closeAndWait()
    expected.value.dishes.remove(2)
    #expect(try test.bytes == SnapshotFile.encode(expected, as: format).bytes)
  }

  @Test(arguments: FileFormat.allCases, FileFormat.allCases)
  func everyFormatHoldsBoth(_ format: FileFormat, _ other: FileFormat) throws {
    let there = try SnapshotFile.encode(Self.content(Self.file(format)), as: other).bytes
    let back = try SnapshotFile.encode(Self.content(there), as: format).bytes
    #expect(try back == SnapshotFile.encode(Self.content(Self.file(format)), as: format).bytes)
    #expect(try Self.isSame(Self.content(there).unknownKeys.map(\.description), Self.unknownKeys + Self.unknownTables))
    let summary = try SnapshotSummary(of: there)
    #expect(Set(summary.tables.map { ExactText($0.name) }).count == 5)
  }

  /// A key that only looks like the one of a property is none; the message shows the difference.
  @Test(arguments: FileFormat.allCases) func anotherSpellingIsNotTheProperty(_ format: FileFormat) throws {
    let bytes = Self.file(format, [["id": 1, "cafe\u{301}": "x"]])
    let error = #expect(throws: SnapshotError.self) { try Self.content(bytes) }
    #expect(error?.code == .missingKey)
    #expect(
      error?.message == "the key “caf\\u{E9}” is missing; “cafe\\u{301}”, which looks the same, is another one")
  }

  @Test(arguments: FileFormat.allCases) func theSameBytesTwiceAreRefused(_ format: FileFormat) throws {
    let twice = Item.Member(key: Self.decomposed, value: Item(.null))
    guard case .dictionary(let members) = Self.record(1).content else { return }
    let bytes = Self.file(format, [Item(.dictionary(members + [twice]))])
    let error = #expect(throws: SnapshotError.self) { try Self.content(bytes) }
    #expect(error?.code == .duplicate)
  }

  // MARK: Dictionaries, which Swift keys by `==`

  @Test(arguments: FileFormat.allCases) func aDictionaryCannotHoldBoth(_ format: FileFormat) throws {
    let both: Item = ["caf\u{E9}": 1, "cafe\u{301}": 2]
    let key = "“caf\\u{E9}” and “cafe\\u{301}” are equal in Swift, so no dictionary holds both"
    for (name, value) in [("prices", both), ("wrapped", both), ("deep", ["x": both] as Item)] {
      let bytes = Self.file(format, [Self.record(1).changing([name: value])])
      let error = #expect(throws: SnapshotError.self) { try Self.content(bytes) }
      #expect(error?.code == .duplicate && error?.message == "the keys \(key)", "\(name): \(error?.message ?? "")")
      #expect(error?.dataPath?.hasPrefix("\(Self.composed)[0].\(name)") == true)
      let salvaged = try Salvaged<Menu>(of: bytes)
      #expect(salvaged.losses.first?.code == .duplicate)
    }
    let one = Self.file(format, [Self.record(1).changing(["prices": ["caf\u{E9}": 1, "x": 2], "wrapped": ["y": 3]])])
    let dish = try #require(try Self.content(one).value.dishes[1])
    #expect(dish.prices == ["caf\u{E9}": 1, "x": 2] && dish.wrapped?.values == ["y": 3])
  }

  // MARK: Ids, which are equal by `==`

  @Test(arguments: FileFormat.allCases) func oneIDInTwoSpellings(_ format: FileFormat) throws {
    let drinks: [Item] = [
      ["id": "caf\u{E9}", "size": 1], ["id": "tea", "size": 2], ["id": "cafe\u{301}", "size": 3],
    ]
    let bytes = Crafted.document([Self.composed: [], "drinks": drinks], as: format, schema: "menu")
    let error = #expect(throws: SnapshotError.self) { try Self.content(bytes) }
    #expect(error?.code == .duplicate && error?.dataPath == "drinks[2]")
    #expect(
      error?.message
        == "two records of type Drink have ids that are equal in Swift: “caf\\u{E9}” and “cafe\\u{301}”")
    let salvaged = try Salvaged<Menu>(of: bytes)
    #expect(salvaged.value.drinks.map(\.size) == [1, 2])
    #expect(salvaged.lossCount == 1 && salvaged.losses.first?.reason == error?.message)
    #expect(salvaged.losses.first?.excerpt.contains("3") == true)
    #expect(salvaged.value.allViolations() == [])
  }

  @Test func theSpellingOfAnIDIsKept() throws {
    let test = StoreUnderTest()
    test.bytes = Crafted.document(["drinks": [["id": "cafe\u{301}", "size": 1]]], as: .json, schema: "menu")
    let store = try test.open(Menu.self, .manual)
    #expect(store.read { $0.drinks["caf\u{E9}"]?.size } == 1)
    try store.write { try $0.drinks.update("caf\u{E9}") { $0.size = 2 } }
    try store.flushAndWait()
    #expect(String(decoding: test.bytes ?? [], as: UTF8.self).utf8.contains("cafe\u{301}".utf8))
    #expect(throws: SnapshotError.self) { try store.write { try $0.drinks.insert(Drink(id: "caf\u{E9}", size: 3)) } }
    try store.write { try $0.drinks.upsert(Drink(id: "caf\u{E9}", size: 3)) }
    try store.closeAndWait()
    #expect(String(decoding: test.bytes ?? [], as: UTF8.self).utf8.contains("caf\u{E9}".utf8))
    #expect(try test.stored(Menu.self).drinks.count == 1)
    #expect(try test.stored(Menu.self).allViolations() == [])
  }

  // MARK: Differences and merges

  @Test func whatDiffersIsNamed() throws {
    let old = try Self.content(Self.file(.json))
    let new = try Self.content(Self.file(.json, [Self.record(1, "known", "changed"), Self.record(2)]))
    let difference = try ModelDifference(from: old, to: new)
    #expect(difference.records.count == 1)
    #expect(Self.isSame(difference.records.flatMap { $0.properties.map(\.name) }, [Self.decomposed]))
    #expect(try ModelDifference(from: old, to: old).isEmpty)
    // A key in another spelling is another key.
    let respelled = Item(.dictionary([Item.Member(key: "A\u{30A}", value: 1)]))
    let spelled = Item(.dictionary([Item.Member(key: "\u{C5}", value: 1)]))
    let both = try #require(RecordDifference(table: "t", old: ("1", spelled), new: ("1", respelled)))
    #expect(Self.isSame(both.properties.map(\.name), ["\u{C5}", "A\u{30A}"]))
  }

  @Test(arguments: FileFormat.allCases) func threeWaysMergeBoth(_ format: FileFormat) throws {
    let base = try Self.content(Self.file(format))
    let ours = try Self.content(Self.file(format, [Self.record(1, "ours"), Self.record(2)]))
    let theirs = try Self.content(Self.file(format, [Self.record(1, "known", "theirs"), Self.record(2)]))
    let merge = SnapshotContent.merging(base: base, ours: ours, theirs: theirs)
    #expect(merge.conflicts.isEmpty)
    let expected = try Self.content(Self.file(format, [Self.record(1, "ours", "theirs"), Self.record(2)]))
    #expect(try SnapshotFile.encode(merge.content, as: format).bytes == SnapshotFile.encode(expected, as: format).bytes)
    // Without a base, as a sync.
    var synced = ours
    synced.mergeUnknown(from: theirs, policy: .theirs)
    #expect(Self.isSame(synced.unknownKeys.map(\.description), Self.unknownKeys + Self.unknownTables))
  }

  @Test func aStoreMergesBothFromOutside() async throws {
    var options = StoreOptions(policy: .manual)
    options.externalChanges = .merge
    options.log = { _ in }
    let test = StoreUnderTest()
    test.bytes = Self.file(.json)
    let store = try test.open(Menu.self, options)
    try store.write { try $0.dishes.update(1) { $0.name = "ours" } }
    test.bytes = Self.file(.json, [Self.record(1, "known", "theirs"), Self.record(2)])
    _ = await store.checkFile()
    try await store.close()
    let expected = try Self.content(Self.file(.json, [Self.record(1, "ours", "theirs"), Self.record(2)]))
    #expect(try test.bytes == SnapshotFile.encode(expected, as: .json).bytes)
  }

  /// One property of a known record that both sides changed, beside another of the same look that only one did.
  @Test func knownPropertiesOfBothSpellings() throws {
    let base = Twins(id: 1, composed: "a", decomposed: "b")
    let ours = Twins(id: 1, composed: "ours", decomposed: "b")
    let theirs = Twins(id: 1, composed: "a", decomposed: "theirs")
    var merge = try #require(PropertyMerge(bases: [base], ours: ours, theirs: theirs, rules: []))
    merge.run { _, _ in .ours }
    #expect(merge.tookOurs.isEmpty)
    let merged = try ItemDecoder.decode(Twins.self, from: merge.item)
    #expect(merged.composed == "ours" && merged.decomposed == "theirs")
  }

  // MARK: Migrations and salvage

  @Test(arguments: FileFormat.allCases) func migrationsTellThemApart(_ format: FileFormat) throws {
    let bytes = Self.file(format)
    let content = try SnapshotFile.decodeContent(MenuToday.self, from: bytes)
    let dish = try #require(content.value.dishes[1])
    #expect(dish.name == "known" && dish.second == "other")
    #expect(
      Self.isSame(
        content.unknownKeys.map(\.description),
        [
          "dishes.A\u{30A}, in 2 records", "dishes.\u{C5}, in 2 records", "dishes.\u{212B}, in 2 records",
          "the table A\u{30A}, with 1 record", "the table drinks, with 1 record", "the table twin, with 1 record",
          "the table \u{212B}, with 2 records",
        ]))
  }

  @Test(arguments: FileFormat.allCases) func salvageKeepsBoth(_ format: FileFormat) throws {
    // With a wrong checksum.
    let bytes = Self.file(format).replacing(Array("other".utf8), with: Array("OTHER".utf8))
    let salvaged = try Salvaged<Menu>(of: bytes)
    #expect(salvaged.losses.map(\.code) == [.checksumMismatch], "\(salvaged.losses)")
    #expect(Self.isSame(salvaged.content.unknownKeys.map(\.description), Self.unknownKeys + Self.unknownTables))
    #expect(salvaged.value.dishes.map(\.name) == ["known", "known"])
  }

  /// As an encoder that writes both keys.
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

// MARK: - Models

private struct Menu: Model {
  var dishes = Table<Dish>()
  var drinks = Table<Drink>()

  static let schema = Schema<Menu>(name: "menu", version: 1) {
    Field("caf\u{E9}", \.dishes)
    Field("drinks", \.drinks)
  }
}

private struct Dish: Record {
  let id: Int
  var name: String
  var second: String?
  var prices: [String: Int]?
  var deep: [String: [String: Int]]?
  var wrapped: Wrapped?

  enum CodingKeys: String, CodingKey {
    case id
    case name = "caf\u{E9}"
    case second, prices, deep, wrapped
  }
}

/// A dictionary that another type decodes.
private struct Wrapped: Codable, Equatable {
  var values: [String: Int]

  init(from decoder: any Decoder) throws { values = try [String: Int](from: decoder) }
  func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

private struct Drink: Record {
  let id: String
  var size: Int
}

/// The same a version later, when the other key has got a name.
private struct MenuToday: Model {
  var dishes = Table<Dish>()

  static let schema = Schema<MenuToday>(
    name: "menu", version: 2,
    migrations: [
      Migration("names apart", to: 2) { tree in
        try tree.renameTable("cafe\u{301}", to: "twin")
        try tree.renameTable("caf\u{E9}", to: "dishes")
        try tree["dishes"].rename("cafe\u{301}", to: "second")
      }
    ]
  ) { Field("dishes", \.dishes) }
}

/// A record with properties under both keys, which enums of keys cannot have.
private struct Twins: Record {
  let id: Int
  var composed: String
  var decomposed: String

  init(id: Int, composed: String, decomposed: String) {
    (self.id, self.composed, self.decomposed) = (id, composed, decomposed)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    id = try container.decode(Int.self, forKey: AnyKey("id"))
    composed = try container.decode(String.self, forKey: AnyKey("caf\u{E9}"))
    decomposed = try container.decode(String.self, forKey: AnyKey("cafe\u{301}"))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode(id, forKey: AnyKey("id"))
    try container.encode(composed, forKey: AnyKey("caf\u{E9}"))
    try container.encode(decomposed, forKey: AnyKey("cafe\u{301}"))
  }
}

/// A record with any keys.
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

private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ text: String) { stringValue = text }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
