import Dispatch
public import SnapshotFoundation
import Synchronization

/// Holds one value in memory, and keeps one file in step with it.
///
/// Reading and writing are memory only, from any thread, without `await`: a reader never waits for a transaction, and
/// neither waits for the disk. Saving happens behind them, as the ``SavePolicy`` says.
///
/// Guarantees: a transaction is published whole or not at all, in one order for everyone; when `flush` returns, every
/// earlier change is in the file and the file is synced; at every instant the file is one complete value, old or new.
/// A program that ends normally loses nothing, unless the policy is `manual`: what is not saved is saved when it calls `exit`,
/// or its `main` ends, even if the store is gone by then.
/// Not guaranteed: changes that were not flushed survive a crash.
///
/// Costs: `read` and `snapshot` O(1) plus what is done with the value; `write` O(log n) for each record changed.
public final class Store<Root: Model>: Sendable {
  @usableFromInline let core: Core
  let saver: Saver<Root>?
  @usableFromInline let writerLock = WriterLock()
  let observers = Observers<Root>()
  let companions = Companions()
  let statusFollowers = StatusFollowers()
  private let policy: SavePolicy
  var isReadOnly: Bool { policy == .readOnly }
  let externalChanges: ExternalChangePolicy
  let onExternalChange: (@Sendable (ExternalChange) -> Void)?
  /// What notices changes of the file, as long as it is held.
  let watching = Mutex(Watching())
  @usableFromInline let schema = Root.schema
  /// Whether there are rules to run, and validations to make.
  @usableFromInline let hasRules: Bool
  @usableFromInline let validates: Bool
  /// Where blocks in the background run, and where those who began them are told of their end.
  let background = OrderedJobs("SnapshotStore background")
  let completions = OrderedJobs("SnapshotStore completions")
  /// Takes messages that nobody waits for.
  let log: @Sendable (String) -> Void

  /// The file that the store keeps; nil for a store in memory.
  public let url: URL?

  /// How the store was opened; nil for a store in memory.
  public var openReport: OpenReport? { report.withLock { $0 } }

  let report: Mutex<OpenReport?>

  /// A store in memory only, without a file.
  public convenience init(_ root: Root = Root()) { self.init(root, hasRules: true) }

  /// A store in memory; without the rules and validations of the schema if it is where changes are staged.
  init(_ root: Root, hasRules: Bool) {
    Root.requireCompleteSchema()
    core = Core(root)
    self.hasRules = hasRules && !Root.schema.rules.isEmpty
    validates = hasRules && !Root.schema.validations.isEmpty
    saver = nil
    log = StoreOptions().log
    policy = .automatic()
    externalChanges = .failSave
    onExternalChange = nil
    url = nil
    report = Mutex(nil)
  }

  init(
    _ root: Root, file: StoreFile, url: URL, report: OpenReport, options: StoreOptions, scheduler: any Scheduler
  ) {
    let core = Core(root)
    self.core = core
    hasRules = !Root.schema.rules.isEmpty
    validates = !Root.schema.validations.isEmpty
    saver = Saver(
      file: file, policy: options.policy, scheduler: scheduler, log: options.log, statusFollowers: statusFollowers,
      isLatestFree: { core.isFree }, latest: { core.latest.snapshot })
    log = options.log
    policy = options.policy
    externalChanges = options.externalChanges
    onExternalChange = options.onExternalChange
    self.url = url
    self.report = Mutex(report)
  }

  /// Changes that are not saved are saved now, in the background, unless the policy is to save only when asked.
  deinit { saver?.letGo() }

  // MARK: Reading

  /// Gives `body` the latest value. Never waits for a transaction.
  ///
  /// Inside of ``write(origin:_:)`` the latest value is the one from before the transaction: what its closure has changed so far is only
  /// in the closure's own argument. The same holds for ``snapshot()``.
  @inlinable
  public func read<Result>(_ body: (Root) throws -> Result) rethrows -> Result {
    let latest = core.latest
    return try body(latest.value)
  }

  /// The latest value with its revision. O(1); keep it as long as you like.
  public func snapshot() -> Snapshot<Root> { core.latest.snapshot }

  /// The number of transactions that have changed the value since the store was opened.
  public var revision: Int { core.latest.revision }

  /// The latest revision that is in the file and synced. A store in memory has nothing to wait for.
  public var durableRevision: Int { saver?.durableRevision ?? revision }

  // MARK: Writing

  /// Changes the value in one transaction, and returns what `body` returns.
  ///
  /// Transactions run one at a time. If `body` throws, nothing of it remains. A transaction that changes no table and no single value
  /// makes no revision. Calling `write` on the same store inside of `body` traps. Calling ``read(_:)`` there gives the value from before the
  /// transaction, without what `body` has changed so far: read from the argument of `body` instead.
  ///
  /// The rules of the schema are part of the transaction.
  ///
  /// - Throws: what `body` or a rule throws; ``TransactionRefusal`` with everything that a validation says is wrong;
  ///   ``SnapshotError`` with code `readOnly` or `closed`, or `wouldDeadlock` if two threads wait for stores of each other.
  @inlinable
  @discardableResult
  public func write<Result>(origin: Origin = .local, _ body: (inout Root) throws -> Result) throws -> Result {
    try transact(origin, rules: hasRules, body)
  }

