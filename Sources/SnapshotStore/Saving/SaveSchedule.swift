/// Decides when to save. It is a pure state machine: it receives an event and the time, and returns actions.
///
/// It holds revisions, not flags. There is work left as long as `latest > durable`. So a failed save, or one that began
/// before the latest change, cannot lose the need for another. One save runs at a time. The delay counts from the last
/// change. The cap counts from the first change that no finished save holds, so a stream of changes cannot postpone
/// saves for ever.
struct SaveSchedule: Sendable {
  enum Event: Sendable {
    /// A transaction was published.
    case changed(revision: Int)
    /// A caller waits until a revision is durable, and until it is in the file itself if `folding`. The save does not
    /// wait for the delay.
    case flush(waiter: Int, revision: Int, folding: Bool = false)
    /// A timer fired. It may be an outdated one.
    case timerFired
    /// The requested save has ended. It contained the given revision. `unfolded`: whether changes are in the journal
    /// that are not in the file.
    case saveFinished(revision: Int, failure: SnapshotError?, unfolded: Bool = false)
    /// A revision was read from the file, so the file contains it. `unfolded`: whether a part of it is in the journal.
    case adopted(revision: Int, unfolded: Bool = false)
    /// Nothing is to be saved until `resumed`. It comes too late if the use has ended, because `resumed` came before.
    case suspended(use: Int)
    case resumed
  }

  enum Action: Sendable {
    /// Send `timerFired` at this time.
    case setTimer(Duration)
    /// Save the latest value, then send `saveFinished`. If `folding`, write it to the file and not to the journal.
    case save(folding: Bool)
    /// Report the result to these waiters.
    case resume([Int], failure: SnapshotError?)
  }

  let policy: SavePolicy
  private(set) var latest: Int
  private(set) var durable: Int
  /// The start of the running save; nil if none runs.
  private(set) var savingSince: Duration?
  private(set) var failures = 0

  /// The time of the first change that no finished or running save contains.
  private var firstChange: Duration?
  private var lastChange: Duration = .zero
  private var retryAt: Duration?
  /// The times of the timers that have not fired. Each was set for an earlier time than those before it, so the last
  /// one fires next. So there are few, although the times for saving and for folding alternate.
  private var timers: [Duration] = []
  private(set) var isSuspended = false
  /// The number of times that saving was resumed.
  private(set) var use = 0
  private var waiters: [(id: Int, revision: Int, folding: Bool)] = []
  /// Whether changes are in the journal that are not in the file.
  private(set) var isUnfolded: Bool
  /// How long nothing must change before the journal is folded into the file.
  private let quietTime: Duration
  private(set) var lastSaveTook: Duration = .zero

  /// The state of saving, for followers.
  struct Progress: Equatable {
    var latest: Int
    var durable: Int
    var isSaving: Bool
    var failures: Int
  }

  var progress: Progress {
    Progress(latest: latest, durable: durable, isSaving: savingSince != nil, failures: failures)
  }

  /// - Parameters:
  ///   - quietTime: how long nothing must change before the journal is folded into the file.
  ///   - isUnfolded: whether there is a journal already.
  init(policy: SavePolicy, quietTime: Duration = .zero, isUnfolded: Bool = false) {
    self.policy = policy
    self.quietTime = quietTime
    self.isUnfolded = isUnfolded
    latest = 0
    durable = 0
  }

  var isDirty: Bool { latest > durable }

  /// Whether a caller waits for a save.
  var isAwaited: Bool { !waiters.isEmpty }

  /// Whether everything is in the file itself.
  var isAtRest: Bool { !isDirty && !isUnfolded }

  /// How long the store waits after the last change before it saves; nil if it waits for `flush`.
  ///
  /// Long saves are made less often, so that they take at most a tenth of the time. No delay is longer than the cap.
  var delay: Duration? {
    switch policy {
    case .manual, .readOnly: nil
    case .immediate: .zero
    case .automatic(let delay, let maxDelay): min(max(delay, lastSaveTook * 10), maxDelay)
    }
  }

  /// The latest time at which a save with the oldest unsaved change begins, even if further changes follow. A past time
  /// if a save runs. Nil if nothing is unsaved, or if no caller has requested a save and the policy makes none.
  var latestStart: Duration? {
    guard isDirty else { return nil }
    if let savingSince { return savingSince }
    if !waiters.isEmpty { return .zero }
    switch policy {
    case .manual, .readOnly: return nil
    case .immediate: return retryAt ?? firstChange
    case .automatic(_, let maxDelay): return retryAt ?? firstChange.map { $0 + maxDelay }
    }
  }

