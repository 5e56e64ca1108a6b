import SnapshotFoundation
import Synchronization

/// The right to replace one file, and the only way to replace it.
///
/// A short operation has its own session. A store has one session while it is open. A replacement has four steps:
///
/// 1. Check that the file has the content that the caller expects.
/// 2. Let the caller keep the old version.
/// 3. Replace the file atomically.
/// 4. Check that the path still leads to the same folder.
///
/// The ``FileLock`` stops programs that use it. Steps 1 and 4 detect all others.
final class FileSession: Sendable {
  let location: FileLocation
  let fileSystem: any FileSystem
  /// Nil in a session that only reads. One that shares the file may have the lock file open without the lock.
  let lock: SmallLock<FileLock?>
  /// How far the saves had gone when this session had the lock or read the file last. Nil if it does not know.
  let lineage = SmallLock<Lineage?>(nil)
  /// The saves that this session had not seen when another program's file took their place. Its next save lacks them.
  let overwritten = SmallLock<ClosedRange<Int>?>(nil)
  /// Whether this session has merged a file of which nobody can say what it was made from. Then its next save has
  /// values of saves that others may not have read.
  let hasMerged = SmallLock(false)
  /// The line of this session in the lock file while that is closed.
  let detachedSlot = SmallLock<Int?>(nil)
  /// The journal beside the file.
  let journal: JournalFile
  /// Called when the path leads to another folder than before.
  let folderChanged = SmallLock<Callback<Void, Void>?>(nil)

  /// Whether the lock is released between saves.
  let isShared: Bool
  let isReadOnly: Bool
  /// Whether what it writes was changed without the types of the model. The other stores settle it.
  let isUntyped: Bool

  /// Resolves a path and takes the lock of its file. The file need not exist.
  ///
  /// - Parameters:
  ///   - lockTimeLimit: how long to wait for another process with the lock; nil for a session that only reads.
  ///   - isShared: whether the lock is released between saves; see `releaseLock`. Such a session also begins without
  ///     the lock, if another process has it.
  ///   - isUntyped: whether its program does not have the types of the model.
  /// - Throws: the errors of ``FileLocation`` and ``FileLock``; `notRegularFile`, `notShareable`.
  init(
    at path: String, on fileSystem: any FileSystem, lockTimeLimit: Duration?, isShared: Bool = false,
    isUntyped: Bool = false
  ) throws(SnapshotError) {
    self.fileSystem = fileSystem
    self.isShared = isShared
    self.isUntyped = isUntyped
    isReadOnly = lockTimeLimit == nil
    location = try FileLocation(path, on: fileSystem)
    try location.requireRegularFile(on: fileSystem)
    if isShared { try location.requireLocal(on: fileSystem) }
    journal = JournalFile(beside: location, on: fileSystem, isShared: isShared)
    guard let lockTimeLimit else {
      lock = SmallLock(nil)
      return
    }
    do throws(SnapshotError) {
      lock = SmallLock(
        try FileLock(
          of: location, on: fileSystem, waiting: .opening(SaverWork.hasLock(of: location) ? .zero : lockTimeLimit),
          isShared ? .forASave : .whileOpen))
      beginLineage()
      if isShared { lock.withLock { $0 }?.enter() }
    } catch {
      guard isShared, error.code == .locked else { throw error }
      lock = SmallLock(FileLock(behindHolderOf: location, on: fileSystem))
    }
  }

  /// Whether this session has the lock now.
  var holdsLock: Bool { lock.withLock { $0 }?.isHeld == true }

  var generations: GenerationFolder { GenerationFolder(fileSystem: fileSystem, location: location) }

  /// Releases the lock. Afterwards nothing may be replaced.
  ///
  /// - Parameter fold: called with the lock when the last store that shares the file is closed.
  func close(_ fold: () -> Void = {}) {
    journal.close()
    reopen()
    lock.withLock { $0 }?.end(isShared ? fold : {})
  }

  /// The condition for replacing the file.
  enum Expectation {
    case anything
    case noFile
    /// The file has exactly these bytes; nil means that there is no file.
    case bytes([UInt8]?)
    /// A check of the file's status, which throws to prevent the replacement. The status is nil if there is no file.
    case status((FileStatus?) throws(SnapshotError) -> Void)
  }

  /// The file and its journal; nil if there is no file.
  ///
  /// - Throws: the errors of reading; for a session that writes, `damagedJournal`.
  func content(limit: Int) throws(SnapshotError) -> JournaledContent? {
    do {
      // Without the lock, what is read has at least what the lock file said before. So saves after that follow it.
      let isBehind = isShared && !holdsLock
      let saved = isBehind ? lock.withLock { $0 }?.steadyLineage : nil
      let content = try fileSystem.readJournaled(at: location, limit: limit)
      if isBehind { lineage.withLock { $0 = saved?.continued(with: content.status) } } else { begin(with: content) }
      return content
    } catch {
      if error.code == .fileNotFound { return nil }
      throw error
    }
  }

