/// The right to replace a file. One holder at a time has it. That is a store while it is open, or a short operation. A
/// store that shares its file has it while it saves, and while it takes in what others have saved.
///
/// A file beside it is locked, `.NAME.lock`, because every save replaces the file itself. The system releases the lock
/// when the process ends, in whatever way. A leftover lock file locks nothing. It names the holder for the messages of
/// others (``LockText``). A file with that name that is not a lock file is neither written nor removed.
///
/// Releases, takings and the end come one after the other: in the turn of a saver.
final class FileLock {
  private struct Kept {
    var file: OpenFile
    let directory: OpenFile
    /// The status of the directory when it was opened, for its identity.
    let folder: FileStatus
    /// Whether the lock is held. Otherwise the lock file is only open.
    var isHeld = true
    /// The end of the journal that the lock file has; nil if it has none. While the lock is held.
    var journalEnd: JournalEnd?
    var listing: Listing
    /// Whether something was saved since the lock was taken.
    var hasNews = false
    /// When the lock was taken last.
    var taken = ContinuousClock.now
  }

  private let location: FileLocation
  private let fileSystem: any FileSystem
  private let name: String
  private let time: LockText.HoldingTime
  /// Nil after the end.
  private var kept: Kept?

  /// Acquires the lock of a file. The file need not exist.
  ///
  /// - Parameters:
  ///   - patience: how long to wait for another holder.
  ///   - time: how long this process will have the lock at a time.
  /// - Throws: `locked` if another holder has the lock. `reservedName` if its name belongs to another kind of file, or
  ///   if the file itself has the name of a file beside another store. `ioFailed`, for example in a read-only folder.
  init(
    of location: FileLocation, on fileSystem: any FileSystem, waiting patience: LockPatience = .opening(.zero),
    _ time: LockText.HoldingTime = .whileOpen
  ) throws(SnapshotError) {
    try location.requireNameOfItsOwn()
    self.time = time
    self.location = location
    self.fileSystem = fileSystem
    name = SideName.lock(of: location.name)
    let directory: OpenFile
    do {
      directory = try fileSystem.openDirectory(location.directory)
    } catch {
      throw SnapshotError(error, location.path)
    }
    let candidate = LockCandidate(name: name, directory: directory, location: location, fileSystem: fileSystem)
    do throws(SnapshotError) {
      let folder = try location.folderStatus(directory, on: fileSystem)
      let lock = try candidate.acquire(until: LockDeadline(patience), time)
      kept = Kept(
        file: lock.file, directory: directory, folder: folder, journalEnd: lock.journalEnd,
        listing: Listing(hasLostUsers: lock.isNew && Self.isBesideJournal(location, directory, fileSystem)))
    } catch {
      fileSystem.close(directory)
      throw error
    }
  }

  /// Opens the lock file without the lock, because another process may have it. Nil if that is not possible, or if that
  /// process removes the lock file now. It may not have seen the line of this store.
  ///
  /// - Parameter listing: what was known before; see `detach`.
  init?(behindHolderOf location: FileLocation, on fileSystem: any FileSystem, _ listing: Listing = Listing()) {
    let name = SideName.lock(of: location.name)
    guard let directory = try? fileSystem.openDirectory(location.directory) else { return nil }
    guard let file = try? fileSystem.openLockFile(name, in: directory) else {
      fileSystem.close(directory)
      return nil
    }
    guard let folder = try? location.folderStatus(directory, on: fileSystem),
      let content = try? fileSystem.lockContent(file), content.problem == nil
    else {
      fileSystem.close(file)
      fileSystem.close(directory)
      return nil
    }
    time = .forASave
    self.location = location
    self.fileSystem = fileSystem
    self.name = name
    kept = Kept(file: file, directory: directory, folder: folder, isHeld: false, listing: listing)
    list(hasLock: false)
    guard listing.slot == nil, (try? fileSystem.lockContent(file))?.isClosing != false else { return }
    if let slot = self.kept?.listing.slot { LockUsers.leave(slot, file, on: fileSystem) }
    close()
    return nil
  }

  deinit { end() }

  /// Whether the lock is that of a file in this folder. It is not if the folder was moved away from its path.
  func isIn(_ folder: FileStatus) -> Bool { kept?.folder.isSameFile(as: folder) == true }

  /// Whether the lock is held now.
  var isHeld: Bool { kept?.isHeld == true }

