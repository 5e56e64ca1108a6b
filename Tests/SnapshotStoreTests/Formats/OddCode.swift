import Foundation

@testable import SnapshotStore

/// What the code of a record may do with an encoder.
enum OddCode: String, CaseIterable, Codable {
  case plain, nothing, keyTwice, twoContainers, arrayThenKeys, singleThenKeys, singleTwice, interleaved, lateNested
  case openNested, emptyNested, superEncoders, unusedSuper, dictionary, wrappedDictionary, dictionaryContainer
  case setInSingle, setOfPaths, path, pathInDictionary, deep, deepDictionary, manyKeys, escapedKey, equalKeys, nulls
  case integers, caught, throwing, outerWhileInner, outerInDictionary, kept, counts, optionals, specialTypes

  /// Whether the record is left to items. All others must not be, because ordinary records do the same.
  var isLeft: Bool {
    switch self {
    case .keyTwice, .arrayThenKeys, .singleThenKeys, .singleTwice, .interleaved, .wrappedDictionary,
      .dictionaryContainer, .setInSingle, .path, .pathInDictionary, .deep, .deepDictionary, .manyKeys, .caught,
      .outerWhileInner, .outerInDictionary, .setOfPaths:
      true
    default: false
    }
  }

  /// The containers of records that were encoded on one thread.
  nonisolated(unsafe) static var shelf: [KeyedEncodingContainer<OddlyEncoded.Key>] = []
}

/// A record that encodes itself by odd code. It is never decoded.
struct OddlyEncoded: Record {
  var id = 0
  let code: OddCode
  enum Key: String, CodingKey {
    case id, a, b, inner, list, odd = "a\"\\\n<é>", composed = "\u{e9}", decomposed = "e\u{301}"
  }

  init(id: Int = 0, code: OddCode) { (self.id, self.code) = (id, code) }
  init(from decoder: any Decoder) throws { throw CocoaError(.coderInvalidValue) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try encode(&container, encoder)
  }

