import SnapshotFoundation
import Synchronization

/// External changes of the file.
extension Store {
  /// Checks now for an external change of the file, and handles it as ``StoreOptions/externalChanges`` says.
  ///
  /// A store watches the folder of its file by itself. The exception is an exclusive store for writing with the policy
  /// `fail` and without ``StoreOptions/onExternalChange``. Call this if changes may be missed, for example when a
  /// program comes to the foreground.
  ///
  /// A store that shares its file needs the lock for a look. If another process has the lock for more than some 20
  /// milliseconds, this gives up and returns nil. The store looks again within half a second.
  ///
  /// A change that the store did not take in is looked at again here, and returned again. The program is not told of it
  /// again.
  ///
  /// - Returns: the reaction of the store; nil if there is no external change. It is also nil if the changes are those
  ///   of a store that shares the file, and nothing had to be decided.
  @discardableResult
  public func checkFile() async -> ExternalChange? {
    guard let saver else { return nil }
    return await withCheckedContinuation { continuation in
      saver.betweenSaves { continuation.resume(returning: self.meetExternalChange(isExplicit: true)) }
    }
  }

  /// ``checkFile()`` on this thread, once no other thread uses the file.
  func checkFileAndWait() {
    guard let saver else { return }
    _ = saver.inTurn { meetExternalChange(isExplicit: true) }
  }

  /// Whether an external change immediately before the store is closed is handled too. Otherwise the file is left as it
  /// is.
  var looksBeforeClosing: Bool { externalChanges != .fail && !isReadOnly }

  /// Whether the save that found the change may be repeated.
  func meetExternalChangeInSave() -> Bool {
    if let saver, saver.isShared, saver.file.session.holdsLock {
      // The path may lead to another folder by now, with saves of others.
      return saver.refusingFlushes {
        do throws(SnapshotError) {
          _ = try integrate()
          return true
        } catch {
          return false
        }
      }
    }
    switch meetExternalChange() {
    case .reloaded, .merged, .replaced, .removed: return true
    case .rejected(_, let kept): return kept != nil
    case .refused, .unreadable, nil: return false
    }
  }

  /// Runs between saves, or inside a save that was refused.
  ///
  /// - Parameter isExplicit: whether to look again at a change that was not taken in.
  func meetExternalChange(isExplicit: Bool = false) -> ExternalChange? {
    guard let saver, core.phase != .closed, !saver.life.isOver, !saver.isSuspended else { return nil }
    followFolder()
    if !saver.isShared { return lookAtFile(isExplicit: isExplicit, saver) }
    return saver.file.session.holdsLock ? nil : lookForSaves()
  }

  /// Reacts to what is in the file. The caller tells the program.
  func reaction(to inspection: StoreFile<Root>.Inspection, _ saver: Saver<Root>) -> ExternalChange? {
    switch inspection {
    case .unchanged: return nil
    case .removed:
      // The file must be created again, even if nothing else changes.
      if createsAgain(saver) { touch(saver) }
      return .removed
    case .unreadable(let error): return .unreadable(error)
    case .changed(let found):
      do throws(SnapshotError) {
        return try meet(found, saver)
      } catch {
        return .unreadable(error)
      }
    }
  }

  /// Tells the program of an external change. Without `onExternalChange`, the log says what was not taken.
  func tell(_ change: ExternalChange, _ saver: Saver<Root>) {
    if let onExternalChange {
      if !saver.life.isEnding { saver.tell { onExternalChange(change) } }
    } else if let line = change.logLine {
      saver.tell { saver.log("\(saver.name) \(line)") }
    }
    if !change.kept.isEmpty { trimCopies(saver) }
  }

  /// Removes what older merges have kept, if it is too much by now. Others can have the lock of the file then.
  private func trimCopies(_ saver: Saver<Root>) {
    saver.tell {
      let removed = saver.inTurn { saver.file.trimCopies() }
      guard let first = removed.first, let last = removed.last else { return }
      let names = removed.count == 1 ? first : "\(first) … \(last)"
      saver.log(
        "\(saver.name): removed \(removed.count.counted("old file")) that merges had kept, because newer ones fill the "
          + "limit: \(names.quotedForMessage(limit: 400))")
    }
  }

  /// A shared store cannot do without the changes of others.
  private func policy(_ saver: Saver<Root>) -> ExternalChange.Policy {
    saver.isShared && externalChanges == .fail ? .merge : externalChanges
  }

  /// Whether a file that was removed is created again without another change.
  func createsAgain(_ saver: Saver<Root>) -> Bool { [.merge, .keepOurs].contains(policy(saver)) && !isReadOnly }

  func effectivePolicy(_ saver: Saver<Root>) -> ExternalChange.Policy {
    // A store that only reads has no changes of its own.
    isReadOnly && externalChanges != .fail ? .reload : policy(saver)
  }

  private func meet(_ found: FoundFile<Root>, _ saver: Saver<Root>) throws(SnapshotError) -> ExternalChange {
    switch effectivePolicy(saver) {
    case .fail: return .refused
    case .reload: return try reload(found, saver)
    case .keepOurs: return try keepOurs(found, saver).map { .replaced(kept: $0) } ?? .refused
    case .merge:
      // If the earlier content of the file is unknown, every difference is a conflict.
      guard let history = found.history else { return .refused }
      return try merge(found, history, saver)
    }
  }

