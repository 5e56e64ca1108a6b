import Synchronization

/// How far a saver has come on its way to its end.
struct SaverLife: Sendable {
  /// Whether the store was deallocated, and the file is to be closed once all is saved.
  var isLetGo = false
  /// Whether the process is ending.
  var isEnding = false
  /// Whether the file is closed, and nothing will be saved any more.
  var isOver = false
  private var isTold = false

  /// Whether the event is the first change that comes too late to be saved.
  mutating func isTooLate(_ event: SaveSchedule.Event) -> Bool {
    guard isOver, isEnding, !isTold, case .changed = event else { return false }
    isTold = true
    return true
  }
}

/// Where a saver is known.
struct ExitEntry: Sendable {
  let exit: ExitFlush
  let id: Int
}

/// The three ways in which a saver ends: its store is closed, its store is deallocated, or the process ends.
extension Saver {
  /// How long the end of the process waits while another thread has the file: longer than any save should take, so that
  /// only code that never returns is cut off by it.
  private var timeLimitAtExit: Duration { .seconds(300) }

  /// Has what is not saved saved when the process ends, even if the store is gone by then.
  ///
  /// - Parameter finishBlocks: waits for changes that are being made in the background, and says whether all were made.
  func finishAtExit(_ exit: ExitFlush, _ finishBlocks: @escaping @Sendable () -> Bool) {
    let id = exit.add { self.finish($0, finishBlocks) }
    exitEntry.withLock { $0 = ExitEntry(exit: exit, id: id) }
  }

  /// Whether the file is closed, and nothing will be saved any more.
  var isOver: Bool { state.withLock { $0.life.isOver } }

  /// Whether the process is ending.
  var isEnding: Bool { state.withLock { $0.life.isEnding } }

  /// Everything is saved, and nothing will be any more.
  ///
  /// - Parameter failure: what is not saved, and why. It is logged before the end of the process forgets the saver: another thread that
  ///   ends the process as well waits until then.
  func close(_ failure: String? = nil) {
    // In its turn, so that the end of the process, which waits for that, does not overtake the removal of the lock file.
    inTurn {
      state.withLock { $0.life.isOver = true }
      file.close()
    }
    durabilityWaiters.finish()
    statusFollowers.finish()
    if let failure { log("\(name): \(failure)") }
    let entry = exitEntry.withLock { entry in
      defer { entry = nil }
      return entry
    }
    if let entry { entry.exit.remove(entry.id) }
  }

  // MARK: The store is deallocated

  /// The store is gone without having been closed. What is not saved is saved now, if the policy saves by itself at all.
  func letGo() {
    let (isOver, isDirty, policy, revision) = state.withLock { state in
      state.life.isLetGo = true
      return (state.life.isOver, state.schedule.isDirty, state.schedule.policy, state.schedule.latest)
    }
    if isOver { return }
    guard isDirty, policy != .manual else {
      if isDirty { log("\(name) was let go without close(); its policy is manual, so its last changes are lost") }
      return closeIfLetGo()
    }
    log("\(name) was let go without close(); its last changes are being saved")
    flush(through: revision) { _ in }
  }

  func closeIfLetGo() {
    let isDone = state.withLock { state in
      state.life.isLetGo && !state.life.isOver && state.schedule.savingSince == nil
        && (!state.schedule.isDirty || state.schedule.policy == .manual)
    }
    if isDone { close() }
  }

  // MARK: The process ends

  /// Saves what is not saved on the thread that ends the process, and closes the file.
  ///
  /// The saver's own thread is not asked: it may be the one that ends the process, or wait for it in code of the program.
  private func finish(_ exit: ExitFlush, _ finishBlocks: () -> Bool) {
    guard exit.patiently({ isFree ? true : nil }) != nil else { return tellInterrupted(exit) }
    if !isOver, !finishBlocks() {
      log("\(name): the process ended before all of its background blocks did; what they change is lost")
    }
    state.withLock { $0.life.isEnding = true }
    guard turn.lock(waitingAtMost: timeLimitAtExit) else {
      return log("\(name) was still busy when the process ended; its last changes may be lost")
    }
    defer { turn.unlock() }
    if isBusy.load(ordering: .relaxed) { return tellInterrupted(exit) }
    if isOver { return }
    close(saveAtLast())
  }

  /// Whether the small locks can be had that saving takes.
  private var isFree: Bool { state.isFree && durabilityWaiters.isFree && statusFollowers.isFree && isLatestFree() }

  /// This thread was interrupted in the middle of a change, or of a save, which cannot go on.
  private func tellInterrupted(_ exit: ExitFlush) {
    exit.giveUp()
    log(
      "\(name): exit was called in the middle of its work, as by a signal handler; its last changes may be lost. "
        + "StoreOptions.flushesOnSignals saves them")
  }

  /// - Returns: why there are changes that are not saved; nil if there are none.
  private func saveAtLast() -> String? {
    var lastFailure: SnapshotError?
    // Other threads go on while the process ends. Their transactions count if they are complete by now; but a thread that
    // never stops must not keep the process from ending.
    for _ in 0..<3 {
      let (schedule, latest) = (state.withLock { $0.schedule }, latest().revision)
      guard latest > schedule.durable else { return nil }
      if schedule.policy == .manual {
        return "its policy is manual, and changes that were not flushed before the process ended are lost"
      }
      let (revision, failure, _) = saveInTurn()
      handle(.saveFinished(revision: revision, failure: failure))
      lastFailure = failure
      if failure != nil { break }
    }
    return lastFailure.map {
      "the last changes could not be saved before the process ended, and are lost: \($0.message)"
    }
  }
}
