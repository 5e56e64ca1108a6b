public import SnapshotFoundation
import Synchronization

/// Takes back what was done to a store, step by step, and does it again.
///
/// ```swift
/// let history = UndoHistory(of: store)
/// try history.perform("Delete Note") { $0.deleteNotes([id]) }
/// try history.undo()
/// ```
///
/// Every transaction is a step, but for those of origins that are left out, such as a sync, and those in which another history
/// undoes. A step is the difference of two
/// values; undoing it merges the opposite difference into the value as it is by then. So what others have done since stays:
/// where they changed the same property, or removed the record, their change stays, and the outcome names it. The history keeps old
/// values alive, which share with the new ones all that did not change.
///
/// Undoing is itself a transaction, of the origin ``Origin/undo``, and an edit: what it brings back gets a new date, where
/// ``Record/mergeRules`` name dates, so that no sync and no merge takes it back (``MendingModel/dateUndo(since:at:)``). A write that changes
/// nothing is no step, nor one that changes dates alone. What followed from a step, by a rule, is undone with it; if others have changed
/// something since, the rules run on the result.
/// Only what the schema names is undone. All of it may be used from any thread, but not inside of `write`.
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
    case undoing(UndoStep<Root>)
    case redoing(UndoStep<Root>)
  }

  private struct State: Sendable {
    var undo: [UndoStep<Root>] = []
    var redo: [UndoStep<Root>] = []
    var roles: [UInt: Role] = [:]
    var lastGroup = 0
    var lastStep = 0
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
  ///   - store: the store.
  ///   - levels: how many steps are kept; the oldest is forgotten first.
  ///   - excluded: whose transactions are no steps.
  ///   - interval: how many seconds after the last change of a step another one with the same key still belongs to it.
  ///   - now: the time, for steps that are joined, and for the dates that an undo renews.
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
  ///   - origin: who is said to have made the change; if the history leaves it out, it is no step.
  ///   - key: a step with the same key right before this one, and not long ago, is continued: so that typing is undone by the
  ///     paragraph and not by the letter.
  ///   - body: changes the value.
  @discardableResult
  public func perform<Result>(
    _ name: String, coalescing key: String? = nil, origin: Origin = .local, _ body: (inout Root) throws -> Result
  ) throws -> Result {
    try with(.step(.init(name: name, key: key))) { try store.write(origin: origin, body) }
  }

  /// Makes one step of all transactions that `body` makes on this thread.
  public func group<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let group = state.withLock { state in
      state.lastGroup += 1
      return state.lastGroup
    }
    return try with(.step(.init(name: name, group: group)), body)
  }

  /// Steps inside of a step belong to it; undoing inside of one does not.
  private func with<Result>(_ role: Role, _ body: () throws -> Result) rethrows -> Result {
    let thread = currentThreadIdentity()
    let outer = state.withLock { state in
      let outer = state.roles[thread]
      if case .step = role, outer != nil { return outer }
      state.roles[thread] = role
      return outer
    }
    defer { state.withLock { $0.roles[thread] = outer } }
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
  /// - Throws: ``TransactionRefusal`` if a record cannot come back, because another has its key in a unique index by now; what `write`
  ///   throws. The step can then still be undone.
  @discardableResult
  public func undo() throws -> Outcome? {
    guard let step = state.withLock({ $0.undo.popLast() }) else { return nil }
    do {
      return try takeBack(step, as: .undoing(step))
    } catch {
      state.withLock { $0.undo.append(step) }
      throw error
    }
  }

  /// Does again what was last undone, if nothing else was done since.
  ///
  /// - Returns: nil if there is nothing.
  /// - Throws: what ``undo()`` throws; the step can then still be done again.
  @discardableResult
  public func redo() throws -> Outcome? {
    guard let step = state.withLock({ $0.redo.popLast() }) else { return nil }
    do {
      return try takeBack(step, as: .redoing(step))
    } catch {
      state.withLock { $0.redo.append(step) }
      throw error
    }
  }

  /// The number and the name of the step that would be undone next, or done again.
  func next(isUndo: Bool) -> (id: Int, name: String?)? {
    state.withLock { state in (isUndo ? state.undo : state.redo).last.map { ($0.id, $0.label.name) } }
  }

  /// Undoes a step, or does it again, if it is the next one: for who remembers steps, such as an undo manager.
  ///
  /// - Returns: whether the opposite can be done now. It cannot if others have changed all of it since.
  func takeBack(_ id: Int, isUndo: Bool) throws -> Bool {
    guard next(isUndo: isUndo)?.id == id else { return false }
    _ = try isUndo ? undo() : redo()
    return next(isUndo: !isUndo)?.id == id
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
        let before = value
        var isMerged = false
        var (conflicts, mended): ([MergeConflict], [Violation]) = ([], [])
        for change in step.changes.reversed() {
          isMerged = isMerged || store.hasRules && !value.isStoredLike(change.after, ignoresDates: true)
          // What others did stays, also where they removed a record. The dates that an undo has renewed are nothing that they did.
          let merge = Root.mergingWhole(
            base: change.after, ours: value, theirs: change.before, policy: .resolve { _ in .ours },
            options: .ignoresDates)
          let misfits = merge.conflicts.filter { $0.resolution == .leftTheirsOut }
          if !misfits.isEmpty { throw TransactionRefusal(conflicts: misfits) }
          (value, conflicts, mended) = (merge.value, conflicts + merge.conflicts, mended + merge.mended)
        }
        value.dateUndoAsWhole(since: before, at: now())
        // What followed from the step alone is undone with it. What follows from both sides only the rules know.
        if isMerged { try store.applyRules(to: &value, since: before, .undo) }
        return Outcome(name: step.label.name, conflicts: conflicts, mended: mended)
      }
    }
  }

  // MARK: Recording

  /// Called under the writer lock.
  private func record(_ change: ChangeSet<Root>) {
    // A record that was replaced by an equal one makes a revision, and nothing that could be undone.
    if change.after.isStoredLike(change.before, ignoresDates: true) { return }
    let (thread, date) = (currentThreadIdentity(), now())
    let forgotten = state.withLock { state -> [UndoStep<Root>] in
      switch state.roles[thread] {
      case .undoing(let step): state.redo.append(UndoStep(step.id, step.label, change, date))
      case .redoing(let step): state.undo.append(UndoStep(step.id, step.label, change, date))
      case .step(let label): return record(change, label, date, &state)
      case nil: return record(change, .init(), date, &state)
      }
      return []
    }
    // Outside of the lock: freeing old values takes time, and records encode themselves to be compared.
    withExtendedLifetime(forgotten) {}
    guard let last = state.withLock({ $0.undo.last }), last.hasGrown, last.isNothing else { return }
    state.withLock { state in state.undo.removeAll { $0.id == last.id } }
  }

  /// - Returns: the steps that are forgotten for it.
  private func record(
    _ change: ChangeSet<Root>, _ label: UndoStep<Root>.Label, _ date: Date, _ state: inout State
  ) -> [UndoStep<Root>] {
    if excluded.contains(change.origin) || change.origin == .undo { return [] }
    let redo = state.redo
    state.redo = []
    if let index = state.undo.lastIndex(where: { $0.isContinued(by: label, date, interval) }),
      label.group != nil || index == state.undo.count - 1 && redo.isEmpty
    {
      // Others may have come in between the transactions of a group.
      var step = state.undo.remove(at: index)
      step.take(change, date)
      state.undo.append(step)
      return redo
    }
    state.lastStep += 1
    state.undo.append(UndoStep(state.lastStep, label, change, date))
    guard state.undo.count > levels else { return redo }
    return redo + [state.undo.removeFirst()]
  }
}

extension Origin {
  /// Undoing and redoing.
  public static let undo = Origin("undo")
}
