import Foundation
import SnapshotStore

/// Arrays in arrays.
struct Nest: Codable, Equatable, Sendable {
  var inner: [Nest]

  init(depth: Int) { inner = depth > 1 ? [Nest(depth: depth - 1)] : [] }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    inner = []
    while !container.isAtEnd { inner.append(try container.decode(Nest.self)) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for nest in inner { try container.encode(nest) }
  }
}

struct NestRecord: Record {
  let id: Int
  var nest: Nest
}

struct NestModel: Model {
  var items = Table<NestRecord>()
  static let schema = Schema<NestModel>("nests", version: 1, Field("items", \.items))

  init() {}
  init(depth: Int) throws { try items.insert(NestRecord(id: 1, nest: Nest(depth: depth))) }
}

/// Nested containers, each opened by hand in the one before.
struct HandNest: Record {
  let id: Int
  var depth: Int
  var isKeyed: Bool

  private enum Key: CodingKey { case id, nest, isKeyed }

  init(id: Int, depth: Int, isKeyed: Bool) { (self.id, self.depth, self.isKeyed) = (id, depth, isKeyed) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(Int.self, forKey: .id)
    isKeyed = try container.decode(Bool.self, forKey: .isKeyed)
    depth = 1
    if isKeyed {
      var nest = try container.nestedContainer(keyedBy: Key.self, forKey: .nest)
      while nest.contains(.nest) {
        nest = try nest.nestedContainer(keyedBy: Key.self, forKey: .nest)
        depth += 1
      }
    } else {
      var nest = try container.nestedUnkeyedContainer(forKey: .nest)
      while !nest.isAtEnd {
        nest = try nest.nestedUnkeyedContainer()
        depth += 1
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(isKeyed, forKey: .isKeyed)
    if isKeyed {
      var nest = container.nestedContainer(keyedBy: Key.self, forKey: .nest)
      for _ in 1..<depth { nest = nest.nestedContainer(keyedBy: Key.self, forKey: .nest) }
    } else {
      var nest = container.nestedUnkeyedContainer(forKey: .nest)
      for _ in 1..<depth { nest = nest.nestedUnkeyedContainer() }
    }
  }
}

struct HandModel: Model {
  var items = Table<HandNest>()
  static let schema = Schema<HandModel>("hands", version: 1, Field("items", \.items))
}

/// A tree whose leaves hold scalars of types that encode themselves.
struct Tree: Codable, Equatable, Sendable {
  var children: [Tree]?
  var colors: [Color]?
  var levels: [Level]?
  var uuids: [UUID]?
  var gaps: [String?]?
}

struct TreeRecord: Record {
  let id: Int
  var children: [Tree]
}

struct TreeModel: Model {
  var items = Table<TreeRecord>()
  static let schema = Schema<TreeModel>("trees", version: 1, Field("items", \.items))
}
