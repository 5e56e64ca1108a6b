import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A store of one `Codable` value, whose properties are members of the file.
final class ValueStoreTests: Sendable {
  struct Preferences: Codable, Equatable, Sendable {
    struct Window: Codable, Equatable, Sendable { var (width, height) = (800, 600) }

    var fontSize = 14
    var theme = "light"
    var recent: [String] = []
    var windows = [Window()]
    var nickname: String?
  }

  private typealias Root = ValueModel<Preferences>

  let test = StoreUnderTest()
  private let reports = SmallLock<[ExternalChange]>([])

  func open<Value: SingleValue>(
    _ initial: Value = Preferences(), _ access: StoreAccess = .exclusive, _ journal: JournalPolicy = .none,
    recovery: Recovery = .none
  ) throws -> Store<ValueModel<Value>> {
    var options = StoreOptions(
      policy: .manual, access: access, journal: journal, recovery: recovery, externalChanges: .merge)
    options.log = { _ in }
    options.onExternalChange = { [self] change in reports.withLock { $0.append(change) } }
    return try Store<ValueModel<Value>>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: test.fileSystem, scheduler: test.scheduler,
      initial: ValueModel(initial))
  }

  var text: String { String(decoding: test.bytes ?? [], as: UTF8.self) }

  private func look(_ store: Store<Root>) {
    test.scheduler.advance(by: .seconds(30))
    store.checkFileAndWait()
  }

  /// Another program changes the text of the file.
  func edit(_ old: String, _ new: String) {
    #expect(text.contains(old))
    let edited = text.replacing(/"checksum":\d+,\n/, with: "").replacing(old, with: new)
    test.bytes = Array(edited.utf8)
  }

  @Test func theFileIsPlain() throws {
    let store = try open(Preferences(recent: ["b", "a"]))
    try store.write { preferences in
      preferences.fontSize += 1
      preferences.windows[0].width = 900
    }
    try store.closeAndWait()
    #expect(
      text.replacing(/\d{5,}/, with: "…") == """
        {"snapshot":{"checksum":…,
        "schema":"value","version":1,"values":["recent","windows"]},
        "fontSize":15,
        "theme":"light",
        "recent":["b","a"],
        "windows":[{"width":900,"height":600}]}

        """)
    #expect(try open().fontSize == 15)
  }

  @Test(arguments: FileFormat.allCases) func everyFormatHasTheValue(_ format: FileFormat) throws {
    let value = Preferences(fontSize: 9, theme: "dark", recent: ["x"], windows: [], nickname: "é\n")
    let bytes = try SnapshotFile.encode(ValueModel(value), as: format)
    #expect(try SnapshotFile.decode(Root.self, from: bytes).value == value)
    let untyped = try SnapshotFile.decodeContent(UntypedModel.self, from: bytes)
    #expect(try SnapshotFile.decode(Root.self, from: SnapshotFile.encode(untyped, as: .json)).value == value)
  }

  @Test func oneLineOpensAndReopensAFile() async throws {
    let folder = try TemporaryFolder()
    for count in 1...2 {
      let preferences = try Store.value(Preferences(), at: folder.url("preferences.plist"))
      try preferences.write { $0.fontSize += 1 }
      #expect(preferences.fontSize == 14 + count)
      try await preferences.close()
    }
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: folder.url("preferences.plist")), format: nil)
    #expect((list as? [String: Any])?["fontSize"] as? Int == 16)
  }

  /// A property is newer than the file. One that is nil has no key, and stays nil.
  @Test func aMissingPropertyIsAsInTheInitialValue() throws {
    let store = try open(Preferences(nickname: "x"))
    try store.write { $0.nickname = nil }
    try store.closeAndWait()
    edit("\"theme\":\"light\",\n", "")
    let value = try open(Preferences(theme: "dark", nickname: "y")).value
    #expect(value == Preferences(theme: "dark", nickname: nil))
    #expect { try test.stored(Root.self) } throws: { error in
      guard let error = error as? SnapshotError else { return false }
      return error.code == .missingKey && "\(error)".contains("Store.value(_:at:)") && !"\(error)".contains(": :")
    }
  }

  @Test(arguments: [JournalPolicy.none, .beside()]) func whatTheValueDoesNotReadStays(_ journal: JournalPolicy) throws {
    try open().closeAndWait()
    edit("\"theme\"", "\"more\":{\"a\":[1]},\n\"notes\":[{\"id\":2}],\n\"theme\"")
    let store = try open(Preferences(), .exclusive, journal)
    try store.write { $0.fontSize = 20 }
    try store.flushAndWait()
    try store.write { $0.theme = "dark" }
    try store.closeAndWait()
    #expect(text.contains("\"fontSize\":20,\n\"theme\":\"dark\""))
    #expect(text.contains("\"more\":{\"a\":[1]}") && text.contains("\"notes\":[\n{\"id\":2}\n]"))
    #expect(text.contains("\"values\":[\"recent\",\"windows\"]"))
  }

  /// A line has what has changed. What is gone needs a new file.
  @Test func theJournalHasTheProperties() throws {
    let store = try open(Preferences(nickname: "x"), .exclusive, .beside())
    let before = text
    try store.write { $0.recent.append("a") }
    try store.flushAndWait()
    let journal = String(decoding: test.fileSystem["/dir/.store.json.journal"] ?? [], as: UTF8.self)
    #expect(journal.contains("\"set\":{\"recent\":[\"a\"]}"))
    #expect(text == before)
    let copy = test.fileSystem.copyOfFiles()
    let location = try FileLocation(test.path, on: copy)
    let folded = try copy.readJournaled(at: location, limit: .max).folded(ReadLimits(), path: test.path)
    #expect(try SnapshotFile.decode(Root.self, from: folded).value == Preferences(recent: ["a"], nickname: "x"))
    try store.write { $0.nickname = nil }
    try store.flushAndWait()
    #expect(try test.stored(Root.self).value == Preferences(recent: ["a"]))
  }

  @Test(arguments: [JournalPolicy.none, .beside()]) func storesMergeByProperty(_ journal: JournalPolicy) throws {
    let (a, b) = (try open(Preferences(), .shared, journal), try open(Preferences(), .shared, journal))
    try a.write { $0.fontSize = 20 }
    try b.write { $0.theme = "dark" }
    try a.flushAndWait()
    try b.flushAndWait()
    look(a)
    for store in [a, b] { #expect(store.value == Preferences(fontSize: 20, theme: "dark")) }
    #expect(reports.withLock { $0.isEmpty })
    try a.write { $0.fontSize = 21 }
    try b.write { $0.fontSize = 22 }
    try a.flushAndWait()
    try b.flushAndWait()
    look(a)
    for store in [a, b] { #expect(store.fontSize == 22) }
    let told = reports.withLock { $0.compactMap(\.logLine) }
    #expect(told.contains { $0.contains("value, fontSize: both changed it; ours was taken") }, "\(told)")
  }

  @Test func anEditOfTheFileIsMerged() throws {
    let store = try open()
    try store.write { $0.theme = "a theme of one's own" }
    edit("\"fontSize\":14", "\"fontSize\":31")
    try store.flushAndWait()
    #expect(store.value == Preferences(fontSize: 31, theme: "a theme of one's own"))
    #expect(try test.stored(Root.self).value == store.value)
  }

  @Test func changesAreUndone() throws {
    let store = try open()
    let undos = UndoHistory(of: store)
    try undos.perform("larger") { $0.fontSize = 20 }
    try store.write { $0.theme = "dark" }
    #expect(try undos.undo() != nil)
    #expect(store.value == Preferences(fontSize: 20))
    #expect(try undos.undo() != nil)
    #expect(store.value == Preferences())
  }

  // MARK: Bad input

  @Test func aDamagedFileKeepsWhatIsReadable() throws {
    try open(Preferences(fontSize: 20, theme: "dark", recent: ["x"])).closeAndWait()
    test.bytes = test.bytes?.dropLast(50)
    #expect(throws: SnapshotError.self) { try open() }
    let store = try open(Preferences(nickname: "y"), recovery: .salvage)
    #expect(store.fontSize == 20 && store.theme == "dark" && store.windows == [.init()])
    let losses = store.openReport?.losses.map { "\($0)" } ?? []
    #expect(losses.contains { $0.contains("windows") } && !losses.contains { $0.contains("theme") }, "\(losses)")
  }

  @Test func aPropertyOfAnotherTypeIsNamed() throws {
    try open().closeAndWait()
    edit("\"fontSize\":14", "\"fontSize\":[14]")
    #expect { try open() } throws: { ($0 as? SnapshotError)?.dataPath == "fontSize" }
  }

  @Test func theModelsOfTablesAndOfValuesAreToldApart() throws {
    try open().closeAndWait()
    #expect { try test.open(Counters.self) } throws: { error in
      "\(error)".contains("schema “value”, not “counters”") && "\(error)".contains("Store.value(_:at:)")
    }
    test.bytes = try SnapshotFile.encode(Counters(), as: .json)
    #expect { try open() } throws: { "\($0)".contains("schema “counters”, not “value”") }
  }

  private struct Header: Codable, Equatable, Sendable { var snapshot = 1 }

  @Test func whatCannotBeAFileIsRefused() throws {
    #expect { try open([1, 2]) } throws: { "\($0)".contains("has no named properties") }
    #expect { try open(Header()) } throws: { "\($0)".contains("“snapshot”, which is the name of the header") }
    #expect(test.bytes == nil)
  }

  // MARK: Growth

  struct Reader: Model {
    var preferences = Preferences()
    var books = Table<Counter>()
    static let schema = Schema<Reader>(
      "value", version: 1,
      Field("preferences", \.preferences).flattened(),
      Field("books", \.books))
  }

  @Test func theFileOfAValueGetsTables() throws {
    try open(Preferences(fontSize: 20)).closeAndWait()
    let store: Store<Reader> = try test.open()
    #expect(store.preferences.fontSize == 20)
    try store.write { reader in
      reader.preferences.theme = "dark"
      try reader.books.insert(Counter(id: 1, value: 1))
    }
    try store.closeAndWait()
    #expect(text.contains("\"theme\":\"dark\"") && text.contains("\"books\":[\n{\"id\":1,\"value\":1}\n]"))
    let old = try open()
    try old.write { $0.fontSize = 21 }
    try old.closeAndWait()
    let newer = try test.stored(Reader.self)
    #expect(newer.preferences == Preferences(fontSize: 21, theme: "dark") && newer.books.count == 1)
  }
}
