@testable import SnapshotStore
@testable import TestSupport

/// How a program names its numbers, and which of them it knows.
protocol NumberNames: Sendable {
  static var prefix: String { get }
  /// The names that it asks for; nil if it takes all.
  static var known: [String]? { get }
  /// The names that a later version of the program uses; nil if it is the last one.
  static var renamed: (any ExplorerModel.Type)? { get }
}

extension NumberNames {
  static var prefix: String { "" }
  static var known: [String]? { nil }
  static var renamed: (any ExplorerModel.Type)? { nil }
}

/// The numbers by themselves.
enum PlainNames: NumberNames {}

/// Only the numbers of the second store. The rest is unknown content.
enum SomeNames: NumberNames {
  static let known: [String]? = (0..<200).filter { $0 % 4 == 1 }.map(String.init)
}

/// The numbers by themselves, in a program that will name them in another way.
enum OldNames: NumberNames {
  static var renamed: (any ExplorerModel.Type)? { ValueModel<NamedNumbers<NewNames>>.self }
}

/// Names with a letter. What only has an old name is read by that.
enum NewNames: NumberNames {
  static let prefix = "n"
}

/// Numbers under names of their own, as the properties of one value.
struct NamedNumbers<Names: NumberNames>: Codable, Equatable, Sendable {
  var numbers: [Int: Int] = [:]

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(intValue: Int) { nil }
    init(stringValue: String) { self.stringValue = stringValue }
  }

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    // A type that asks for all keys knows all of them. One that does not has to ask for each.
    for key in Names.known.map({ $0.map(Name.init) }) ?? container.allKeys {
      guard let id = Int(key.stringValue) else { continue }
      numbers[id] = try container.decodeIfPresent(Int.self, forKey: key)
    }
    if Names.prefix.isEmpty { return }
    for key in container.allKeys where key.stringValue.hasPrefix(Names.prefix) {
      guard let id = Int(key.stringValue.dropFirst(Names.prefix.count)) else { continue }
      numbers[id] = try container.decode(Int.self, forKey: key)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (id, value) in numbers.sorted(by: { $0.key < $1.key }) {
      try container.encode(value, forKey: Name(stringValue: "\(Names.prefix)\(id)"))
    }
  }
}

extension ValueModel: ExplorerModel where Value: ExplorerValue {
  static var first: Self { ValueModel(Value()) }
  static func knows(_ id: Int) -> Bool { Value.knows(id) }
  static var renamed: (any ExplorerModel.Type)? { Value.renamed }
  var numbers: [Int: Int] { value.numbers }

  mutating func put(_ id: Int, _ value: Int?) throws { self.value.numbers[id] = value }
}

/// The value of a store that explores.
protocol ExplorerValue: SingleValue {
  init()
  var numbers: [Int: Int] { get set }
  static func knows(_ id: Int) -> Bool
  static var renamed: (any ExplorerModel.Type)? { get }
}

extension NamedNumbers: ExplorerValue {
  static func knows(_ id: Int) -> Bool { Names.known?.contains("\(id)") != false }
  static var renamed: (any ExplorerModel.Type)? { Names.renamed }
}
