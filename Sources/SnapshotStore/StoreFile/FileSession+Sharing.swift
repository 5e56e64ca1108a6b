import SnapshotFoundation
import Synchronization

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
