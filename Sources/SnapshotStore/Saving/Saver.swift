import Synchronization

/// Saves a store's value when its schedule decides so. It is a thin shell around ``SaveSchedule``.
///
/// Events come from any thread. The lock is held only while the schedule decides. Saves, timers and the waiters'
/// continuations run outside it. `Saver+Saving` has the save, `Saver+Waiting` the waits for it, `Saver+Ending` the end
/// of a saver.
final class Saver<Root: Model>: FileWorker {
  typealias Integration = Callback<Void, Result<ExternalChange?, SnapshotError>?>

  struct State: Sendable {
    var schedule: SaveSchedule
    var waiters = SaveWaiters()
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
  let hasJournal: Bool
  let scheduler: any Scheduler
  let log: @Sendable (String) -> Void
  let isLatestFree: @Sendable () -> Bool
  let latest: @Sendable () -> Snapshot<Root>
  /// The file, for the thread that reads or replaces it: the saver's own, or one that ends the process. Code of the
  /// program runs in pauses (`outsideTurn`). It may wait for the thread that ends the process, or be on it.
  let turn: Turn<StoreFile<Root>>
  /// The turns of other programs at the file. A save asks for one while it has the saver's turn.
  let turns = SaveTurns()
  /// The thread that takes in what others have saved; 0 for none.
  let integrating = Atomic<UInt>(0)

  /// - Parameters:
  ///   - log: receives messages that no caller waits for.
  ///   - isLatestFree: whether `latest` can take the lock that it needs.
  ///   - latest: returns the value to save; called on the thread that saves.
  init(
    file: StoreFile<Root>, policy: SavePolicy, scheduler: any Scheduler, log: @escaping @Sendable (String) -> Void,
    isLatestFree: @escaping @Sendable () -> Bool, latest: @escaping @Sendable () -> Snapshot<Root>
  ) {
    turn = Turn(file)
    location = file.location
    fileSystem = file.fileSystem
    isShared = file.session.isShared
    isReadOnly = file.session.isReadOnly
    hasJournal = file.journalPolicy != .none
    self.scheduler = scheduler
    self.log = log
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

  /// A copy, for those who ask for more than one of its properties, or seldom.
  var schedule: SaveSchedule { state.withLock { $0.schedule } }

  var life: SaverLife { state.withLock { $0.life } }

  /// The schedule and the history at one moment.
  var progress: (schedule: SaveSchedule, history: SaveHistory) { state.withLock { ($0.schedule, $0.history) } }

  /// Begins the work that opening has left.
  func begin() {
    if schedule.isUnfolded { handle(.timerFired) }
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
    guard schedule.isAtRest, let kept = file.dropJournal(latest().value) else { return }
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
    FileWork.run(of: self) { inTurn(work) }
  }

  var name: String { "the store \(location.path.quotedForMessage(limit: 200))" }

  /// - Parameter appendsHere: whether the caller calls `beginDecidedSave` for a save that may append.
  func handle(_ event: SaveSchedule.Event, appendsHere: Bool = false) {
    let now = scheduler.now
    let (actions, answers, isTooLate) = state.withLock { state in
      let before = state.schedule.progress
      let actions = state.schedule.handle(event, now: now)
      let after = state.schedule.progress
      for case .save(let folding) in actions { state.decided = (true, folding) }
      let answers = state.waiters.takeAnswers(actions, durable: after.durable, isNews: after != before)
      return (actions, answers, state.life.isTooLate(event))
    }
    answers.give()
    if isTooLate { log("\(name) was changed after its last save, while the process was ending; this change is lost") }
    for action in actions {
      switch action {
      // A timer may fire after a day. Until then it must not hold the value of a closed store.
      case .setTimer(let time): scheduler.schedule(at: time) { [weak self] in self?.handle(.timerFired) }
      case .save(folding: false) where appendsHere: break
      case .save(let folding): scheduler.perform { self.beginDecidedSave(folding: folding) }
      case .resume: break
      }
    }
  }

  /// Makes the save that was decided, unless another thread has begun it, or it is of the other kind.
  func beginDecidedSave(folding: Bool) {
    let isMine = state.withLock { state in
      guard state.decided == (true, folding) else { return false }
      state.decided.isThere = false
      return true
    }
    if isMine { save(folding: folding) }
  }
}
