import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// A record may contain the `Codable` types of the standard library and of Foundation.
@Suite struct SystemTypesTests {
  @Test func integersOf128Bits() throws {
    try expectRoundTrip(of: [Int128.min, .max, 0, -1, Int128(UInt64.max) + 1])
    try expectRoundTrip(of: [UInt128.max, 0, UInt128(UInt64.max) + 1])
  }

  @Test func rangesAndDurations() throws {
    try expectRoundTrip(of: -5..<7)
    try expectRoundTrip(of: 0.5...1)
    try expectRoundTrip(of: [Duration.nanoseconds(1), .seconds(-1e9), .zero])
    try expectRoundTrip(of: SIMD4<Float>(0, -0.0, .infinity, 1.5))
  }

  @Test func foundationsOwn() throws {
    try expectRoundTrip(of: DateInterval(start: Date(timeIntervalSinceReferenceDate: 0.1), duration: 1.0 / 3))
    try expectRoundTrip(of: DateComponents(year: 2024, month: 2, day: 29))
    try expectRoundTrip(of: TimeZone(identifier: "Europe/Paris"))
    try expectRoundTrip(of: Locale(identifier: "de_CH"))
    try expectRoundTrip(of: IndexSet([1, 2, 3, 100]))
    try expectRoundTrip(of: Measurement(value: 1.5, unit: UnitLength.meters))
    try expectRoundTrip(of: CharacterSet(charactersIn: "aé😀"))
    try expectRoundTrip(of: PersonNameComponents(givenName: "Ada", familyName: "Lovelace"))
    try expectRoundTrip(of: URLComponents(string: "https://example.org/a?b=c"))
  }

  @Test func dictionariesAndSetsOfEveryKey() throws {
    try expectRoundTrip(of: [Color.red: 1, .green: 2, .blue: 3])
    try expectRoundTrip(of: [
      Date(timeIntervalSinceReferenceDate: 0.1): "a", Date(timeIntervalSinceReferenceDate: -0.1): "b",
    ])
    try expectRoundTrip(of: [URL(string: "https://example.org")!: [Data([1]): 1.5]])
    try expectRoundTrip(of: [Set(["a", "b"]): 1, Set(): 2, Set(["\0"]): 3])
    try expectRoundTrip(of: [[1, 2]: [[3]: 4], []: [:]])
    try expectRoundTrip(of: Set([Set([1, 2]), Set([3]), Set()]))
    try expectRoundTrip(of: [true: 1, false: 0])
    try expectRoundTrip(of: [Int64.min: 1, .max: 2, 0: 3])
    try expectRoundTrip(of: [UInt64.max: 1, 0: 2])
    try expectRoundTrip(of: [Optional("a"): 1, nil: 2])
  }

  @Test func emptyValues() throws {
    try expectRoundTrip(of: Empty())
    try expectRoundTrip(of: [Empty(), Empty()])
    try expectRoundTrip(of: [String: Empty]())
    try expectRoundTrip(of: ["": ["": [Data()]]])
    try expectRoundTrip(of: [[[Int]]]([[], [[]], [[], []]]))
    try expectRoundTrip(of: [String?]([nil, nil]))
  }

  private struct Empty: Codable, Equatable, Sendable {}

  private func expectRoundTrip<Value: Codable & Equatable & Sendable>(
    of value: Value, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var root = BoxModel<Value>()
    try root.items.insert(Box(id: 1, value: value))
    for format in FileFormat.allCases {
      do {
        let bytes = try SnapshotFile.encode(root, as: format)
        let decoded = try SnapshotFile.decode(BoxModel<Value>.self, from: bytes)
        #expect(decoded.items.first?.value == value, "as \(format)", sourceLocation: sourceLocation)
        #expect(try SnapshotFile.encode(decoded, as: format) == bytes, sourceLocation: sourceLocation)
      } catch {
        Issue.record(error, "\(value) as \(format)", sourceLocation: sourceLocation)
      }
    }
  }
}

private struct Box<Value: Codable & Equatable & Sendable>: Record {
  let id: Int
  var value: Value
}

private struct BoxModel<Value: Codable & Equatable & Sendable>: Model {
  var items = Table<Box<Value>>()
  static var schema: Schema<BoxModel> { Schema("box", version: 1, Field("items", \.items)) }
}
