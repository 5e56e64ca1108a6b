import Synchronization

/// The right to replace a file. One holder at a time has it: a store while it is open, or a short operation.
///
/// A file beside it is locked, `.NAME.lock`, because every save replaces the file itself. The system releases the lock
/// when the process ends, in whatever way. A leftover lock file locks nothing. It names the holder for the messages of
/// others (``LockText``). A file with that name that is not a lock file is neither written nor removed.
final class FileLock: Sendable {
  private struct Held: Sendable {
    let file: OpenFile
    let directory: OpenFile
    /// The status of the directory when it was opened, for its identity.
    let folder: FileStatus
  }

  private let fileSystem: any FileSystem
  private let name: String
  private let held: SmallLock<Held?>

  /// Acquires the lock of a file. The file need not exist.
  ///
  /// - Parameter timeLimit: how long to wait for another holder.
  /// - Throws: `locked` if another holder has the lock. `reservedName` if its name belongs to another kind of file, or
  ///   if the file itself has the name of a file beside another store. `ioFailed`, for example in a read-only folder.
  init(
    of location: FileLocation, on fileSystem: any FileSystem, timeLimit: Duration = .zero
  ) throws(SnapshotError) {
    try location.requireNameOfItsOwn()
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
      let file = try candidate.acquire(until: .now + timeLimit)
      held = SmallLock(Held(file: file, directory: directory, folder: folder))
    } catch {
      fileSystem.close(directory)
      throw error
    }
  }

  deinit { release() }

  /// Whether the lock is held in this folder. It is not if the folder was moved away from its path.
  func isHeld(in folder: FileStatus) -> Bool { held.withLock { $0?.folder.isSameFile(as: folder) } ?? false }

  /// Releases the lock and removes its file. A second call does nothing.
  func release() {
    let held = held.withLock { held in
      defer { held = nil }
      return held
    }
    guard let held else { return }
    // Removes the file while it is locked, and only if it is still the file that was locked. Another file with that
    // name, one that was written to since, or one with a second name belongs to another program.
    if (try? fileSystem.isCurrent(held.file, name, in: held.directory)) == true,
      (try? fileSystem.lockContent(held.file))?.isSafeToRemove == true
    {
      try? fileSystem.remove(name, in: held.directory)
    }
    fileSystem.close(held.file)
    fileSystem.close(held.directory)
  }
}
