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
  private let lock: SmallLock<FileLock?>
  /// How far the saves had gone when this session had the lock or read the file last. Nil if it does not know.
  private let lineage = SmallLock<Lineage?>(nil)
  /// The saves that this session had not seen when another program's file took their place. Its next save lacks them.
  private let overwritten = SmallLock<ClosedRange<Int>?>(nil)
  /// The line of this session in the lock file while that is closed.
  private let detachedSlot = SmallLock<Int?>(nil)
  /// The journal beside the file.
  let journal: JournalFile
  /// Called when the path leads to another folder than before.
  let folderChanged = SmallLock<Callback<Void, Void>?>(nil)

  /// Whether the lock is released between saves.
  let isShared: Bool
  let isReadOnly: Bool

  /// Resolves a path and takes the lock of its file. The file need not exist.
  ///
  /// - Parameters:
  ///   - lockTimeLimit: how long to wait for another process with the lock; nil for a session that only reads.
  ///   - isShared: whether the lock is released between saves; see `letGo`. Such a session also begins without the
  ///     lock, if another process has it.
  /// - Throws: the errors of ``FileLocation`` and ``FileLock``; `notRegularFile`, `notShareable`.
  init(
    at path: String, on fileSystem: any FileSystem, lockTimeLimit: Duration?, isShared: Bool = false
  ) throws(SnapshotError) {
    self.fileSystem = fileSystem
    self.isShared = isShared
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
          of: location, on: fileSystem, waiting: .opening(lockTimeLimit), isShared ? .forASave : .whileOpen))
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
    lock.withLock { $0 }?.release(isShared ? fold : {})
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
    if journal.isOnDisk {
      let old = try? fileSystem.statusIfAny(at: location)
      isOurs = try journal.mark(base(), date: date, like: old)
      if isOurs, addsNothing { marked = journal.openInode }
    }
    let replacement = try replace(with: content, expecting: expected, cleansUp: cleansUp, keep: keep)
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
      announce: { status in announce(status) }, writing: write)
    overwritten.withLock { $0 = nil }
    note { $0.advance(to: replacement.status) }
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

// MARK: - The lineage of the file

extension FileSession {
  /// Goes on with the lineage in the lock file.
  private func beginLineage() {
    let status = (try? fileSystem.statusIfAny(at: location)) ?? nil
    let line = lock.withLock { $0 }?.lineage
    let found = lineage(line, with: status)
    // What is about to be read has nothing else of the run.
    if found.isForeign { overwritten.withLock { $0 = 0...found.number } }
    lineage.withLock { $0 = found }
    if found != line { note { _ in } }
  }

  /// Another program may have replaced the file before it was read.
  private func begin(with content: JournaledContent) {
    guard let begun = lineage.withLock({ $0 }), !begun.isOf(content.status) else { return }
    overwritten.withLock { $0 = 0...begun.number }
    overtake(content.status)
  }

  /// The lineage of the file in place. A new one begins if the lock file has none.
  private func lineage(_ line: Lineage?, with status: FileStatus?) -> Lineage {
    line?.continued(with: status) ?? line?.overtaken(by: status)
      ?? Lineage(run: .random(in: .min ... .max), file: status)
  }

  /// Notes that this session has read a file that another program has put in place.
  func overtake(_ status: FileStatus) {
    lineage.withLock { lineage in
      if let known = lineage, known.continued(with: status) == nil { lineage = known.overtaken(by: status) }
    }
  }

  /// Notes the version that is about to be put in place.
  private func announce(_ status: FileStatus) {
    let overwritten = overwritten.withLock { $0 }
    note { lineage in
      lineage.prepare(status)
      if let overwritten { lineage.overwrite(overwritten) }
    }
  }

  /// Notes that the journal was changed. What it has up to its end is acknowledged.
  func noteJournal() { note { _ in } }

