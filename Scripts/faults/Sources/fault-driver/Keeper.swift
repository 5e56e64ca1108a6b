import Foundation
import SnapshotNotebook
import SnapshotStore

/// The keeper of the file: the library's store, or one that cheats.
protocol Keeper {
  /// The content of the file, with the changes since.
  var notebook: Notebook { get }
  /// Whether all changes are reported as durable.
  var isDurable: Bool { get }
  /// The error of the last save, if it failed.
  var lastError: (any Error)? { get }
  func change(_ body: (inout Notebook) throws -> Void) throws
  /// Called from time to time during a wait.
  func lookAfter()
  func flush() throws
  /// The same, in the file itself.
  func fold() throws
  func close() throws
}

/// The library.
struct StoreKeeper: Keeper {
  private let store: Store<Notebook>

  init(_ url: URL, _ options: StoreOptions) throws {
    store = try Store<Notebook>.open(at: url, options: options)
  }

  var notebook: Notebook { store.read { $0 } }
  var isDurable: Bool { store.durableRevision >= store.revision }
  var lastError: (any Error)? { store.status.lastError }

  func change(_ body: (inout Notebook) throws -> Void) throws {
    try store.write { try body(&$0) }
  }

  /// A store saves on its own.
  func lookAfter() {}

  func flush() throws { try store.flushAndWait() }
  func fold() throws { try store.flushAndWait(folding: true) }
  func close() throws { try store.closeAndWait() }
}
