import Synchronization
import Testing

@testable import SnapshotStore

struct CallbackTests {
  /// Without the value around it, the function gets two wrappers more each time.
  @Test func aFunctionInALockCanBeReadAnyNumberOfTimes() {
    let lock = SmallLock<Callback<Int, Int>?>(Callback { $0 + 1 })
    var sum = 0
    for _ in 0..<200_000 { sum = lock.withLock { $0 }?(sum) ?? 0 }
    #expect(sum == 200_000)
  }
}
