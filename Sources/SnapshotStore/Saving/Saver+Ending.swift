import Synchronization

/// The stages in the end of a saver.
struct SaverLife: Sendable {
  /// Whether the store was deallocated. The file is closed once everything is saved.
  var isAbandoned = false
  /// Whether the process is ending.
  var isEnding = false
  /// Whether the file is closed, so that no save will follow.
  var isOver = false
  private var isTold = false

  /// Whether the event is the first change that comes too late to be saved.
  mutating func isTooLate(_ event: SaveSchedule.Event) -> Bool {
    guard isOver, isEnding, !isTold, case .changed = event else { return false }
    isTold = true
    return true
  }
}

/// The registration of a saver.
struct ExitEntry: Sendable {
  let exit: ExitFlush
  let id: Int
}

/// The three ways in which a saver ends: its store is closed, its store is deallocated, or the process ends.
extension Saver {
  /// How long the end of the process waits for another thread that uses the file. It is longer than any save should
  /// take, so only code that never returns is cut off.
  private var timeLimitAtExit: Duration { .seconds(300) }

  /// Registers the saver, so that unsaved changes are saved when the process ends, even if the store was deallocated
  /// before.
  ///
  /// - Parameter finishBlocks: waits for background changes, and returns whether all were made.
  func finishAtExit(_ exit: ExitFlush, _ finishBlocks: @escaping @Sendable () -> Bool) {
    let id = exit.add { self.finish($0, finishBlocks) }
    state.withLock { $0.exitEntry = ExitEntry(exit: exit, id: id) }
  }

  /// Ends the saver after everything was saved.
  ///
  /// - Parameter failure: the changes that are not saved, with the reason. It is logged before the registration is
  ///   removed. Another thread that also ends the process waits until then.
  func close(_ failure: String? = nil) {
    // In the saver's turn. The end of the process waits for the turn, so it cannot come before the removal of the lock
    // file.
    let (abandoned, answers) = inTurn {
      defer { file.close() }
      return state.withLock { state in
        state.life.isOver = true
        return (state.abandoned.take(), state.waiters.finish())
      }
    }
    defer { withExtendedLifetime(abandoned) {} }
    answers.give()
    if let failure { log("\(name): \(failure)") }
    let entry = state.withLock { $0.exitEntry.take() }
    if let entry { entry.exit.remove(entry.id) }
  }

  // MARK: The store is deallocated

  /// Handles the deallocation of a store that was not closed. Unsaved changes are saved now, if the policy saves
  /// without request.
  func abandon() {
    let (isOver, schedule) = state.withLock { state in
      state.life.isAbandoned = true
      return (state.life.isOver, state.schedule)
    }
    let (isDirty, isAtRest, policy, revision) = (
      schedule.isDirty, schedule.isAtRest, schedule.policy, schedule.latest
    )
    if isOver { return }
    resume()
    // Everything is in the journal that is shared. The last one that closes the file writes it there.
    // Its lock may be another's for a moment, so the thread that frees the store does not wait for it.
    if isShared, !isDirty, schedule.savingSince == nil { return betweenSaves { self.close() } }
    guard !isAtRest, policy != .manual else {
      if isDirty { log("\(name) was deallocated without close(); its policy is manual, so its last changes are lost") }
      return closeIfAbandoned()
    }
    // The timers of failing saves do not hold the saver.
    state.withLock { if !$0.life.isOver { $0.abandoned = self } }
    log("\(name) was deallocated without close(); its last changes are being saved")
    flush(through: revision, folding: true) { _ in }
  }

  func closeIfAbandoned() {
    let isDone = state.withLock { state in
      state.life.isAbandoned && !state.life.isOver && state.schedule.savingSince == nil
        && (state.schedule.isAtRest || state.schedule.policy == .manual)
    }
    if isDone { close() }
  }

  // MARK: The process ends

  /// Saves unsaved changes on the thread that ends the process, and closes the file.
  ///
  /// The saver's own thread is not used. It may be the one that ends the process, or may wait for that thread in code
  /// of the program.
  private func finish(_ exit: ExitFlush, _ finishBlocks: () -> Bool) {
    guard exit.patiently({ isFree ? true : nil }) != nil else { return tellInterrupted(exit) }
    if !life.isOver, !finishBlocks() {
      log("\(name): the process ended before all of its background blocks did; what they change is lost")
    }
    state.withLock { $0.life.isEnding = true }
    let done: Void? = turn.hold(waitingAtMost: timeLimitAtExit) {
      if turn.isInUse { return tellInterrupted(exit) }
      if life.isOver { return }
      resume()
      // Once, so that a pause gives it back.
      close(turn.use(saveAtLast))
    }
    if done == nil { log("\(name) was still busy when the process ended; its last changes may be lost") }
  }

  /// Whether the small locks that a save needs are free.
  private var isFree: Bool { state.isFree && isLatestFree() }

  /// Logs that this thread was interrupted inside a change or a save, which cannot continue.
  private func tellInterrupted(_ exit: ExitFlush) {
    exit.giveUp()
    log(
      "\(name): exit was called in the middle of its work, as by a signal handler; its last changes may be lost. "
        + "StoreOptions.flushesOnSignals saves them")
  }

  /// - Returns: the reason why changes remain unsaved; nil if there are none.
  private func saveAtLast() -> String? {
    var lastFailure: SnapshotError?
    // Other threads continue while the process ends. Their transactions count if they are complete by now. The number
    // of rounds is limited, so that a thread that never stops cannot keep the process from ending.
    for _ in 0..<3 {
      let (schedule, latest) = (schedule, latest().revision)
      let folds = foldsAtEnd
      guard latest > schedule.durable || folds && schedule.isUnfolded else { return nil }
      if schedule.policy == .manual, latest > schedule.durable {
        return "its policy is manual, and changes that were not flushed before the process ended are lost"
      }
      let (revision, failure, unfolded, _) = saveInTurn(folding: folds)
      handle(.saveFinished(revision: revision, failure: failure, unfolded: unfolded))
      lastFailure = failure
      if failure != nil { break }
    }
    // What is in the journal is not lost.
    if latest().revision <= schedule.durable { return nil }
    return lastFailure.map {
      "the last changes could not be saved before the process ended, and are lost: \($0.message)"
    }
  }
}
