import Synchronization

/// One wait for one answer, whichever comes first; further ones are dropped.
final class LiveTicket<Answer: Sendable>: Sendable {
  private enum State: Sendable {
    case new
    case waiting(CheckedContinuation<Answer?, Never>)
    case answered(Answer?)
  }

  private let state = Mutex(State.new)

  /// Gives the answer; nil if there will be none.
  func answer(_ answer: Answer?) {
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

  /// Waits for the answer; nil if there will be none, or the task is cancelled. To be called once.
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
