@testable import SnapshotStore
@testable import TestSupport

/// A model of a store that explores.
protocol ExplorerModel: Model {
  /// The value of a new file.
  static var first: Self { get }
  /// What the file holds, as numbers by ids: the same numbers for every model of one file.
  var numbers: [Int: Int] { get }
  /// The same in a second table; nil if the model has none.
  var secondNumbers: [Int: Int]? { get }
  /// Whether the model knows a record.
  static func knows(_ id: Int) -> Bool
  /// The same program after a property was renamed, which counts as no new version; nil if none was.
  static var renamed: (any ExplorerModel.Type)? { get }
  /// Sets a record in all tables that the model knows; nil removes it.
  mutating func put(_ id: Int, _ value: Int?) throws
}

extension ExplorerModel {
  static var first: Self { Self() }
  var secondNumbers: [Int: Int]? { nil }
  static func knows(_ id: Int) -> Bool { true }
  static var renamed: (any ExplorerModel.Type)? { nil }
}

extension Table<Counter> {
  var numbers: [Int: Int] { Dictionary(uniqueKeysWithValues: map { ($0.id, $0.value) }) }

  fileprivate mutating func put(_ id: Int, _ value: Int?) throws {
    if let value { try upsert(Counter(id: id, value: value)) } else { remove(id) }
  }
}

extension Counters: ExplorerModel {
  var numbers: [Int: Int] { left.numbers }
  var secondNumbers: [Int: Int]? { right.numbers }

  mutating func put(_ id: Int, _ value: Int?) throws {
    try left.put(id, value)
    try right.put(id, value)
  }
}

/// The same file, as a program knows it that has not heard of the second table.
struct LeftCounters: ExplorerModel {
  var left = Table<Counter>()

  static let schema = Schema<LeftCounters>("counters", version: 1, Field("left", \.left))

  var numbers: [Int: Int] { left.numbers }
  mutating func put(_ id: Int, _ value: Int?) throws { try left.put(id, value) }
}

/// A file that remembers what was removed. A tombstone counts as the number -1.
struct BuriedCounters: ExplorerModel {
  var left = Table<Counter>()
  var gone = Table<Tombstone<Counter>>()

  static let schema = Schema<BuriedCounters>(
    "buried", version: 1,
    Field("left", \.left),
    Field("gone", \.gone),
    tombstones: [Tombstones(of: \.left, in: \.gone)])

  var numbers: [Int: Int] {
    left.numbers.merging(gone.map { ($0.id, -1) }) { live, _ in live + 1_000_000 }
  }

  mutating func put(_ id: Int, _ value: Int?) throws { try left.put(id, value) }
}

/// The first version of a program.
struct FirstCounters: ExplorerModel {
  var left = Table<Counter>()

  static let schema = Schema<FirstCounters>("versions", version: 1, Field("left", \.left))

  // As the second version migrates it.
  var numbers: [Int: Int] { left.numbers.mapValues { $0 + 1000 } }
  mutating func put(_ id: Int, _ value: Int?) throws { try left.put(id, value) }
}

/// The second one, whose numbers are greater by 1000.
struct SecondCounters: ExplorerModel {
  var left = Table<Counter>()

  static let schema = Schema<SecondCounters>(
    "versions", version: 2,
    Field("left", \.left),
    migrations: [
      Migration("thousands", to: 2) { tree in
        try tree["left"].compute("value") { $0["value"]?.integer.map { UntypedValue(Int($0) + 1000) } }
      }
    ])

  var numbers: [Int: Int] { left.numbers }
  mutating func put(_ id: Int, _ value: Int?) throws { try left.put(id, value.map { $0 + 1000 }) }
}
