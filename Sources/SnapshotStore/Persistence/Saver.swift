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
  }

  private let state: Mutex<State>
  private let file: StoreFile
  private let scheduler: any Scheduler
  private let latest: @Sendable () -> Snapshot<Root>

  /// - Parameter latest: gives the value to save; called on the saver's own thread.
  init(
    file: StoreFile, policy: SavePolicy, scheduler: any Scheduler, latest: @escaping @Sendable () -> Snapshot<Root>
  ) {
    self.file = file
    self.scheduler = scheduler
    self.latest = latest
    state = Mutex(State(schedule: SaveSchedule(policy: policy)))
  }

  var durableRevision: Int { state.withLock { $0.schedule.durable } }

  var status: SaverStatus {
    state.withLock { state in
      SaverStatus(
        durableRevision: state.schedule.durable, isSaving: state.schedule.savingSince != nil,
        lastError: state.lastError, counters: state.counters)
    }
  }

  /// A transaction was published.
  func changed(revision: Int) {
    handle(.changed(revision: revision))
  }

  /// Calls back once everything up to a revision is durable, or could not be made so.
  func flush(through revision: Int, _ waiter: @escaping Waiter) {
    let id = state.withLock { state in
      state.lastWaiter += 1
      state.waiters[state.lastWaiter] = waiter
      return state.lastWaiter
    }
    handle(.flush(waiter: id, revision: revision))
  }

  private func handle(_ event: SaveSchedule.Event) {
    let now = scheduler.now
    let actions = state.withLock { $0.schedule.handle(event, now: now) }
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
    let snapshot = latest()
    let result = Result { () throws(SnapshotError) in try file.save(snapshot.value) }
    let failure: SnapshotError? = if case .failure(let error) = result { error } else { nil }
    state.withLock { state in
      state.counters.count(result)
      state.lastError = failure
    }
    handle(.saveFinished(revision: snapshot.revision, failure: failure))
  }
}

/// What a saver can tell at one moment.
struct SaverStatus: Sendable {
  var durableRevision: Int
  var isSaving = false
  var lastError: SnapshotError?
  var counters = SaveCounters()
}
