import Foundation
import Testing

@testable import SnapshotStore

/// What the code of a record may do while it is read from the bytes of JSON, although it is read again from items.
@Suite(.serialized) struct TapeUserCodeTests {
  /// A container that a value has kept gives its values after the file has been read, and any value twice.
  @Test func aContainerThatIsKept() throws {
    let root: KeeperModel = try decode(
      "keepers",
      #"{"id":1,"name":"Anna \u0041 with a name of many letters, ä","age":7}"#,
      #"{"id":2,"name":"Bert, whose name is as long as that of Anna","age":8.5}"#)
    #expect(Shelf.kept.count == 4)
    for container in Shelf.kept {
      let id = try container.decode(Int.self, forKey: .id)
      let name = try container.decode(String.self, forKey: .name)
      #expect(name.hasPrefix(id == 1 ? "Anna A with" : "Bert, whose"))
      #expect(try container.decode(Double.self, forKey: .age) == (id == 1 ? 7 : 8.5))
      #expect(throws: DecodingError.self) { try container.decode(Bool.self, forKey: .name) }
      #expect(throws: DecodingError.self) { try container.decode([String].self, forKey: .name) }
    }
    Shelf.kept = []
    #expect(root.items.count == 2)
  }

  /// The keys of a path have the types of the containers, so that a cast of them succeeds.
  @Test func pathsHaveTheKeysOfTheTypes() throws {
    Shelf.paths = []
    let root: PathModel = try decode(
      "paths", #"{"id":1,"inner":{"leaf":"a","leaves":["b"]}}"#, #"{"id":2,"inner":{"leaf":"c","leaves":[]}}"#)
    #expect(root.items.map(\.inner.leaf.text) == ["a", "c"])
    #expect(
      Shelf.paths == ["inner.leaf", "inner.leaves.0", "inner.leaf", "inner.leaves.0", "inner.leaf", "inner.leaf"])
  }

  /// An error that a value catches has the kind, the text and the path that it has from items.
  @Test func errorsThatAreCaught() throws {
    Shelf.caught = []
    let records = [
      #"{"id":1,"text":true,"number":"x","date":"never","list":[1,"b"],"small":300}"#,
      #"{"id":2,"text":[],"number":null,"date":{},"list":{"a":1},"small":1.5}"#,
      #"{"id":3,"text":{},"number":[],"date":true,"list":[],"small":"1"}"#,
      #"{"id":4,"number":false,"date":"2026-13-01T00:00:00Z","list":null,"small":-1}"#,
    ]
    for record in records {
      let root: LenientModel = try decode("lenient", record)
      #expect(root.items.count == 1)
      let (bytes, items) = (Shelf.caught.prefix(Shelf.caught.count / 2), Shelf.caught.suffix(Shelf.caught.count / 2))
      #expect(bytes.count >= 5)
      #expect(Array(bytes) == Array(items), "\(record)")
      Shelf.caught = []
    }
  }

  private func decode<Root: Model>(_ schema: String, _ records: String...) throws -> Root {
    let text =
      #"{"snapshot":{"schema":"\#(schema)","version":1},"items":["# + "\n" + records.joined(separator: ",\n") + "\n]}\n"
    return try SnapshotFile.decode(
      Root.self, from: Array(text.utf8), options: ReadOptions(acceptsChecksumMismatch: true, threads: 1))
  }
}

/// What records have told the tests. The tests of the suite are serial.
private enum Shelf {
  nonisolated(unsafe) static var kept: [KeyedDecodingContainer<Keeper.Key>] = []
  nonisolated(unsafe) static var paths: [String] = []
  nonisolated(unsafe) static var caught: [String] = []
}

private struct Keeper: Record {
  enum Key: CodingKey { case id, name, age }
  let id: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(Int.self, forKey: .id)
    let name = try container.decode(String.self, forKey: .name)
    #expect(try container.decode(String.self, forKey: .name) == name)
    _ = try container.decode(Double.self, forKey: .age)
    Shelf.kept.append(container)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
  }
}

private struct KeeperModel: Model {
  var items = Table<Keeper>()
  static let schema = Schema<KeeperModel>("keepers", version: 1, Field("items", \.items))
}

/// A text that asks where it stands.
private struct Leaf: Codable, Equatable, Sendable {
  var text: String

  init(from decoder: any Decoder) throws {
    let keys = decoder.codingPath
    #expect(keys.first is Pathfinder.CodingKeys && keys.dropFirst().first is Inner.CodingKeys)
    Shelf.paths.append(keys.map(\.stringValue).joined(separator: "."))
    text = try decoder.singleValueContainer().decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

private struct Inner: Codable, Equatable, Sendable {
  enum CodingKeys: CodingKey { case leaf, leaves }
  var leaf: Leaf
  var leaves: [Leaf]
}

private struct Pathfinder: Record {
  enum CodingKeys: CodingKey { case id, inner }
  let id: Int
  var inner: Inner
}

private struct PathModel: Model {
  var items = Table<Pathfinder>()
  static let schema = Schema<PathModel>("paths", version: 1, Field("items", \.items))
}

/// Notes every error and goes on.
private struct Lenient: Record {
  enum CodingKeys: CodingKey { case id, text, number, date, list, small }
  let id: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    func note(_ read: () throws -> Void) {
      do {
        try read()
      } catch {
        Shelf.caught.append("\(error)")
      }
    }
    note { _ = try container.decode(String.self, forKey: .text) }
    note { _ = try container.decode(Double.self, forKey: .number) }
    note { _ = try container.decode(Date.self, forKey: .date) }
    note { _ = try container.decode([String].self, forKey: .list) }
    note { _ = try container.decode(UInt8.self, forKey: .small) }
    note { _ = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .small) }
    note {
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      while true { _ = try list.decode(Bool.self) }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
  }
}

private struct LenientModel: Model {
  var items = Table<Lenient>()
  static let schema = Schema<LenientModel>("lenient", version: 1, Field("items", \.items))
}
