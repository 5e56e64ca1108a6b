import Synchronization

/// A copy of a store's value for staging changes. The changes are later merged back, or dropped. Core Data calls this a
/// child context.
///
/// ```swift
/// let pad = store.scratchpad()
/// try pad.write { try $0.setText("A better beginning", of: id) }
/// try pad.commit(policy: .newest)
/// ```
///
/// Making one costs O(1), because it shares everything with the store. Other changes of the store are visible in it
/// only after ``refresh(policy:)`` or ``commit(policy:origin:)``. Scratchpads may be nested to any depth. Each commits
/// into the one from which it was made. All functions may be called from any thread.
///
/// In all policies, *ours* is the parent and *theirs* the scratchpad. Rules and validations run when the changes are
/// committed to the store, so that rules see each change once. Only content that the schema names is merged. Other
/// properties of the model, such as a counter, stay where they are.
public final class Scratchpad<Root: Model>: Sendable {
  /// The scratchpad's own value as a store in memory, for observers, live queries and undo.
  public let store: Store<Root>
  /// The store into which the changes are committed.
  public let parent: Store<Root>
  /// The parent's value at the last refresh or commit. Changed under `stepLock` only.
  private let base: SmallLock<Root>
  /// Held during a refresh or commit.
  private let stepLock = WriterLock()

  init(parent: Store<Root>) {
    self.parent = parent
    let value = parent.snapshot().value
    base = SmallLock(value)
    store = Store(value, isStaged: true)
  }

  // MARK: Reading and writing

  /// Calls `body` with the value; see ``Store/read(_:)``.
  public func read<Result>(_ body: (Root) throws -> Result) rethrows -> Result { try store.read(body) }

  /// Changes the value in one transaction; see ``Store/write(origin:_:)``.
  @discardableResult
  public func write<Result>(origin: Origin = .local, _ body: (inout Root) throws -> Result) throws -> Result {
    try store.write(origin: origin, body)
  }

  /// The current value, O(1).
  public func snapshot() -> Snapshot<Root> { store.snapshot() }

  /// A scratchpad on this one.
  public func scratchpad() -> Scratchpad<Root> { Scratchpad(parent: store) }

  /// The changes that `commit` would merge into the parent.
  public var changes: ChangeSet<Root> {
    // The base is read first. A commit in between then shows as a change, which does no harm.
    let before = base.withLock { $0 }
    let now = store.snapshot()
    return ChangeSet(before: before, after: now.value, revision: now.revision)
  }

  // MARK: Merging with the parent

  /// Merges the changes into the parent in one transaction, property by property. Then continues from the parent's
  /// value. O(tables) if the parent has not changed, else the cost of ``Model/merging(base:ours:theirs:policy:)``.
  ///
  /// A record does not fit if the parent has its key in a unique index. That refuses the commit, except with the policy
  /// `ours`. Changes that are made in the scratchpad during the commit stay in it. If they keep it from taking the
  /// parent's changes, the next ``refresh(policy:)`` takes them or reports the reason. A call inside `write` on the
  /// scratchpad or its parent traps.
  ///
  /// - Parameters:
  ///   - policy: the winner if the parent has changed the same property of the same record. By default the commit
  ///     fails.
  ///   - origin: the origin of the change.
  /// - Returns: the conflicts, and the records that were repaired.
  /// - Throws: ``TransactionRefusal`` with all conflicts if the policy is `fail`, with records that do not fit, or with
  ///   the violations of a validation. The errors of `write` on the parent or the scratchpad. The parent is then
  ///   unchanged, and the scratchpad keeps the changes for another commit.
  @discardableResult
  public func commit(policy: MergePolicy = .fail, origin: Origin = .local) throws -> MergeOutcome {
    try inStep { base in
      let committed = try store.latestForWriting().value
      if committed.hasSameTables(as: base) {
        return try step(to: parent.snapshot().value, since: base, policy: .theirs)
      }
      var outcome = try parent.take(committed, since: base, policy, origin)
      // These changes are now in the parent and must not be committed again, even if the next step fails.
      self.base.withLock { $0 = committed }
      if let news = try? step(to: parent.snapshot().value, since: committed, policy: .theirs) {
        outcome.conflicts += news.conflicts
        outcome.repaired += news.repaired
      }
      return outcome
    }
  }

  /// Takes the changes of the parent. Costs as much as ``Model/merging(base:ours:theirs:policy:)``.
  ///
  /// - Parameter policy: the winner if both have changed the same property; by default the scratchpad. A later commit
  ///   takes the winning values to the parent without another conflict.
  /// - Returns: the conflicts, and the records that were repaired.
  /// - Throws: ``TransactionRefusal`` with all conflicts if the policy is `fail`. Unless the policy is `ours`, also
  ///   with records whose key the parent has in a unique index. The scratchpad is then unchanged.
  @discardableResult
  public func refresh(policy: MergePolicy = .theirs) throws -> MergeOutcome {
    try inStep { base in try step(to: parent.snapshot().value, since: base, policy: policy) }
  }

  /// Drops all changes of tables and single values, and continues from the parent's value. Other properties of the
  /// model stay.
  public func discard() throws {
    try inStep { _ in
      let value = parent.snapshot().value
      try store.write(origin: .parent) { $0 = $0.replacingTables(with: value) }
      base.withLock { $0 = value }
    }
  }

  private func inStep<Result>(_ body: (Root) throws -> Result) throws -> Result {
    for lock in [store.writerLock, parent.writerLock] { lock.requireNotHeld() }
    return try stepLock.withLock { try body(base.withLock { $0 }) }
  }

  /// Makes a value of the parent the new base, and merges the scratchpad's changes since `old` into it.
  @discardableResult
  private func step(to new: Root, since old: Root, policy: MergePolicy) throws -> MergeOutcome {
    try store.write(origin: .parent) { value in
      let outcome = try Self.merge(base: old, ours: new, theirs: value, policy, into: &value)
      base.withLock { $0 = new }
      return outcome
    }
  }

  private static func merge(
    base: Root, ours: Root, theirs: Root, _ policy: MergePolicy, into value: inout Root
  ) throws -> MergeOutcome {
    let merge = Root.mergingWhole(base: base, ours: ours, theirs: theirs, policy: policy, options: .oursIsPublished)
    try policy.requireSound(merge.conflicts)
    value = value.replacingTables(with: merge.value)
    return MergeOutcome(conflicts: merge.conflicts, repaired: merge.repaired)
  }
}

extension MergePolicy {
  /// Refuses conflicts that the policy does not allow, and records that do not fit, unless ours wins.
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
  /// Merges the changes of a scratchpad's value, in one transaction.
  fileprivate func take(
    _ draft: Root, since base: Root, _ policy: MergePolicy, _ origin: Origin
  ) throws -> MergeOutcome {
    let seen = try latestForWriting()
    var change = MergedChange(draft, madeFrom: base, policy: policy, isTransaction: false) {
      try policy.requireSound($0.conflicts)
    }
    _ = change.rebase(from: base, onto: seen.value, isQuick: false)
    try publish(&change, onto: seen, origin: origin)
    return MergeOutcome(conflicts: change.conflicts, repaired: change.repaired)
  }
}

extension Store {
  /// A scratchpad on the current value; see ``Scratchpad``. O(1).
  public func scratchpad() -> Scratchpad<Root> { Scratchpad(parent: self) }
}

extension Origin {
  /// The store from which a scratchpad was made.
  public static let parent = Origin("parent")
}