  /// Lets others have the lock. The lock file stays and is kept open, so it takes some microseconds to take it again.
  ///
  /// - Returns: whether the stores that share the file were told, if there is something new. Otherwise the caller
  ///   closes the lock file; see `detach`.
  @discardableResult
  func release() -> Bool {
    guard let old = kept, old.isHeld else { return true }
    kept?.isHeld = false
    kept?.hasNews = false
    nameNobody(in: old.file)
    fileSystem.unlock(old.file)
    return !old.hasNews && ContinuousClock.now - old.taken <= Self.longTime || wakeOthers(old)
  }

  /// Whether there is a journal. Those who share it may not be listed in a new lock file.
  private static func isBesideJournal(
    _ location: FileLocation, _ directory: OpenFile, _ fileSystem: any FileSystem
  ) -> Bool {
    (try? fileSystem.statusIfAny(of: SideName.journal(of: location.name), in: directory) != nil) != false
  }

  /// After this time others may have given up to wait for the lock.
  private static var longTime: Duration { .milliseconds(10) }

  /// Lets the stores look that share the file. They watch for the closing of a lock file that was open for writing. So
  /// the system does it too if this process is killed. The writes themselves wake up nobody: each save makes several.
  ///
  /// - Returns: false if the process has no free descriptor, for example.
  private func wakeOthers(_ kept: Kept) -> Bool {
    guard let file = try? fileSystem.openLockFile(name, in: kept.directory) else { return false }
    fileSystem.close(file)
    return true
  }

  /// The next holder may be stopped before it writes its name. Then others must not take this process for it.
  private func nameNobody(in file: OpenFile) {
    write(LockText.nobody, in: file)
  }

  @discardableResult
  private func write(_ text: [UInt8], in file: OpenFile) -> Bool {
    text.withUnsafeBytes { try? fileSystem.write(file, $0, at: 0) } == text.count
  }

  /// Takes the lock again. Does nothing if it is held.
  ///
  /// - Parameter patience: how long to wait for another holder.
  /// - Throws: `locked`, `reservedName`, `ioFailed`; `closed` after the end.
  func take(waiting patience: LockPatience) throws(SnapshotError) {
    guard let old = kept else {
      throw SnapshotError(.closed, "the file was closed", path: location.path)
    }
    if old.isHeld { return }
    let candidate = LockCandidate(name: name, directory: old.directory, location: location, fileSystem: fileSystem)
    let lock = try candidate.acquire(again: old.file, until: LockDeadline(patience), time)
    let isOther = lock.file != old.file
    // Someone may have emptied the lock file, too.
    let isGone = isOther ? (try? fileSystem.lockContent(old.file))?.isRemoved != true : lock.isNew
    let isLost = isGone && Self.isBesideJournal(location, old.directory, fileSystem)
    if isOther { fileSystem.close(old.file) }
    kept?.file = lock.file
    kept?.isHeld = true
    kept?.journalEnd = lock.journalEnd
    if isLost { kept?.listing.hasLostUsers = true }
    kept?.taken = .now
    // With the lock file, the line was removed too. Another store of this process may have its place.
    if isOther || lock.isNew, old.listing.slot != nil {
      kept?.listing.slot = nil
      list(hasLock: true)
    }
  }

  /// Lists this store among those that share the file. Called under the lock.
  ///
  /// - Parameter listing: what was known before; see `detach`.
  func enter(_ listing: Listing? = nil) {
    guard let old = kept, old.isHeld, old.listing.slot == nil else { return }
    if var listing {
      listing.hasLostUsers = listing.hasLostUsers || old.listing.hasLostUsers
      kept?.listing = listing
    }
    list(hasLock: true)
  }

  private func list(hasLock: Bool) {
    guard let kept else { return }
    let slot = LockUsers.enter(kept.file, on: fileSystem, hasLock: hasLock, at: kept.listing.slot)
    self.kept?.listing.slot = slot
    if slot == nil { self.kept?.listing.wasUnlisted = true }
  }

  /// Whether this store could not be listed, and has not looked since.
  var wasUnlisted: Bool { kept?.listing.wasUnlisted == true }

  /// Notes that this store knows what is on the disk. If it is listed, it does not matter any more what was before.
  func noteKnown() {
    if kept?.listing.slot != nil { kept?.listing.wasUnlisted = false }
  }

