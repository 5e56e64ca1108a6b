import Foundation
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// A file that was edited by hand, where there is no value to settle it against. Most of these are exceptions of the
/// gate: the file is taken as it is, and `check` names what is wrong.
struct WholeFileTests {
  /// A way in which a file becomes the value of a store or the file of one.
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether the rules run on all of it.
    var runsRules = false
    /// Whether its content replaces that of a file in place, as an edit.
    var isEdit = false
    /// Whether it is only looked at.
    var isRefused = false
    let run: @Sendable (_ edited: OrderBook) async throws -> WayResult

    var testDescription: String { name }

    static let all = [opened, migrated, salvaged, restored, keptOurs]

    static let opened = Way(name: "opening") { edited in
      let test = StoreUnderTest()
      test.bytes = try edited.file()
      let store = try test.open(OrderBook.self, .manual)
      try store.write { try $0.orders.update(2) { $0.note = "saved" } }
      var result = WayResult(book: store.read { $0 })
      try await store.close()
      result.add(test.path, in: test.fileSystem)
      return result
    }

    static let migrated = Way(name: "migration", runsRules: true) { edited in
      let folder = try TemporaryFolder()
      let url = folder.url("book.json")
      try Data(edited.oldFile()).write(to: url)
      #expect(try SnapshotFile.migrate(OrderBook.self, at: url)?.from == 1)
      var result = WayResult(book: try SnapshotFile.readContent(at: url).value)
      try result.add(url)
      // The older version is kept byte for byte.
      let kept = try #require(try SnapshotFile.generations(of: url).first)
      #expect(try Data(contentsOf: kept.url) == Data(edited.oldFile()))
      return result
    }

    /// An item is lost.
    static let salvaged = Way(name: "salvage", runsRules: true) { edited in
      var edited = edited
      try edited.items.insert(OrderBook.Item(id: 9, order: 2, price: 9))
      let text = String(decoding: try edited.file(), as: UTF8.self).replacing("\"id\":9,", with: "\"id\":\"nine\",")
      let salvaged = try Salvaged<OrderBook>(of: Array(text.utf8))
      #expect(salvaged.losses.contains { $0.kind == .record })
      return WayResult(book: salvaged.value, file: salvaged.content)
    }

    static let restored = Way(name: "a generation", isEdit: true) { edited in
      let folder = try TemporaryFolder()
      let url = folder.url("book.json")
      try Data(edited.file()).write(to: url)
      // Keeps the edited file as a generation.
      try SnapshotFile.change(UntypedModel.self, at: url) { content in
        content = try SnapshotFile.decodeContent(from: OrderBook.filled().file())
      }
      let generation = try #require(try SnapshotFile.generations(of: url).first)
      #expect(try SnapshotFile.restore(generation, as: OrderBook.self, at: url) == nil)
      var result = WayResult(book: try SnapshotFile.readContent(at: url).value)
      try result.add(url)
      #expect(try result.kept.contains { $0.hasSameRecords(as: try OrderBook.filled()) })
      return result
    }

    static let keptOurs = Way(name: "a store that keeps its own value", isRefused: true) { edited in
      let test = StoreUnderTest()
      test.bytes = try OrderBook.filled().file()
      var options = StoreOptions(policy: .manual)
      options.externalChanges = .keepOurs
      let store = try test.open(OrderBook.self, options)
      test.bytes = try edited.file()
      guard case .replaced(let kept)? = await store.checkFile() else { throw CancellationError() }
      #expect(test.fileSystem[kept] == (try edited.file()))
      var result = WayResult(book: store.read { $0 })
      try await store.close()
      result.add(test.path, in: test.fileSystem)
      return result
    }
  }

  private func edited(_ change: (inout OrderBook) throws -> Void) throws -> OrderBook {
    var book = try OrderBook.filled()
    try change(&book)
    return book
  }

  @Test(arguments: Way.all) func derivedValues(_ way: Way) async throws {
    let result = try await way.run(edited { try $0.setPrice(1, 10) })
    let total = way.isRefused || !way.runsRules ? 3 : 12
    #expect(result.book.orders[1]?.total == total)
    #expect(result.book.items[1]?.price == (way.isRefused ? 1 : 10))
    // What “check” says.
    let settled = try SnapshotContent(result.book).settledAnew().value
    #expect(settled.orders[1]?.total == (way.isRefused ? 3 : 12))
  }

  @Test(arguments: Way.all) func validations(_ way: Way) async throws {
    let result = try await way.run(edited { try $0.setPrice(1, -5) })
    #expect(result.book.allViolations() == (way.isRefused ? [] : ["items 1: the price is -5"]))
  }

  @Test(arguments: Way.all) func references(_ way: Way) async throws {
    let result = try await way.run(edited { try $0.remarks.insert(OrderBook.Remark(id: 7, item: 70)) })
    #expect(result.book.remarks.contains(7) != way.isRefused)
    #expect(result.book.allViolations().count == (way.isRefused ? 0 : 1))
  }

  /// Without a value before, nothing tells that a record was there.
  @Test(arguments: Way.all) func tombstones(_ way: Way) async throws {
    let result = try await way.run(
      edited {
        $0.items.remove(2)
        $0.remarks.remove(2)
      })
    #expect(result.book.items.ids.contains(2) == way.isRefused)
    #expect(result.book.deletedItems.contains(2) == way.isEdit)
    #expect(result.book.deletedRemarks.contains(2) == way.isEdit)
  }

  /// What comes back outlives its tombstone.
  @Test(arguments: Way.all) func dates(_ way: Way) async throws {
    let result = try await way.run(edited { try $0.setPrice(1, 10) })
    let changed = try #require(result.book.items[1]?.changed)
    #expect((changed > OrderBook.start) == way.isEdit)
  }

  @Test(arguments: Way.all) func unknownKeys(_ way: Way) async throws {
    let result = try await way.run(edited { try $0.setPrice(1, 10) })
    #expect(result.file?.unknownKeys.map(\.description) == ["labels.colour, in 1 record"])
  }
}

extension OrderBook {
  /// The bytes of the book in the first version of its schema.
  fileprivate func oldFile() throws -> [UInt8] {
    let text = String(decoding: try file(), as: UTF8.self)
      .replacing("\"version\":\(Self.schema.version)", with: "\"version\":1")
    let content = try SnapshotFile.decodeContent(
      UntypedModel.self, from: Array(text.utf8), options: ReadOptions(acceptsChecksumMismatch: true))
    return try SnapshotFile.encode(content, as: .json)
  }
}
