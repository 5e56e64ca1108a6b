import SnapshotFoundation
import Synchronization

/// A journal that an operation on a whole file finds.
extension FileSession {
  /// Writes what the journal has to the file, and removes the journal. Does nothing if there is none.
  ///
  /// - Returns: whether there was a journal.
  /// - Throws: `damagedJournal` and `foreignJournal`, with both files unchanged; the errors of reading and replacing.
  @discardableResult
  func foldJournal(_ limits: ReadLimits, date: Date) throws(SnapshotError) -> Bool {
    guard try journal.read(limit: limits.fileSize) != nil else { return false }
    guard let content = try content(limit: limits.fileSize) else {
      throw SnapshotError.journalAlone(path: location.path)
    }
    guard let found = try content.readJournal(limits) else { return false }
    let bytes = try content.folded(limits, path: location.path)
    journal.note(found, isKnown: found.stands(on: JournalBase(of: content.bytes, limits)), durable: durableEnd)
    if bytes == content.bytes {
      if keepsPast { return true }
      // The process that put it in place may have been killed before the folder was synced.
      try fileSystem.makeDurable(at: location)
      journal.remove()
      return true
    }
    guard let header = found.header else { return true }
    let heading = JournalHeader(
      schema: header.schema, version: header.version, base: JournalBase(of: bytes, limits), date: date)
    try fold(
      into: PiecedBytes(bytes), heading, expecting: Expectation.bytes(content.bytes), date: date
    ).0.requireDurable()
    return true
  }

  /// The same, for a caller that replaces whatever there is: a journal that cannot be folded gets another name.
  ///
  /// - Parameter replace: replaces the file. Only then the journal loses its own name, because the file may stay.
  func settlingJournal<Result>(
    _ limits: ReadLimits, date: Date, _ replace: () throws(SnapshotError) -> Result
  ) throws(SnapshotError) -> Result {
    var isStray = false
    do throws(SnapshotError) {
      try foldJournal(limits, date: date)
    } catch {
      // Another file with that name stays.
      if error.code != .notRegularFile { isStray = try journal.copyAside(date: date) != nil }
    }
    let result = try replace()
    // Nobody could go on from it, not even those who share the file. One that could be read has a new one in its place.
    if isStray, !keepsPast || !journal.isOnDisk { journal.remove() }
    return result
  }
}

/// The folder of the file. Another one may take its place.
extension FileSession {
  /// Takes the lock in the folder to which the path leads now, if another folder has replaced the old one. The file in
  /// the new folder counts as an external change.
  func followFolder() throws(SnapshotError) {
    guard let old = lock else { return }
    do {
      if try old.isIn(fileSystem.folderStatus(of: location)) { return }
    } catch {
      var failure = SnapshotError(error, location.path, committed: " for the folder of the file; nothing was replaced")
      if error.number == SystemError.noSuchFile {
        failure.advice = "Put the folder back; until then the changes stay in memory."
      }
      throw failure
    }
    let new = try FileLock(of: location, on: fileSystem, isShared ? .forASave : .whileOpen)
    if isShared { new.enter() }
    lock = new
    old.end()
    // What is in the new folder is not known yet. An exclusive session compares the content before it replaces it.
    if isShared {
      journal.forget()
    } else {
      journal.followFolder()
    }
    folderChanged?()
  }

  /// If the folder was moved away during the replacement, the new file is in the moved folder.
  func requireSameFolder() throws(SnapshotError) {
    guard let held = lock else { return }
    do {
      if try held.isIn(fileSystem.folderStatus(of: location)) { return }
    } catch {
      // There is no sign of a move, and the new file is durable in the place of the old one.
      if error.number != SystemError.noSuchFile { return }
    }
    throw SnapshotError(
      .changedExternally, "the folder was moved away during the save; what was saved is in the folder that was moved",
      advice: "Put the folder back, or save again.", path: location.path)
  }
}

/// A file that other processes have open too.
extension FileSession {
  /// Takes the lock for a save, or for a look at what others have saved.
  ///
  /// - Throws: the errors of ``FileLock``.
  func take(waiting patience: LockPatience) throws(SnapshotError) {
    try followFolder()
    let held: FileLock
    if let lock = lock {
      held = lock
      try held.take(waiting: patience)
    } else {
      held = try FileLock(of: location, on: fileSystem, waiting: patience, .forASave)
      self.lock = held
    }
    held.enter(detached.take())
  }

  /// Whether other stores that share the file have it open.
  var isOpenElsewhere: Bool {
    detached?.slot != nil || lock?.hasOtherUsers == true
  }

  /// Opens the lock file again, to take the line of this session out of it.
  func reopen() {
    guard let listing = detached.take(), lock == nil else { return }
    lock = FileLock(behindHolderOf: location, on: fileSystem, listing)
  }

  /// Closes the files of a session that shares the file. The next save or look opens them again.
  func closeFiles() {
    guard isShared else { return }
    journal.close()
    closeLockFile()
  }

  private func closeLockFile() {
    guard let held = lock else { return }
    lock = nil
    detached = held.detach()
  }

  /// Lets others have the lock until the next save.
  func releaseLock() {
    guard isShared, let held = lock else { return }
    // Others watch for the closing of a lock file.
    if !held.release() { closeLockFile() }
  }
}
