import Dispatch
import Synchronization

/// Saves a store's value when its schedule decides so. It is a thin shell around ``SaveSchedule``.
///
/// Events come from any thread. The lock is held only while the schedule decides. Saves, timers and the waiters'
/// continuations run outside it. `Saver+Saving` has the save, `Saver+Ending` the end of a saver.
final class Saver<Root: Model>: FileWorker {
  typealias Waiter = @Sendable (Result<Void, SnapshotError>) -> Void

  typealias Integration = Callback<Void, Result<ExternalChange?, SnapshotError>?>

  struct State: Sendable {
    var schedule: SaveSchedule
    var waiters = Registry<Waiter>()
    var history = SaveHistory()
    var life = SaverLife()
    /// The saver itself, from the deallocation of its store until the file is closed. Nothing else need hold it then.
    var abandoned: Saver?
    /// Whether a save was decided that no thread has begun, and whether it must write the file itself.
    var decided: (isThere: Bool, folding: Bool) = (false, false)
    /// Called in the saver's turn after an external change. Returns whether the file may be replaced now.
    var externalChange: Callback<Void, Bool>?
    /// Called with the lock of a shared file. Takes in what others have saved; nil once the store is deallocated.
    var othersSaves: Integration?
    /// When the lock of a shared file was released last; nil before the first save or look.
    var lockReleased: Duration?
    /// What the program is told once others can have the lock of a shared file.
    var reports: [Callback<Void, Void>] = []
    /// The registration of the saver in `ExitFlush`.
    var exitEntry: ExitEntry?
  }

  let state: SmallLock<State>
  let location: FileLocation
  let fileSystem: any FileSystem
  /// Whether other processes have the file open too.
  let isShared: Bool
  private let isReadOnly: Bool
  private let hasJournal: Bool
  let scheduler: any Scheduler
  let log: @Sendable (String) -> Void
  let isLatestFree: @Sendable () -> Bool
  let latest: @Sendable () -> Snapshot<Root>
  let durabilityWaiters = DurabilityWaiters()
  let statusFollowers: StatusFollowers
  /// The file, for the thread that reads or replaces it: the saver's own, or one that ends the process. Code of the
  /// program runs in pauses (`outsideTurn`). It may wait for the thread that ends the process, or be on it.
  let turn: Turn<StoreFile<Root>>
  /// The turns of other programs at the file. A save asks for one while it has the saver's turn.
  let turns = SaveTurns()
  /// The thread that takes in what others have saved; 0 for none.
  let integrating = Atomic<UInt>(0)

  /// - Parameters:
  ///   - log: receives messages that no caller waits for.
  ///   - statusFollowers: notified when the state of saving changes.
  ///   - isLatestFree: whether `latest` can take the lock that it needs.
  ///   - latest: returns the value to save; called on the thread that saves.
  init(
    file: StoreFile<Root>, policy: SavePolicy, scheduler: any Scheduler, log: @escaping @Sendable (String) -> Void,
    statusFollowers: StatusFollowers, isLatestFree: @escaping @Sendable () -> Bool,
    latest: @escaping @Sendable () -> Snapshot<Root>
  ) {
    turn = Turn(file)
    location = file.location
    fileSystem = file.fileSystem
    isShared = file.session.isShared
    isReadOnly = file.session.isReadOnly
    hasJournal = file.journalPolicy != .none
    self.scheduler = scheduler
    self.log = log
    self.statusFollowers = statusFollowers
    self.isLatestFree = isLatestFree
    self.latest = latest
    let schedule = SaveSchedule(
      policy: policy, quietTime: file.quietTime, isUnfolded: file.isUnfolded)
    state = SmallLock(State(schedule: schedule))
  }

  /// Only in the saver's turn.
  var file: StoreFile<Root> { turn.content }

  /// Whether code on this thread, called by the saver, finds the lock of the file held.
  var hasLockOnThisThread: Bool { !isReadOnly && (!isShared || isIntegrating) }

  var durableRevision: Int { state.withLock { $0.schedule.durable } }

  /// The schedule and the history at one moment.
  var progress: (schedule: SaveSchedule, history: SaveHistory) { state.withLock { ($0.schedule, $0.history) } }

  /// Begins the work that opening has left.
  func begin() {
    if state.withLock({ $0.schedule.isUnfolded }) { handle(.timerFired) }
  }

  /// A transaction was published.
  func changed(revision: Int) {
    handle(.changed(revision: revision))
  }

