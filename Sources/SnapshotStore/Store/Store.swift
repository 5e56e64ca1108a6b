import Dispatch
public import SnapshotFoundation
import Synchronization

/// Holds one value in memory, and saves its changes to one file.
///
/// ```swift
/// let store = try Store<Dashboard>.open(at: url)
/// try store.write { try $0.posts.insert(Post(id: "1", title: "A walk")) }
/// let titles = store.read { $0.posts.map(\.title) }
/// try await store.flush()              // all of it is in the file, and synced
/// try await store.close()
/// ```
///
/// Reads and writes use memory only, from any thread, without `await`. A reader never waits for a transaction, and
/// neither waits for the disk. Saves run in the background, as the ``SavePolicy`` says.
///
/// Guarantees:
///
/// - A transaction is published as a whole or not at all, in the same order for all readers.
/// - When `flush` returns, every earlier change is in the file and the file is synced. A change that lost a conflict
///   with another store that shares the file is in a file beside it.
/// - At every instant the file has one complete value, old or new.
/// - A program that ends normally loses nothing, unless the policy is `manual`. Unsaved changes are saved when it calls
///   `exit` or its `main` ends, even if the store was deallocated before.
///
/// Not guaranteed: changes that were not flushed may be lost in a crash.
///
/// Costs: `read` and `snapshot` O(1) plus the work on the value; `write` O(log n) for each changed record.
@dynamicMemberLookup
public final class Store<Root: Model>: Sendable {
  @usableFromInline let core: Core
  let saver: Saver<Root>?
  @usableFromInline let writerLock = WriterLock()
  let observers = Observers<Root>()
  let companions = Companions()
  private let policy: SavePolicy
  var isReadOnly: Bool { policy == .readOnly }
  let externalChanges: ExternalChange.Policy
  /// The winner of a conflict with another store that shares the file.
  let mergePolicy: MergePolicy
  let onExternalChange: (@Sendable (ExternalChange) -> Void)?
  /// Watches the file while it is held.
  let watching = SmallLock(Watching())
  @usableFromInline let schema = Root.schema
  /// Whether it is the store of a scratchpad. Nothing is settled in it.
  @usableFromInline let isStaged: Bool
  /// Whether transactions are settled: the model promises something that they do not keep alone, and nothing is staged.
  @usableFromInline let isRuled: Bool
  /// The queues of background blocks and of their completions.
  let background = OrderedJobs("SnapshotStore background")
  let completions = OrderedJobs("SnapshotStore completions")
  /// Receives messages that no caller waits for.
  let log: @Sendable (String) -> Void

  /// The file of the store; nil for a store in memory.
  public let url: URL?

  /// How the store was opened; nil for a store in memory.
  public var openReport: OpenReport? { report.withLock { $0 } }

  let report: SmallLock<OpenReport?>

  /// A store in memory, without a file.
  public convenience init(_ root: Root = Root()) {
    Root.requireTypes()
    Root.requireCompleteSchema()
    self.init(root, isStaged: false)
  }

  /// A store in memory, of a model that was checked.
  ///
  /// - Parameter isStaged: whether it is that of a scratchpad. Nothing is settled in it.
  init(_ root: Root, isStaged: Bool) {
    core = Core(root)
    self.isStaged = isStaged
    isRuled = !isStaged && Root.schema.settlesTransactions
    saver = nil
    log = StoreOptions().log
    policy = .automatic()
    externalChanges = .fail
    mergePolicy = .ours
    onExternalChange = nil
    url = nil
    report = SmallLock(nil)
  }

