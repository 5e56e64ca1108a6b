public import Foundation
import Synchronization

/// Takes back what was done to a store, step by step, and does it again.
///
/// ```swift
/// let history = UndoHistory(of: store)
/// try history.perform("Delete Note") { $0.deleteNotes([id]) }
/// try history.undo()
/// ```
///
/// Every transaction is a step, but for those of origins that are left out, such as a sync. A step is the difference of two
/// values; undoing it merges the opposite difference into the value as it is by then. So what others have done since stays:
/// where they changed the same property, their change stays, and the outcome names it. The history keeps old values
/// alive, which share with the new ones all that did not change.
///
/// Undoing is itself a transaction, of the origin ``Origin/undo``. Rules do not run in it. All of it may be used from any
/// thread, but not inside of `write`.
public final class UndoHistory<Root: Model>: Sendable {
  /// What came of undoing or redoing a step.
  public struct Outcome: Sendable {
    /// The name of the step.
    public let name: String?
    /// What others have changed since, and was left as they have it.
    public let conflicts: [MergeConflict]
    /// What had to be mended afterwards, for example references to records that are gone.
    public let mended: [Violation]
  }

  /// What the transactions of a thread are to the history, while it is in `perform`, `group`, `undo` or `redo`.
  private enum Role: Sendable {
    case step(UndoStep<Root>.Label)
    case undoing(UndoStep<Root>.Label)
    case redoing(UndoStep<Root>.Label)
  }

  private struct State: Sendable {
    var undo: [UndoStep<Root>] = []
    var redo: [UndoStep<Root>] = []
    var roles: [UInt: Role] = [:]
    var lastGroup = 0
  }

  private let store: Store<Root>
  private let levels: Int
  private let excluded: Set<Origin>
  private let interval: TimeInterval
  private let now: @Sendable () -> Date
  private let state = Mutex(State())
  private let observer = Mutex<Int?>(nil)

  /// Begins to keep what is done to a store from now on.
  ///
  /// - Parameters:
  ///   - levels: how many steps are kept; the oldest is forgotten first.
  ///   - excluded: whose transactions are no steps.
  ///   - interval: how many seconds after the last change of a step another one with the same key still belongs to it.
  ///   - now: the time.
  public init(
    of store: Store<Root>, levels: Int = 100, excluding excluded: Set<Origin> = [.file, .parent],
    coalescingWithin interval: TimeInterval = 2, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.levels = max(1, levels)
    self.excluded = excluded
    self.interval = interval
    self.now = now
    let id = store.observers.add { [weak self] in self?.record($0) }
    observer.withLock { $0 = id }
  }

  deinit {
    if let id = observer.withLock({ $0 }) { store.observers.remove(id) }
  }

  // MARK: Doing

  /// Changes the store in one transaction, as a step with a name.
  ///
  /// - Parameters:
  ///   - name: what a menu shows behind “Undo”.
  ///   - key: a step with the same key right before this one, and not long ago, is continued: so that typing is undone by the
  ///     paragraph and not by the letter.
  @discardableResult
  public func perform<Result>(
    _ name: String, coalescing key: String? = nil, _ body: (inout Root) throws -> Result
  ) throws -> Result {
    try with(.step(.init(name: name, key: key))) { try store.write(body) }
  }

  /// Makes one step of all transactions that `body` makes on this thread.
  public func group<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let group = state.withLock { state in
      state.lastGroup += 1
      return state.lastGroup
    }
    return try with(.step(.init(name: name, group: group)), body)
  }

  /// Inside of another, the outer one counts.
  private func with<Result>(_ role: Role, _ body: () throws -> Result) rethrows -> Result {
    let thread = currentThreadIdentity()
    let isOuter = state.withLock { state in
      if state.roles[thread] != nil { return false }
      state.roles[thread] = role
      return true
    }
    defer { if isOuter { state.withLock { $0.roles[thread] = nil } } }
    return try body()
  }

  // MARK: Undoing

  /// The names of the steps that can be undone, the next one last.
  public var undoNames: [String?] { state.withLock { $0.undo.map(\.label.name) } }

  /// The names of the steps that can be done again, the next one last.
  public var redoNames: [String?] { state.withLock { $0.redo.map(\.label.name) } }

  /// Undoes the last step.
  ///
  /// - Returns: nil if there is none.
  /// - Throws: what `write` throws; the step can then still be undone.
  @discardableResult
  public func undo() throws -> Outcome? {
    guard let step = state.withLock({ $0.undo.popLast() }) else { return nil }
    do {
      return try takeBack(step, as: .undoing(step.label))
    } catch {
      state.withLock { $0.undo.append(step) }
      throw error
    }
  }

  /// Does again what was last undone, if nothing else was done since.
  ///
  /// - Returns: nil if there is nothing.
  /// - Throws: what `write` throws; the step can then still be done again.
  @discardableResult
  public func redo() throws -> Outcome? {
    guard let step = state.withLock({ $0.redo.popLast() }) else { return nil }
    do {
      return try takeBack(step, as: .redoing(step.label))
    } catch {
      state.withLock { $0.redo.append(step) }
      throw error
    }
  }

  /// Forgets all steps.
  public func clear() {
    let old = state.withLock { state in
      defer { (state.undo, state.redo) = ([], []) }
      return (state.undo, state.redo)
    }
    // Outside of the lock: freeing old values takes time.
    withExtendedLifetime(old) {}
  }

  private func takeBack(_ step: UndoStep<Root>, as role: Role) throws -> Outcome {
    try with(role) {
      try store.transact(.undo, rules: false) { value in
        var (conflicts, mended): ([MergeConflict], [Violation]) = ([], [])
        for change in step.changes.reversed() {
          let merge = Root.merging(base: change.after, ours: value, theirs: change.before)
          (value, conflicts, mended) = (merge.value, conflicts + merge.conflicts, mended + merge.mended)
        }
        return Outcome(name: step.label.name, conflicts: conflicts, mended: mended)
      }
    }
  }

  // MARK: Recording

  /// Called under the writer lock.
  private func record(_ change: ChangeSet<Root>) {
    let (thread, date) = (currentThreadIdentity(), now())
    let forgotten = state.withLock { state -> [UndoStep<Root>] in
      switch state.roles[thread] {
      case .undoing(let label): state.redo.append(UndoStep(label, change, date))
      case .redoing(let label): state.undo.append(UndoStep(label, change, date))
      case let role:
        if excluded.contains(change.origin) { return [] }
        var label = UndoStep<Root>.Label()
        if case .step(let given) = role { label = given }
        let redo = state.redo
        state.redo = []
        if let last = state.undo.indices.last, redo.isEmpty, state.undo[last].isContinued(by: label, date, interval) {
          state.undo[last].take(change, date)
          return redo
        }
        state.undo.append(UndoStep(label, change, date))
        guard state.undo.count > levels else { return redo }
        return redo + [state.undo.removeFirst()]
      }
      return []
    }
    withExtendedLifetime(forgotten) {}
  }
}

extension Origin {
  /// Undoing and redoing.
  public static let undo = Origin("undo")
}
