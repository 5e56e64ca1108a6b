import Foundation
import SnapshotNotebook
import SnapshotStore

/// Who keeps the file: the library's store, or one that cheats.
protocol Keeper {
  /// What was found in the file, or has been made of it since.
  var notebook: Notebook { get }
  /// Whether all changes are said to be durable.
  var isDurable: Bool { get }
  /// Why the last save failed, if it did.
  var lastError: (any Error)? { get }
  func change(_ body: (inout Notebook) throws -> Void) throws
  /// Called now and then while someone waits.
  func lookAfter()
  func flush() throws
  func close() throws
}

/// The library.
struct StoreKeeper: Keeper {
  private let store: Store<Notebook>

  init(_ url: URL, policy: SavePolicy, externalChanges: ExternalChange.Policy) throws {
    var options = StoreOptions(policy: policy)
    options.externalChanges = externalChanges
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
  func close() throws { try store.closeAndWait() }
}