  /// A revision was read from the file, or from a journal that others share.
  func adopted(revision: Int) {
    handle(.adopted(revision: revision, unfolded: isShared && file.isUnfolded))
  }

  /// Removes the journal if the file holds everything, because its content was taken over. Called in the saver's turn.
  func dropSupersededJournal() {
    guard state.withLock({ $0.schedule.isAtRest }), let kept = file.dropJournal(latest().value) else { return }
    tell { [self] in
      log("\(name): its journal was changed by another program; it is kept as \(kept.quotedForMessage(limit: 400))")
    }
  }

  /// Runs work while no save runs.
  func betweenSaves(_ work: @escaping @Sendable () -> Void) {
    scheduler.perform { self.look(work) }
  }

  /// The same after a time.
  func betweenSaves(after time: Duration, _ work: @escaping @Sendable () -> Void) {
    scheduler.schedule(at: scheduler.now + time) { [weak self] in self?.look(work) }
  }

  private func look(_ work: () -> Void) {
    SaverWork.run(of: self) { inTurn(work) }
  }

  /// Calls back once all revisions up to this one are durable, or could not be saved.
  ///
  /// - Parameter folding: whether they must be in the file itself.
  func flush(through revision: Int, folding: Bool, _ waiter: @escaping Waiter) {
    let id = state.withLock { $0.waiters.insert(waiter) }
    handle(.flush(waiter: id, revision: revision, folding: folding))
  }

  /// The same, blocking the thread. In code that the saver waits for, it asks for the save, and fails if it would have
  /// to wait.
  ///
  /// A line of the journal is appended on this thread, if no other is at it. To wake up another one and to be woken up
  /// takes as long as half of the sync.
  func flushAndWait(through revision: Int, folding: Bool) -> Result<Void, SnapshotError> {
    if isIntegrating { return .failure(.waitsForItself(location.path)) }
    let outcome = SmallLock<Result<Void, SnapshotError>>(.success(()))
    let semaphore = DispatchSemaphore(value: 0)
    let id = state.withLock { state in
      state.waiters.insert { result in
        outcome.withLock { $0 = result }
        semaphore.signal()
      }
    }
    let appends = !folding && hasJournal
    handle(.flush(waiter: id, revision: revision, folding: folding), appendsHere: appends)
    if appends { beginDecidedSave(folding: false) }
    // The answer may come at once. Nobody else gives it while this thread works for the saver.
    if SaverWork.isOnThisThread(self), state.withLock({ $0.waiters.remove(id) }) != nil {
      return .failure(.waitsForItsCaller(location.path))
    }
    semaphore.wait()
    return outcome.withLock { $0 }
  }

  var name: String { "the store \(location.path.quotedForMessage(limit: 200))" }

  /// - Parameter appendsHere: whether the caller calls `beginDecidedSave` for a save that may append.
  func handle(_ event: SaveSchedule.Event, appendsHere: Bool = false) {
    let now = scheduler.now
    let (actions, durable, isNews, isTooLate) = state.withLock { state in
      let before = state.schedule.progress
      let actions = state.schedule.handle(event, now: now)
      let after = state.schedule.progress
      return (actions, after.durable, after != before, state.life.isTooLate(event))
    }
    durabilityWaiters.reached(durable)
    if isNews { statusFollowers.tell() }
    if isTooLate { log("\(name) was changed after its last save, while the process was ending; this change is lost") }
    for action in actions {
      switch action {
      // A timer may fire after a day. Until then it must not hold the value of a closed store.
      case .setTimer(let time): scheduler.schedule(at: time) { [weak self] in self?.handle(.timerFired) }
      case .save(let folding):
        state.withLock { $0.decided = (true, folding) }
        if appendsHere, !folding { break }
        scheduler.perform { self.beginDecidedSave(folding: folding) }
      case .resume(let ids, let failure): resume(ids, failure)
      }
    }
  }

  /// Makes the save that was decided, unless another thread has begun it, or it is of the other kind.
  private func beginDecidedSave(folding: Bool) {
    let isMine = state.withLock { state in
      guard state.decided == (true, folding) else { return false }
      state.decided.isThere = false
      return true
    }
    if isMine { save(folding: folding) }
  }

  private func resume(_ ids: [Int], _ failure: SnapshotError?) {
    let waiters = state.withLock { state in ids.compactMap { state.waiters.remove($0) } }
    for waiter in waiters { waiter(failure.map { .failure($0) } ?? .success(())) }
  }
}