  private func encode(_ container: inout KeyedEncodingContainer<Key>, _ encoder: any Encoder) throws {
    func inner(_ code: @escaping (any Encoder) throws -> Void) throws {
      try container.encode(Inner(code: code), forKey: .inner)
    }
    switch code {
    case .plain: try container.encode("text", forKey: .a)
    case .nothing: try inner { _ in }
    case .keyTwice:
      try container.encode(1, forKey: .a)
      try container.encode(2, forKey: .b)
      try container.encode(3, forKey: .a)
    case .twoContainers:
      var other = encoder.container(keyedBy: Key.self)
      try other.encode(1, forKey: .a)
      try container.encode(2, forKey: .b)
    case .arrayThenKeys:
      try inner { encoder in
        var list = encoder.unkeyedContainer()
        try list.encode(1)
        var keys = encoder.container(keyedBy: Key.self)
        try keys.encode(2, forKey: .a)
      }
    case .singleThenKeys:
      try inner { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(1)
        var keys = encoder.container(keyedBy: Key.self)
        try keys.encode(2, forKey: .a)
      }
    case .singleTwice:
      try inner { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(1)
        try single.encode([2])
      }
    case .interleaved:
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .inner)
      try nested.encode(1, forKey: .a)
      try container.encode(2, forKey: .b)
      try nested.encode(3, forKey: .b)
    case .lateNested:
      try container.encode(2, forKey: .b)
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .inner)
      try nested.encode(1, forKey: .a)
      var list = nested.nestedUnkeyedContainer(forKey: .list)
      try list.encode(3)
      var keys = list.nestedContainer(keyedBy: Key.self)
      try keys.encode(4, forKey: .a)
    case .openNested:
      var list = container.nestedUnkeyedContainer(forKey: .list)
      var deeper = list.nestedUnkeyedContainer()
      try deeper.encode("x")
      try list.encode(contentsOf: [1.5, 2])
      try container.encode(true, forKey: .b)
    case .emptyNested:
      _ = container.nestedContainer(keyedBy: Key.self, forKey: .inner)
      _ = container.nestedUnkeyedContainer(forKey: .list)
      try container.encode([Int](), forKey: .a)
      try container.encode([String: Int](), forKey: .b)
    case .superEncoders:
      try [1, 2].encode(to: container.superEncoder())
      try "text".encode(to: container.superEncoder(forKey: .inner))
      try container.encode(2, forKey: .b)
    case .unusedSuper:
      _ = container.superEncoder()
      try container.encode(2, forKey: .b)
    case .dictionary:
      try container.encode(["b": [1: "x"], "a": [:]], forKey: .inner)
      try container.encode([[3, 1, 2] as Set, []], forKey: .list)
      try container.encode([UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)): 1], forKey: .a)
    case .wrappedDictionary: try inner { try ["b": 1, "a": 2].encode(to: $0) }
    case .dictionaryContainer: try ["b": 1, "c": 2].encode(to: encoder)
    case .setInSingle:
      try inner { encoder in
        var single = encoder.singleValueContainer()
        try single.encode([3, 1, 2] as Set)
      }
    case .setOfPaths: try container.encode([Set([PathText()])], forKey: .list)
    case .path: try container.encode([[PathText()]], forKey: .list)
    case .pathInDictionary: try container.encode(["x": [PathText()]], forKey: .inner)
    case .deep: try container.encode(Nest(30), forKey: .inner)
    case .deepDictionary: try container.encode(["x": Nest(30)], forKey: .inner)
    case .manyKeys:
      try inner { try Dictionary(uniqueKeysWithValues: (0..<200).map { ("\($0)", $0) }).unsorted.encode(to: $0) }
    case .escapedKey: try container.encode(1, forKey: .odd)
    case .equalKeys:
      try container.encode(1, forKey: .composed)
      try container.encode(2, forKey: .decomposed)
    case .nulls:
      try container.encodeNil(forKey: .a)
      try container.encode([1, nil], forKey: .list)
      try container.encodeIfPresent(Int?.none, forKey: .b)
      try container.encode(Int?.none, forKey: .inner)
    case .integers:
      try container.encode(UInt64.max, forKey: .a)
      try container.encode(Int128.max, forKey: .b)
      try container.encode([Int8.min, -1], forKey: .list)
      try container.encode(Float.leastNonzeroMagnitude, forKey: .inner)
    case .caught:
      try? inner { encoder in
        var keys = encoder.container(keyedBy: Key.self)
        try keys.encode(1, forKey: .a)
        throw CocoaError(.coderInvalidValue)
      }
      try container.encode(2, forKey: .b)
    case .throwing:
      try inner { throw EncodingError.invalidValue(0, .init(codingPath: $0.codingPath, debugDescription: "odd")) }
    case .outerWhileInner:
      var outer = container
      try inner { encoder in
        var keys = encoder.container(keyedBy: Key.self)
        try keys.encode(1, forKey: .a)
        try outer.encode(3, forKey: .b)
      }
    case .outerInDictionary:
      var outer = container
      try container.encode(["x": Inner { _ in try outer.encode(3, forKey: .b) }], forKey: .inner)
    case .kept: Self.keep(container)
    case .counts:
      try inner { encoder in
        var list = encoder.unkeyedContainer()
        try list.encode(list.count)
        try list.encode([Int]())
        try list.encode(list.count)
      }
    case .optionals:
      try container.encodeIfPresent(URL?.none, forKey: .a)
      try container.encodeIfPresent([1: 2] as [Int: Int]?, forKey: .b)
      try container.encodeIfPresent("x" as String?, forKey: .inner)
    case .specialTypes:
      try container.encode(Data([1, 2]), forKey: .a)
      try container.encode(Decimal(1) / 3, forKey: .b)
      try container.encode(["a", "", "2026-11-21T15:30:00Z"], forKey: .list)
      try container.encode(URL(string: "b", relativeTo: URL(string: "https://example.com/a")), forKey: .inner)
    }
  }

  private static func keep(_ container: KeyedEncodingContainer<Key>) { OddCode.shelf.append(container) }
}

/// A value that is encoded by a closure.
private struct Inner: Encodable {
  let code: (any Encoder) throws -> Void
  func encode(to encoder: any Encoder) throws { try code(encoder) }
}

/// A text that says where it stands.
private struct PathText: Encodable, Hashable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(encoder.codingPath.map { "\(type(of: $0)) \($0.stringValue)" })
  }
}

private struct Nest: Encodable {
  let depth: Int
  init(_ depth: Int) { self.depth = depth }
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    if depth > 0 { try list.encode(Nest(depth - 1)) }
  }
}

extension [String: Int] {
  /// The same members as a value that is not a dictionary.
  fileprivate var unsorted: some Encodable {
    Inner { [sorted = sorted { $0.key < $1.key }] encoder in
      var container = encoder.container(keyedBy: PathKey.self)
      for (key, value) in sorted { try container.encode(value, forKey: PathKey(key)) }
    }
  }
}
