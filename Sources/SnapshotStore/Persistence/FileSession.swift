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
  /// Nil in a session that only reads.
  private let lock: SmallLock<FileLock?>
  /// The journal beside the file.
  let journal: JournalFile
  /// Called when the path leads to another folder than before.
  let folderChanged = SmallLock<(@Sendable () -> Void)?>(nil)

  /// Resolves a path and takes the lock of its file. The file need not exist.
  ///
  /// - Parameter lockTimeLimit: how long to wait for another process with the lock; nil for a session that only reads.
  /// - Throws: the errors of ``FileLocation`` and ``FileLock``; `notRegularFile`.
  init(at path: String, on fileSystem: any FileSystem, lockTimeLimit: Duration?) throws(SnapshotError) {
    self.fileSystem = fileSystem
    location = try FileLocation(path, on: fileSystem)
    try location.requireRegularFile(on: fileSystem)
    journal = JournalFile(beside: location, on: fileSystem)
    if let lockTimeLimit {
      lock = SmallLock(try FileLock(of: location, on: fileSystem, timeLimit: lockTimeLimit))
    } else {
      lock = SmallLock(nil)
    }
  }

  var isReadOnly: Bool { lock.withLock { $0 == nil } }

  var generations: GenerationFolder { GenerationFolder(fileSystem: fileSystem, location: location) }

  /// Releases the lock. Afterwards nothing may be replaced.
  func close() {
    journal.close()
    lock.withLock { $0 }?.release()
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

  /// Replaces or creates the file, with all that the old file and its journal hold in the new content. Then removes the
  /// journal.
  ///
  /// - Parameter base: what a journal would call the new file.
  /// - Returns: the replacement, and the path under which a journal is kept that another program has changed.
  func fold(
    into content: PiecedBytes, _ base: @autoclosure () -> JournalBase, expecting expected: Expectation, date: Date,
    cleansUp: Bool = true, keep: (_ directory: OpenFile) -> Void = { _ in }
  ) throws(SnapshotError) -> (AtomicSave.Replacement, keptJournal: String?) {
    var isOurs = true
    if journal.isOnDisk {
      let old = try? fileSystem.statusIfAny(at: location)
      isOurs = try journal.mark(base(), date: date, like: old)
    }
    let replacement = try replace(with: content, expecting: expected, cleansUp: cleansUp, keep: keep)
    // Before the directory is durable, a power cut may bring the old file back.
    guard journal.isOnDisk, replacement.directoryFailure == nil else { return (replacement, nil) }
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
    try replace(expecting: expected, cleansUp: cleansUp, keep: keep) { copy throws(SnapshotError) in
      try copy.write(content)
    }
  }

  /// The same with content that `write` makes.
  func replace(
    expecting expected: Expectation, cleansUp: Bool = true, keep: (_ directory: OpenFile) -> Void = { _ in },
    writing write: (_ copy: consuming PieceCopy) throws(SnapshotError) -> Int
  ) throws(SnapshotError) -> AtomicSave.Replacement {
    let replacement = try AtomicSave(fileSystem: fileSystem, location: location).replace(
      cleansUp: cleansUp, permit: { status throws(SnapshotError) in try require(expected, status) }, keep: keep,
      writing: write)
    try requireSameFolder()
    return replacement
  }

  private func require(_ expected: Expectation, _ status: FileStatus?) throws(SnapshotError) {
    switch expected {
    case .anything: return
    case .noFile:
      guard status != nil else { return }
      throw SnapshotError(.fileExists, "there is a file already", path: location.path)
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

// MARK: - The folder of the file

extension FileSession {
  /// Takes the lock in the folder to which the path leads now, if another folder has replaced the old one. The file in
  /// the new folder counts as an external change.
  func followFolder() throws(SnapshotError) {
    guard let old = lock.withLock({ $0 }) else { return }
    do {
      if try old.isHeld(in: fileSystem.folderStatus(of: location)) { return }
    } catch {
      var failure = SnapshotError(error, location.path, committed: " for the folder of the file; nothing was replaced")
      if error.number == SystemError.noSuchFile {
        failure.advice = "Put the folder back; until then the changes stay in memory."
      }
      throw failure
    }
    let new = try FileLock(of: location, on: fileSystem)
    lock.withLock { $0 = new }
    old.release()
    journal.forget()
    folderChanged.withLock { $0 }?()
  }

  /// If the folder was moved away during the replacement, the new file is in the moved folder.
  private func requireSameFolder() throws(SnapshotError) {
    guard let held = lock.withLock({ $0 }) else { return }
    do {
      if try held.isHeld(in: fileSystem.folderStatus(of: location)) { return }
    } catch {
      // There is no sign of a move, and the new file is durable in the place of the old one.
      if error.number != SystemError.noSuchFile { return }
    }
    throw SnapshotError(
      .changedExternally, "the folder was moved away during the save; what was saved is in the folder that was moved",
      advice: "Put the folder back, or save again.", path: location.path)
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
