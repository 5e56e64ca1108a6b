import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Numbers under unknown keys and in unknown tables: any number that a store has written is kept, bit for bit.
struct UnknownNumberTests {
  /// Content of a program whose next version knows nothing but counters.
  struct Measured: Record {
    let id: Int
    var value = 0
    var number: Double
    var small: Float
    var date: Date
    var data: Data
    var nested: [[Double]]

    init(id: Int, _ random: inout SeededGenerator) {
      self.id = id
      number = Self.double(&random)
      small = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random))
      if !small.isFinite { small = 0.1 }
      date = Date(timeIntervalSinceReferenceDate: Double.random(in: -1e11...1e11, using: &random))
      data = Data((0..<Int.random(in: 0..<20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
      nested = (0..<3).map { count in (0..<count).map { _ in Self.double(&random) } }
    }

    private static func double(_ random: inout SeededGenerator) -> Double {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return Double.random(in: -1...1, using: &random)
      case 1: return Double.random(in: -1e18...1e18, using: &random)
      case 2: return Double(Int.random(in: -1000...1000, using: &random)) / 10
      default:
        let any = Double(bitPattern: random.next())
        return any.isFinite ? any : 0.30000000000000004
      }
    }
  }

  struct Measurements: Model {
    var left = Table<Measured>()
    var right = Table<Counter>()
    var more = Table<Measured>()
    static let schema = Schema<Measurements>(
      "counters", version: 1,
      Field("left", \.left),
      Field("right", \.right),
      Field("more", \.more))

    init() {}

    init(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      left = try Table((0..<40).map { Measured(id: $0, &random) })
      more = try Table((0..<40).map { Measured(id: $0, &random) })
    }
  }

  @Test func theyAreKept() {
    each(SeededGenerator.seeds(6), FileFormat.allCases) { (seed: UInt64, format: FileFormat) throws in
      var expected = try Measurements(seed: seed)
      let test = StoreUnderTest()
      test.bytes = try SnapshotFile.encode(expected, as: format)
      for value in 1...3 {
        let store = try test.open(Counters.self, .manual)
        try store.write { try $0.left.update(7) { $0.value = value } }
        try store.closeAndWait()
        try expected.left.update(7) { $0.value = value }
        let back = try SnapshotFile.decode(Measurements.self, from: try #require(test.bytes))
        #expect(
          try SnapshotFile.encode(back, as: .binary) == SnapshotFile.encode(expected, as: .binary),
          "seed \(seed)")
      }
    }
  }

  // A generation with such keys can be opened, and a replaced file becomes one.
  @Test func generationsHaveThem() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      let test = StoreUnderTest()
      let bytes = try SnapshotFile.encode(try Measurements(seed: 1), as: format)
      test.bytes = bytes
      var options = StoreOptions(policy: .manual)
      options.recovery = .generations
      let store = try test.open(Counters.self, options)
      try store.write { try $0.set(1, to: 9) }
      try store.closeAndWait()
      let generation = try #require(try test.generations.first)
      #expect(
        try SnapshotFile.restore(
          generation, as: Counters.self, at: test.path, limits: ReadLimits(), on: test.fileSystem,
          date: test.scheduler.date) == nil)
      #expect(test.bytes == bytes)
      test.bytes = Array("{".utf8)
      let recovered = try test.open(Counters.self, options)
      #expect(recovered.openReport?.unknownKeys.count == 6)
      try recovered.closeAndWait()
    }
  }
}
