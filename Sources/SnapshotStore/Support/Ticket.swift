import Synchronization

/// A wait for one answer. The first answer counts, and further ones are ignored.
final class Ticket<Answer: Sendable>: Sendable {
  private enum State: Sendable {
    case new
    case waiting(CheckedContinuation<Answer?, Never>)
    case answered(Answer?)
  }

  private let state = SmallLock(State.new)

  /// Gives the answer; nil if no answer will come.
  func answer(_ answer: Answer?) {
    HeldLock.requireNone("a wait was answered")
    let waiting: CheckedContinuation<Answer?, Never>? = state.withLock { state in
      switch state {
      case .new:
        state = .answered(answer)
        return nil
      case .waiting(let continuation):
        state = .answered(nil)
        return continuation
      case .answered: return nil
      }
    }
    waiting?.resume(returning: answer)
  }

  /// Waits for the answer. Returns nil if no answer will come or the task is cancelled. Call it once.
  func wait() async -> Answer? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answered: Answer?? = state.withLock { state in
          if case .answered(let answer) = state { return .some(answer) }
          state = .waiting(continuation)
          return nil
        }
        if let answered { continuation.resume(returning: answered) }
      }
    } onCancel: {
      answer(nil)
    }
  }
}
