import Foundation
import SnapshotStore
import SnapshotStoreTesting
import Testing

@testable import TestSupport

// The example of the documentation, as in an app's own tests.

struct Book: Record {
  let id: Int
  var title: String
}

struct Shelf: Model {
  var books = Table<Book>()

  static let schema = Schema<Shelf>("shelf", version: 1, Field("books", \.books))
}

/// The app under test: it adds a book per second, and flushes after the tenth.
struct ReadingApp {
  let store: Store<Shelf>
  let clock: ManualClock
  /// The number of books when a flush returned.
  var flushed = 0

  init(on disk: SimulatedDisk, _ clock: ManualClock) throws {
    var options = StoreOptions()
    // After a crash it is expected that the last changes were not saved.
    options.log = { _ in }
    store = try Store<Shelf>.open(at: URL(fileURLWithPath: "/shelf.json"), options: options, on: disk, clock: clock)
    self.clock = clock
  }

  mutating func use() async throws {
    for id in 1...20 {
      try store.write { try $0.books.insert(Book(id: id, title: "Volume \(id)")) }
      if id == 10 {
        try await store.flush()
        flushed = 10
      }
      clock.advance(by: .seconds(1))
    }
  }
}

struct CrashExampleTests {
  /// The number of books that the next launch finds; nil if there is no file.
  private func books(on disk: SimulatedDisk) throws -> Int? {
    guard disk[URL(fileURLWithPath: "/shelf.json")] != nil else { return nil }
    let store = try Store<Shelf>.open(at: URL(fileURLWithPath: "/shelf.json"), on: disk)
    defer { try? store.closeAndWait() }
    return store.read { $0.books.count }
  }

  @Test func whatWasFlushedIsThereAfterEveryCrash() async throws {
    var crashes = 0
    for disk in SimulatedDisk.crashingAtEveryCall() {
      var app = try? ReadingApp(on: disk, ManualClock())
      try? await app?.use()
      for state in disk.possibleStatesAfterCrash(atMost: Proofs.pick(full: 20, quick: 3)) {
        let books = try books(on: state)
        #expect(books ?? 0 >= app?.flushed ?? 0)
        #expect(books != nil || app == nil, "the app was open, so there is a file")
        crashes += 1
      }
    }
    #expect(crashes > 100)
  }

  @Test func atMostFiveSecondsAreLost() throws {
    let disk = SimulatedDisk()
    let clock = ManualClock()
    let store = try Store<Shelf>.open(at: URL(fileURLWithPath: "/shelf.json"), on: disk, clock: clock)
    // There is never half a second of quiet, so the maximum delay applies.
    for id in 1...100 {
      try store.write { try $0.books.insert(Book(id: id, title: "Volume \(id)")) }
      clock.advance(by: .milliseconds(100))
      for state in disk.possibleStatesAfterCrash(atMost: 4) {
        let books = try #require(try books(on: state))
        #expect(id - books <= 50, "more than five seconds are lost")
      }
    }
  }

  @Test func aFullDiskLosesNothingOnceThereIsSpaceAgain() async throws {
    let disk = SimulatedDisk()
    let clock = ManualClock()
    let store = try Store<Shelf>.open(at: URL(fileURLWithPath: "/shelf.json"), on: disk, clock: clock)
    disk.fail(.write, with: ENOSPC)
    try store.write { try $0.books.insert(Book(id: 1, title: "On Growth and Form")) }
    clock.advance(by: .seconds(60))
    #expect(store.status.lastError?.systemError == ENOSPC)
    disk.repair()
    clock.advance(by: .seconds(30))
    #expect(!store.status.isDirty)
    disk.crash()
    for state in disk.possibleStatesAfterCrash() { #expect(try books(on: state) == 1) }
  }
}
