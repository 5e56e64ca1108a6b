import Foundation
import SnapshotStore

/// Who keeps the file: the library's store, or one that cheats.
protocol Keeper {
  /// What was found in the file, or has been made of it since.
  var notebook: Notebook { get }
  /// Whether all changes are said to be durable.
  var isDurable: Bool { get }
  /// Why the last save failed, if it did.
  var lastError: (any Error)? { get }
  func change(_ notes: [Note]) throws
  func flush() throws
  func close() throws
}

/// The library.
struct StoreKeeper: Keeper {
  private let store: Store<Notebook>

  init(_ url: URL, policy: SavePolicy) throws {
    store = try Store<Notebook>.open(at: url, options: StoreOptions(policy: policy))
  }

  var notebook: Notebook { store.read { $0 } }
  var isDurable: Bool { store.durableRevision >= store.revision }
  var lastError: (any Error)? { store.status.lastError }

  func change(_ notes: [Note]) throws {
    try store.write { notebook in
      for note in notes { try notebook.upsert(note) }
    }
  }

  func flush() throws { try store.flushAndWait() }
  func close() throws { try store.closeAndWait() }
}