  mutating func handle(_ event: Event, now: Duration) -> [Action] {
    let before = durable
    defer { assert(durable >= before && isConsistent, "the schedule of saves has lost its way: \(self)") }
    var actions: [Action] = []
    switch event {
    case .changed(let revision):
      learn(of: revision, now)
    case .flush(let waiter, let revision, let folding):
      if revision <= durable, !folding || isAtRest { return [.resume([waiter], failure: nil)] }
      if isSuspended { return [.resume([waiter], failure: Self.suspended)] }
      // The flush may arrive before the event of its change.
      learn(of: revision, now)
      waiters.append((waiter, revision, folding))
    case .timerFired:
      // Any timer counts, even an early one. `next` sets another one if there is work left.
      _ = timers.popLast()
    case .saveFinished(let revision, let failure, let unfolded):
      isUnfolded = unfolded
      actions = finish(revision, failure, now)
    case .adopted(let revision, let unfolded):
      isUnfolded = unfolded
      if unfolded { lastChange = now }
      actions = adopt(revision)
    case .suspended(let use):
      if use != self.use { break }
      isSuspended = true
      if !waiters.isEmpty { actions = [.resume(waiters.map(\.id), failure: Self.suspended)] }
      waiters = []
    case .resumed:
      use += 1
      if !isSuspended { break }
      isSuspended = false
      retryAt = nil
    }
    actions += next(now)
    return actions
  }

  /// Whether its properties agree. For debug builds.
  private var isConsistent: Bool {
    durable <= latest && (retryAt == nil || failures > 0) && (!isSuspended || waiters.isEmpty)
      && zip(timers, timers.dropFirst()).allSatisfy { $0 > $1 }
      // Of very many, each event would take long.
      && waiters.prefix(64).allSatisfy { $0.revision <= latest && ($0.folding || $0.revision > durable) }
  }

  private mutating func learn(of revision: Int, _ now: Duration) {
    guard revision > latest else { return }
    latest = revision
    lastChange = now
    firstChange = firstChange ?? now
  }

  private mutating func adopt(_ revision: Int) -> [Action] {
    durable = max(durable, revision)
    latest = max(latest, revision)
    if !isDirty {
      firstChange = nil
      retryAt = nil
      failures = 0
    }
    return resumption(of: revision, failure: nil)
  }

  private mutating func finish(_ revision: Int, _ failure: SnapshotError?, _ now: Duration) -> [Action] {
    lastSaveTook = now - (savingSince ?? now)
    savingSince = nil
    if failure == nil {
      durable = max(durable, revision)
      latest = max(latest, revision)
      failures = 0
      retryAt = nil
      if !isDirty { firstChange = nil }
    } else {
      failures += 1
      retryAt = now + Self.backOff(failures, failure)
    }
    return resumption(of: revision, failure: failure)
  }

  private mutating func resumption(of revision: Int, failure: SnapshotError?) -> [Action] {
    if waiters.isEmpty { return [] }
    let isUnfolded = isUnfolded
    // A failure answers every caller that waits for this revision.
    let isDone = { (waiter: (id: Int, revision: Int, folding: Bool)) in
      waiter.revision <= revision && (failure != nil || !waiter.folding || !isUnfolded)
    }
    let done = waiters.compactMap { isDone($0) ? $0.id : nil }
    waiters.removeAll(where: isDone)
    return done.isEmpty ? [] : [.resume(done, failure: failure)]
  }

  /// Begins a save if one is due. Otherwise sets a timer for the next one.
  private mutating func next(_ now: Duration) -> [Action] {
    guard let due = due(now) else { return [] }
    if due <= now {
      savingSince = now
      firstChange = nil
      return [.save(folding: !isDirty || waiters.contains { $0.folding })]
    }
    if let next = timers.last, next <= due { return [] }
    timers.append(due)
    return [.setTimer(due)]
  }

  /// The time of the next save. Nil while a save runs, and if there is nothing to save.
  private func due(_ now: Duration) -> Duration? {
    guard savingSince == nil, !isAtRest, !isSuspended else { return nil }
    if !waiters.isEmpty { return now }
    guard let delay else { return nil }
    if let retryAt { return retryAt }
    if !isDirty { return lastChange + max(quietTime, delay) }
    if case .automatic(_, let maxDelay) = policy {
      return min(lastChange + delay, (firstChange ?? now) + maxDelay)
    }
    return now
  }

  /// The answer to a caller that waits for a save of a suspended store.
  static let suspended = SnapshotError(
    .suspended, "the store is suspended, so it saves nothing",
    advice: "Its changes stay in memory. Call resume() first.")

  /// Half a second, doubled with every failure, at most half a minute. A lock may be free at any time.
  private static func backOff(_ failures: Int, _ failure: SnapshotError?) -> Duration {
    if failure?.code == .locked { return .milliseconds(500) }
    return min(.milliseconds(500) * (1 << min(failures - 1, 10)), .seconds(30))
  }
}
