/// A task that is cancelled when this object is deallocated.
final class TaskHandle: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }
}
