import Foundation
import Synchronization

@testable import SnapshotStore
@testable import SnapshotStoreTesting

/// Counts calls, and returns `EIO` for one of them.
final class FaultCounter: Sendable {
  private let count = Atomic(0)
  private let number: Int

  init(failing number: Int) { self.number = number }

  func next() -> Int32? {
    count.wrappingAdd(1, ordering: .relaxed).newValue == number ? EIO : nil
  }
}
