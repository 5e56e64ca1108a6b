import Foundation
import SnapshotStore

extension Awkward {
  /// A record of random values, most of them awkward.
  init(id: Int64, random generator: inout SeededGenerator) {
    self.id = id
    text = generator.text()
    truth = generator.chance(2)
    integers = Integers(random: &generator)
    float = generator.float()
    double = generator.double()
    date = generator.date()
    optionalDate = generator.chance(2) ? nil : generator.date()
    dates = generator.list { $0.date() }
    data = generator.data()
    optionalData = generator.chance(2) ? nil : generator.data()
    bytes = generator.list { $0.integer() }
    uuid = generator.uuid()
    url = generator.pick(Self.urls)
    relativeURL = generator.chance(2) ? nil : generator.pick(Self.relativeURLs)
    decimal = generator.decimal()
    decimals = generator.list { $0.decimal() }
    optionalText = generator.chance(2) ? nil : generator.text()
    optionalNumbers = generator.chance(2) ? nil : generator.list { $0.integer() }
    textsWithGaps = generator.list { $0.chance(3) ? nil : $0.text() }
    matrix = generator.list { $0.list { $0.double() } }
    fillCollections(&generator)
    shape = Shape(random: &generator, depth: 0)
    shapes = generator.list { Shape(random: &$0, depth: 0) }
    color = generator.pick(Color.allCases)
    level = generator.chance(2) ? nil : generator.pick(Level.allCases)
    celsius = Celsius(degrees: generator.double())
    cat = Cat(legs: generator.integer(), name: generator.text())
    byHand.inner = generator.integer()
    byHand.list = generator.list { $0.text() }
    byHand.rows = generator.list { $0.list { $0.integer() } }
  }

  private mutating func fillCollections(_ generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      numberByText[generator.text()] = generator.integer()
      textByNumber[generator.integer()] = generator.text()
      doubleByUUID[generator.uuid()] = generator.double()
      gapsByText[generator.text()] = .some(generator.chance(2) ? nil : generator.text())
      shapesByText[generator.text()] = generator.list { Shape(random: &$0, depth: 0) }
      words.insert(generator.text())
      reals.insert(generator.double())
    }
  }

  private static let urls = [
    "https://example.org/a?b=c&d=%20#e", "http://[::1]:8080/", "mailto:a@example.org", "file:///folder/a%20b", "a/b",
    "?q",
    "https://xn--bcher-kva.example/%C3%A9", "urn:isbn:0451450523",
  ].map { URL(string: $0)! }

  private static let relativeURLs = [
    URL(string: "../c?d#e", relativeTo: URL(string: "https://example.org/a/b/")!)!,
    URL(string: "f", relativeTo: URL(string: "g/", relativeTo: URL(string: "https://example.org/")!)!)!,
  ]
}

extension Integers {
  init(random generator: inout SeededGenerator) {
    int = generator.integer()
    int8 = generator.integer()
    int16 = generator.integer()
    int32 = generator.integer()
    int64 = generator.integer()
    uint = generator.integer()
    uint8 = generator.integer()
    uint16 = generator.integer()
    uint32 = generator.integer()
    uint64 = generator.integer()
  }
}

extension Shape {
  init(random generator: inout SeededGenerator, depth: Int) {
    switch Int.random(in: 0..<(depth > 3 ? 3 : 4), using: &generator) {
    case 0: self = .nothing
    case 1: self = .circle(generator.double())
    case 2: self = .label(text: generator.text(), size: generator.chance(2) ? nil : generator.integer())
    default:
      self = .pair(Shape(random: &generator, depth: depth + 1), Shape(random: &generator, depth: depth + 1))
    }
  }
}

extension Shelf {
  /// A shelf of random records under random ids.
  init(random generator: inout SeededGenerator, count: Int) throws {
    for _ in 0..<count { try items.upsert(Awkward(id: generator.integer(), random: &generator)) }
  }
}
