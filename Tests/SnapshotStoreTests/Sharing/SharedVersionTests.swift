import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Programs of different versions share a file.
final class SharedVersionTests: Sendable {
  struct Old: Model {
    var books = Table<Book>()
    static let schema = Schema<Old>("shelf", version: 1, Field("books", \.books))

    struct Book: Record {
      let id: Int
      var title: String
    }
  }

  /// The same version of the schema, with a key and a table more.
  struct Wider: Model {
    var books = Table<Book>()
    var loans = Table<Counter>()
    static let schema = Schema<Wider>("shelf", version: 1, Field("books", \.books), Field("loans", \.loans))

    struct Book: Record {
      let id: Int
      var title: String
      var pages: Int?
    }
  }

  struct Newer: Model {
    var books = Table<Wider.Book>()
    static let schema = Schema<Newer>(
      "shelf", version: 2,
      Field("books", \.books),
      migrations: [Migration("pages", to: 2) { _ in }])
  }

  let test = StoreUnderTest()
  let reports = SmallLock<[ExternalChange]>([])

  func open<Root: Model>(_ type: Root.Type, _ journal: JournalPolicy) throws -> Store<Root> {
    var options = StoreOptions(policy: .manual, access: .shared, journal: journal, externalChanges: .merge)
    options.log = { _ in }
    options.onExternalChange = { [weak self] change in self?.reports.withLock { $0.append(change) } }
    return try test.open(type, options)
  }

  func settle() { test.scheduler.advance(by: .seconds(3)) }

  @Test func whatAProgramDoesNotKnowStays() async throws {
    for journal in [JournalPolicy.beside(), .none] {
      let world = SharedVersionTests()
      let (old, wide) = (try world.open(Old.self, journal), try world.open(Wider.self, journal))
      try wide.write { value in
        try value.books.insert(Wider.Book(id: 1, title: "Emma", pages: 474))
        try value.loans.insert(Counter(id: 7, value: 1))
      }
      try await wide.flush()
      world.settle()
      #expect(old.read { $0.books[1]?.title } == "Emma")
      try old.write { value in
        try value.books.update(1) { $0.title = "Emma, annotated" }
        try value.books.insert(Old.Book(id: 2, title: "Persuasion"))
      }
      try wide.write { try $0.books.update(1) { $0.pages = 500 } }
      try await old.flush()
      world.settle()
      #expect(wide.read { $0.books[1]?.pages } == 500)
      try await wide.flush()
      world.settle()
      try old.write { try $0.books.update(2) { $0.title = "Sanditon" } }
      try await old.flush(folding: true)
      try await old.close()
      try await wide.close()
      let stored = try world.test.stored(Wider.self)
      #expect(stored.books.map(\.title) == ["Emma, annotated", "Sanditon"])
      #expect(stored.books[1]?.pages == 500)
      #expect(stored.loans[7]?.value == 1)
      #expect(world.reports.withLock { $0.isEmpty })
    }
  }

  /// A newer program opens an older version in place of a damaged file. The lines that it cannot use are counted.
  @Test func linesBesideADamagedFileOfAnOlderVersionAreCounted() throws {
    let old = try test.open(Old.self, StoreOptions.journaled())
    for id in 1...3 {
      try old.write { try $0.books.insert(Old.Book(id: id, title: "Emma")) }
      try old.flushAndWait(folding: id < 3)
    }
    let disk = test.fileSystem.copyOfFiles()
    try old.closeAndWait()
    disk[test.path] = Array("{".utf8)
    var options = StoreOptions.journaled()
    options.recovery = .generations
    let store = try Store<Newer>.open(
      at: URL(fileURLWithPath: test.path), options: options, fileSystem: disk, scheduler: ManualScheduler())
    #expect(store.openReport?.source != .file)
    #expect(store.openReport?.journal?.lostLines == 1)
    try store.closeAndWait()
  }

  /// The older program is told once, keeps its changes, and does not read the file with each save of the other.
  @Test func anOlderProgramDoesNotSaveOverANewerVersion() async throws {
    for journal in [JournalPolicy.beside(), .none] {
      let world = SharedVersionTests()
      let old = try world.open(Old.self, journal)
      try old.write { try $0.books.insert(Old.Book(id: 1, title: "Emma")) }
      try await old.flush()
      let newer = try world.open(Newer.self, journal)
      #expect(newer.read { $0.books[1]?.title } == "Emma")
      try newer.write { try $0.books.update(1) { $0.pages = 474 } }
      try await newer.flush()
      world.settle()
      try old.write { try $0.books.update(1) { $0.title = "Emma, annotated" } }
      let error = await #expect(throws: SnapshotError.self) { try await old.flush() }
      #expect(error?.code == .newerVersion)
      #expect(old.read { $0.books[1]?.title } == "Emma, annotated")
      #expect(old.status.isDirty)
      let told = world.reports.withLock { $0 }
      guard case .unreadable(let reason)? = told.first else {
        Issue.record("\(told)")
        return
      }
      #expect(reason.code == .newerVersion && told.count == 1)
      guard case .unreadable? = await old.checkFile() else {
        Issue.record("the program is not told when it asks")
        return
      }
      try newer.write { try $0.books.insert(Wider.Book(id: 3, title: "Sanditon")) }
      try await newer.flush(folding: true)
      try await newer.close()
      #expect(try world.test.stored(Newer.self).books.map(\.pages) == [474, nil])
      #expect(throws: SnapshotError.self) { try world.open(Old.self, journal) }
    }
  }
}