  /// Lets ours be saved over theirs, which is kept under the returned path. Nil if the store is closed, or busy.
  func keepOurs(_ found: FoundFile<Root>, _ saver: Saver<Root>) throws(SnapshotError) -> String? {
    let path = try saver.file.keepConflict(found.content)
    let isDone = inTransaction {
      // Nor do we have what others have saved in the journal since. They still do.
      if saver.isShared { saver.file.session.journal.distrust() }
      saver.file.accept(found, unknown: saver.file.unknown, making: saver.file.madeLast, isTaken: false)
      publishUnchanged(saver)
      return true
    }
    return isDone == true ? path : nil
  }

  /// Runs `body` as a transaction. Returns nil if the store is closed, or if the running transaction does not end. That
  /// transaction may be waiting for the save that found the change.
  func inTransaction<Result>(_ body: () -> Result) -> Result? {
    inTransaction(waitingAtMost: .seconds(saver?.life.isEnding == true ? 1 : 10), body)
  }

  func inTransaction<Result>(waitingAtMost limit: Duration, _ body: () -> Result) -> Result? {
    // A store is closed under the same lock. Afterwards the file does not belong to it.
    writerLock.withLock(waitingAtMost: limit) {
      core.phase == .closed ? nil : body()
    } ?? nil
  }

  /// Marks the value as unsaved, although it has not changed.
  private func touch(_ saver: Saver<Root>) {
    _ = inTransaction { publishUnchanged(saver) }
  }

  /// Called under the writer lock.
  private func publishUnchanged(_ saver: Saver<Root>) {
    assert(writerLock.isHeldByThisThread)
    let before = core.latest
    let after = Published(before.settled, revision: before.revision + 1)
    core.publish(after)
    saver.changed(revision: after.revision)
  }

  /// Called under the writer lock.
  func publishExternal(_ after: Published, _ before: Published) {
    assert(writerLock.isHeldByThisThread)
    core.publish(after)
    observers.notify {
      ChangeSet(before: before.value, after: after.value, revision: after.revision, origin: .file)
    }
  }
}

/// External changes that a store does not take in. One version of the file is read once, and told once.
extension Store {
  /// Looks at the file of a store that does not share it, and tells the program of a change.
  ///
  /// - Parameter isExplicit: whether to look again at a version that was refused before.
  func lookAtFile(isExplicit: Bool, _ saver: Saver<Root>) -> ExternalChange? {
    // Before the look, so that a change during the look is a new one.
    let (seen, isClean) = (SeenFile(saver.file), core.latest.revision <= saver.durableRevision)
    let refused = saver.file.refused.flatMap { $0.seen == seen ? $0 : nil }
    if !isExplicit, let refused {
      switch refused.retry {
      case .never: return refused.change
      case .onceClean where !isClean: return refused.change
      case .onceClean, .always: break
      }
    }
    let change = reaction(to: saver.file.inspect(), saver)
    saver.file.refused = change.flatMap { change in
      retry(after: change, of: seen, isClean: isClean, saver).map {
        RefusedChange(seen: seen, change: change, retry: $0)
      }
    }
    if let change, refused?.change.saysTheSame(as: change) != true { tell(change, saver) }
    return change
  }

  /// - Returns: nil if the change was taken in.
  private func retry(
    after change: ExternalChange, of seen: SeenFile, isClean: Bool, _ saver: Saver<Root>
  ) -> RefusedChange.Retry? {
    let (isTrusted, hasHistory) = (saver.file.base?.isStatusTrusted != false, saver.file.base?.history != nil)
    let policy = effectivePolicy(saver)
    let retry: RefusedChange.Retry
    switch change {
    case .reloaded, .merged, .replaced, .rejected(_, _?): return nil
    // The store is unsaved then, unless a transaction did not end in time.
    case .removed: return createsAgain(saver) && core.latest.revision <= saver.durableRevision ? .always : .never
    // The system may read it the next time.
    case .unreadable(let error): retry = error.systemError == nil ? .never : .always
    case .rejected(_, nil): retry = policy == .reload ? .never : .always
    case .refused where policy == .fail || policy == .merge && !hasHistory: retry = .never
    case .refused where policy == .reload && !isClean: retry = .onceClean
    // A transaction did not end in time.
    case .refused: retry = .always
    }
    return isTrusted && !isNew(seen, saver) ? retry : .always
  }

  /// Whether the file was changed at this very moment. Then its next version may have the same status.
  private func isNew(_ seen: SeenFile, _ saver: Saver<Root>) -> Bool {
    guard let modified = seen.current?.modified else { return false }
    return abs(saver.scheduler.date.timeIntervalSince1970 - Double(modified) / 1e9) < 0.1
  }
}

extension ExternalChange {
  /// Whether a program that knows one of two reactions to the same version learns nothing from the other.
  fileprivate func saysTheSame(as other: ExternalChange) -> Bool {
    switch (self, other) {
    case (.refused, .refused), (.removed, .removed): true
    case (.unreadable(let a), .unreadable(let b)): a.code == b.code
    case (.rejected(let a, nil), .rejected(let b, nil)): "\(a)" == "\(b)"
    default: false
    }
  }
}
