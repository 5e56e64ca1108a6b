@testable import SnapshotStore
@testable import TestSupport

/// A world with random events for a `SaveSchedule`, and a simple model of the rules that must hold.
///
/// A save takes the value some time after it was begun and ends some time after that. A transaction is published before
/// the schedule hears of it, so a save may contain it earlier. Timers fire on time, or late when the machine slept.
struct RandomScheduleWorld {
  let policy: SavePolicy
  /// Whether saves go to a journal until one folds.
  let hasJournal: Bool
  private(set) var schedule: SaveSchedule
  private(set) var violations: [String] = []
  private(set) var saves = 0

  private var generator: SeededGenerator
  private var now: Duration = .zero
  private var timers: [Duration] = []
  /// The published revision, and the last one that the schedule was told of.
  private var published = 0
  private var told = 0
  /// The times at which the schedule was told of each revision.
  private var times: [Duration] = [.zero]
  /// The highest revision in a successful save.
  private var durable = 0
  private var isSaving = false
  private var held: Int?
  private var failures = 0
  private var failedAt: Duration = .zero
  private var isFolding = false
  private var isUnfolded = false
  private(set) var folds = 0
  private var waiting: [Int: Int] = [:]
  /// The waiters that want everything to be in the file itself.
  private var folders: Set<Int> = []
  private var lastWaiter = 0

  init(policy: SavePolicy, hasJournal: Bool = false, seed: UInt64) {
    self.policy = policy
    self.hasJournal = hasJournal
    schedule = SaveSchedule(policy: policy, quietTime: .seconds(20))
    generator = SeededGenerator(seed: seed)
  }

  mutating func step() {
    switch Int.random(in: 0..<100, using: &generator) {
    case ..<30: change()
    case ..<36: flush()
    case ..<70: takeTime(isAsleep: false)
    case ..<73: takeTime(isAsleep: true)
    case ..<75: handle(.timerFired)
    default: workOnSave(failing: Int.random(in: 0..<3, using: &generator) == 0)
    }
    check()
  }

  /// Lets everything run to its end, on a disk that works.
  mutating func settle() {
    tell()
    if policy == .manual { flush(folding: true) }
    for _ in 0..<10 {
      for _ in 0..<10 where isSaving { workOnSave(failing: false) }
      advance(by: .seconds(60), isAsleep: false)
      check()
    }
    if isSaving { violations.append("a save goes on for ever") }
    if schedule.isDirty { violations.append("dirty at the end") }
    if isUnfolded || !schedule.isAtRest { violations.append("there is a journal at the end") }
    if durable != published { violations.append("revision \(durable) of \(published) is durable at the end") }
    if !waiting.isEmpty { violations.append("\(waiting.count) waiters were never resumed") }
  }

  // MARK: Events

  private mutating func change() {
    tell()
    published += 1
    // Sometimes another event comes before the schedule hears of the transaction.
    if Int.random(in: 0..<10, using: &generator) > 0 { tell() }
  }

  private mutating func tell() {
    guard told < published else { return }
    hear(of: published)
    handle(.changed(revision: published))
    told = published
  }

  private mutating func hear(of revision: Int) {
    while times.count <= revision { times.append(now) }
  }

  private mutating func flush(folding: Bool? = nil) {
    lastWaiter += 1
    waiting[lastWaiter] = published
    let folding = folding ?? Bool.random(using: &generator)
    if folding { folders.insert(lastWaiter) }
    hear(of: published)
    handle(.flush(waiter: lastWaiter, revision: published, folding: folding))
  }

  private mutating func takeTime(isAsleep: Bool) {
    let milliseconds = [1, 20, 300, 2_000, isAsleep ? 100_000 : 7_000].randomElement(using: &generator) ?? 1
    advance(by: .microseconds(Int.random(in: 0...milliseconds * 1_000, using: &generator)), isAsleep: isAsleep)
  }

  private mutating func advance(by duration: Duration, isAsleep: Bool) {
    let end = now + duration
    if isAsleep { now = end }
    while let next = timers.min(), next <= end {
      now = max(now, next)
      timers.remove(at: timers.firstIndex(of: next) ?? 0)
      handle(.timerFired)
    }
    now = end
  }

  private mutating func workOnSave(failing: Bool) {
    guard isSaving else { return }
    guard let revision = held else {
      held = published
      return
    }
    isSaving = false
    held = nil
    failures = failing ? failures + 1 : 0
    if failing {
      failedAt = now
    } else {
      durable = max(durable, revision)
      // A journal beyond its limit is folded without request.
      isUnfolded = hasJournal && !isFolding && Int.random(in: 0..<5, using: &generator) > 0
      if isFolding { folds += 1 }
    }
    handle(.saveFinished(revision: revision, failure: failing ? .diskFull : nil, unfolded: isUnfolded))
  }

  private mutating func handle(_ event: SaveSchedule.Event) {
    for action in schedule.handle(event, now: now) {
      switch action {
      case .setTimer(let time): timers.append(time)
      case .save(let folding):
        if isSaving { violations.append("\(now): two saves at once") }
        if schedule.isAtRest { violations.append("\(now): a save of nothing") }
        isFolding = folding
        isSaving = true
        saves += 1
      case .resume(let ids, let failure):
        for id in ids { resume(id, failure) }
      }
    }
  }

  private mutating func resume(_ waiter: Int, _ failure: SnapshotError?) {
    guard let revision = waiting.removeValue(forKey: waiter) else {
      violations.append("\(now): waiter \(waiter) was resumed twice")
      return
    }
    if failure == nil, folders.contains(waiter), isUnfolded {
      violations.append("\(now): waiter \(waiter) was told that there is no journal")
    }
    if failure == nil, durable < revision {
      violations.append("\(now): waiter \(waiter) was told that \(revision) is durable, and \(durable) is")
    }
  }

  // MARK: Rules

  private mutating func check() {
    if schedule.durable != durable { violations.append("\(now): \(schedule.durable) instead of \(durable) is durable") }
    if !waiting.isEmpty, !isSaving { violations.append("\(now): someone waits, and nothing is being saved") }
    if timers.count > 100 { violations.append("\(now): \(timers.count) timers") }
    guard !isSaving, times.count > durable + 1, let limit = latestBeginning(times[durable + 1]) else { return }
    if now >= limit { violations.append("\(now): a save should have begun at \(limit)") }
  }

  /// The latest time at which a save must begin, for the first change that is not durable.
  private func latestBeginning(_ first: Duration) -> Duration? {
    let backOff = failures == 0 ? nil : failedAt + min(.milliseconds(500) * (1 << min(failures - 1, 10)), .seconds(30))
    switch policy {
    case .automatic(_, let maxDelay): return backOff ?? (first + maxDelay)
    case .immediate: return backOff ?? first
    case .manual, .readOnly: return nil
    }
  }
}
