import Synchronization

/// The right to replace one file, and the one way to do it.
///
/// A short operation has a session of its own. A store has one for as long as it is open. A replacement has four steps:
///
/// 1. The file must hold what the caller expects.
/// 2. The caller may keep the old version.
/// 3. The file is replaced atomically.
/// 4. The path must still lead to the same folder.
///
/// The ``FileLock`` keeps out the programs that take it. Steps 1 and 4 notice all others.
final class FileSession: Sendable {
  let location: FileLocation
  let fileSystem: any FileSystem
  /// Nil in a session that only reads.
  private let lock: Mutex<FileLock?>
  /// Called when the path leads to another folder than before.
  let folderChanged = Mutex<(@Sendable () -> Void)?>(nil)

  /// Resolves a path and takes the lock of its file, which need not exist.
  ///
  /// - Parameter lockTimeLimit: how long to wait while another process has the lock; nil for a session that only reads.
  /// - Throws: what ``FileLocation`` and ``FileLock`` throw; `notRegularFile`.
  init(at path: String, on fileSystem: any FileSystem, lockTimeLimit: Duration?) throws(SnapshotError) {
    self.fileSystem = fileSystem
    location = try FileLocation(path, on: fileSystem)
    try location.requireRegularFile(on: fileSystem)
    if let lockTimeLimit {
      lock = Mutex(try FileLock(of: location, on: fileSystem, timeLimit: lockTimeLimit))
    } else {
      lock = Mutex(nil)
    }
  }

  var isReadOnly: Bool { lock.withLock { $0 == nil } }

  var generations: GenerationFolder { GenerationFolder(fileSystem: fileSystem, location: location) }

  /// Releases the lock. Nothing must be replaced any more.
  func close() { lock.withLock { $0 }?.release() }

  /// What the file holds now, and its status; nil if there is no file.
  func content(limit: Int) throws(SnapshotError) -> (bytes: [UInt8], status: FileStatus)? {
    do {
      return try fileSystem.readFile(at: location, limit: limit)
    } catch {
      if error.code == .fileNotFound { return nil }
      throw error
    }
  }

  /// What the file must hold to be replaced.
  enum Expectation {
    case anything
    case noFile
    /// Exactly these bytes; nil for no file.
    case bytes([UInt8]?)
    /// What a check of its status lets pass; the status is nil if there is no file.
    case status((FileStatus?) throws(SnapshotError) -> Void)
  }

  /// Replaces the file, or makes it.
  ///
  /// - Parameters:
  ///   - content: what it will hold; pieces may come from the file that is there now.
  ///   - expected: what it must hold at that time.
  ///   - cleansUp: whether to look for temporaries that were left behind, which takes a listing of the directory.
  ///   - keep: called immediately before the old file is replaced, with its directory.
  /// - Throws: with the file untouched, `fileExists` or `changedOutside` if it does not hold what is expected, and what
  ///   ``AtomicSave`` throws; `changedOutside` if the folder was moved away during the save.
  func replace(
    with content: PiecedBytes, expecting expected: Expectation, cleansUp: Bool = true,
    keep: (_ directory: OpenFile) -> Void = { _ in }
  ) throws(SnapshotError) -> AtomicSave.Replacement {
    let replacement = try AtomicSave(fileSystem: fileSystem, location: location).replace(
      with: content, cleansUp: cleansUp,
      permit: { status throws(SnapshotError) in try require(expected, status) }, keep: keep)
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
      throw SnapshotError(.changedOutside, "the file was changed by someone else meanwhile", path: location.path)
    case .status(let check): try check(status)
    }
  }

  private func holds(_ expected: [UInt8]?, _ status: FileStatus?) throws(SnapshotError) -> Bool {
    guard let expected else { return status == nil }
    guard status?.size == expected.count else { return false }
    do {
      return try fileSystem.readFile(at: location, limit: expected.count).bytes == expected
    } catch {
      // It was removed, or has grown, since its status was read.
      if error.code == .fileNotFound || error.code == .tooLarge { return false }
      throw error
    }
  }
}

// MARK: - The folder of the file

extension FileSession {
  /// Takes the lock in the folder that the path leads to now, if another folder has taken the place of the old one.
  /// The file in the new one counts as an external change.
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
    folderChanged.withLock { $0 }?()
  }

  /// A folder that is moved away while a file in it is replaced takes the new file along.
  private func requireSameFolder() throws(SnapshotError) {
    guard let held = lock.withLock({ $0 }) else { return }
    do {
      if try held.isHeld(in: fileSystem.folderStatus(of: location)) { return }
    } catch {
      // Nothing says that it was moved, and the new file is durable where the old one was.
      if error.number != SystemError.noSuchFile { return }
    }
    throw SnapshotError(
      .changedOutside, "the folder was moved away during the save; what was saved is in the folder that was moved",
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
  /// Throws `tooLarge` for a file that could not be opened again.
  func requireReadable(byteCount: Int, advice: String? = nil, path: String) throws(SnapshotError) {
    guard byteCount > fileSize else { return }
    throw SnapshotError(
      .tooLarge,
      "the file would have \(byteCount.counted("byte")); the limit, up to which it can be opened again, is \(fileSize)",
      advice: advice, path: path)
  }
}