  init(
    _ root: Root, file: StoreFile<Root>, url: URL, report: OpenReport, options: StoreOptions, scheduler: any Scheduler
  ) {
    let core = Core(root)
    self.core = core
    isStaged = false
    isRuled = Root.schema.settlesTransactions
    saver = Saver(
      file: file, policy: options.policy, scheduler: scheduler, log: options.log,
      isLatestFree: { core.isFree }, latest: { core.latest.snapshot })
    log = options.log
    policy = options.policy
    externalChanges = options.externalChanges
    mergePolicy = options.mergePolicy
    onExternalChange = options.onExternalChange
    self.url = url
    self.report = SmallLock(report)
  }

  /// Unsaved changes are saved now, in the background, unless the policy saves only on request.
  deinit { saver?.abandon() }

  // MARK: Reading

  /// Calls `body` with the latest value. Never waits for a transaction.
  ///
  /// Inside ``write(origin:_:)`` the latest value is the one before the transaction. The changes of its closure are
  /// visible only in the closure's own argument. The same holds for ``snapshot()``.
  @inlinable
  public func read<Result>(_ body: (Root) throws -> Result) rethrows -> Result {
    let latest = core.latest
    return try body(latest.value)
  }

  /// A table in place of an array is refused.
  @available(*, unavailable, message: "a table is no array: write “Array($0.posts)”, or use the table as it is")
  public func read<Value>(_ body: (Root) throws -> Table<Value>) rethrows -> [Value] { fatalError() }

  /// A table or a single value of the latest value, by its name: `store.posts`. Never waits for a transaction.
  ///
  /// Each use reads the value that is the latest then. To read several properties of one value, use ``read(_:)``.
  @inlinable
  public subscript<Value>(dynamicMember path: KeyPath<Root, Value>) -> Value { core.latest.value[keyPath: path] }

  /// The latest value with its revision. O(1). It may be kept for any time.
  public func snapshot() -> Snapshot<Root> { core.latest.snapshot }

  /// The number of transactions that have changed the value since the store was opened.
  public var revision: Int { core.latest.revision }

  /// The latest revision that is in the file and synced. For a store in memory, the latest revision.
  public var durableRevision: Int { saver?.durableRevision ?? revision }

  // MARK: Writing

  /// Changes the value in one transaction, and returns the result of `body`.
  ///
  /// Transactions run one at a time. If `body` throws, the transaction is rolled back. A transaction makes no revision
  /// if all records and single values are equal to those before and are written like them.
  ///
  /// A call of `write` on the same store inside `body` traps. A call of ``read(_:)`` there has the value before the
  /// transaction. Use the argument of `body` to read its changes.
  ///
  /// The rules of the schema are part of the transaction.
  ///
  /// - Throws: an error of `body` or of a rule; ``TransactionRefusal`` with all violations of validations;
  ///   ``SnapshotError`` with code `readOnly` or `closed`, or `wouldDeadlock` if two threads wait for stores of each
  ///   other.
  @inlinable
  @discardableResult
  public func write<Result>(origin: Origin = .local, _ body: (inout Root) throws -> Result) throws -> Result {
    // The old value is freed outside the lock, because freeing a large one takes time.
    let (result, _) = try writerLock.withLock {
      let before = try latestForWriting()
      var draft = before.value
      let result = try body(&draft)
      let settled =
        isRuled
        ? try settled(draft, .edit, over: before, origin) : Settled(verbatim: draft, isStaged ? .staged : .noPromises)
      publish(settled, over: before, origin: origin)
      return (result, before)
    }
    return result
  }

  /// Registers work for the time after the running transaction. What it does cannot be rolled back, so it is done only
  /// if the transaction succeeds.
  ///
  /// ```swift
  /// try store.write { dashboard in
  ///   try dashboard.posts.insert(post)
  ///   store.afterCommit { print("posted") }
  /// }
  /// ```
  ///
  /// The work is done on the same thread when the new value is visible, before `write` returns, in the order of the
  /// calls. It may write to the store. In an ``UndoHistory``, that is no part of the transaction's step. Traps if this
  /// thread runs no ``write(origin:_:)`` of the store, as in a block of ``performBackground(origin:_:)`` and in the
  /// `write` of a scratchpad.
  public func afterCommit(_ work: @escaping () -> Void) { writerLock.afterCommit(work) }

