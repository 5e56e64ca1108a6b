import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Another program reads the file, the store saves, and then the program writes its edit of the older version.
@Suite(.timeLimit(.minutes(30)))
struct StaleWriterTests {
  let test = StoreUnderTest()

  func open(_ policy: ExternalChange.Policy, keeping generations: Int = 0) throws -> Store<Pages> {
    var options = StoreOptions(policy: .manual)
    options.log = { _ in }
    options.externalChanges = policy
    options.generations = Generation.Policy(count: generations)
    return try test.open(Pages.self, options)
  }

  func write(_ pages: Pages) throws { test.bytes = try SnapshotFile.encode(pages, as: .json) }

  func texts(_ pages: Pages) -> [Int: String] {
    Dictionary(uniqueKeysWithValues: pages.pages.map { ($0.id, $0.text) })
  }

  /// A store that has saved one text twice, and what the file held in between.
  func storeAndOlderVersion(_ policy: ExternalChange.Policy) throws -> (store: Store<Pages>, older: Pages) {
    let store = try open(policy)
    try store.write { pages in
      for id in 1...2 { try pages.pages.insert(Page(id: id, text: "as it was at first", note: "of page \(id)")) }
    }
    try store.flushAndWait()
    let older: Pages = try test.stored(Pages.self)
    try store.write { try $0.pages.update(1) { $0.text = "saved by the store" } }
    try store.flushAndWait()
    return (store, older)
  }

  @Test func whatWasSavedMeanwhileStays() async throws {
    var (store, older) = try storeAndOlderVersion(.merge)
    try older.pages.update(2) { $0.text = "changed by a script" }
    try write(older)
    let theirs = test.bytes
    guard case .merged(let outcome, let kept?)? = await store.checkFile(), outcome.repaired == [] else {
      return #expect(Bool(false))
    }
    let conflicts = outcome.conflicts
    #expect(conflicts == [MergeConflict(table: "pages", id: "1", resolution: .tookOursOverOlder)])
    #expect(test.fileSystem[kept] == theirs)
    try await store.close()
    #expect(try texts(test.stored(Pages.self)) == [1: "saved by the store", 2: "changed by a script"])
    #expect(store.snapshot().value.allViolations() == [])
  }

  // The same record, but another property: both changes are there.
  @Test func propertiesOfOneRecordComeTogether() async throws {
    var (store, older) = try storeAndOlderVersion(.merge)
    try older.pages.update(1) { $0.note = "changed by a script" }
    try write(older)
    _ = await store.checkFile()
    #expect(store.read { $0.pages[1] } == Page(id: 1, text: "saved by the store", note: "changed by a script"))
    try await store.close()
  }

  // A restored old copy, or a program that only rewrites its input: they cannot be told apart. Ours stays, and theirs
  // is kept and named.
  @Test func anOlderVersionAsItWasIsKeptAside() async throws {
    let (store, older) = try storeAndOlderVersion(.merge)
    try write(older)
    guard case .merged(let outcome, let kept?)? = await store.checkFile(), outcome.repaired == [] else {
      return #expect(Bool(false))
    }
    let conflicts = outcome.conflicts
    #expect(conflicts.map(\.resolution) == [.tookOursOverOlder])
    #expect(try texts(SnapshotFile.decode(Pages.self, from: #require(test.fileSystem[kept]))) == texts(older))
    try await store.close()
    #expect(try texts(test.stored(Pages.self))[1] == "saved by the store")
  }

  // Nothing identifies the version that they have read, since they overwrote all differences.
  @Test func whatCannotBeToldApartIsAConflict() async throws {
    var (store, older) = try storeAndOlderVersion(.merge)
    try older.pages.update(1) { $0.text = "changed by a script" }
    try write(older)
    guard case .merged(let outcome, _?)? = await store.checkFile(), outcome.repaired == [] else {
      return #expect(Bool(false))
    }
    let conflicts = outcome.conflicts
    #expect(conflicts == [MergeConflict(table: "pages", id: "1", properties: ["text"], resolution: .tookOurs)])
    #expect(store.read { $0.pages[1]?.text } == "saved by the store")
    try await store.close()
  }

