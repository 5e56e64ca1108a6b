@testable import SnapshotStore
@testable import TestSupport

/// Files and models with keys and names that look the same, and that Swift's `==` holds equal, but that have other
/// bytes.
enum Spellings {
  /// “café” with one scalar at its end and with two.
  static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

  static func record(_ id: Int64, _ known: String = "known", _ other: Item = "other") -> Item {
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
  static func file(_ format: FileFormat, _ records: [Item] = [record(1), record(2)]) -> [UInt8] {
    Crafted.document(
      [
        composed: records, decomposed: [["id": 1, "a": 1]], "\u{212B}": [["id": "\u{212B}"], ["id": "A\u{30A}"]],
        "A\u{30A}": [["id": 3]], "drinks": [["id": "tea", "size": 1]],
      ], as: format, schema: "menu")
  }

  static func content(_ bytes: [UInt8]) throws -> SnapshotContent<Menu> {
    try SnapshotFile.decodeContent(from: bytes)
  }

  /// The unknown content of both records: nothing may be missing, and nothing else may be there.
  static let unknownKeys = [
    "A\u{30A}, in 2 records", "cafe\u{301}, in 2 records", "\u{C5}, in 2 records", "\u{212B}, in 2 records",
  ].map { "\(composed).\($0)" }
  static let unknownTables = [
    "the table A\u{30A}, with 1 record", "the table cafe\u{301}, with 1 record", "the table \u{212B}, with 2 records",
  ]

  static func isSame(_ a: [String], _ b: [String]) -> Bool {
    a.map { ExactText($0) } == b.map { ExactText($0) }
  }

  // MARK: Models

  struct Menu: Model {
    var dishes = Table<Dish>()
    var drinks = Table<Drink>()

    static let schema = Schema<Menu>(
      "menu", version: 1,
      Field("caf\u{E9}", \.dishes),
      Field("drinks", \.drinks))
  }

  struct Dish: Record {
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
  struct Wrapped: Codable, Equatable {
    var values: [String: Int]

    init(from decoder: any Decoder) throws { values = try [String: Int](from: decoder) }
    func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
  }

  struct Drink: Record {
    let id: String
    var size: Int
  }

  /// The same a version later, when the schema names the other key.
  struct MenuToday: Model {
    var dishes = Table<Dish>()

    static let schema = Schema<MenuToday>(
      "menu", version: 2,
      Field("dishes", \.dishes),
      migrations: [
        Migration("names apart", to: 2) { tree in
          try tree.renameTable("cafe\u{301}", to: "twin")
          try tree.renameTable("caf\u{E9}", to: "dishes")
          try tree["dishes"].rename("cafe\u{301}", to: "second")
        }
      ])
  }
}

/// An arbitrary key.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ text: String) { stringValue = text }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
