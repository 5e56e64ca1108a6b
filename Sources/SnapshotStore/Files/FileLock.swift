import Synchronization

/// The right to replace a file, which one holder at a time has: a store for as long as it is open, or a short operation.
///
/// What is locked is a file beside it, `.NAME.lock`, because the file itself is another one after every save. The system
/// lets go of the lock when the process ends, however it ends; a lock file that is left behind locks nothing. It says who
/// holds it, for the messages of others (``LockText``). A file of that name that is no lock file is neither written nor removed.
final class FileLock: Sendable {
  private struct Held: Sendable {
    let file: OpenFile
    let directory: OpenFile
  }

  private let fileSystem: any FileSystem
  private let name: String
  private let held: Mutex<Held?>

  /// Acquires the lock of a file, which need not exist.
  ///
  /// - Parameter timeLimit: how long to wait while someone else holds it.
  /// - Throws: `locked` if someone else holds it; `reservedName` if something else than a lock has its name,
  ///   or the file itself has one that belongs to another store's; `ioFailed`, for example where nothing can be written.
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
      held = Mutex(Held(file: try candidate.acquire(until: .now + timeLimit), directory: directory))
    } catch {
      fileSystem.close(directory)
      throw error
    }
  }

  deinit { release() }

  /// Whether it is held in a folder, and not in one that was moved away from its path.
  func isHeld(in folder: FileStatus) throws(SystemError) -> Bool {
    guard let directory = held.withLock({ $0?.directory }) else { return false }
    return try fileSystem.status(directory).isSameFile(as: folder)
  }

  /// Lets go of the lock, and removes its file. Doing so again does nothing.
  func release() {
    let held = held.withLock { held in
      defer { held = nil }
      return held
    }
    guard let held else { return }
    // While it is locked, and only if nobody has removed it and made another: that would be somebody else's. One that was
    // written to since, or has got a second name, is somebody's too.
    if (try? fileSystem.isCurrent(held.file, name, in: held.directory)) == true,
      (try? fileSystem.lockContent(held.file))?.isSafeToRemove == true
    {
      try? fileSystem.remove(name, in: held.directory)
    }
    fileSystem.close(held.file)
    fileSystem.close(held.directory)
  }
}
