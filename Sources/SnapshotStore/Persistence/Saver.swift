import Dispatch
import Synchronization

/// Saves a store's value when its schedule says so: the thin shell around ``SaveSchedule``.
///
/// Events come from any thread. The lock is held only while the schedule decides; saving, timers and the waiters'
/// continuations run outside of it.
final class Saver<Root: Model>: Sendable {
  typealias Waiter = @Sendable (Result<Void, SnapshotError>) -> Void

  private struct State: Sendable {
    var schedule: SaveSchedule
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
    var counters = SaveCounters()
    var lastError: SnapshotError?
    /// Whether the store is gone, and the file is to be closed once all is saved.
    var isLetGo = false
  }

  private let state: Mutex<State>
  let file: StoreFile
  private let scheduler: any Scheduler
  private let log: @Sendable (String) -> Void
  private let latest: @Sendable () -> Snapshot<Root>
  let durabilityWaiters = DurabilityWaiters()
  /// Called on the saver's thread when the file turns out to have been changed by someone else; whether it may be replaced
  /// now.
  let foreignChange = Mutex<(@Sendable () -> Bool)?>(nil)

  /// - Parameters:
  ///   - log: takes messages that nobody waits for.
  ///   - latest: gives the value to save; called on the saver's own thread.
  init(
    file: StoreFile, policy: SavePolicy, scheduler: any Scheduler, log: @escaping @Sendable (String) -> Void,
    latest: @escaping @Sendable () -> Snapshot<Root>
  ) {
    self.file = file
    self.scheduler = scheduler
    self.log = log
    self.latest = latest
    state = Mutex(State(schedule: SaveSchedule(policy: policy)))
  }

  var durableRevision: Int { state.withLock { $0.schedule.durable } }

  var status: SaverStatus {
    let generationError = file.generationFailure
    return state.withLock { state in
      SaverStatus(
        durableRevision: state.schedule.durable, isSaving: state.schedule.savingSince != nil,
        lastError: state.lastError, counters: state.counters, generationError: generationError)
    }
  }

  /// A transaction was published.
  func changed(revision: Int) {
    handle(.changed(revision: revision))
  }

  /// A revision was taken from the file.
  func adopted(revision: Int) {
    handle(.adopted(revision: revision))
  }

  /// Runs work when no save runs.
  func betweenSaves(_ work: @escaping @Sendable () -> Void) { scheduler.perform(work) }

  /// Calls back once everything up to a revision is durable, or could not be made so.
  func flush(through revision: Int, _ waiter: @escaping Waiter) {
    let id = state.withLock { state in
      state.lastWaiter += 1
      state.waiters[state.lastWaiter] = waiter
      return state.lastWaiter
    }
    handle(.flush(waiter: id, revision: revision))
  }

  /// The same, blocking the thread.
  func flushAndWait(through revision: Int) -> Result<Void, SnapshotError> {
    let outcome = Mutex<Result<Void, SnapshotError>>(.success(()))
    let semaphore = DispatchSemaphore(value: 0)
    flush(through: revision) { result in
      outcome.withLock { $0 = result }
      semaphore.signal()
    }
    semaphore.wait()
    return outcome.withLock { $0 }
  }

  /// Everything is saved, and nothing will be any more.
  func close() {
    file.close()
    durabilityWaiters.finish()
  }

  /// The store is gone without having been closed. What is not saved is saved now, if the policy saves by itself at all.
  ///
  /// - Parameter flushesOnExit: whether the process must not end before that.
  func letGo(flushesOnExit: Bool) {
    let (isDirty, policy, revision) = state.withLock { state in
      state.isLetGo = true
      return (state.schedule.isDirty, state.schedule.policy, state.schedule.latest)
    }
    guard isDirty, policy != .manual else {
      if isDirty { log("\(name) was let go without close(); its policy is manual, so its last changes are lost") }
      return closeIfLetGo()
    }
    log("\(name) was let go without close(); its last changes are being saved")
    let exit = flushesOnExit ? ExitFlush.shared.add { _ = self.flushAndWait(through: revision) } : nil
    flush(through: revision) { [log, name] result in
      if case .failure(let error) = result { log("\(name): the last changes are not saved yet: \(error.message)") }
      if let exit { ExitFlush.shared.remove(exit) }
    }
  }

  private var name: String { "the store \(file.location.path.quotedForMessage(limit: 200))" }

  private func closeIfLetGo() {
    let isOver = state.withLock { state in
      state.isLetGo && state.schedule.savingSince == nil
        && (!state.schedule.isDirty || state.schedule.policy == .manual)
    }
    if isOver { file.close() }
  }

  /// A store that is gone cannot be asked what to do about what someone else wrote; its value must not be lost for that, nor
  /// the file be locked for ever.
  private func giveUp(_ snapshot: Snapshot<Root>) -> Bool {
    guard state.withLock({ $0.isLetGo }) else { return false }
    do throws(SnapshotError) {
      let path = try file.saveAside(snapshot.value, as: "unsaved")
      log("\(name) was changed by someone else; the last changes are in \(path.quotedForMessage(limit: 400))")
      return true
    } catch {
      log("\(name) was changed by someone else, and the last changes could not be put beside it: \(error.message)")
      return false
    }
  }

  private func handle(_ event: SaveSchedule.Event) {
    let now = scheduler.now
    let (actions, durable) = state.withLock { ($0.schedule.handle(event, now: now), $0.schedule.durable) }
    durabilityWaiters.reached(durable)
    for action in actions {
      switch action {
      case .setTimer(let time): scheduler.schedule(at: time) { self.handle(.timerFired) }
      case .save: scheduler.perform { self.save() }
      case .resume(let ids, let failure): resume(ids, failure)
      }
    }
  }

  private func resume(_ ids: [Int], _ failure: SnapshotError?) {
    let waiters = state.withLock { state in ids.compactMap { state.waiters.removeValue(forKey: $0) } }
    for waiter in waiters { waiter(failure.map { .failure($0) } ?? .success(())) }
  }

  private func save() {
    var snapshot = latest()
    var result = Result { () throws(SnapshotError) in try file.save(snapshot.value) }
    if case .failure(let error) = result, error.code == .changedOutside, foreignChange.withLock({ $0 })?() == true {
      snapshot = latest()
      result = Result { () throws(SnapshotError) in try file.save(snapshot.value) }
    }
    var failure: SnapshotError? = if case .failure(let error) = result { error } else { nil }
    if failure?.code == .changedOutside, giveUp(snapshot) { failure = nil }
    state.withLock { state in
      state.counters.count(result)
      state.lastError = failure
    }
    handle(.saveFinished(revision: snapshot.revision, failure: failure))
    closeIfLetGo()
  }
}

/// What a saver can tell at one moment.
struct SaverStatus: Sendable {
  var durableRevision: Int
  var isSaving = false
  var lastError: SnapshotError?
  var counters = SaveCounters()
  var generationError: SnapshotError?
}
