package import Foundation
package import SnapshotStore

/// A model in which everything is unusual: ids under other keys or under none, keys of any characters, and every kind
/// of value.
package struct OddModel: Model {
  package var gadgets = Table<Gadget>()
  package var spots = Table<Spot>()
  package var tokens = Table<Token>()
  package var steps = Table<Step>()
  package var legacy = Table<Legacy>()
  package var recent: [String] = []
  package var ratio = Double.nan
  package var mode = Gadget.State.off

  package init() {}

  package static let schema = Schema<OddModel>(
    "odd", version: 3,
    Field("gad gets.\u{E9}", \.gadgets),
    Field("spots", \.spots),
    Field("recent", \.recent),
    Field("tokens", \.tokens),
    Field("steps", \.steps),
    Field("ratio", \.ratio),
    Field("legacy", \.legacy),
    Field("mode", \.mode))

  /// The name of the first table.
  package static let gadgetTable = "gad gets.\u{E9}"

  /// A value with some records in each table.
  package static func sample() -> OddModel {
    var model = OddModel()
    for number in [-3, 7, 8, 100] { _ = try? model.gadgets.upsert(Gadget(number)) }
    for place in [(1, 1), (1, 2), (2, 1)] {
      _ = try? model.spots.upsert(Spot(id: Spot.Place(x: place.0, y: place.1), label: "at \(place.0)"))
    }
    for number in 1...3 {
      let uuid = UUID(uuidString: "0000000\(number)-0000-4000-8000-000000000000") ?? UUID()
      _ = try? model.tokens.upsert(Token(id: uuid, owner: "Ada"))
      _ = try? model.steps.upsert(Step(owner: "Ada", number: number, text: "Step \(number)"))
      _ = try? model.legacy.upsert(Legacy(id: "key \(number)", old: 10 - number))
    }
    model.recent = ["2026-11-21T15:30:00Z", "data:;base64,AAEC", "NaN"]
    return model
  }
}

/// A record with its id under a key of its own.
package struct Gadget: Record {
  package enum State: Codable, Equatable, Sendable {
    case off
    case on(level: Int, since: Date)
    case broken([String: State])
  }

  package let id: Int
  package var name: String
  package var state = State.off
  package var depth: [Int?]
  package var byNumber: [Int: String]
  package var made: Date
  package var price: Decimal
  package var weight: Double
  package var picture: Data
  package var link: URL?

  package init(_ number: Int) {
    id = number
    name = "Gadget \(number)"
    state =
      number == 7 ? .broken(["in\u{1B}side": .on(level: 2, since: Date(timeIntervalSinceReferenceDate: 0.25))]) : .off
    depth = number == 8 ? [nil] : number == 100 ? [5] : []
    byNumber = [2: "two", 10: "ten"]
    made = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.5)
    price = Decimal(string: "19.99") ?? 0
    weight = number == 7 ? .nan : Double(number) / 4
    picture = Data([0, 1, UInt8(truncatingIfNeeded: number)])
    link = number == 7 ? URL(string: "https://example.com/?a=b") : nil
  }

  private enum CodingKeys: String, CodingKey {
    case name
    case id = "serial no."
    case state = "on/off"
    case depth = ""
    case byNumber = "[0]"
    case made = "2026-11-21T15:30:00Z"
    case price = "and"
    case weight = "\u{1B}[2Kweight"
    case picture = "$null"
    case link = "\u{65}\u{301}"
  }

  /// NaN is the same number as itself here.
  package static func == (a: Gadget, b: Gadget) -> Bool {
    a.id == b.id && a.name == b.name && a.state == b.state && a.depth == b.depth && a.byNumber == b.byNumber
      && a.made == b.made && a.price == b.price && a.weight.bitPattern == b.weight.bitPattern
      && a.picture == b.picture && a.link == b.link
  }
}

/// A record whose id is a structure, under the key `place`.
package struct Spot: Record {
  package struct Place: Codable, Hashable, Comparable, Sendable {
    package var x: Int
    package var y: Int

    package static func < (a: Place, b: Place) -> Bool { (a.x, a.y) < (b.x, b.y) }
  }

  package let id: Place
  package var label: String

  private enum CodingKeys: String, CodingKey {
    case label
    case id = "place"
  }
}

/// A record with a UUID, under the key `token`.
package struct Token: Record {
  package let id: UUID
  package var owner: String

  private enum CodingKeys: String, CodingKey {
    case owner
    case id = "token"
  }
}

/// A record whose id consists of two properties. No key has it.
package struct Step: Record {
  package struct Key: Hashable, Comparable, Sendable {
    package let owner: String
    package let number: Int

    package static func < (a: Key, b: Key) -> Bool { (a.owner, a.number) < (b.owner, b.number) }
  }

  package let owner: String
  package let number: Int
  package var text: String
  package var id: Key { Key(owner: owner, number: number) }
}

/// A record with another property under the key `id`.
package struct Legacy: Record {
  package let id: String
  package var old: Int

  private enum CodingKeys: String, CodingKey {
    case old = "id"
    case id = "name"
  }
}

/// A model without tables.
package struct OnlyValues: Model {
  package struct Theme: Codable, Equatable, Sendable {
    package var accent = "red"
    package var sizes: [String: Double] = ["body": 12.5]
  }

  package var theme = Theme()
  package var recent: [Int] = [3, 1, 2]
  package var opened: Date? = Date(timeIntervalSinceReferenceDate: 0.5)
  package var flag = true

  package init() {}

  package static let schema = Schema<OnlyValues>(
    "only values", version: 1,
    Field("theme", \.theme),
    Field("recent", \.recent),
    Field("opened", \.opened),
    Field("flag", \.flag))
}
