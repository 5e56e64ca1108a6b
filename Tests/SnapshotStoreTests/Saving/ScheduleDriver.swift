import Testing

@testable import SnapshotStore
@testable import TestSupport

/// The environment of a `SaveSchedule`: a clock, timers that fire on time, and saves that end when the test says so.
struct ScheduleDriver {
  private(set) var schedule: SaveSchedule
  private(set) var now: Duration = .zero
  private(set) var isSaving = false
  /// The times at which saves were begun since the test last asked.
  private(set) var begun: [Duration] = []
  /// Timers that have not fired.
  private(set) var timers: [Duration] = []
  /// The result of each resumption of each waiter.
  private(set) var outcomes: [Int: [SnapshotError?]] = [:]
  /// The latest revision that was published.
  private(set) var revision = 0
  /// The revision in the running save.
  private(set) var revisionInSave = 0
  private var lastWaiter = 0

  /// - Parameter quietTime: how long nothing must change before a journal is folded into the file.
  init(_ policy: SavePolicy = .automatic(), quietTime: Duration = .zero) {
    schedule = SaveSchedule(policy: policy, quietTime: quietTime)
  }

  /// Publishes a transaction.
  mutating func change() {
    revision += 1
    handle(.changed(revision: revision))
  }

  /// Asks for the latest revision, or another, to be made durable; returns the waiter.
  @discardableResult
  mutating func flush(through revision: Int? = nil) -> Int {
    lastWaiter += 1
    handle(.flush(waiter: lastWaiter, revision: revision ?? self.revision))
    return lastWaiter
  }

  /// Ends the running save.
  ///
  /// - Parameter unfolded: whether the save went to the journal.
  mutating func finishSave(_ failure: SnapshotError? = nil, unfolded: Bool = false) {
    #expect(isSaving)
    isSaving = false
    handle(.saveFinished(revision: revisionInSave, failure: failure, unfolded: unfolded))
  }

  /// Moves the clock, and fires every timer in between at its time.
  mutating func advance(by duration: Duration) {
    let end = now + duration
    while let next = timers.min(), next <= end {
      now = max(now, next)
      timers.remove(at: timers.firstIndex(of: next) ?? 0)
      handle(.timerFired)
    }
    now = end
  }

  /// Moves the clock to a time.
  mutating func advance(to time: Duration) { advance(by: time - now) }

  /// Passes an event to the schedule that the functions above do not cover.
  mutating func handle(_ event: SaveSchedule.Event) {
    for action in schedule.handle(event, now: now) {
      switch action {
      case .setTimer(let time):
        #expect(time > now, "a timer in the past")
        timers.append(time)
      case .save:
        #expect(!isSaving, "two saves at once")
        isSaving = true
        revisionInSave = revision
        begun.append(now)
      case .resume(let waiters, let failure):
        for waiter in waiters { outcomes[waiter, default: []].append(failure) }
      }
    }
  }
}

extension SnapshotError {
  /// The error of failing saves in tests.
  static let diskFull = SnapshotError(.ioFailed, "the disk is full")
}
