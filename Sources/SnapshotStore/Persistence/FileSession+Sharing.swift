import Synchronization

/// A file that other processes have open too.
extension FileSession {
  /// What is in the file, compared with what this session last saw or wrote.
  enum Descent {
    /// The file is the same. Others may have appended to its journal.
    case sameFile(Lineage)
    /// Others have replaced the file. They had all that this session has seen or written.
    case newerFile(Lineage)
    /// Another program has put the file in place, so nobody can say which version it was made from.
    case foreignFile(Lineage)
    /// A store has made the file from that of another program, and did not have all that this session knows.
    case mixedFile(Lineage)
  }

  /// Whether others may have saved since this session had the lock. It does not take the lock, so it decides nothing: a
  /// save that is not at its end yet is not news.
  var mayHaveNews: Bool {
    guard let known = lineage.withLock({ $0 }), lock.withLock({ $0 })?.currentLineage?.hasSameSaves(as: known) == true
    else { return true }
    do throws(SystemError) {
      return try known.continued(with: fileSystem.statusIfAny(at: location)) != known
    } catch {
      return true
    }
  }

  /// Takes the lock for a save, and looks what others have saved since.
  ///
  /// The session knows nothing of it before the caller says so; see `follow`.
  ///
  /// - Throws: the errors of ``FileLock``.
  func take(waiting patience: LockPatience) throws(SnapshotError) -> Descent {
    try followFolder()
    let held: FileLock
    if let lock = lock.withLock({ $0 }) {
      held = lock
      try held.take(waiting: patience)
    } else {
      held = try FileLock(of: location, on: fileSystem, waiting: patience, .forASave)
      lock.withLock { $0 = held }
    }
    held.enter(at: detachedSlot.withLock { $0.take() })
    do throws(SnapshotError) {
      return try look()
    } catch {
      held.release()
      throw error
    }
  }

  /// Looks what others have saved. Called with the lock.
  func look() throws(SnapshotError) -> Descent {
    let status: FileStatus?
    do throws(SystemError) {
      status = try fileSystem.statusIfAny(at: location)
    } catch {
      throw SnapshotError(error, location.path)
    }
    let found = lineage(lock.withLock { $0 }?.lineage, with: status)
    guard let known = lineage.withLock({ $0 }), found.descends(from: known, without: overwritten.withLock { $0 }) else {
      if isOnlyAnotherRun(found) { return .sameFile(found) }
      return found.isForeign || found.number == 0 ? .foreignFile(found) : .mixedFile(found)
    }
    return found.number == known.number ? .sameFile(found) : .newerFile(found)
  }

  /// Whether a new run has begun because the lock file was lost, and nothing else. The file in place is the known one,
  /// and the journal goes on from the known line. So both prove what the lock file cannot.
  private func isOnlyAnotherRun(_ found: Lineage) -> Bool {
    guard let known = lineage.withLock({ $0 }), found.run != known.run, found.file == known.file, !found.isForeign,
      !known.isForeign, overwritten.withLock({ $0 == nil })
    else { return false }
    return known.journal.map { journal.isOnDisk(upTo: $0) } ?? true
  }

  /// What the file may have held between the version that this session knows and the one in place.
  func gap(before found: Lineage) -> HistoryGap {
    guard let known = lineage.withLock({ $0 }), known.run == found.run, known.number <= found.number,
      found.lastMerge <= known.number
    else { return .foreign }
    return found.number - known.number > (found.isForeign ? 0 : 1) ? .saves : .none
  }

  /// Whether others have saved nothing that this session does not know.
  func isKnown(_ descent: Descent) -> Bool {
    guard case .sameFile(let found) = descent, let known = lineage.withLock({ $0 }) else { return false }
    return found.hasSameSaves(as: known)
  }

  /// Whether it is another run than the known one. It says nothing of what the stores knew before.
  func isNewRun(_ found: Lineage) -> Bool { lineage.withLock { $0?.run } != found.run }

  /// Whether the file was replaced exactly once since this session had the lock.
  func isNext(_ found: Lineage) -> Bool { lineage.withLock { $0?.number } == found.number - 1 }

  /// Whether other stores that share the file have it open.
  var isOpenElsewhere: Bool {
    detachedSlot.withLock { $0 } != nil || lock.withLock { $0 }?.hasOtherUsers == true
  }

  /// Opens the lock file again, to take the line of this session out of it.
  func reopen() {
    guard let slot = detachedSlot.withLock({ $0.take() }), lock.withLock({ $0 == nil }) else { return }
    let old = FileLock(behindHolderOf: location, on: fileSystem, at: slot)
    lock.withLock { $0 = old }
  }

  /// Closes the files of a session that shares the file. The next save or look opens them again.
  func closeFiles() {
    guard isShared else { return }
    journal.close()
    closeLockFile()
  }

  private func closeLockFile() {
    guard let held = lock.withLock({ $0.take() }) else { return }
    let slot = held.detach()
    detachedSlot.withLock { $0 = slot }
  }

  /// Notes that all of it was taken in. From here on the saves of this session follow it.
  func follow(_ found: Lineage) {
    overwritten.withLock { $0 = nil }
    advance(to: found)
  }

  private func advance(to found: Lineage) {
    lineage.withLock { known in
      assert(known?.run != found.run || known.map { $0.number <= found.number } == true, "a run has gone back")
      known = found
    }
    // Others may not have seen that the file has begun a new run.
    if lock.withLock({ $0 })?.lineage != found { lock.withLock { $0 }?.note(found) }
  }

  /// The same after a look at a file without a proof. The journal counts as far as it was read. Beside a file that is
  /// gone it was not, so all of it counts.
  ///
  /// - Parameter isMerge: whether the file was another one than this session knows.
  func follow(anew found: Lineage, isMerge: Bool) {
    var found = found
    let known = lineage.withLock { $0 }
    let isJournalRead = found.file != nil || found.journal == known?.journal
    found.journal = found.file == nil ? nil : journal.acknowledgedEnd
    let read = overwritten.withLock { $0.map { $0.lowerBound - 1 } } ?? known?.number ?? 0
    let first = known?.run == found.run ? read + (isJournalRead ? 1 : 0) : 0
    if isMerge { hasMerged.withLock { $0 = true } }
    overwritten.withLock { $0 = found.isForeign && first <= found.number ? first...found.number : nil }
    advance(to: found)
  }

  /// The same lineage if the journal has all that it says, otherwise a new run.
  func proven(_ found: Lineage) -> Lineage {
    found.journal.map { journal.isOnDisk(upTo: $0) } == false ? found.anew() : found
  }

  /// Compares the journal that was read when the file was opened with what the lock file says of it. Others may still
  /// have what is missing, so a new run begins.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the journal; nil if there was none.
  ///   - isWhole: whether all lines could be used.
  func confirmJournal(_ bytes: [UInt8]?, isWhole: Bool) {
    guard holdsLock, let end = lineage.withLock({ $0?.journal }) else { return }
    if !isWhole || !end.isIn(bytes ?? []) { note { $0 = $0.anew() } } else if !journal.isOnDisk { noteJournal() }
  }

  /// The end of the journal that the lock file says; nil if it says none.
  var acknowledgedJournal: Lineage.JournalEnd? { lineage.withLock { $0?.journal } }

  /// Lets others have the lock until the next save.
  func releaseLock() {
    guard isShared, let held = lock.withLock({ $0 }) else { return }
    // Others watch for the closing of a lock file.
    if !held.release() { closeLockFile() }
  }
}
