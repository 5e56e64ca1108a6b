import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Other programs beside the journal of a value.
extension ValueStoreTests {
  /// A value without its initial one, as after a kill.
  func reopened<Value: SingleValue>(
    _ initial: Value, on disk: InMemoryFileSystem, recovery: Recovery = .none
  ) throws -> Store<ValueModel<Value>> {
    var options = StoreOptions(policy: .manual, journal: .beside(), recovery: recovery, externalChanges: .merge)
    options.log = { _ in }
    return try Store<ValueModel<Value>>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: ManualScheduler(),
      initial: ValueModel(initial))
  }

  /// It is told, because the other program may have changed the same.
  @Test func aChangeBackToTheInitialValueIsAChange() throws {
    let store = try open(Preferences(theme: "dark"), .exclusive, .beside())
    try store.write { preferences in
      preferences.theme = "light"
      preferences.fontSize = 15
    }
    try store.flushAndWait()
    let next = try reopened(Preferences(), on: diskWithoutBase(edit: ("\"recent\":[]", "\"recent\":[\"x\"]")))
    #expect(next.value == Preferences(fontSize: 15, theme: "light", recent: ["x"]))
    let told = next.openReport?.journal?.outcome?.conflicts.map(\.description)
    #expect(told == ["value, fontSize, theme: both changed it; ours was taken"])
  }

  struct Screen: Model {
    var settings = Preferences()
    static let schema = Schema("screen", version: 1, Field("settings", \Screen.settings))
  }

  /// A line has the whole of a single value that is not flattened. What it has left as it was does not undo an edit.
  /// Either may be the change, so both are reported.
  @Test func anEditOfASingleValueBesideAJournalStays() throws {
    let next = try besideALine({ $0.fontSize = 15 }, edit: ("\"light\"", "\"dark\""))
    #expect(next.settings == Preferences(fontSize: 15, theme: "dark"))
    #expect(
      told(next) == [
        "settings, fontSize: both changed it; ours was taken", "settings, theme: both changed it; theirs was taken",
      ])
  }

  /// An initial value is no proof that nothing was changed.
  @Test func aChangeBackToTheInitialValueIsTold() throws {
    let next = try besideALine(
      from: Preferences(theme: "dark"), { $0.theme = "light" }, edit: ("\"fontSize\":14", "\"fontSize\":16"))
    #expect(next.settings == Preferences(fontSize: 16, theme: "dark"))
    #expect(told(next) == ["settings, fontSize, theme: both changed it; theirs was taken"])
  }

  @Test func anEditBackToTheInitialValueIsTold() throws {
    let next = try besideALine(
      from: Preferences(theme: "dark"), { $0.fontSize = 15 }, edit: ("\"dark\"", "\"light\""))
    #expect(next.settings == Preferences(fontSize: 15, theme: "dark"))
    #expect(told(next) == ["settings, fontSize, theme: both changed it; ours was taken"])
  }

  @Test func anEditOfAnUnknownKeyOfASingleValueIsTold() throws {
    let plain = String(decoding: try SnapshotFile.encode(Screen(), as: .json), as: UTF8.self)
    test.bytes = Array(
      plain.replacing(/"checksum":\d+,\n/, with: "").replacing("\"theme\"", with: "\"extra\":1,\"theme\"").utf8)
    let next = try besideALine(
      from: Preferences(theme: "dark"), { $0.fontSize = 15 }, edit: ("\"extra\":1", "\"extra\":2"))
    #expect(next.settings == Preferences(fontSize: 15, theme: "dark"))
    #expect(
      told(next) == [
        "settings, extra: both changed it; ours was taken", "settings, fontSize: both changed it; ours was taken",
      ])
  }

  private func told(_ store: Store<Screen>) -> [String]? {
    store.openReport?.journal?.outcome?.conflicts.map(\.description)
  }

  /// A store whose file was edited beside a line, without a trace of what both were made from.
  private func besideALine(
    from first: Preferences = Preferences(), _ change: (inout Preferences) -> Void, edit: (String, String)
  ) throws -> Store<Screen> {
    var options = StoreOptions(policy: .manual, journal: .beside(), externalChanges: .merge)
    options.log = { _ in }
    func open(_ disk: InMemoryFileSystem) throws -> Store<Screen> {
      try .open(at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: ManualScheduler())
    }
    let store = try open(test.fileSystem)
    try store.write { $0.settings = first }
    try store.flushAndWait(folding: true)
    try store.write { change(&$0.settings) }
    try store.flushAndWait()
    return try open(try diskWithoutBase(edit: edit))
  }

  /// The files with the file edited, and without a trace of what it and its journal were made from.
  func diskWithoutBase(edit: (old: String, new: String)) throws -> InMemoryFileSystem {
    let disk = test.fileSystem.copyOfFiles()
    for path in disk.paths where path.contains(".generations/") { disk[path] = nil }
    let plain = String(decoding: try #require(disk[test.path]), as: UTF8.self)
    #expect(plain.contains(edit.old))
    let edited = plain.replacing(/"checksum":\d+,\n/, with: "").replacing(edit.old, with: edit.new)
    disk[test.path] = Array(edited.utf8)
    return disk
  }

  struct Named: Record {
    let id: String
    var count = 0
  }

  struct Names: Model {
    var names = Table<Named>()
    static let schema = Schema("names", version: 1, Field("names", \Names.names))
  }

  /// A conflict about a record whose id is an empty text is none about a single value.
  @Test func aConflictOfARecordWithoutANameIsTold() throws {
    var options = StoreOptions(policy: .manual, journal: .beside(), externalChanges: .merge)
    options.log = { _ in }
    func open(_ disk: InMemoryFileSystem) throws -> Store<Names> {
      try .open(at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: ManualScheduler())
    }
    let store = try open(test.fileSystem)
    try store.write { try $0.names.insert(Named(id: "", count: 1)) }
    try store.flushAndWait(folding: true)
    try store.write { try $0.names.update("") { $0.count = 2 } }
    try store.flushAndWait()
    let next = try open(diskWithoutBase(edit: ("\"count\":1", "\"count\":3")))
    #expect(next.openReport?.journal?.outcome?.conflicts.map(\.table) == ["names"])
  }

  /// `Codable` writes the constant, and never reads it.
  struct Titled: Codable, Equatable, Sendable {
    let version = 1
    var count = 0
    var title = ""

    enum CodingKeys: CodingKey { case version, count, title }
    init() {}
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      count = try container.decode(Int.self, forKey: .count)
      title = try container.decode(String.self, forKey: .title)
    }
  }

  @Test func aKeyThatIsOnlyWrittenIsMergedToo() throws {
    let (a, b) = (try open(Titled(), .shared, .beside()), try open(Titled(), .shared, .beside()))
    try a.write { $0.count = 1 }
    try a.flushAndWait()
    try b.write { $0.title = "x" }
    try b.flushAndWait()
    test.scheduler.advance(by: .seconds(30))
    a.checkFileAndWait()
    for store in [a, b] { #expect(store.count == 1 && store.title == "x") }
  }

  /// It has a key of its own only sometimes. Until then, what another program has there stays.
  struct Account: Codable, Equatable, Sendable {
    var isOn = false
    var token: String?

    enum CodingKeys: CodingKey { case isOn, token }
    init() {}
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      isOn = try container.decode(Bool.self, forKey: .isOn)
      if isOn { token = try container.decodeIfPresent(String.self, forKey: .token) }
    }
  }

  @Test func aPropertyThatIsNilAgainStaysNil() throws {
    try open(Account()).closeAndWait()
    edit("\"isOn\":false", "\"isOn\":false,\n\"token\":\"old\"")
    let store = try open(Account())
    try store.write { account in
      account.isOn = true
      account.token = "new"
    }
    try store.flushAndWait()
    try store.write { $0.token = nil }
    try store.closeAndWait()
    let value = try open(Account()).value
    #expect(value.isOn && value.token == nil)
  }

  /// A save that failed has written no key.
  @Test func aMemberStaysBehindASaveThatFailed() throws {
    try open(Account()).closeAndWait()
    edit("\"isOn\":false", "\"isOn\":false,\n\"token\":\"old\"")
    let store = try open(Account())
    try store.write { account in
      account.isOn = true
      account.token = "new"
    }
    test.fileSystem.injectFault { $0.name == "renameat" ? EIO : nil }
    #expect(throws: SnapshotError.self) { try store.flushAndWait() }
    test.fileSystem.injectFault(nil)
    try store.write { account in
      account.isOn = false
      account.token = nil
    }
    try store.closeAndWait()
    #expect(text.contains("\"token\":\"old\""))
  }

  // MARK: Damage

  /// A comma is damaged, and a property on each side.
  @Test func anArrayOnOneLineIsLostOrKeptAsAWhole() throws {
    let value = Preferences(fontSize: 20, theme: "dark", recent: ["first", "second"], windows: [.init()])
    try open(value).closeAndWait()
    let plain = text
    test.bytes = Array(plain.replacing("\"first\",", with: "\"first\";").utf8)
    var store = try open(Preferences(recent: ["initial"], windows: []), recovery: .salvage)
    #expect(store.value == Preferences(fontSize: 20, theme: "dark", recent: ["initial"], windows: value.windows))
    #expect(store.openReport?.losses.contains { $0.table == "recent" } == true)
    try store.closeAndWait()
    test.bytes = Array(plain.replacing("\"fontSize\":20", with: "\"fontSize\":2x0").utf8)
    store = try open(recovery: .salvage)
    #expect(store.value == Preferences(theme: "dark", recent: ["first", "second"], windows: value.windows))
  }

  // MARK: No file

  @Test func aFileWithoutAnInitialValueIsNotMade() throws {
    let folder = try TemporaryFolder()
    typealias Root = ValueModel<Preferences>
    #expect { try Store<Root>.open(at: folder.url("p.json")) } throws: { "\($0)".contains("Store.value(_:at:)") }
    #expect { try Store<Root>.update(at: folder.url("p.json")) { $0.fontSize = 1 } } throws: { error in
      (error as? SnapshotError)?.code == .fileNotFound
    }
    #expect(!FileManager.default.fileExists(atPath: folder.url("p.json").path))
    let store = try Store.value(Preferences(), at: folder.url("p.json"))
    try store.closeAndWait()
    try Store<Root>.update(at: folder.url("p.json")) { $0.fontSize = 1 }
    #expect(try Store<Root>.open(at: folder.url("p.json")).fontSize == 1)
  }
}
