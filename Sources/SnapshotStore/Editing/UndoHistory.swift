public import SnapshotFoundation
import Synchronization

/// Undoes and redoes changes of a store, step by step.
///
/// ```swift
/// let history = UndoHistory(of: store)
/// try history.perform("Delete Note") { $0.deleteNotes([id]) }
/// try history.undo()
/// ```
///
/// Every transaction is a step. Exceptions are origins that are excluded, such as a sync, and the undos of another
/// history. A write that changes nothing, or only dates of change, is no step.
///
/// A step is the difference of two values. An undo merges the opposite difference into the current value. So later
/// changes of others stay: if they changed the same property, or removed the record, their change wins, and the outcome
/// names it. The history keeps old values alive, which share all unchanged content with newer ones.
///
/// An undo is itself a transaction with the origin ``Origin/undo``. It is an edit: restored content gets a new date, if
/// ``Record/mergeRules`` name dates. So no sync and no merge reverts it (``RepairingModel/dateUndo(since:at:)``).
/// Changes that a rule made because of a step are undone with it. If others have changed something since, the rules run
/// on the result.
///
/// Only content that the schema names is undone. All functions may be called from any thread, but not inside
/// `write`.
public final class UndoHistory<Root: Model>: Sendable {
  /// The meaning of a thread's transactions for the history, while the thread is in `perform`, `group`, `undo` or
  /// `redo`.
  private enum Role: Sendable {
    case step(UndoStep<Root>.Label)
    case undoing(UndoStep<Root>)
    case redoing(UndoStep<Root>)
  }

  /// Steps that can be undone, or redone, sorted by their places.
  private struct Steps: Sendable {
    var all: [UndoStep<Root>] = []
    /// Steps below this place were removed, even if their undo or redo is under way.
    private var begin = 0

    mutating func clear(before place: Int) -> [UndoStep<Root>] {
      defer { all = [] }
      begin = place
      return all
    }

    /// Puts a step that could not be undone or redone back in its place, below the steps that were made meanwhile.
    ///
    /// - Returns: the oldest step, if there are more than `levels`.
    mutating func putBack(_ step: UndoStep<Root>, levels: Int) -> UndoStep<Root>? {
      if step.place < begin { return nil }
      all.insert(step, at: all.lastIndex { $0.place < step.place }.map { $0 + 1 } ?? 0)
      return all.count > levels ? all.removeFirst() : nil
    }
  }

  private struct State: Sendable {
    var undo = Steps()
    var redo = Steps()
    var roles: [UInt: Role] = [:]
    var lastGroup = 0
    var lastStep = 0
    private var lastPlace = 0
    /// The number of the observer of the store.
    var observer: Int?

    mutating func append(_ step: UndoStep<Root>, to list: List) {
      lastPlace += 1
      var step = step
      step.place = lastPlace
      self[keyPath: list].all.append(step)
    }

    /// - Returns: the steps, to be freed outside the lock.
    mutating func clear(_ list: List) -> [UndoStep<Root>] { self[keyPath: list].clear(before: lastPlace + 1) }
  }

  private typealias List = any WritableKeyPath<State, Steps> & Sendable

  private let store: Store<Root>
  private let levels: Int
  private let excluded: Set<Origin>
  private let interval: TimeInterval
  private let now: @Sendable () -> Date
  private let state = SmallLock(State())