  /// Closes the lock file and releases the lock. A store that is listed stays so, and the lock file stays too.
  func detach() -> Listing? {
    defer { close() }
    return kept?.listing
  }

  private func close() {
    guard let old = kept.take() else { return }
    fileSystem.close(old.file)
    fileSystem.close(old.directory)
  }

  /// The end of the journal that the lock file has, under the lock; nil if it has none.
  var journalEnd: JournalEnd? { kept.flatMap { $0.isHeld ? $0.journalEnd : nil } }

  /// The end of the journal that the holder of the lock has noted there; nil if it has noted none.
  var notedEnd: JournalEnd? { kept.flatMap { try? fileSystem.lockContent($0.file).journalEnd } }

  /// Whether stores may share the file that the lock file does not list.
  var hasLostUsers: Bool { kept?.listing.hasLostUsers == true }

  /// Notes under the lock how far the journal is durable.
  ///
  /// - Parameter isNew: whether something was saved, so that others look when the lock is released.
  func note(_ end: JournalEnd?, isNew: Bool) {
    guard let old = kept, old.isHeld else { return }
    if isNew { kept?.hasNews = true }
    if old.journalEnd == end { return }
    let count = LockText.line(end?.text ?? JournalEnd.mark + "-").withUnsafeBytes {
      try? fileSystem.write(old.file, $0, at: LockText.length)
    }
    kept?.journalEnd = count == LockText.length ? end : nil
  }

  /// Whether stores that share the file have it open, besides this one.
  var hasOtherUsers: Bool {
    // Most lock files have no list.
    guard let kept, (try? fileSystem.size(kept.file)).map({ $0 > LockUsers.start }) != false else { return false }
    // One that cannot be read may have others.
    return (try? LockUsers.list(kept.file, on: fileSystem, without: kept.listing.slot))?.isEmpty != true
  }

  /// Releases the lock and removes its file. A second call does nothing.
  ///
  /// - Parameters:
  ///   - lastWork: called with the lock if no store has the file open any more.
  ///   - mayBeShared: whether a store may have the file open that the lock file does not list.
  func end(_ lastWork: () -> Void = {}, mayBeShared: () -> Bool = { false }) {
    guard let kept else { return }
    // Others who share the file hold it for the time of a save.
    let patience: Duration = kept.listing.slot == nil ? .zero : .seconds(1)
    if kept.isHeld || (try? fileSystem.lock(kept.file, timeLimit: patience)) != nil {
      self.kept?.isHeld = true
      removeFile(kept, lastWork, mayBeShared)
    } else if let slot = kept.listing.slot {
      LockUsers.leave(slot, kept.file, on: fileSystem)
    }
    // A child process may have a copy of the open file. Closing it here would leave the lock to the child.
    fileSystem.unlock(kept.file)
    close()
  }

  /// Whether the lock file is the one with the name, and no file of another program.
  private func isSafeToRemove(_ kept: Kept) -> Bool {
    (try? fileSystem.isCurrent(kept.file, name, in: kept.directory)) == true
      && (try? fileSystem.lockContent(kept.file))?.isSafeToRemove == true
  }

  /// Removes the file while it is locked, unless stores that share it need it.
  ///
  /// Another file with that name, one that was written to since, or one with a second name belongs to another program.
  private func removeFile(_ kept: Kept, _ lastWork: () -> Void, _ mayBeShared: () -> Bool) {
    guard isSafeToRemove(kept) else { return }
    if let slot = kept.listing.slot { LockUsers.leave(slot, kept.file, on: fileSystem) }
    // A store that is being opened beside this one writes its line, and then looks for this text. So one of the two
    // sees the other.
    let isTold = write(LockText.own(.closing), in: kept.file)
    let users = try? LockUsers.list(kept.file, on: fileSystem)
    if !isTold || users?.isEmpty != true {
      // The file stays. This store does not have it open any more.
      nameNobody(in: kept.file)
      return
    }
    lastWork()
    // The next one to close the file sees that nobody is listed.
    if mayBeShared() { return nameNobody(in: kept.file) }
    if kept.listing.slot != nil {
      LockText.line(JournalEnd.removed).withUnsafeBytes {
        _ = try? fileSystem.write(kept.file, $0, at: LockText.length)
      }
    }
    try? fileSystem.remove(name, in: kept.directory)
  }
}
