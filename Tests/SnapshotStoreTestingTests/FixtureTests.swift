import Foundation
import SnapshotNotebook
import SnapshotStore
import Testing

@testable import SnapshotStoreTesting

/// Stores from fixtures, and stores compared with them.
@Suite final class FixtureTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "fixture-tests-\(UUID().uuidString)")
  private var url: URL { folder.appending(path: "shelf.json") }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(Book(id: 1, title: "Molloy"), Book(id: 2, title: "Watt"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func shelf(_ books: Book...) throws -> Shelf {
    var shelf = Shelf()
    shelf.books = try Table(books)
    return shelf
  }

  private func write(_ books: Book...) throws {
    var shelf = Shelf()
    shelf.books = try Table(books)
    try SnapshotFile.write(SnapshotFile.encode(shelf, as: .json), to: url)
  }

  private func failure(_ body: () throws -> Void) -> FixtureFailure? {
    #expect(throws: FixtureFailure.self) { try body() }
  }

  @Test func aCopyInMemory() throws {
    let before = try Data(contentsOf: url)
    let store = try Store<Shelf>(fixture: url)
    #expect(store.url == nil)
    try store.write { try $0.books.insert(Book(id: 3, title: "Murphy")) }
    #expect(store.read { $0.books.count } == 3)
    #expect(try Data(contentsOf: url) == before)
    #expect(throws: SnapshotError.self) { try Store<Shelf>(fixture: self.folder.appending(path: "none.json")) }
  }

  @Test func readOnlyStoresOfOneFixture() throws {
    let (a, b) = (try Store<Shelf>.open(fixture: url), try Store<Shelf>.open(fixture: url))
    #expect(a.read { $0.books.count } == 2)
    #expect(b.read { $0.books.count } == 2)
    #expect(throws: SnapshotError.self) { try a.write { $0.books.removeAll() } }
    try a.closeAndWait()
    try b.closeAndWait()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["shelf.json"])
  }

  @Test func theEnvironmentAsksForRecording() {
    #expect(FixtureRecording.isAskedFor(in: ["SNAPSHOT_RECORD_FIXTURES": "1"]))
    #expect(!FixtureRecording.isAskedFor(in: ["SNAPSHOT_RECORD_FIXTURES": "0"]))
    #expect(!FixtureRecording.isAskedFor(in: [:]))
  }

  @Test func aStoreThatMatches() throws {
    let store = try Store<Shelf>(fixture: url)
    try verify(store, matches: url)
    try store.write { try $0.books.upsert(Book(id: 2, title: "Watt")) }
    try verify(store, matches: url)
  }

  @Test func aStoreThatDoesNotMatch() throws {
    let store = try Store<Shelf>(fixture: url)
    try store.write { shelf in
      try shelf.books.update(1) { $0.title = "Malone" }
      shelf.books.remove(2)
      try shelf.books.insert(Book(id: 3, title: "Murphy"))
    }
    let before = try Data(contentsOf: url)
    let failure = try #require(failure { try verify(store, matches: self.url) })
    guard case .differs(let difference) = failure.reason else { return #expect(Bool(false), "\(failure)") }
    #expect(difference.summary == "1 new, 1 gone, 1 changed")
    #expect("\(failure)".contains("\n~ books 1\n    title: \"Molloy\" → \"Malone\"\n- books 2\n"))
    #expect("\(failure)".contains(url.path))
    #expect(failure.localizedDescription == failure.description)
    #expect(try Data(contentsOf: url) == before)
  }

  // Equal by `==`, but not in the file.
  @Test func anotherUnicodeFormDoesNotMatch() throws {
    try write(Book(id: 1, title: "\u{E9}"))
    let failure = failure { try verify(try Self.shelf(Book(id: 1, title: "e\u{301}")), matches: self.url) }
    #expect(failure.map { "\($0)".contains("Unicode") } == true)
  }

  @Test func recordingFailsOnce() throws {
    let shelf = try Self.shelf(Book(id: 7, title: "Krapp"))
    let recorded = try #require(failure { try verify(shelf, matches: self.url, record: true) })
    #expect("\(recorded)".contains("was recorded"))
    #expect("\(recorded)".contains("+ books 7"))
    try verify(shelf, matches: url)
    // A recording that changes nothing fails as well: it compares nothing.
    #expect(failure { try verify(shelf, matches: self.url, record: true) } != nil)
    let list = folder.appending(path: "new.plist")
    let missing = try #require(failure { try verify(shelf, matches: list) })
    #expect("\(missing)".contains("SNAPSHOT_RECORD_FIXTURES"))
    #expect(failure { try FixtureRecording(isOn: true).verify(shelf, matches: list) } != nil)
    #expect(try String(contentsOf: list, encoding: .utf8).hasPrefix("<?xml"))
    try verify(shelf, matches: list)
  }

  @Test func recordingMakesTheFolder() throws {
    let new = folder.appending(path: "a/b/shelf.json")
    let shelf = try Self.shelf(Book(id: 7, title: "Krapp"))
    #expect(failure { try verify(shelf, matches: new, record: true) } != nil)
    try verify(shelf, matches: new)
  }

  // A fixture of a program with a newer schema can be opened in both ways.
  @Test func whatTheSchemaDoesNotKnow() throws {
    let text =
      #"{"snapshot":{"schema":"shelf","version":1},"books":[{"id":1,"title":"Watt","color":"red"}],"more":[1]}"#
    try Data(text.utf8).write(to: url)
    #expect(try Store<Shelf>(fixture: url).read { $0.books.count } == 1)
    let store = try Store<Shelf>.open(fixture: url)
    #expect(store.read { $0.books.count } == 1)
    #expect(store.openReport?.unknownKeys.count == 2)
    try store.closeAndWait()
  }

  // An unreadable fixture is overwritten only on request.
  @Test func aBrokenFixture() throws {
    try Data("{".utf8).write(to: url)
    let shelf = try Self.shelf()
    #expect(throws: SnapshotError.self) { try verify(shelf, matches: self.url) }
    #expect(try Data(contentsOf: url) == Data("{".utf8))
    #expect(failure { try verify(shelf, matches: self.url, record: true) } != nil)
    try verify(shelf, matches: url)
  }

  @Test func notebooksWithFixedSources() throws {
    let clock = ManualClock()
    func notebook() throws -> Notebook {
      var notebook = Notebook(sources: .fixed { clock.now })
      let tag = notebook.tag(named: "Plays")
      try notebook.addNote(text: "Endgame", tags: [tag.id])
      return notebook
    }
    let (first, second) = (try notebook(), try notebook())
    let url = folder.appending(path: "notes.json")
    _ = failure { try verify(first, matches: url, record: true) }
    try verify(second, matches: url)
    #expect(first.notes.map(\.id) == [1000])
    #expect(first.notes[1000]?.creationDate == Date(timeIntervalSinceReferenceDate: 788_961_600))
    clock.advance(by: .seconds(90))
    #expect(try notebook().notes[1000]?.creationDate == Date(timeIntervalSinceReferenceDate: 788_961_690))
  }
}