  /// Changes the lineage, and tells the next holder of the lock.
  private func note(_ change: (inout Lineage) -> Void) {
    let end = journal.acknowledgedEnd
    let changed = lineage.withLock { lineage in
      if var new = lineage {
        change(&new)
        new.journal = end
        lineage = new
      }
      return lineage
    }
    if let changed { lock.withLock { $0 }?.note(changed) }
  }
}

// MARK: - Sharing the file with other processes

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
    guard let known = lineage.withLock({ $0 }), let lock = lock.withLock({ $0 }), lock.currentLineage == known,
      let status = try? fileSystem.statusIfAny(at: location)
    else { return true }
    return known.continued(with: status) != known
  }

  /// Takes the lock for a save, and looks what others have saved since.
  ///
  /// The session knows nothing of it before the caller says so; see `arrive`.
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
      held.letGo()
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
      return found.isForeign || found.number == 0 ? .foreignFile(found) : .mixedFile(found)
    }
    return found.number == known.number ? .sameFile(found) : .newerFile(found)
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
    if case .sameFile(let found) = descent { return found == lineage.withLock { $0 } }
    return false
  }

  /// Whether the file was replaced exactly once since this session had the lock.
  func isNext(_ found: Lineage) -> Bool { lineage.withLock { $0?.number } == found.number - 1 }

  /// Whether other stores that share the file have it open.
  var isOpenElsewhere: Bool {
    detachedSlot.withLock { $0 } != nil || lock.withLock { $0 }?.hasOtherUsers == true
  }

  /// Opens the lock file again, to take the line of this session out of it.
  private func reopen() {
    guard let slot = detachedSlot.withLock({ $0.take() }), lock.withLock({ $0 == nil }) else { return }
    let old = FileLock(behindHolderOf: location, on: fileSystem, at: slot)
    lock.withLock { $0 = old }
  }

  /// Closes the files of a session that shares the file. The next save or look opens them again.
  func closeFiles() {
    guard isShared, let held = lock.withLock({ $0.take() }) else { return }
    journal.close()
    let slot = held.detach()
    detachedSlot.withLock { $0 = slot }
  }

  /// Notes that all of it was taken in. From here on the saves of this session follow it.
  func arrive(at found: Lineage) {
    overwritten.withLock { $0 = nil }
    advance(to: found)
  }

  private func advance(to found: Lineage) {
    lineage.withLock { $0 = found }
    // Others may not have seen that the file has begun a new run.
    if lock.withLock({ $0 })?.lineage != found { lock.withLock { $0 }?.note(found) }
  }

  /// The same after a look at a file without a proof. The journal counts as far as it was read. Beside a file that is
  /// gone it was not, so all of it counts.
  func arrive(anewAt found: Lineage) {
    var found = found
    let known = lineage.withLock { $0 }
    let isJournalRead = found.file != nil || found.journal == known?.journal
    found.journal = found.file == nil ? nil : journal.acknowledgedEnd
    let read = overwritten.withLock { $0.map { $0.lowerBound - 1 } } ?? known?.number ?? 0
    let first = known?.run == found.run ? read + (isJournalRead ? 1 : 0) : 0
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

  /// Lets others have the lock until the next save.
  func letGo() {
    if isShared { lock.withLock { $0 }?.letGo() }
  }
}

// MARK: - The folder of the file

extension FileSession {
  /// Takes the lock in the folder to which the path leads now, if another folder has replaced the old one. The file in
  /// the new folder counts as an external change.
  func followFolder() throws(SnapshotError) {
    guard let old = lock.withLock({ $0 }) else { return }
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
    lock.withLock { $0 = new }
    old.release()
    journal.forget()
    // What is in the new folder is not known yet. An exclusive session compares the content before it replaces it.
    if isShared { lineage.withLock { $0 = nil } } else { beginLineage() }
    folderChanged.withLock { $0 }?()
  }

  /// If the folder was moved away during the replacement, the new file is in the moved folder.
  private func requireSameFolder() throws(SnapshotError) {
    guard let held = lock.withLock({ $0 }) else { return }
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