  /// The same for a change of another kind than an edit.
  ///
  /// - Parameter body: changes the value, and says how it was changed.
  func transact<Result>(
    _ origin: Origin, _ body: (inout Root) throws -> (Result, Settlement<Root>.Kind)
  ) throws -> Result {
    let (result, _) = try writerLock.withLock {
      let before = try latestForWriting()
      var draft = before.value
      let (result, kind) = try body(&draft)
      publish(try settled(draft, kind, over: before, origin), over: before, origin: origin)
      return (result, before)
    }
    return result
  }

  /// Publishes a value under the writer lock, unless it is the same as the one before.
  @inlinable
  func publish(_ settled: Settled<Root>, over before: Published, origin: Origin) {
    writerLock.commit()
    let difference = withUnsafePointer(to: settled.value) { draft in
      withUnsafePointer(to: before.value) { schema.difference(draft, $0) }
    }
    if difference == .none { return }
    let isChanged = difference == .inTables
    let after = Published(settled, revision: before.revision + (isChanged ? 1 : 0))
    core.publish(after)
    if isChanged { announce(after, before: before, origin: origin) }
  }

  @usableFromInline
  func latestForWriting() throws(SnapshotError) -> Published {
    if policy == .readOnly {
      let reason = openReport?.readOnlyReason.map { ", because \($0.message)" } ?? ""
      throw SnapshotError(.readOnly, "the store was opened for reading only\(reason)", path: url?.path)
    }
    let (latest, phase) = core.latestAndPhase
    if phase != .open { throw SnapshotError(.closed, "the store is closed", path: url?.path) }
    return latest
  }

  /// Brings a value to what the model promises, and refuses one that cannot be.
  ///
  /// - Throws: an error of a rule; ``TransactionRefusal``.
  @usableFromInline
  func settled(
    _ draft: consuming Root, _ kind: Settlement<Root>.Kind, over before: Published, _ origin: Origin,
    validates: Bool = true
  ) throws -> Settled<Root> {
    if !isRuled, case .edit = kind { return Settled(verbatim: draft, isStaged ? .staged : .noPromises) }
    let transaction = RuledTransaction(revision: before.revision + 1, origin: origin)
    return try Settlement(
      before: before.value, kind: kind, transaction: transaction, isStaged: isStaged, validates: validates
    ).run(draft)
  }

  /// Tells the saver and the observers of a change, under the writer lock.
  @usableFromInline
  func announce(_ after: Published, before: Published, origin: Origin) {
    assert(writerLock.isHeldByThisThread, "another change could be announced first")
    saver?.changed(revision: after.revision)
    observers.notify {
      ChangeSet(
        before: before.value, after: after.value, revision: after.revision, origin: origin)
    }
  }

  /// The changes from now on: one change set for each transaction that makes a revision, in order.
  ///
  /// Each access to this property begins a separate stream, which ends when the store is closed. Change sets that are
  /// not yet consumed are kept without a limit.
  public var changes: AsyncStream<ChangeSet<Root>> { observers.makeStream() }
}

/// Runs rules on changes that no transaction made.
extension Store {
  /// Runs the rules of the schema on everything in the store, as if all of it were new, in one transaction.
  ///
  /// Rules run automatically wherever the value changes; see ``Rule``. They do not run on a file of the same version
  /// when it is opened. So call this after a rule was added or changed, or if a program without the rules may have
  /// edited the file.
  ///
  /// The store of a scratchpad runs no rules. O(n), plus the cost of the rules. If no rule changes anything, the
  /// transaction makes no revision.
  ///
  /// - Throws: the errors of ``write(origin:_:)``.
  public func runRules(origin: Origin = .local) throws {
    try transact(origin) { _ in ((), .anew) }
  }
}
