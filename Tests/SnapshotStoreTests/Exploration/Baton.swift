import Dispatch
import Foundation
import Synchronization

@testable import SnapshotStore

/// Threads of which one runs at a time. So a run is repeated by the same choices.
final class Baton: Sendable {
  private struct State {
    var step = 0
    var ended: Set<Int> = []
  }

  /// Chooses the next thread among those that have not ended, sorted.
  typealias Choice = @Sendable (_ step: Int, _ running: Int, _ others: [Int], _ isBlocked: Bool) -> Int

  private let semaphores: [DispatchSemaphore]
  private let state = SmallLock(State())
  private let choose: Choice

  init(_ count: Int, _ choose: @escaping Choice) {
    semaphores = (0..<count).map { _ in DispatchSemaphore(value: 0) }
    self.choose = choose
  }

  /// The number of times that a thread could have been interrupted.
  var steps: Int { state.withLock { $0.step } }

  /// Runs a function on each thread, and returns when all have ended.
  func run(_ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in semaphores.indices {
      group.enter()
      Thread.detachNewThread {
        self.semaphores[index].wait()
        body(index)
        self.end(index)
        group.leave()
      }
    }
    semaphores[0].signal()
    group.wait()
  }

  /// Lets another thread run, if that is chosen.
  ///
  /// - Parameter isBlocked: whether this thread waits for another one.
  func pass(from index: Int, isBlocked: Bool = false) {
    let (step, ended) = state.withLock { state in
      state.step += 1
      return (state.step, state.ended)
    }
    let others = semaphores.indices.filter { $0 != index && !ended.contains($0) }
    let next = others.isEmpty ? index : choose(step, index, others, isBlocked)
    if next == index { return }
    semaphores[next].signal()
    semaphores[index].wait()
  }

  private func end(_ index: Int) {
    let next = state.withLock { state in
      state.ended.insert(index)
      return semaphores.indices.first { !state.ended.contains($0) }
    }
    if let next { semaphores[next].signal() }
  }
}
