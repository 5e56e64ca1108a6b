import Foundation
import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// What a way into a store has made of a change.
struct WayResult {
  var book: OrderBook
  var conflicts: [MergeConflict] = []
  /// Whether the change was refused with a reason.
  var isRefused = false
  /// The origins of the transactions, in order. Empty if there was no store.
  var origins: [Origin] = []
  /// What is left when everything is undone. Nil if there was no store.
  var undone: OrderBook?
  /// The content of the file. Nil if there is none.
  var file: SnapshotContent<OrderBook>?
  /// The books in other files beside the file.
  var kept: [OrderBook] = []
}

/// A way in which a change comes into a store, beside a change that is there already.
struct WayIn: Sendable, CustomTestStringConvertible {
  typealias Change = @Sendable (inout OrderBook) throws -> Void

  let name: String
  /// Whether the change was in the store before, and was undone.
  var isUndo = false
  /// Whether it can only add records and change them.
  var onlyPuts = false
  /// Whether only dates and tombstones tell what a side has changed. Where these are missing, ours is taken.
  var hasNoBase = false
  /// The origin of the transaction that brings the change in. Nil if there is no store.
  var origin: Origin?
  /// How many labels have a colour in the end. The file of the store has one, and that of another program two.
  var colours: Int?
  /// Whether a change that is refused is in a file already, so that it must be kept.
  var keepsRefused = false
  let run: @Sendable (_ change: @escaping Change, _ beside: @escaping Change) async throws -> WayResult

  var testDescription: String { name }

  static let all = [
    write, block, scratchpad, imported, undo, redo, external(.merge), external(.reload), shared, untypedShared,
    journal, command, contents, copies,
  ]

  private static func result(
    _ store: Store<OrderBook>, _ witness: Witness, _ change: () throws -> [MergeConflict]
  ) -> WayResult {
    do {
      let conflicts = try change()
      return witness.result(conflicts: conflicts)
    } catch {
      return witness.result(isRefused: true)
    }
  }

  static func filled(_ beside: Change) throws -> Store<OrderBook> {
    let store = Store(try OrderBook.filled())
    try store.write(beside)
    return store
  }

  /// What a program without the rules makes of a book.
  static func edited(_ book: OrderBook, _ change: Change) throws -> OrderBook {
    var book = book
    try change(&book)
    return book
  }

  static let write = WayIn(name: "write", origin: .local) { change, beside in
    let store = try filled(beside)
    return result(store, Witness(of: store)) {
      try store.write(change)
      return []
    }
  }

  static let block = WayIn(name: "background block", origin: .local) { change, beside in
    let store = Store(try OrderBook.filled())
    let witness = Witness(of: store)
    let isFirst = SmallLock(true)
    do {
      try await store.performBackground { book in
        try change(&book)
        let isNow = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if !isNow { return }
        let ended = DispatchSemaphore(value: 0)
        Thread {
          #expect(throws: Never.self) { try store.write(beside) }
          ended.signal()
        }.start()
        ended.wait()
      }
      return witness.result()
    } catch {
      return witness.result(isRefused: true)
    }
  }

  static let scratchpad = WayIn(name: "scratchpad", origin: .local) { change, beside in
    let store = Store(try OrderBook.filled())
    let witness = Witness(of: store)
    let pad = store.scratchpad()
    try pad.write(change)
    try store.write(beside)
    return result(store, witness) { try pad.commit(policy: .ours).conflicts }
  }

  static let imported = WayIn(name: "import", onlyPuts: true, origin: .local) { change, beside in
    let store = Store(try OrderBook.filled())
    let witness = Witness(of: store)
    let start = store.read { $0 }
    let items = try edited(start, change).items.changes(from: start.items).compactMap(\.after)
    return result(store, witness) {
      try store.importRecords(items, into: \.items, batch: 1) { count in if count == 1 { try store.write(beside) } }
      return []
    }
  }

  static let undo = WayIn(name: "undo", isUndo: true, origin: .undo) { change, beside in
    let start = try OrderBook.filled()
    // The change is in the store, is reverted by a step, and comes back by its undo.
    let store = Store(start)
    do { try store.write(change) } catch { return WayResult(book: store.read { $0 }, isRefused: true) }
    let history = UndoHistory(of: store, excluding: ["other"])
    let witness = Witness(of: store)
    try store.write { $0 = $0.replacingTables(with: start) }
    try store.write(origin: "other", beside)
    return result(store, witness) { try history.undo()?.conflicts ?? [] }
  }

  static let redo = WayIn(name: "redo", isUndo: true, origin: .undo) { change, beside in
    let store = Store(try OrderBook.filled())
    let history = UndoHistory(of: store, excluding: ["other"])
    let witness = Witness(of: store)
    do { try store.write(change) } catch { return WayResult(book: store.read { $0 }, isRefused: true) }
    _ = try history.undo()
    try store.write(origin: "other", beside)
    return result(store, witness) { try history.redo()?.conflicts ?? [] }
  }
}
