import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Values that read other keys than they write, files that were edited beside a journal, and damaged files.
extension ValueStoreTests {
  /// `Codable` writes the constant, and never reads it.
  struct Constant: Codable, Equatable, Sendable {
    let version = 1
    var count = 0

    enum CodingKeys: CodingKey { case version, count }
    init() {}
    init(from decoder: any Decoder) throws {
      count = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)
    }
  }

  @Test(arguments: [JournalPolicy.none, .beside()]) func aKeyThatIsOnlyWrittenIsNoObstacle(
    _ journal: JournalPolicy
  ) throws {
    for count in 1...3 {
      let store = try open(Constant(), .exclusive, journal)
      #expect(store.openReport?.unknownKeys.isEmpty == true)
      try store.write { $0.count = count }
      try store.flushAndWait()
      try store.closeAndWait()
    }
    #expect(text.contains("\"version\":1,\n\"count\":3}"))
  }

  /// It reads its details only of one kind.
  struct Shape: Codable, Equatable, Sendable {
    var kind = "circle"
    var details: [String]?

    enum CodingKeys: CodingKey { case kind, details }
    init(kind: String, details: [String]? = nil) { (self.kind, self.details) = (kind, details) }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      kind = try container.decode(String.self, forKey: .kind)
      if kind == "polygon" { details = try container.decode([String].self, forKey: .details) }
    }
  }

  @Test func aKeyThatIsReadSometimesIsWrittenOnce() throws {
    try open(Shape(kind: "polygon", details: ["a"])).closeAndWait()
    edit("polygon", "circle")
    let store = try open(Shape(kind: "x"))
    try store.write { $0.value = Shape(kind: "polygon", details: ["b", "c"]) }
    try store.closeAndWait()
    #expect(try open(Shape(kind: "x")).value == Shape(kind: "polygon", details: ["b", "c"]))
  }

  struct OldName: Codable, Equatable, Sendable { var oldName = "a" }

  /// The key has another name now.
  struct Renamed: Codable, Equatable, Sendable {
    var name = ""

    enum CodingKeys: CodingKey { case name, oldName }
    init(name: String) { self.name = name }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let old = try container.decodeIfPresent(String.self, forKey: .oldName)
      name = try old ?? container.decode(String.self, forKey: .name)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
    }
  }

  /// A fold without types would bring the old name back.
  @Test func anOldKeyIsGoneWithTheFirstSave() throws {
    try open(OldName()).closeAndWait()
    let store = try open(Renamed(name: ""), .exclusive, .beside())
    try store.write { $0.name = "b" }
    try store.flushAndWait()
    let content = try test.fileSystem.readJournaled(at: FileLocation(test.path, on: test.fileSystem), limit: .max)
    let folded = try content.folded(ReadLimits(), path: test.path)
    #expect(try SnapshotFile.decode(ValueModel<Renamed>.self, from: folded).name == "b")
    let size = test.bytes
    try store.write { $0.name = "c" }
    try store.flushAndWait()
    #expect(test.bytes == size, "the next one is a line again")
  }

  /// It looks through all keys, and takes those with its prefix.
  struct Shortcuts: Codable, Equatable, Sendable {
    var keys: [String] = []

    struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    init() {}
    init(from decoder: any Decoder) throws {
      let names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
      keys = names.filter { $0.hasPrefix("key.") }.sorted()
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      for key in keys { try container.encode(true, forKey: Name(stringValue: key)) }
    }
  }

  @Test func aTableIsKeptByAValueThatLooksAtAllKeys() throws {
    let store = try open(Shortcuts())
    try store.write { $0.keys = ["key.a"] }
    try store.closeAndWait()
    edit("\"key.a\":true", "\"books\":[\n{\"id\":1}\n],\n\"key.a\":true")
    let next = try open(Shortcuts())
    #expect(next.keys == ["key.a"])
    try next.write { $0.keys.append("key.b") }
    try next.closeAndWait()
    #expect(text.contains("\"books\":[\n{\"id\":1}\n]") && !text.contains("\"values\""))
  }

  /// What no line names is as in the edited file, also if its base is lost.
  @Test func anEditBesideAJournalStays() throws {
    let store = try open(Preferences(theme: "blue", recent: ["a"]), .exclusive, .beside())
    try store.write { $0.fontSize = 15 }
    try store.flushAndWait()
    let next = try reopened(Preferences(), on: diskWithoutBase(edit: ("blue", "a red of one's own")))
    #expect(next.value == Preferences(fontSize: 15, theme: "a red of one's own", recent: ["a"]))
  }

  // MARK: Damage

  @Test func oneDamagedPropertyLosesNoOther() throws {
    try open(Preferences(fontSize: 20, theme: "dark")).closeAndWait()
    test.bytes = Array(text.replacing("\"fontSize\":20", with: "\"fontSize\":2.5").utf8)
    let store = try open(recovery: .salvage)
    #expect(store.value == Preferences(theme: "dark"))
    #expect(store.openReport?.losses.contains { $0.kind == .value && $0.table == "fontSize" } == true)
    let damaged = try #require(store.openReport?.damagedFile)
    let salvaged = try Salvaged<Reader>(of: #require(test.fileSystem[damaged]))
    #expect(salvaged.value.preferences == Preferences(theme: "dark"))
    let older = SnapshotContent(Reader(preferences: Preferences(fontSize: 19, theme: "light")))
    #expect(try salvaged.filled(from: older).content.value.preferences == Preferences(fontSize: 19, theme: "dark"))
  }

  @Test func aDamagedArrayIsLostAsAWhole() throws {
    try open(Preferences(fontSize: 20, recent: ["first", "second"])).closeAndWait()
    test.bytes = Array(text.replacing("\"second\"", with: "\"second").utf8)
    let store = try open(Preferences(recent: ["initial"]), recovery: .salvage)
    #expect(store.recent == ["initial"] && store.fontSize == 20)
    #expect(store.openReport?.losses.contains { $0.table == "recent" } == true)
  }

  @Test func aDamagedHeaderLosesNoProperty() throws {
    try open(Preferences(fontSize: 20, theme: "dark", recent: ["a"])).closeAndWait()
    test.bytes = Array(text.replacing("\"schema\":\"value\"", with: "\"sch").utf8)
    let salvage = Salvage<ValueModel<Preferences>>(
      bytes: try #require(test.bytes), limits: ReadLimits(), defaults: try ValueModel(Preferences()).flattenedDefaults()
    )
    #expect(try salvage.run().value.value == Preferences(fontSize: 20, theme: "dark", recent: ["a"]))
  }

  @Test func aPropertyThatIsMissingInADamagedFileIsALoss() throws {
    try open(Preferences(fontSize: 20, theme: "dark")).closeAndWait()
    test.bytes = Array(text.replacing("\"theme\":\"dark\",\n", with: "").utf8)
    let store = try open(recovery: .salvage)
    #expect(store.value == Preferences(fontSize: 20))
    #expect(store.openReport?.losses.contains { $0.table == "theme" } == true)
  }

  // MARK: Declarations

  @Test func aValueThatMayBeNilIsRefused() throws {
    #expect { try open(Preferences?.none) } throws: { "\($0)".contains("may be nil") }
    #expect { try open(Preferences?.some(Preferences())) } throws: { "\($0)".contains("may be nil") }
    #expect(test.bytes == nil)
  }

  struct Whole: Model {
    var reader = Reader()
    static let schema = Schema<Whole>("value", version: 1, Field(part: \.reader))
  }

  @Test func aFlattenedFieldOfAPartTraps() async {
    await #expect(processExitsWith: .failure) { _ = Whole.schema }
  }
}
