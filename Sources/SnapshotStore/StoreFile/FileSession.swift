import SnapshotFoundation

/// The right to replace one file, and the only way to replace it.
///
/// A short operation has its own session. A store has one session while it is open. A replacement has four steps:
///
/// 1. Check that the file has the content that the caller expects.
/// 2. Let the caller keep the old version.
/// 3. Replace the file atomically.
/// 4. Check that the path still leads to the same folder.
///
/// The ``FileLock`` stops programs that use it. Steps 1 and 4 detect all others. One thread at a time uses a session.
final class FileSession {
  let location: FileLocation
  let fileSystem: any FileSystem
  /// The journal beside the file.
  let journal: JournalFile

  /// Nil in a session that only reads. One that shares the file may have the lock file open without the lock.
  var lock: FileLock?
  /// Whether no other store has the file open, as far as the lock file says, and this one is being closed.
  private var isLast = false
  /// What is known of those who share the file while the lock file is closed.
  var detached: FileLock.Listing?
  /// Called when the path leads to another folder than before.
  var folderChanged: Callback<Void, Void>?

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
    guard let lockTimeLimit else { return }
    lock = try Self.lock(
      of: location, on: fileSystem, waiting: .opening(FileWork.hasLock(of: location) ? .zero : lockTimeLimit),
      isShared: isShared)
  }

  /// The lock of a file, or only its lock file if another process has the file open.
  private static func lock(
    of location: FileLocation, on fileSystem: any FileSystem, waiting patience: LockPatience, isShared: Bool
  ) throws(SnapshotError) -> FileLock {
    var attempts = 5
    while true {
      do throws(SnapshotError) {
        let held = try FileLock(
          of: location, on: fileSystem, waiting: patience, isShared ? .forASave : .whileOpen)
        if isShared { held.enter() }
        return held
      } catch {
        guard isShared, error.code == .locked else { throw error }
        if let behind = FileLock(behindHolderOf: location, on: fileSystem) { return behind }
        // The holder is removing the lock file, or has just done so. Another one may be faster than this one.
        attempts -= 1
        if attempts == 0 { throw error }
      }
    }
  }

  /// Whether this session has the lock now.
  var holdsLock: Bool { lock?.isHeld == true }

  var generations: GenerationFolder { GenerationFolder(fileSystem: fileSystem, location: location) }

  /// Releases the lock. Afterwards nothing may be replaced.
  ///
  /// - Parameter fold: called with the lock when the last store that shares the file is closed.
  func close(_ fold: () -> Void = {}) {
    journal.close()
    reopen()
    lock?.end(
      {
        isLast = true
        // The path may lead to another folder by now, whose lock this session does not have.
        guard let held = lock, let folder = try? fileSystem.folderStatus(of: location),
          held.isIn(folder)
        else { return }
        // It reads the journal, and removes it then. What this store remembers of it proves nothing.
        if isShared { return fold() }
        if !keepsPast, journal.isOnDisk, !journal.isThere { journal.remove() }
      },
      // Without a lock file, the next store takes a journal with a past for one that others know.
      mayBeShared: { hasLostUsers || journal.past != nil && journal.isThere })
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
      return try fileSystem.readJournaled(at: location, limit: limit)
    } catch {
      if error.code == .fileNotFound { return nil }
      throw error
    }
  }

  /// Tells the next holder of the lock how far the journal is durable, and the others that something was saved.
  func noteSaved() { lock?.note(journal.durableEnd, isNew: true) }

  /// Tells the next holder of the lock how far the journal is durable.
  func noteDurable() { lock?.note(journal.durableEnd, isNew: false) }

  /// How far the journal is durable, as far as the lock file says it.
  var durableEnd: JournalEnd? { lock?.journalEnd }

  /// Whether stores may share the file, and find in the journal what they know, that the lock file does not list.
  private var hasLostUsers: Bool { journal.past != nil && lock?.hasLostUsers == true }

  /// Whether the journal stays when the file has all of it. The stores that share the file find there what they know.
  var keepsPast: Bool {
    return isLast ? hasLostUsers : isShared || hasLostUsers || isOpenElsewhere
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
    if let (heading, known) = past(of: content, expected) {
      return try fold(
        into: content, heading, madeFrom: known, expecting: expected, date: .now, cleansUp: cleansUp, keep: keep
      ).0
    }
    var old: FileStatus?
    let replacement = try replace(expecting: expected, cleansUp: cleansUp, keep: keep, announce: { old = $0 }) {
      copy throws(SnapshotError) in
      try copy.write(content)
    }
    // A store that was opened meanwhile may have read the old file.
    if !journal.isOnDisk, let (heading, known) = past(of: content, expected) {
      let status = (try? fileSystem.statusIfAny(at: location)) ?? replacement.status
      _ = endJournal(
        heading, isOurs: true, isMarked: false, madeFrom: known, JournalPast.Making(), like: status, replacing: old,
        date: .now, noting: { _, _ in })
    } else {
      noteSaved()
    }
    return replacement
  }

  /// What the journal on new content says, and what that was made from. Nil if nobody shares the file, or if another
  /// program's file has the name of the journal. O(bytes).
  private func past(of content: PiecedBytes, _ expected: Expectation) -> (JournalHeader, madeFrom: [FilePosition])? {
    guard keepsPast, journal.isOnDisk || !journal.isNameTaken, let bytes = content.array(),
      let header = try? SnapshotHeader(of: bytes)
    else { return nil }
    var known: [FilePosition] = []
    if case .bytes(let old?) = expected { known = [FilePosition(base: JournalBase(of: old, ReadLimits()))] }
    let heading = JournalHeader(
      schema: header.schema, version: header.version, base: JournalBase(of: bytes, ReadLimits()), date: .now)
    return (heading, known)
  }

  /// The same with content that `write` makes.
  ///
  /// - Parameters:
  ///   - announce: called with the status of the old file before the new one is put in place. It throws to prevent
  ///     that.
  func replace(
    expecting expected: Expectation, cleansUp: Bool = true, keep: (_ directory: OpenFile) -> Void = { _ in },
    announce: (FileStatus?) throws(SnapshotError) -> Void = { _ in },
    writing write: (_ copy: consuming PieceCopy) throws(SnapshotError) -> Int
  ) throws(SnapshotError) -> AtomicSave.Replacement {
    assert(holdsLock, "a file is replaced without its lock")
    let replacement = try AtomicSave(fileSystem: fileSystem, location: location).replace(
      cleansUp: cleansUp, permit: { status throws(SnapshotError) in try require(expected, status) }, keep: keep,
      announce: { _, old throws(SnapshotError) in try announce(old) }, writing: write)
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