  /// - Parameter rules: whether the rules of the schema are run on what `body` makes.
  @inlinable
  func transact<Result>(
    _ origin: Origin, rules: Bool, _ body: (inout Root) throws -> Result
  ) throws -> Result {
    // The old value is let go outside of the lock: freeing a large one takes time.
    let (result, _) = try writerLock.withLock {
      let before = try latestForWriting()
      var draft = before.value
      let result = try body(&draft)
      if rules || validates { try settle(&draft, before, origin, rules: rules) }
      publish(draft, over: before, origin: origin)
      return (result, before)
    }
    return result
  }

  /// Makes a value the latest, under the writer lock, unless it is the one before.
  @inlinable
  func publish(_ draft: Root, over before: Published, origin: Origin) {
    let difference = withUnsafePointer(to: draft) { draft in
      withUnsafePointer(to: before.value) { schema.difference(draft, $0) }
    }
    if difference == .none { return }
    let isChanged = difference == .inTables
    let after = Published(draft, revision: before.revision + (isChanged ? 1 : 0))
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

  /// Lets values follow others, and refuses what must not be.
  @usableFromInline
  func settle(_ draft: inout Root, _ before: Published, _ origin: Origin, rules: Bool) throws {
    let transaction = RuledTransaction(revision: before.revision + 1, origin: origin)
    if draft.hasSameTables(as: before.value) { return }
    if rules { try schema.applyRules(to: &draft, before: before.value, transaction) }
    if validates { try schema.validate(draft, before: before.value, transaction) }
  }

  /// Tells the saver and the observers of a change, under the writer lock.
  @usableFromInline
  func announce(_ after: Published, before: Published, origin: Origin) {
    saver?.changed(revision: after.revision)
    observers.notify {
      ChangeSet(
        before: before.value, after: after.value, revision: after.revision, origin: origin)
    }
  }

  /// The changes from now on: one change set for each transaction that makes a revision, in their order.
  ///
  /// Each stream is its own, begins when this is read, and ends when the store is closed. Change sets wait in it without
  /// limit until they are taken.
  public var changes: AsyncStream<ChangeSet<Root>> { observers.makeStream() }

  // MARK: Saving

  /// Returns once every earlier change is in the file, and file and directory are synced. Saves at once if need be.
  ///
  /// - Throws: ``SnapshotError``, if the save that would have held the changes failed. They stay in memory, and are saved
  ///   again later as the policy says.
  public func flush() async throws {
    guard let saver else { return }
    let revision = revision
    try await withCheckedThrowingContinuation { continuation in
      saver.flush(through: revision) { continuation.resume(with: $0) }
    }
  }

  /// ``flush()`` for code that is not asynchronous: blocks the thread.
  public func flushAndWait() throws {
    try saver?.flushAndWait(through: revision).get()
  }

  /// Waits until a revision is in the file and synced, without asking for a save: it comes when the policy says.
  ///
  /// - Throws: `CancellationError`; ``SnapshotError`` with code `closed` if the store is closed without ever having had the
  ///   revision. A save that fails is no error here; it is repeated.
  public func durable(through revision: Int) async throws {
    guard let saver else { return }
    try await saver.durabilityWaiters.wait(through: revision) { saver.durableRevision }
  }

  /// Waits for the background blocks that were begun before, flushes, and refuses changes from then on. Reading goes on. Closing a
  /// closed store does nothing.
  ///
  /// - Throws: what `flush` throws; the store then stays open, and its changes are still to be saved. ``SnapshotError`` with code
  ///   `wouldDeadlock` inside of a background block.
  public func close() async throws {
    try await waitForBackground()
    repeat {
      let isFirst = try beginClosing()
      do {
        try await flush()
        if looksBeforeClosing { await checkFile() }
      } catch {
        if isFirst { _ = core.move(from: .closing, to: .open) }
        throw error
      }
    } while try !endClosing()
  }

  /// ``close()`` for code that is not asynchronous: blocks the thread.
  ///
  /// A background block that waits for this thread, as `DispatchQueue.main.sync` does for the main thread, is waited for by it, so that both
  /// wait for ever. Where blocks do that, close with ``close()``, which blocks no thread.
  public func closeAndWait() throws {
    try waitForBackground()
    repeat {
      let isFirst = try beginClosing()
      do {
        try flushAndWait()
        if looksBeforeClosing { checkFileAndWait() }
      } catch {
        if isFirst { _ = core.move(from: .closing, to: .open) }
        throw error
      }
    } while try !endClosing()
  }

  /// Waits for a running transaction, and lets no other begin.
  private func beginClosing() throws -> Bool {
    try writerLock.withLock { core.move(from: .open, to: .closing) }
  }

  /// Whether the store is closed. It is not if another `close` that failed has opened it again in the meantime.
  private func endClosing() throws -> Bool {
    let isClosing = try writerLock.withLock { durableRevision >= revision && core.move(from: .closing, to: .closed) }
    if isClosing {
      watching.withLock { $0 = Watching() }
      saver?.close()
      statusFollowers.finish()
      observers.finish()
    }
    return core.phase == .closed
  }
}
