import Synchronization

/// A place to stage changes: a copy of a store's value, to be edited for as long as it takes and then merged back, or
/// dropped. What Core Data calls a child context.
///
/// ```swift
/// let pad = store.scratchpad()
/// try pad.write { try $0.setText("A better beginning", of: id) }
/// try pad.commit(policy: .newest)
/// ```
///
/// Taking one costs O(1), since it shares everything with the store. Other changes of the store do not show in it until
/// ``refresh(policy:)`` or ``commit(policy:origin:)``. Scratchpads may be nested to any depth; each commits into the one it was taken
/// from. All of it may be used from any thread.
///
/// In all policies, *ours* is the parent and *theirs* the scratchpad. Rules and validations wait until the changes are
/// committed to the store: rules look at each change once. Only what the schema names goes back and forth: what a model has beside that, such as a
/// counter, stays where it is.
public final class Scratchpad<Root: Model>: Sendable {
  /// The scratchpad's own value, as a store in memory, for whatever is made for a store: observing it, live queries, undo.
  public let store: Store<Root>
  /// What the changes go to.
  public let parent: Store<Root>
  /// The parent's value that the scratchpad was last in step with. Changed under `stepLock` only.
  private let base: Mutex<Root>
  /// Held while the scratchpad is brought in step with its parent.
  private let stepLock = WriterLock()

  init(parent: Store<Root>) {
    self.parent = parent
    let value = parent.snapshot().value
    base = Mutex(value)
    store = Store(value, hasRules: false)
  }

  // MARK: Reading and writing

  /// Gives `body` the value; see ``Store/read(_:)``.
  public func read<Result>(_ body: (Root) throws -> Result) rethrows -> Result { try store.read(body) }

  /// Changes the value in one transaction; see ``Store/write(origin:_:)``.
  @discardableResult
  public func write<Result>(origin: Origin = .local, _ body: (inout Root) throws -> Result) throws -> Result {
    try store.write(origin: origin, body)
  }

  /// The value as it is now, O(1).
  public func snapshot() -> Snapshot<Root> { store.snapshot() }

  /// A scratchpad on this one.
  public func scratchpad() -> Scratchpad<Root> { Scratchpad(parent: store) }

  /// What `commit` would bring to the parent.
  public var changes: ChangeSet<Root> {
    // The base first: what is committed in between then shows as a change, which is harmless.
    let before = base.withLock { $0 }
    let now = store.snapshot()
    return ChangeSet(before: before, after: now.value, revision: now.revision)
  }

  /// Whether there is anything to commit. O(changes · log n).
  public var hasChanges: Bool { !changes.isEmpty }

  // MARK: In step with the parent

  /// Merges the changes into the parent in one transaction, property by property, and then goes on from what the parent has.
  /// O(tables) if the parent has not changed, else what ``Model/merging(base:ours:theirs:policy:)`` takes.
  ///
  /// A record that does not fit, because the parent has its key in a unique index, refuses the commit, but for the policy `ours`.
  /// Changes that are made in the scratchpad meanwhile stay in it; if they keep it from taking over the parent's news, the next
  /// ``refresh(policy:)`` does, or says why not. Must not be called inside of `write` on the
  /// scratchpad or its parent, which traps.
  ///
  /// - Parameters:
  ///   - policy: who wins where the parent has changed the same property of the same record; by default nobody.
  ///   - origin: who is said to have made the change.
  /// - Returns: what both had changed, and what was mended.
  /// - Throws: ``TransactionRefusal`` with all conflicts if the policy is `fail`, with what does not fit, or with what a validation
  ///   says; what `write` on the parent or the scratchpad throws. The parent is then unchanged, and the changes are still here,
  ///   to be committed again.
  @discardableResult
  public func commit(policy: MergePolicy = .fail, origin: Origin = .local) throws -> MergeOutcome {
    try inStep { base in
      let committed = try store.latestForWriting().value
      if committed.hasSameTables(as: base) {
        return try step(to: parent.snapshot().value, since: base, policy: .theirs)
      }
      var outcome = try parent.take(committed, since: base, policy, origin)
      // What is in the parent must not be committed again, whatever keeps the scratchpad from going on.
      self.base.withLock { $0 = committed }
      if let news = try? step(to: parent.snapshot().value, since: committed, policy: .theirs) {
        outcome.conflicts += news.conflicts
        outcome.mended += news.mended
      }
      return outcome
    }
  }