  // A value of the newest version shows that they have read it.
  @Test func aChangeOfTheNewestVersionIsTaken() async throws {
    let (store, _) = try storeAndOlderVersion(.merge)
    var newest: Pages = try test.stored(Pages.self)
    try newest.pages.update(1) { $0.note = "changed by a script" }
    try write(newest)
    guard case .merged(let outcome, nil)? = await store.checkFile(), outcome.conflicts == [], outcome.repaired == []
    else { return #expect(Bool(false)) }
    #expect(store.read { $0.pages[1] } == Page(id: 1, text: "saved by the store", note: "changed by a script"))
    try await store.close()
  }

  // So many saves later that the version is not remembered.
  @Test func aVersionThatWasEvictedIsNotGuessed() async throws {
    var (store, older) = try storeAndOlderVersion(.merge)
    for number in 0..<40 {
      try store.write { try $0.pages.update(number % 2 + 1) { $0.note = "save number \(number)" } }
      try store.flushAndWait()
    }
    try older.pages.insert(Page(id: 3, text: "added by a script"))
    try older.pages.update(2) { $0.text = "changed by a script" }
    try write(older)
    guard case .merged(let outcome, _?)? = await store.checkFile(), outcome.repaired == [] else {
      return #expect(Bool(false))
    }
    let conflicts = outcome.conflicts
    #expect(conflicts.map(\.id) == ["1", "2"])
    #expect(store.read { texts($0) } == [1: "saved by the store", 2: "as it was at first", 3: "added by a script"])
    try await store.close()
  }

  // They have read it before this store was opened, and a generation has that version.
  @Test func aGenerationIsRecognised() async throws {
    do {
      let store = try open(.merge, keeping: 3)
      try store.write { try $0.pages.insert(Page(id: 1, text: "as it was at first")) }
      try store.write { try $0.pages.insert(Page(id: 2, text: "something else")) }
      try await store.close()
    }
    var older: Pages = try test.stored(Pages.self)
    test.scheduler.advance(by: .seconds(7_200))
    do {
      let store = try open(.merge, keeping: 3)
      try store.write { try $0.pages.update(1) { $0.text = "saved by the store" } }
      try await store.close()
    }
    let store = try open(.merge, keeping: 3)
    try older.pages.update(2) { $0.text = "changed by a script" }
    try write(older)
    guard case .merged(let outcome, _?)? = await store.checkFile(), outcome.repaired == [] else {
      return #expect(Bool(false))
    }
    let conflicts = outcome.conflicts
    #expect(conflicts.map(\.resolution) == [.tookOursOverOlder])
    #expect(store.read { texts($0) } == [1: "saved by the store", 2: "changed by a script"])
    try await store.close()
  }

  // A file with almost none of the records was not made from this one.
  @Test func anotherFileRemovesNothing() async throws {
    let store = try open(.merge)
    try store.write { pages in
      for id in 1...20 { try pages.pages.insert(Page(id: id, text: "page number \(id)")) }
    }
    try store.flushAndWait()
    var other = Pages()
    for id in 15...40 { try other.pages.insert(Page(id: id, text: "of another file")) }
    try write(other)
    guard case .merged(let outcome, _?)? = await store.checkFile(), outcome.repaired == [] else {
      return #expect(Bool(false))
    }
    #expect(store.read { $0.pages.count } == 40)
    #expect(store.read { $0.pages[17]?.text } == "page number 17")
    try await store.close()
  }

  // Removed by one program, and made again by another that had read it long before.
  @Test func aFileThatIsMadeAgainRevertsNothing() async throws {
    var (store, older) = try storeAndOlderVersion(.merge)
    test.bytes = nil
    try older.pages.update(2) { $0.text = "changed by a script" }
    try write(older)
    try await store.close()
    #expect(try texts(test.stored(Pages.self)) == [1: "saved by the store", 2: "changed by a script"])
  }

  @Test func aReloadKeepsWhatTheFileLacks() async throws {
    var (store, older) = try storeAndOlderVersion(.reload)
    var newest: Pages = try test.stored(Pages.self)
    try newest.pages.update(2) { $0.text = "changed by an editor" }
    try write(newest)
    guard case .reloaded(nil)? = await store.checkFile() else { return #expect(Bool(false)) }
    try older.pages.update(2) { $0.text = "changed by a script" }
    try write(older)
    guard case .reloaded(let kept?)? = await store.checkFile() else { return #expect(Bool(false)) }
    #expect(store.read { texts($0) } == texts(older))
    #expect(
      try texts(SnapshotFile.decode(Pages.self, from: #require(test.fileSystem[kept])))[1] == "saved by the store")
    try await store.close()
  }

  // The store may be closed before it can notice anything.
  @Test(arguments: [true, false]) func closingLooksOnceMore(_ waits: Bool) async throws {
    var (store, older) = try storeAndOlderVersion(.merge)
    try older.pages.update(2) { $0.text = "changed by a script" }
    try write(older)
    if waits { try store.closeAndWait() } else { try await store.close() }
    #expect(try texts(test.stored(Pages.self)) == [1: "saved by the store", 2: "changed by a script"])
    #expect(test.openCount == 0)
  }

  // A remaining record keeps its unknown keys.
  @Test func unknownKeysStayWithTheirRecords() async throws {
    test.bytes = Array(
      #"{"snapshot":{"schema":"pages","version":1},"pages":[{"id":1,"text":"one","note":"","color":"red"}]}"#.utf8)
    let store = try open(.merge)
    try store.write { try $0.pages.update(1) { $0.text = "saved by the store" } }
    try write(Pages())
    guard case .merged(let outcome, _)? = await store.checkFile() else { return #expect(Bool(false)) }
    let conflicts = outcome.conflicts
    #expect(conflicts.map(\.resolution) == [.keptOurChange])
    try await store.close()
    #expect(String(decoding: try #require(test.bytes), as: UTF8.self).contains(#""color":"red""#))
  }

  // The program has read a version that is forgotten by now. What it does not have may have been removed since.
  @Test func aReloadOfAForgottenVersionKeepsWhatWasSaved() async throws {
    let store = try open(.reload)
    try store.write { for id in 1...2 { try $0.pages.insert(Page(id: id, text: "page \(id)", note: "")) } }
    try store.flushAndWait()
    let older = try #require(test.bytes)
    for step in 1...4 {
      test.scheduler.advance(by: .seconds(7_200))
      try store.write { pages in
        pages.pages.remove(2)
        if step.isMultiple(of: 2) {
          pages.pages.remove(9)
        } else {
          try pages.pages.insert(Page(id: 9, text: "", note: ""))
        }
      }
      try store.flushAndWait()
    }
    test.bytes = older
    guard case .reloaded(let kept?)? = await store.checkFile() else { return #expect(Bool(false)) }
    #expect(store.read { $0.pages.map(\.id) } == [1, 2])
    #expect(try SnapshotFile.decode(Pages.self, from: #require(test.fileSystem[kept])).pages.map(\.id) == [1])
    try await store.close()
  }
}
