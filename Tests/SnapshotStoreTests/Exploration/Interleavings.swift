import Synchronization

@testable import SnapshotStore

/// All orders in which two processes can make the calls that the other one can notice.
///
/// While a process has the lock, the other one only reads, and waits at the lock. So an order is that of the calls
/// without the lock, and of those with it that change what is read without it. Each run takes another order, until
/// there is none left: a depth-first search that begins each path anew.
final class Interleavings: Sendable {
  private struct State {
    /// Whether the other process runs next, for each choice of this run.
    var taken: [Bool] = []
    /// The choices with which the run begins. Afterwards the running process goes on.
    var prefix: [Bool] = []
    /// Whether the process that runs has the lock.
    var holdsLock = false
    /// The process that has tried to get the lock, while the other one had it.
    var waiting: Int?
  }

  /// Calls with the lock that change what others read without it.
  private static let changes: Set<String> = ["pwrite lock", "pwrite journal", "renameat", "unlinkat"]

  private let state: SmallLock<State>
  private let hasReaders: Bool

  /// - Parameters:
  ///   - hasReaders: whether a process reads without the lock.
  ///   - prefix: the choices with which the first run begins.
  init(hasReaders: Bool, prefix: [Bool] = []) {
    self.hasReaders = hasReaders
    state = SmallLock(State(prefix: prefix))
  }

  /// Whether another process may run before a call.
  func canSwitch(_ call: String, _ holdsLock: Bool) -> Bool {
    state.withLock { $0.holdsLock = holdsLock }
    // The folder stays in its place.
    if call == "stat /dir" { return false }
    return !holdsLock || hasReaders && Self.changes.contains(call)
  }

  /// The process that runs next.
  func choose(_ running: Int, _ other: Int, _ isBlocked: Bool) -> Int {
    state.withLock { state in
      if isBlocked {
        state.waiting = running
        return other
      }
      // It would wait again.
      if state.holdsLock, state.waiting == other { return running }
      let isSwitch = state.taken.count < state.prefix.count && state.prefix[state.taken.count]
      state.taken.append(isSwitch)
      if !isSwitch { return running }
      state.waiting = nil
      return other
    }
  }

  /// Prepares the next order. False if all were taken.
  func next() -> Bool {
    state.withLock { state in
      let last = state.taken.lastIndex(of: false)
      state = State(prefix: last.map { state.taken[..<$0] + [true] } ?? [])
      return last != nil
    }
  }
}