  /// Begins to record the changes of a store.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - levels: the most steps that are kept. The oldest is removed first.
  ///   - excluded: the origins whose transactions are no steps.
  ///   - interval: the seconds after a step's last change within which another one with the same key joins it.
  ///   - now: returns the time, for joining steps and for the dates that an undo sets.
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
    state.withLock { $0.observer = id }
  }

  deinit {
    if let id = state.withLock({ $0.observer }) { store.observers.remove(id) }
  }

  // MARK: Doing

  /// Changes the store in one transaction, as a named step.
  ///
  /// - Parameters:
  ///   - name: the text for a menu, after “Undo”.
  ///   - origin: the origin of the change. If the history excludes it, the change is no step.
  ///   - key: joins this change to the previous step, if that has the same key and is recent. So typing is undone by
  ///     the paragraph and not by the letter.
  ///   - body: changes the value.
  @discardableResult
  public func perform<Result>(
    _ name: String, coalescing key: String? = nil, origin: Origin = .local, _ body: (inout Root) throws -> Result
  ) throws -> Result {
    try with(.step(.init(name: name, key: key))) { outer in
      try store.write(origin: origin) { value in
        endRole(outer)
        return try body(&value)
      }
    }
  }

  /// Makes one step of all transactions that `body` makes on this thread, such as the commit of a ``Scratchpad``.
  ///
  /// - Parameters:
  ///   - name: the text for a menu, after “Undo”.
  ///   - key: joins these changes to the previous step, as in ``perform(_:coalescing:origin:_:)``.
  ///   - body: makes the transactions.
  @discardableResult
  public func group<Result>(
    _ name: String, coalescing key: String? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    let group = state.withLock { state in
      state.lastGroup += 1
      return state.lastGroup
    }
    return try with(.step(.init(name: name, key: key, group: group))) { _ in try body() }
  }

  /// Steps inside a step belong to it. An undo inside a step does not.
  ///
  /// - Parameter body: is given the role around this one.
  private func with<Result>(_ role: Role, _ body: (_ outer: Role?) throws -> Result) rethrows -> Result {
    let thread = currentThreadIdentity()
    let outer = state.withLock { state in
      let outer = state.roles[thread]
      if case .step = role, outer != nil { return outer }
      state.roles[thread] = role
      return outer
    }
    defer { state.withLock { $0.roles[thread] = outer } }
    return try body(outer)
  }

  /// Ends a role with the running transaction. The work that this leaves is no part of the step.
  private func endRole(_ outer: Role?) {
    let thread = currentThreadIdentity()
    store.afterCommit { self.state.withLock { $0.roles[thread] = outer } }
  }

  // MARK: Undoing

  /// The names of the steps that can be undone, the next one last.
  public var undoNames: [String?] { names(\.undo) }

  /// The names of the steps that can be redone, the next one last.
  public var redoNames: [String?] { names(\.redo) }

  private func names(_ list: List) -> [String?] { state.withLock { $0[keyPath: list].all.map(\.label.name) } }

  /// Undoes the last step. Its name is then the last of ``redoNames``.
  ///
  /// - Returns: the later changes of others, which stay, and the records that were repaired; nil if there is no step.
  /// - Throws: ``TransactionRefusal`` if a record cannot be restored because another one has its key in a unique index;
  ///   the errors of `write`. The step can then still be undone, after the steps that other threads made meanwhile.
  @discardableResult
  public func undo() throws -> MergeOutcome? { try takeBackLast(of: \.undo) { .undoing($0) } }

  /// Redoes the step that was last undone, if no other step was made since.
  ///
  /// - Returns: the same as ``undo()``; nil if there is no step.
  /// - Throws: the errors of ``undo()``. The step can then still be redone, unless another one was made meanwhile.
  @discardableResult
  public func redo() throws -> MergeOutcome? { try takeBackLast(of: \.redo) { .redoing($0) } }

  private func takeBackLast(of list: List, _ role: (UndoStep<Root>) -> Role) throws -> MergeOutcome? {
    guard let step = state.withLock({ $0[keyPath: list].all.popLast() }) else { return nil }
    do {
      return try takeBack(step, as: role(step))
    } catch {
      // Freed outside the lock.
      _ = state.withLock { $0[keyPath: list].putBack(step, levels: levels) }
      throw error
    }
  }

  /// The number and the name of the step that would be undone or redone next.
  func next(isUndo: Bool) -> (id: Int, name: String?)? {
    state.withLock { state in (isUndo ? state.undo : state.redo).all.last.map { ($0.id, $0.label.name) } }
  }

  /// Undoes or redoes a step if it is the next one. For callers that remember steps, such as an undo manager.
  ///
  /// - Returns: whether the opposite is possible now. It is not if others have changed all of it since.
  func takeBack(_ id: Int, isUndo: Bool) throws -> Bool {
    guard next(isUndo: isUndo)?.id == id else { return false }
    _ = try isUndo ? undo() : redo()
    return next(isUndo: !isUndo)?.id == id
  }

  /// Removes all steps.
  public func clear() {
    let old = state.withLock { ($0.clear(\.undo), $0.clear(\.redo)) }
    // Old values are freed outside the lock, because that takes time.
    withExtendedLifetime(old) {}
  }

  private func takeBack(_ step: UndoStep<Root>, as role: Role) throws -> MergeOutcome {
    try with(role) { outer in
      try store.transact(.undo) { value in
        endRole(outer)
        var isMerged = false
        var (conflicts, repaired): ([MergeConflict], [Violation]) = ([], [])
        for change in step.changes.reversed() {
          isMerged = isMerged || Root.schema.hasPromises && !value.isStoredLike(change.after, ignoresDates: true)
          // Changes of others stay, including removed records. Dates that an undo has set do not count as their
          // changes.
          let merge = Root.mergingWhole(
            base: change.after, ours: value, theirs: change.before, policy: .resolve { _ in .ours },
            options: .ignoresDates)
          let misfits = merge.conflicts.filter { $0.resolution == .leftTheirsOut }
          if !misfits.isEmpty { throw TransactionRefusal(conflicts: misfits) }
          (value, conflicts, repaired) = (merge.value, conflicts + merge.conflicts, repaired + merge.repaired)
        }
        // Rule changes that depend on the step alone are undone with it. Those that depend on both sides need the
        // rules.
        let sides = [step.changes.first, step.changes.last].compactMap { $0?.before }.prefix(step.changes.count)
        let kind = Settlement<Root>.Kind.undo(at: now(), to: Array(sides), isMerged: isMerged)
        return (MergeOutcome(conflicts: conflicts, repaired: repaired), kind)
      }
    }
  }

  // MARK: Recording

  /// Called under the writer lock.
  private func record(_ change: ChangeSet<Root>) {
    // A change of dates makes a revision, but nothing that could be undone.
    if change.after.isStoredLike(change.before, ignoresDates: true) { return }
    let (thread, date) = (currentThreadIdentity(), now())
    let forgotten = state.withLock { state -> [UndoStep<Root>] in
      switch state.roles[thread] {
      case .undoing(let step): state.append(UndoStep(step.id, step.label, change, date), to: \.redo)
      case .redoing(let step): state.append(UndoStep(step.id, step.label, change, date), to: \.undo)
      case .step(let label): return record(change, label, date, &state)
      case nil: return record(change, .init(), date, &state)
      }
      return []
    }
    // Freed outside the writer lock, because old values may be large.
    if !forgotten.isEmpty { store.afterCommit { withExtendedLifetime(forgotten) {} } }
    guard let last = state.withLock({ $0.undo.all.last }), last.hasGrown, last.isNothing else { return }
    state.withLock { state in state.undo.all.removeAll { $0.id == last.id } }
  }

  /// - Returns: the steps that this one displaces.
  private func record(
    _ change: ChangeSet<Root>, _ label: UndoStep<Root>.Label, _ date: Date, _ state: inout State
  ) -> [UndoStep<Root>] {
    if excluded.contains(change.origin) || change.origin == .undo { return [] }
    let redo = state.clear(\.redo)
    if let index = state.undo.all.lastIndex(where: { $0.isContinued(by: label, date, interval) }),
      state.undo.all[index].hasGroup(of: label) || index == state.undo.all.count - 1 && redo.isEmpty
    {
      // Others may have made transactions between those of a group.
      var step = state.undo.all.remove(at: index)
      step.take(change, label, date)
      state.append(step, to: \.undo)
      return redo
    }
    state.lastStep += 1
    state.append(UndoStep(state.lastStep, label, change, date), to: \.undo)
    guard state.undo.all.count > levels else { return redo }
    return redo + [state.undo.all.removeFirst()]
  }
}
