import Foundation
import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The file's content for a value that asks for nothing, and for one that is decoded through another type.
struct UnreadValueTests {
  /// A type without properties so far.
  private struct Nothing: Codable, Equatable {}

  private struct Look: Codable, Equatable {
    var theme = "light"
  }

  /// A type that decodes itself as another type.
  private struct Wrapped: Codable, Equatable {
    var look = Look()

    init() {}
    init(from decoder: any Decoder) throws { look = try decoder.singleValueContainer().decode(Look.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(look)
    }
  }

  /// A type that asks for nothing, and writes something.
  private struct Marker: Codable, Equatable {
    init() {}
    init(from decoder: any Decoder) {}
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode("marker")
    }
  }

  private struct Item: Record {
    let id: Int
    var nothing: Nothing?
  }

  private struct Desk: Model {
    var items = Table<Item>()
    var nothing = Nothing()
    var look: Look? = Look()
    var wrapped = Wrapped()
    var marker = Marker()
    var count = 0

    static let schema = Schema<Desk>(
      "desk", version: 1,
      Field("items", \.items),
      Field("nothing", \.nothing),
      Field("look", \.look),
      Field("wrapped", \.wrapped),
      Field("marker", \.marker),
      Field("count", \.count))
  }

  private static func bytes(_ content: String) -> [UInt8] {
    Array(#"{"snapshot":{"schema":"desk","version":1},"#.utf8) + Array(content.utf8) + Array("}".utf8)
  }

  @Test(arguments: [
    (#""nothing":{"theme":"dark"}"#, ["nothing.theme"]),
    (#""look":{"later":[1],"theme":"dark"}"#, ["look.later"]),
    (#""wrapped":{"later":[1],"theme":"dark"}"#, ["wrapped.later"]),
  ])
  func newerKeysAreKept(_ content: String, _ unknown: [String]) throws {
    let test = StoreUnderTest()
    test.bytes = Self.bytes(content)
    let store = try test.open(Desk.self, .manual)
    #expect(store.openReport?.unknownKeys.map(\.description) == unknown)
    try store.write { $0.count = 1 }
    try store.closeAndWait()
    let saved = String(decoding: try #require(test.bytes), as: UTF8.self)
    for part in content.split(separator: ",") {
      #expect(saved.contains(part.replacing(#/^"[a-z]+":\{/#, with: "").replacing("}", with: "")), "\(saved)")
    }
    #expect(
      try SnapshotFile.decode(Desk.self, from: test.bytes ?? [], options: ReadOptions(leavesOutUnknownKeys: true)).count
        == 1)
    #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Desk.self, from: test.bytes ?? []) }
    #expect(store.snapshot().value.allViolations() == [])
  }

  @Test func whatWouldBeDroppedIsRefused() {
    each([
      #""nothing":["theme"]"#, #""nothing":"theme""#, #""items":[{"id":1,"nothing":{"later":1}}]"#,
      #""items":[{"id":1,"nothing":[]}]"#,
    ]) { (content: String) throws in
      #expect(throws: SnapshotError.self) { try SnapshotFile.decode(Desk.self, from: Self.bytes(content)) }
      let test = StoreUnderTest()
      test.bytes = Self.bytes(content)
      #expect(throws: SnapshotError.self) { try test.open(Desk.self, .manual) }
    }
  }

  @Test func whatAValueWritesItCanRead() {
    each(FileFormat.allCases) { (format: FileFormat) throws in
      var desk = Desk()
      try desk.items.insert(Item(id: 1, nothing: Nothing()))
      let bytes = try SnapshotFile.encode(desk, as: format)
      #expect(try SnapshotFile.decode(Desk.self, from: bytes).isStoredLike(desk))
    }
  }
}
