import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A replaced file beside a journal with content that the program does not know.
extension ReplacedFileTests {
  private typealias Wide = SharedVersionTests.Wider
  private typealias Old = SharedVersionTests.Old

  /// A fold may have removed what a line has put.
  @Test func anUnknownRecordThatAFoldMayHaveRemovedIsTold() throws {
    let disk = try disk(
      { (value: inout Wide) in try value.books.insert(Wide.Book(id: 1, title: "Emma")) },
      line: { try $0.loans.insert(Counter(id: 7, value: 1)) },
      fold: { value in
        value.loans.remove(7)
        try value.books.insert(Wide.Book(id: 2, title: "Persuasion"))
      },
      edit: { try $0.books.insert(Wide.Book(id: 3, title: "Sanditon")) })
    let store = try Store<Old>.open(
      at: URL(fileURLWithPath: Self.path), options: .journaled(), fileSystem: disk, scheduler: ManualScheduler())
    #expect(store.snapshot().value.books.map(\.id) == [1, 2, 3])
    #expect(
      store.openReport?.journal?.outcome?.conflicts
        == [MergeConflict(table: "loans", id: "", resolution: .keptOurChange)])
    try store.closeAndWait()
    #expect(try SnapshotFile.decode(Wide.self, from: #require(disk[Self.path])).loans.map(\.id) == [7])
  }

  /// The generation is no proof for lines of an older version either.
  @Test func linesOfAnOlderVersionThatAFoldMayHaveUndoneAreRefused() throws {
    let book = { (id: Int) in Old.Book(id: id, title: "Emma") }
    let disk = try disk(
      { (value: inout Old) in for id in 1...2 { try value.books.insert(book(id)) } },
      line: { $0.books.remove(2) }, fold: { for id in 2...3 { try $0.books.insert(book(id)) } },
      edit: { try $0.books.insert(book(10)) }, isBaseKept: true)
    let error = #expect(throws: SnapshotError.self) {
      try Store<SharedVersionTests.Newer>.open(
        at: URL(fileURLWithPath: Self.path), options: .journaled(), fileSystem: disk, scheduler: ManualScheduler())
    }
    #expect(error?.code == .foreignJournal)
  }

  private struct Trip: Record {
    var place: String
    var days = 1
    var id: String { place.lowercased() }
  }

  /// The shelf with a table whose ids are under no key.
  private struct Travels: Model {
    var books = Table<Old.Book>()
    var trips = Table<Trip>()
    static let schema = Schema<Travels>("shelf", version: 1, Field("books", \.books), Field("trips", \.trips))
  }

  /// Such a table is one value. It is neither cut to the lines, nor are they left out.
  @Test(arguments: [false, true]) func aTableWithoutIDsGetsTheLines(isRemoved: Bool) throws {
    let test = StoreUnderTest()
    let wide = try test.open(Travels.self, .journaled())
    try wide.write { for place in ["Bath", "Lyme", "Rome"] { try $0.trips.insert(Trip(place: place)) } }
    try wide.flushAndWait(folding: true)
    try wide.write { value in
      if isRemoved { value.trips.remove("lyme") } else { try value.trips.insert(Trip(place: "Ulm")) }
    }
    try wide.flushAndWait()
    let disk = test.fileSystem.copyOfFiles()
    try wide.closeAndWait()
    for path in disk.paths where path.contains(".generations/") { disk[path] = nil }
    var edited: Travels = try SnapshotFile.decode(from: #require(disk[Self.path]))
    try edited.books.insert(Old.Book(id: 1, title: "Emma"))
    disk[Self.path] = try SnapshotFile.encode(edited, as: .json)
    let store = try Store<Old>.open(
      at: URL(fileURLWithPath: Self.path), options: .journaled(), fileSystem: disk, scheduler: ManualScheduler())
    #expect(store.openReport?.journal?.outcome?.conflicts == [])
    try store.closeAndWait()
    let stored = try SnapshotFile.decode(Travels.self, from: #require(disk[Self.path]))
    #expect(stored.trips.map(\.place).sorted() == (isRemoved ? ["Bath", "Rome"] : ["Bath", "Lyme", "Rome", "Ulm"]))
    #expect(stored.books.count == 1)
  }

  /// The shelf with an array that is a single value.
  private struct Tagged: Model {
    var books = Table<Old.Book>()
    var tags = ["a"]
    static let schema = Schema<Tagged>("shelf", version: 1, Field("books", \.books), Field("tags", \.tags))
  }

  /// Such an array has no records. The line and the edit are in conflict.
  @Test func anUnknownArrayThatBothHaveChangedIsTold() throws {
    let test = StoreUnderTest()
    let wide = try test.open(Tagged.self, .journaled())
    try wide.flushAndWait(folding: true)
    try wide.write { $0.tags = ["b"] }
    try wide.flushAndWait()
    let disk = test.fileSystem.copyOfFiles()
    try wide.closeAndWait()
    for path in disk.paths where path.contains(".generations/") { disk[path] = nil }
    var edited: Tagged = try SnapshotFile.decode(from: #require(disk[Self.path]))
    edited.tags = ["c"]
    disk[Self.path] = try SnapshotFile.encode(edited, as: .json)
    let store = try Store<Old>.open(
      at: URL(fileURLWithPath: Self.path), options: .journaled(), fileSystem: disk, scheduler: ManualScheduler())
    #expect(
      store.openReport?.journal?.outcome?.conflicts == [MergeConflict(table: "tags", id: "", resolution: .tookOurs)])
    try store.closeAndWait()
  }
}
