import Foundation

@testable import SnapshotStore
@testable import TestSupport

enum OddShape: Codable, Equatable, Sendable {
  case point
  case circle(radius: Double)
  case line([Int], name: String?)
}

struct OddEmpty: Codable, Equatable, Sendable {}

/// Reads its keys in two containers, and one key twice.
struct OddTwice: Codable, Equatable, Sendable {
  var a: Int
  var b: String
  private enum First: CodingKey { case a }
  private enum Second: CodingKey { case b, a }

  init(a: Int, b: String) { (self.a, self.b) = (a, b) }

  init(from decoder: any Decoder) throws {
    let second = try decoder.container(keyedBy: Second.self)
    b = try second.decode(String.self, forKey: .b)
    a = try decoder.container(keyedBy: First.self).decode(Int.self, forKey: .a)
    if second.contains(.a) { a = try second.decode(Int.self, forKey: .a) }
  }
}

class OddBase: Codable, @unchecked Sendable {
  let legs: Int
  init(legs: Int) { self.legs = legs }
}

final class OddDerived: OddBase, Equatable, @unchecked Sendable {
  let name: String
  private enum Key: CodingKey { case name }

  init(legs: Int, name: String) {
    self.name = name
    super.init(legs: legs)
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    name = try container.decode(String.self, forKey: .name)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try super.encode(to: container.superEncoder())
  }

  static func == (a: OddDerived, b: OddDerived) -> Bool { a.name == b.name && a.legs == b.legs }
}

/// Reads whatever stands under its key, and forgets it.
struct OddIgnored: Codable, Equatable, Sendable {
  init() {}
  init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decodeNil() }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

struct OddRecord: Record {
  let id: Int
  var text: String
  var small: UInt8
  var large: UInt64
  var wide: Int128
  var float: Float
  var double: Double
  var date: Date
  var url: URL
  var data: Data
  var decimal: Decimal
  var uuid: UUID
  var counts: [String: Int]
  var scores: [Int: Double]
  var pairs: [UUID: Int]
  var set: Set<Int>
  var shape: OddShape
  var shapes: [OddShape?]
  var nested: [[Double]]
  var twice: OddTwice
  var derived: OddDerived
  var empty: OddEmpty?
  var maybe: Int?
  var ignored: OddIgnored

  /// Records of random values, as many as asked for.
  static func random(_ count: Int, seed: UInt64) -> [OddRecord] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { OddRecord(id: $0, &generator) }
  }

  init(id: Int, _ generator: inout SeededGenerator) {
    self.id = id
    text = generator.pick(["river", "Straße \"q\"", "", "a\nb", "😀"])
    small = UInt8.random(in: 0...255, using: &generator)
    large = generator.next()
    wide = Int128(generator.next()) * 1_000_000_007
    float = generator.pick([0.1, -1.5, 3, .infinity])
    double = generator.double()
    date = Date(timeIntervalSinceReferenceDate: generator.dateSeconds())
    url = URL(string: "https://example.com/\(id)") ?? URL(filePath: "/")
    data = Data([1, 2, UInt8(id & 255)])
    decimal = Decimal(id) / 8
    uuid = UUID(uuid: (small, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    counts = ["b": 1, "a": 2]
    scores = [1: 0.5, -7: 2]
    pairs = [uuid: 3]
    set = [1, 2, id]
    shape = generator.pick([.point, .circle(radius: 2.25), .line([1, 2], name: nil), .line([], name: "l")])
    shapes = [.point, nil, shape]
    nested = [[], [1, 2.5], [double]]
    twice = OddTwice(a: id, b: text)
    derived = OddDerived(legs: 4, name: text)
    maybe = generator.chance(2) ? id : nil
    ignored = OddIgnored()
  }
}

struct OddItems: Model {
  var items = Table<OddRecord>()
  static let schema = Schema<OddItems>("odd", version: 1, Field("items", \.items))

  init() {}
  init(_ records: [OddRecord]) throws { items = try Table(records) }
}
