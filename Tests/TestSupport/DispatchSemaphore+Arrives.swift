public import Dispatch
import Foundation

extension DispatchSemaphore {
  /// Whether a signal comes within ten minutes, which only a hang takes.
  ///
  /// It waits on a thread of its own. Tasks share a thread for each processor. A test that keeps one of them while it
  /// waits may keep it from the task that it waits for.
  public func arrives() async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.wait(timeout: .now() + 600) == .success) }
    }
  }
}
