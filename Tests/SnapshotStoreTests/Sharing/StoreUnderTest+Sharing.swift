import Synchronization
import Testing

@testable import SnapshotStore
@testable import SnapshotStoreTesting
@testable import TestSupport

/// Stores that share a file. Their saves and looks wait until a test runs them.
extension StoreUnderTest {
  /// Lets every store look at the file.
  func settle() {
    runSaves()
    scheduler.advance(by: .seconds(3))
    runSaves()
  }

  /// Suspends a store without a flush.
  func suspend<Root>(_ store: Store<Root>) {
    store.saver?.inTurn { _ = store.saver?.suspend(endingUse: store.saver?.schedule.use ?? 0) }
  }

  /// Flushes a store, and lets the others look.
  func save<Root>(_ store: Store<Root>, folding: Bool = false) throws {
    let outcome = SmallLock<Result<Void, any Error>?>(nil)
    store.saver?.flush(through: store.revision, folding: folding) { result in
      outcome.withLock { $0 = result.mapError { $0 } }
    }
    settle()
    try #require(outcome.withLock { $0 }).get()
  }
}
