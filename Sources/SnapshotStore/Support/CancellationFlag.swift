import Synchronization

/// A flag that is set once, to ask a task to end.
@usableFromInline
final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  @usableFromInline
  init() {}

  @usableFromInline var isSet: Bool { flag.load(ordering: .relaxed) }

  @usableFromInline
  func set() { flag.store(true, ordering: .relaxed) }
}
