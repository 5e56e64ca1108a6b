import Foundation
import SnapshotStore

/// A record with every shape that `Codable` allows and programs use, as a user's own type may have it.
///
/// Equality is exact: differences that `==` of `Double` or `String` ignores count here.
struct Awkward: Record {
  let id: Int64
  var text = ""
  var truth = false
  var integers = Integers()
  var float: Float = 0
  var double = 0.0
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var optionalDate: Date?
  var dates: [Date] = []
  var data = Data()
  var optionalData: Data?
  var bytes: [UInt8] = []
  var uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  var url = URL(string: "https://example.org/")!
  var relativeURL: URL?
  var decimal = Decimal()
  var decimals: [Decimal] = []
  var optionalText: String?
  var optionalNumbers: [Int]?
  var textsWithGaps: [String?] = []
  var matrix: [[Double]] = []
  var numberByText: [String: Int] = [:]
  var textByNumber: [Int: String] = [:]
  var doubleByUUID: [UUID: Double] = [:]
  var gapsByText: [String: String?] = [:]
  var shapesByText: [String: [Shape]] = [:]
  var words: Set<String> = []
  var reals: Set<Double> = []
  var shape = Shape.nothing
  var shapes: [Shape] = []
  var color = Color.red
  var level: Level?
  var celsius = Celsius(degrees: 0)
  var cat = Cat(legs: 4, name: "")
  var byHand = ByHand()

  static func == (a: Awkward, b: Awkward) -> Bool { Exact.lines(a) == Exact.lines(b) }
}

/// A model with one table of such records.
struct Shelf: Model {
  var items = Table<Awkward>()
  static let schema = Schema<Shelf>("shelf", version: 1, Field("items", \.items))
}

struct Integers: Codable, Sendable {
  var int = 0
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int64: Int64 = 0
  var uint: UInt = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var uint64: UInt64 = 0
}

enum Color: String, Codable, CaseIterable, Sendable { case red, green, blue }
enum Level: Int, Codable, CaseIterable, Sendable { case low = -1, middle = 0, high = 1 }

/// An enumeration with associated values, one of them recursive.
indirect enum Shape: Codable, Sendable {
  case nothing
  case circle(Double)
  case label(text: String, size: Int?)
  case pair(Shape, Shape)
}

/// A type that encodes itself as one other value.
struct Celsius: Codable, Sendable {
  var degrees: Double

  init(degrees: Double) { self.degrees = degrees }
  init(from decoder: any Decoder) throws { degrees = try decoder.singleValueContainer().decode(Double.self) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(degrees)
  }
}

/// A base class. No instance changes after it was made, so it may be `Sendable`.
class Animal: Codable, @unchecked Sendable {
  let legs: Int
  init(legs: Int) { self.legs = legs }
}

/// The part of the base class goes to `superEncoder()`, as in Swift's own documentation.
final class Cat: Animal, @unchecked Sendable {
  let name: String

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

  private enum Key: CodingKey { case name }
}

/// Containers opened by hand: keyed in keyed, unkeyed in keyed, keyed and unkeyed in unkeyed.
struct ByHand: Codable, Sendable {
  var inner = 0
  var list: [String] = []
  var rows: [[Int]] = []

  private enum Key: CodingKey { case outer, inner, list, rows }

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let outer = try container.nestedContainer(keyedBy: Key.self, forKey: .outer)
    inner = try outer.decode(Int.self, forKey: .inner)
    var texts = try outer.nestedUnkeyedContainer(forKey: .list)
    while !texts.isAtEnd {
      list.append(try texts.nestedContainer(keyedBy: Key.self).decode(String.self, forKey: .inner))
    }
    var table = try container.nestedUnkeyedContainer(forKey: .rows)
    while !table.isAtEnd {
      var row = try table.nestedUnkeyedContainer()
      var numbers: [Int] = []
      while !row.isAtEnd { numbers.append(try row.decode(Int.self)) }
      rows.append(numbers)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    var outer = container.nestedContainer(keyedBy: Key.self, forKey: .outer)
    var texts = outer.nestedUnkeyedContainer(forKey: .list)
    for text in list {
      var element = texts.nestedContainer(keyedBy: Key.self)
      try element.encode(text, forKey: .inner)
    }
    // After the nested one was begun: containers of one value may be written in turn.
    try outer.encode(inner, forKey: .inner)
    var table = container.nestedUnkeyedContainer(forKey: .rows)
    for row in rows {
      var numbers = table.nestedUnkeyedContainer()
      for number in row { try numbers.encode(number) }
    }
  }
}
