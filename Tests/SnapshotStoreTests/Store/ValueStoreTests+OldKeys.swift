import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// The value of a damaged file that has properties under old keys.
extension ValueStoreTests {
  /// A lost property that the older version has under its old key.
  @Test func aLostPropertyIsFilledFromItsOldKey() throws {
    let old = try open(OldNote(), .exclusive)
    try old.write { $0.oldName = "a" }
    try old.closeAndWait()
    let older = try SnapshotFile.decodeContent(ValueModel<NewNote>.self, from: #require(test.fileSystem[test.path]))
    let text = String(decoding: try SnapshotFile.encode(older, as: .json), as: UTF8.self)
    #expect(text.contains("\"name\":\"a\""))
    let salvaged = try Salvaged<ValueModel<NewNote>>(
      of: Array(text.replacing("\"name\":\"a\"", with: "\"name\":5").utf8))
    #expect(salvaged.value.value.name == "")
    #expect(try salvaged.filled(from: older).content.value.value.name == "a")
  }

  /// A property that was read from its old key is not lost, so an older version does not replace it.
  @Test func aPropertyOfAnOldKeyIsNotLost() throws {
    func file(_ name: String) throws -> String {
      let note = ValueModel(OldNote(size: 7, oldName: name))
      return String(decoding: try SnapshotFile.encode(note, as: .json), as: UTF8.self)
    }
    let older = try SnapshotFile.decodeContent(ValueModel<NewNote>.self, from: Array(file("a").utf8))
    // The checksum does not match.
    let damaged = try file("b").replacing("\"size\":7", with: "\"size\":8")
    let salvaged = try Salvaged<ValueModel<NewNote>>(of: Array(damaged.utf8))
    let filled = try salvaged.filled(from: older).content.value.value
    #expect(filled.name == "b" && filled.size == 8)
  }

  /// Another property, which is missing in the file, is lost nevertheless.
  @Test(arguments: [false, true]) func aPropertyBesideAnOldKeyIsLost(isBroken: Bool) throws {
    let older = ValueModel(NewNote(size: 7, name: "a"))
    let text = String(
      decoding: try SnapshotFile.encode(ValueModel(OldNote(size: 8, oldName: "b")), as: .json), as: UTF8.self)
    let damaged = text.replacing("\"size\":8", with: "").replacing(",\n\n", with: "\n").replacing(",\n}", with: "\n}")
    let salvaged = try Salvage<ValueModel<NewNote>>(
      bytes: Array((isBroken ? damaged + "]" : damaged).utf8), limits: ReadLimits(),
      defaults: ValueModel(NewNote()).flattenedDefaults()
    ).run()
    let filled = try salvaged.filled(from: SnapshotContent(older)).content.value.value
    #expect(filled.name == "b" && filled.size == 7)
  }

  /// The same if the type itself has a value for a property that is missing.
  @Test func aPropertyThatMayBeMissingIsLostBesideAnOldKey() throws {
    let text = String(
      decoding: try SnapshotFile.encode(ValueModel(OldNote(size: 8, oldName: "b")), as: .json), as: UTF8.self)
    let damaged = text.replacing("\"size\":8", with: "").replacing(",\n\n", with: "\n").replacing(",\n}", with: "\n}")
    let salvaged = try Salvage<ValueModel<LenientNote>>(
      bytes: Array(damaged.utf8), limits: ReadLimits(), defaults: ValueModel(LenientNote()).flattenedDefaults()
    ).run()
    let filled = try salvaged.filled(from: SnapshotContent(ValueModel(LenientNote(size: 7, name: "a")))).content.value
    #expect(filled.name == "b" && filled.size == 7)
  }

  /// A property with its initial value is no loss if an old key has it.
  @Test func anEmptyPropertyOfAnOldKeyIsNotLost() throws {
    let text = String(
      decoding: try SnapshotFile.encode(ValueModel(OldNote(size: 8, oldName: "")), as: .json), as: UTF8.self)
    let salvaged = try Salvaged<ValueModel<NewNote>>(of: Array(text.replacing("\"size\":8", with: "\"size\":9").utf8))
    let filled = try salvaged.filled(from: SnapshotContent(ValueModel(NewNote(size: 7, name: "a")))).content.value
    #expect(filled.name == "" && filled.size == 9)
  }

  /// Nor is one of a type that needs its old key where the new one is missing.
  @Test func aPropertyOfANeededOldKeyIsNotLost() throws {
    let text = String(
      decoding: try SnapshotFile.encode(ValueModel(OldNote(size: 8, oldName: "b")), as: .json), as: UTF8.self)
    let salvaged = try Salvaged<ValueModel<StrictNote>>(
      of: Array(text.replacing("\"size\":8", with: "\"size\":9").utf8))
    let filled = try salvaged.filled(from: SnapshotContent(ValueModel(StrictNote(size: 7, name: "a")))).content.value
    #expect(filled.name == "b" && filled.size == 9)
  }

  /// Nor is one of a type that asks for the new key, and prefers the old one.
  @Test func aPropertyOfAPreferredOldKeyIsNotLost() throws {
    let text = String(
      decoding: try SnapshotFile.encode(ValueModel(OldNote(size: 8, oldName: "b")), as: .json), as: UTF8.self)
    let salvaged = try Salvage<ValueModel<PreferringNote>>(
      bytes: Array(text.replacing("\"size\":8", with: "\"size\":9").utf8), limits: ReadLimits(),
      defaults: ValueModel(PreferringNote()).flattenedDefaults()
    ).run()
    let filled = try salvaged.filled(from: SnapshotContent(ValueModel(PreferringNote(size: 7, name: "a"))))
    #expect(filled.content.value.name == "b" && filled.content.value.size == 9)
  }

  private typealias StrictNote = RenamedNote<Strict>
  private typealias PreferringNote = RenamedNote<Preferring>
  private typealias LenientNote = RenamedNote<Lenient>
}

/// How a type reads the name that it had under another key.
private protocol NameReading: Sendable {
  typealias Container = KeyedDecodingContainer<ValueStoreTests.NewNote.CodingKeys>

  static func size(_ container: Container) throws -> Int
  static func name(_ container: Container) throws -> String
}

extension NameReading {
  static func size(_ container: Container) throws -> Int { try container.decode(Int.self, forKey: .size) }
}

private enum Strict: NameReading {
  static func name(_ container: Container) throws -> String {
    if let new = try container.decodeIfPresent(String.self, forKey: .name) { return new }
    return try container.decode(String.self, forKey: .oldName)
  }
}

private enum Preferring: NameReading {
  static func name(_ container: Container) throws -> String {
    let new = try container.decode(String.self, forKey: .name)
    return try container.decodeIfPresent(String.self, forKey: .oldName) ?? new
  }
}

private enum Lenient: NameReading {
  static func size(_ container: Container) throws -> Int {
    try container.decodeIfPresent(Int.self, forKey: .size) ?? 1
  }

  static func name(_ container: Container) throws -> String {
    let new = try container.decodeIfPresent(String.self, forKey: .name)
    return try container.decodeIfPresent(String.self, forKey: .oldName) ?? new ?? ""
  }
}

private struct RenamedNote<Reading: NameReading>: Codable, Equatable, Sendable {
  var size: Int
  var name: String

  init(size: Int = 1, name: String = "") { (self.size, self.name) = (size, name) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ValueStoreTests.NewNote.CodingKeys.self)
    (size, name) = (try Reading.size(container), try Reading.name(container))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ValueStoreTests.NewNote.CodingKeys.self)
    try container.encode(size, forKey: .size)
    try container.encode(name, forKey: .name)
  }
}
