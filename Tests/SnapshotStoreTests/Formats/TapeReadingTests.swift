import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// `Codable` records of all kinds that are read from the bytes of JSON give what the tree of items gives.
@Suite struct TapeReadingTests {
  /// Records as they are written are read from the bytes, so that the other tests test that way.
  @Test func ordinaryRecordsAreReadFromTheBytes() throws {
    let document = try Document(
      try SnapshotFile.encode(try OddModel(records(20, seed: 1)), as: .json), limits: ReadLimits())
    var counter = TapeCounter<Odd>(document)
    try document.reader.readTables(&counter)
    #expect(counter.count == 20)
  }

  @Test func damagedRecords() {
    each(SeededGenerator.seeds(4)) { (seed: UInt64) throws in
      var generator = SeededGenerator(seed: seed)
      let bytes = try SnapshotFile.encode(try OddModel(records(3, seed: seed)), as: .json)
      var sound = 0
      for number in 0..<Proofs.pick(full: 400, quick: 160) {
        if try expectSame(mutated(bytes, &generator), "seed \(seed), mutation \(number)") { sound += 1 }
      }
      #expect(sound > 0)
    }
  }

  @Test func oddForms() throws {
    let bytes = try SnapshotFile.encode(try OddModel(records(2, seed: 9)), as: .json)
    let text = String(decoding: bytes, as: UTF8.self)
    let changes = [
      (#""id":"#, #""x":{"y":1},"id":"#), (#""id":"#, #""counts":{},"id":"#), (#""id":"#, #""id":1,"id":"#),
      (#""scores":{"#, #""scores":{"01":0.5,"1":0.5,"#), (#""scores":{"#, #""scores":{"1":1e999,"#),
      (#""counts":{"#, #""counts":{"é":1,"é":2,"#), (#""set":["#, #""set":[7,7,"#), (#""set":["#, #""set":[7,7.0,"#),
      (#""twice":{"#, #""twice":{"c":1,"#),
      (#""shape":{"#, #""shape":{ "#),
      (#""text":""#, #""text":"\ud83d\ude00\u0041\/"#), (#""text":""#, #""text":"\ud83d"#),
      (#""text":""#, #""text":"\q"#),
      (#""ignored":null"#, #""ignored":"\q""#), (#""ignored":null"#, #""ignored":1e999"#),
      (#""ignored":null"#, #""ignored":[1,{"a":2}]"#), (#""ignored":null"#, #""ignored":[1,]"#),
      (#""ignored":null"#, #""ignored":01"#), (#""ignored":null"#, #""ignored":"a""#), (#","ignored":null"#, ""),
      (#""decimal":""#, #""decimal":"x"#), (#""url":"https"#, #""url":" https"#), (#""data":""#, #""data":"="#),
    ]
    for (old, new) in changes {
      try #require(text.contains(old), "\(old)")
      try expectSame(Array(text.replacing(old, with: new).utf8), new)
      try expectSame(Array(text.replacing(old, with: new, maxReplacements: 1).utf8), new)
    }
  }

  /// A value without properties reads nothing, so its record is read through items.
  @Test func aValueWithoutProperties() throws {
    var odd = records(2, seed: 4)
    odd[0].empty = Empty()
    let text = String(decoding: try SnapshotFile.encode(try OddModel(odd), as: .json), as: UTF8.self)
    try expectSame(Array(text.utf8), "as written")
    for content in [#"{"c":1}"#, "1", "null"] {
      try expectSame(Array(text.replacing(#""empty":{}"#, with: #""empty":"# + content).utf8), content)
    }
  }

  @discardableResult
  private func expectSame(
    _ bytes: [UInt8], _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Bool {
    var limits = ReadLimits()
    let tape = outcome(bytes, limits)
    limits.readsItemsOnly = true
    let items = outcome(bytes, limits)
    #expect(tape == items, "\(what)", sourceLocation: sourceLocation)
    return items.first != "error"
  }

  private func outcome(_ bytes: [UInt8], _ limits: ReadLimits) -> [String] {
    do {
      let root = try SnapshotFile.decode(
        OddModel.self, from: bytes, options: ReadOptions(limits: limits, acceptsChecksumMismatch: true, threads: 1))
      return [String(decoding: try SnapshotFile.encode(root, as: .json), as: UTF8.self)]
    } catch {
      return ["error", "\(error)"]
    }
  }

  private func records(_ count: Int, seed: UInt64) -> [Odd] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { Odd(id: $0, &generator) }
  }

  private func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    let start = bytes.firstIndex(of: UInt8(ascii: "[")) ?? 0
    for _ in 0..<generator.pick([1, 1, 2]) {
      let index = Int.random(in: start..<bytes.count, using: &generator)
      let piece = generator.pick([
        "\"", "{", "}", "[", "]", ",", ":", "0", "1", ".", "e", "-", "null", "true", "\\", " ", "a",
      ])
      switch generator.pick([0, 1, 2]) {
      case 0: bytes.replaceSubrange(index..<index + 1, with: piece.utf8)
      case 1: bytes.insert(contentsOf: piece.utf8, at: index)
      default: bytes.remove(at: index)
      }
    }
    return bytes
  }
}

private struct TapeCounter<Value: Record>: DocumentVisitor {
  let document: Document
  var count = 0

  init(_ document: Document) { self.document = document }

  mutating func visit(_ name: String, offset: Int, _ records: inout some TableReader) throws(SnapshotError) {
    var reading = TapeReading<Value>(document.source, document.limits)
    count += reading.records(from: &records, most: .max).count
    while try records.next() != nil {}
  }

  mutating func visit(
    _ name: String, offset: Int, value read: () throws(SnapshotError) -> Item
  ) throws(SnapshotError) { _ = try read() }
}

// MARK: - Records

private enum Shape: Codable, Equatable, Sendable {
  case point
  case circle(radius: Double)
  case line([Int], name: String?)
}

private struct Empty: Codable, Equatable, Sendable {}

/// Reads its keys in two containers, and one key twice.
private struct Twice: Codable, Equatable, Sendable {
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

private class Base: Codable, @unchecked Sendable {
  let legs: Int
  init(legs: Int) { self.legs = legs }
}

private final class Derived: Base, Equatable, @unchecked Sendable {
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

  static func == (a: Derived, b: Derived) -> Bool { a.name == b.name && a.legs == b.legs }
}

/// Reads whatever stands under its key, and forgets it.
private struct Ignored: Codable, Equatable, Sendable {
  init() {}
  init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decodeNil() }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

private struct Odd: Record {
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
  var shape: Shape
  var shapes: [Shape?]
  var nested: [[Double]]
  var twice: Twice
  var derived: Derived
  var empty: Empty?
  var maybe: Int?
  var ignored: Ignored

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
    twice = Twice(a: id, b: text)
    derived = Derived(legs: 4, name: text)
    maybe = generator.chance(2) ? id : nil
    ignored = Ignored()
  }
}

private struct OddModel: Model {
  var items = Table<Odd>()
  static let schema = Schema<OddModel>(name: "odd", version: 1) { Field("items", \.items) }

  init() {}
  init(_ records: [Odd]) throws { items = try Table(records) }
}