  /// Takes over what has changed in the parent. Costs what ``Model/merging(base:ours:theirs:policy:)`` does.
  ///
  /// - Parameter policy: who wins where both have changed the same property; by default the scratchpad. What it wins with, a
  ///   later commit brings to the parent without another word.
  /// - Returns: what both had changed, and what was mended.
  /// - Throws: ``TransactionRefusal`` with all conflicts if the policy is `fail`, and with what does not fit, because the parent has
  ///   its key in a unique index, unless it is `ours`; the scratchpad is then unchanged.
  @discardableResult
  public func refresh(policy: MergePolicy = .theirs) throws -> MergeOutcome {
    try inStep { base in try step(to: parent.snapshot().value, since: base, policy: policy) }
  }

  /// Drops all changes of tables, and goes on from what the parent has. What the model has beside its tables stays.
  public func discard() throws {
    try inStep { _ in
      let value = parent.snapshot().value
      try store.transact(.parent, rules: false) { $0 = $0.replacingTables(with: value) }
      base.withLock { $0 = value }
    }
  }

  private func inStep<Result>(_ body: (Root) throws -> Result) throws -> Result {
    for lock in [store.writerLock, parent.writerLock] { lock.requireNotHeld() }
    return try stepLock.withLock { try body(base.withLock { $0 }) }
  }

  /// Makes a value of the parent the base, and brings what the scratchpad has changed since `old` to it.
  @discardableResult
  private func step(to new: Root, since old: Root, policy: MergePolicy) throws -> MergeOutcome {
    try store.transact(.parent, rules: false) { value in
      let outcome = try Self.merge(base: old, ours: new, theirs: value, policy, into: &value)
      base.withLock { $0 = new }
      return outcome
    }
  }

  private static func merge(
    base: Root, ours: Root, theirs: Root, _ policy: MergePolicy, into value: inout Root
  ) throws -> MergeOutcome {
    let merge = Root.mergingWhole(base: base, ours: ours, theirs: theirs, policy: policy)
    try policy.requireSound(merge.conflicts)
    value = value.replacingTables(with: merge.value)
    return MergeOutcome(conflicts: merge.conflicts, mended: merge.mended)
  }
}

extension MergePolicy {
  /// Refuses what the policy does not allow, and what would be lost: what does not fit, unless ours is to win.
  fileprivate func requireSound(_ conflicts: [MergeConflict]) throws(TransactionRefusal) {
    let refused =
      switch self {
      case .ours: [MergeConflict]()
      case .fail: conflicts
      case .theirs, .newest, .base, .resolve: conflicts.filter { $0.resolution == .leftTheirsOut }
      }
    if !refused.isEmpty { throw TransactionRefusal(conflicts: refused) }
  }
}

extension Store {
  /// Makes the changes of a scratchpad's value, in one transaction.
  fileprivate func take(
    _ draft: Root, since base: Root, _ policy: MergePolicy, _ origin: Origin
  ) throws -> MergeOutcome {
    let seen = try latestForWriting()
    var change = MergedChange(draft, madeFrom: base, policy: policy, isTransaction: false) {
      try policy.requireSound($0.conflicts)
    }
    _ = change.rebase(from: base, onto: seen.value, isQuick: false)
    try publish(&change, onto: seen, origin: origin)
    return MergeOutcome(conflicts: change.conflicts, mended: change.mended)
  }
}

extension Store {
  /// A scratchpad on the value as it is now; see ``Scratchpad``. O(1).
  public func scratchpad() -> Scratchpad<Root> { Scratchpad(parent: self) }
}

extension Origin {
  /// The store that a scratchpad was taken from.
  public static let parent = Origin("parent")
}
