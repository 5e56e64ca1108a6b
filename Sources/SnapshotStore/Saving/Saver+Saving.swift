import SnapshotSystem
import Synchronization

/// One save.
extension Saver {
  func save(folding: Bool) {
    let (revision, failure, unfolded) = FileWork.run(of: self) {
      let (revision, failure, unfolded, lines) = inTurn { saveInTurn(folding: folding) }
      // Logged before the waiters of the save are resumed, so that they find it in the log.
      for line in lines { log("\(name) \(line)") }
      return (revision, failure, unfolded)
    }
    handle(.saveFinished(revision: revision, failure: failure, unfolded: unfolded))
    closeIfAbandoned()
  }

  /// Saves the latest value. After an external change the store first handles it, and then saves.
  ///
  /// - Parameter folding: whether to write the file itself.
  /// - Returns: the saved revision, the reason of a failure, whether the journal must still be folded, and lines for
  ///   the log.
  func saveInTurn(folding: Bool) -> (revision: Int, failure: SnapshotError?, unfolded: Bool, lines: [String]) {
    let (snapshot, result) = saveLatest(folding: folding)
    var failure: SnapshotError? = if case .failure(let error) = result { error } else { nil }
    var unfolded = file.isUnfolded
    if let reason = failure, putAside(snapshot, reason) {
      failure = nil
      // The next opening merges the journal with the other program's file. Another save would put aside another copy.
      unfolded = false
    }
    let generationFailure = file.generationFailure
    let lines = state.withLock { state in
      // The end of the process logs a line of its own. A suspension is no failure.
      let isSuspended = state.schedule.isSuspended || failure?.code == .suspended
      let isTold = !state.life.isEnding && !state.life.isOver && !isSuspended
      return state.history.add(
        result, failure, generationFailure, isRepeated: state.schedule.delay != nil, isTold: isTold)
    }
    return (snapshot.revision, failure, unfolded, lines)
  }

  private typealias Attempt = (Snapshot<Root>, Result<SaveResult, SnapshotError>)

  /// How long a save waits for other processes. A save that nobody waits for comes again soon.
  private var lockPatience: LockPatience {
    return LockPatience(
      holder: schedule.isAwaited || life.isEnding ? .seconds(2) : .milliseconds(20), saver: .seconds(10))
  }

  private func saveLatest(folding: Bool) -> Attempt {
    let end = ContinuousClock.now + lockPatience.saver
    while true {
      do throws(SnapshotError) {
        return try withFileLock(waiting: lockPatience) { _ in attempt(folding: folding) }
      } catch {
        // A transaction of this program is in the way of what others have saved.
        let isOwnTransaction = error.code == .locked && error.systemError == nil
        if isOwnTransaction, ContinuousClock.now < end {
          // As long as it had the lock, so that others can save meanwhile.
          usleep(.random(in: 20_000...80_000))
          continue
        }
        return (latest(), .failure(error))
      }
    }
  }

  private func attempt(folding: Bool) -> Attempt {
    let snapshot = latest()
    if isShared, folding, isInFile(snapshot.revision) { return (snapshot, .success(.skipped)) }
    let result = write(snapshot, folding: folding)
    guard case .failure(let error) = result, error.code == .changedExternally,
      state.withLock({ $0.externalChange })?() == true
    else { return (snapshot, result) }
    let newer = latest()
    return (newer, write(newer, folding: folding))
  }

  /// Whether a fold by another process has left nothing to do.
  private func isInFile(_ revision: Int) -> Bool {
    revision <= durableRevision && !file.isUnfolded && file.base?.needsWholeSave == false
  }

  private func write(_ snapshot: Snapshot<Root>, folding: Bool) -> Result<SaveResult, SnapshotError> {
    // The file may have been closed while this thread waited for its turn, or ran code of the program.
    if life.isOver {
      return .failure(SnapshotError(.closed, "the store is closed", path: location.path))
    }
    return turns.run { Result { () throws(SnapshotError) in try file.save(snapshot.value, folding: folding) } }
  }

  /// Writes the value beside the file if it cannot replace an external change. A store that is deallocated, or whose
  /// process ends, cannot be asked for a decision. Its value must not be lost, and the file must not stay locked for
  /// ever. At the end of the process it is the same for any other failure. Another process may have the file for
  /// itself, or may have left one that nobody can read.
  private func putAside(_ snapshot: Snapshot<Root>, _ failure: SnapshotError) -> Bool {
    let (isAbandoned, isEnding) = (life.isAbandoned, life.isEnding)
    switch failure.code {
    case .changedExternally where isAbandoned || isEnding: break
    // Everything is saved.
    case _ where snapshot.revision <= durableRevision: return false
    // The line was overwritten. Nobody takes it in.
    case .indeterminate where isEnding && file.session.journal.isUndecided: break
    // The file may have the changes.
    case .indeterminate, .closed: return false
    case _ where isEnding: break
    default: return false
    }
    let what =
      failure.code == .changedExternally ? "was changed by someone else" : "could not be saved: \(failure.message)"
    let result = Result { () throws(SnapshotError) in try file.saveAside(snapshot.value, as: "unsaved") }
    outsideTurn {
      switch result {
      case .success(let path):
        log("\(name) \(what); the last changes are in \(path.quotedForMessage(limit: 400))")
      case .failure(let error):
        // The end of the process logs a line of its own.
        if isEnding { return }
        log("\(name) \(what); the last changes could not be put beside it: \(error.message)")
      }
    }
    return (try? result.get()) != nil
  }

  func inTurn<Outcome>(_ body: () throws -> Outcome) rethrows -> Outcome { try turn.run(body) }

  /// Runs code of the program inside a turn. The file is between two operations at that time.
  func outsideTurn(_ body: () -> Void) { turn.pause(body) }
}