  /// Replaces or creates the file, with all that the old file and its journal hold in the new content. Then removes the
  /// journal.
  ///
  /// - Parameters:
  ///   - base: what a journal would call the new file.
  ///   - addsNothing: whether the new content is only what the old file and its journal hold.
  /// - Returns: the replacement, and the path under which a journal is kept that another program has changed.
  func fold(
    into content: PiecedBytes, _ base: @autoclosure () -> JournalBase, addsNothing: Bool = false,
    expecting expected: Expectation, date: Date, cleansUp: Bool = true, keep: (_ directory: OpenFile) -> Void = { _ in }
  ) throws(SnapshotError) -> (AtomicSave.Replacement, keptJournal: String?) {
    var isOurs = true
    var marked: UInt64?
    // The mark comes last, when only the rename can fail. Behind it nothing is appended.
    let replacement = try replace(
      expecting: expected, cleansUp: cleansUp, keep: keep,
      announce: { old throws(SnapshotError) in
        guard journal.isOnDisk else { return }
        let inode = journal.openInode
        isOurs = try journal.mark(base(), date: date, like: old)
        if isOurs, addsNothing { marked = inode }
      }, writing: { copy throws(SnapshotError) in try copy.write(content) })
    // Before the directory is durable, a power cut may bring the old file back.
    guard journal.isOnDisk, replacement.directoryFailure == nil else { return (replacement, nil) }
    journal.spend()
    // The journal goes after the lock file says that the file does not need it. Otherwise it would seem to be lost.
    note { lineage in
      guard let marked, lineage.lastMerge < lineage.number, case .checksum(let checksum) = base().sum else { return }
      lineage.fold = Lineage.Fold(journal: marked, checksum: checksum)
    }
    if !isOurs { return (replacement, journal.setAside(date: date)) }
    journal.remove()
    return (replacement, nil)
  }

  /// Replaces or creates the file.
  ///
  /// - Parameters:
  ///   - content: the new content. Pieces of it may come from the present file.
  ///   - expected: the condition for the replacement.
  ///   - cleansUp: whether to remove leftover temporary files, which lists the directory.
  ///   - keep: called with the directory immediately before the old file is replaced.
  /// - Throws: with the file unchanged, `fileExists` or `changedExternally` if the condition fails, and the errors of
  ///   ``AtomicSave``. `changedExternally` if the folder was moved away during the save.
  func replace(
    with content: PiecedBytes, expecting expected: Expectation, cleansUp: Bool = true,
    keep: (_ directory: OpenFile) -> Void = { _ in }
  ) throws(SnapshotError) -> AtomicSave.Replacement {
    try replace(expecting: expected, cleansUp: cleansUp, isUntyped: isUntyped, keep: keep) {
      copy throws(SnapshotError) in
      try copy.write(content)
    }
  }

  /// The same with content that `write` makes.
  ///
  /// - Parameters:
  ///   - isUntyped: whether the content was changed without the types of the model.
  ///   - announce: called with the status of the old file before the new one is put in place. It throws to prevent
  ///     that.
  func replace(
    expecting expected: Expectation, cleansUp: Bool = true, isUntyped: Bool = false,
    keep: (_ directory: OpenFile) -> Void = { _ in },
    announce announceToAll: (FileStatus?) throws(SnapshotError) -> Void = { _ in },
    writing write: (_ copy: consuming PieceCopy) throws(SnapshotError) -> Int
  ) throws(SnapshotError) -> AtomicSave.Replacement {
    assert(holdsLock, "a file is replaced without its lock")
    let replacement = try AtomicSave(fileSystem: fileSystem, location: location).replace(
      cleansUp: cleansUp, permit: { status throws(SnapshotError) in try require(expected, status) }, keep: keep,
      announce: { new, old throws(SnapshotError) in
        try announceToAll(old)
        announce(new, isUntyped: isUntyped)
      }, writing: write)
    overwritten.withLock { $0 = nil }
    hasMerged.withLock { $0 = false }
    note { $0.advance(to: replacement.status) }
    try requireSameFolder()
    return replacement
  }

  private func require(_ expected: Expectation, _ status: FileStatus?) throws(SnapshotError) {
    switch expected {
    case .anything: return
    case .noFile:
      guard status != nil else { return }
      throw SnapshotError.fileExists(path: location.path)
    case .bytes(let bytes):
      if try holds(bytes, status) { return }
      throw SnapshotError(.changedExternally, "the file was changed by someone else meanwhile", path: location.path)
    case .status(let check): try check(status)
    }
  }

  private func holds(_ expected: [UInt8]?, _ status: FileStatus?) throws(SnapshotError) -> Bool {
    guard let expected else { return status == nil }
    guard status?.size == expected.count else { return false }
    do {
      return try fileSystem.readFile(at: location, limit: expected.count).bytes == expected
    } catch {
      // The file was removed, or has grown, since its status was read.
      if error.code == .fileNotFound || error.code == .tooLarge { return false }
      throw error
    }
  }
}

extension SnapshotError {
  static func fileExists(path: String) -> SnapshotError {
    SnapshotError(.fileExists, "there is a file already", path: path)
  }
}

extension AtomicSave.Replacement {
  /// Throws `indeterminate` if the directory could not be synced.
  func requireDurable() throws(SnapshotError) {
    if let directoryFailure { throw directoryFailure }
  }
}

extension ReadLimits {
  /// Throws `tooLarge` for a file that would be too large to open again.
  func requireReadable(byteCount: Int, advice: String? = nil, path: String) throws(SnapshotError) {
    guard byteCount > fileSize else { return }
    throw SnapshotError(
      .tooLarge,
      "the file would have \(byteCount.counted("byte")); the limit, up to which it can be opened again, is \(fileSize)",
      advice: advice, path: path)
  }
}
