/// A lock that is being acquired: makes or opens its file, waits for it, and proves that it is a lock file before it writes.
struct LockCandidate {
  let name: String
  let directory: OpenFile
  /// The file that the lock is for.
  let location: FileLocation
  let fileSystem: any FileSystem

  /// The locked file, which names this process as the holder.
  ///
  /// - Throws: `locked`, `reservedName`, `ioFailed`.
  func acquire(until end: ContinuousClock.Instant) throws(SnapshotError) -> OpenFile {
    while true {
      let file = try call { () throws(SystemError) in try open() }
      do throws(SnapshotError) {
        try lock(file, until: end)
        // The file may have been removed between opening and locking it, by the holder. Then it locks nothing.
        if try call({ () throws(SystemError) in try fileSystem.isCurrent(file, name, in: directory) }) {
          try requireLockFile(file)
          describeHolder(in: file)
          return file
        }
      } catch {
        fileSystem.close(file)
        throw error
      }
      fileSystem.close(file)
    }
  }

  /// Makes the file, or opens the one that is there.
  private func open() throws(SystemError) -> OpenFile {
    while true {
      do {
        return try fileSystem.create(name, in: directory)
      } catch {
        guard error.number == SystemError.exists else { throw error }
      }
      do {
        return try fileSystem.openLockFile(name, in: directory)
      } catch {
        // Removed in between: it can be made now.
        guard error.number == SystemError.noSuchFile else { throw error }
      }
    }
  }

  private func lock(_ file: OpenFile, until end: ContinuousClock.Instant) throws(SnapshotError) {
    do {
      try fileSystem.lock(file, timeLimit: max(.zero, end - .now))
    } catch {
      guard error.number == SystemError.wouldBlock else { throw failure(error) }
      try requireLockFile(file)
      throw isHeldElsewhere(by: (try? fileSystem.lockContent(file))?.holder)
    }
  }

  /// Throws `reservedName` if the file may be someone's work. What names a holder proves itself; what holds nothing must be the
  /// user's own, or belong to the owner of the file that is to be locked.
  private func requireLockFile(_ file: OpenFile) throws(SnapshotError) {
    let content = try call { () throws(SystemError) in try fileSystem.lockContent(file) }
    if let problem = content.problem { throw isNoLock(problem) }
    guard content.text == .nothing, content.status.owner != fileSystem.user else { return }
    let owner = try call { () throws(SystemError) in
      try fileSystem.statusIfAny(of: location.name, in: directory)?.owner
    }
    if owner != content.status.owner { throw isNoLock("belongs to another user and names no holder") }
  }

  /// Writes down who holds the lock. It is for messages only, so it does no harm if that fails.
  private func describeHolder(in file: OpenFile) {
    if var status = try? fileSystem.statusIfAny(of: location.name, in: directory) {
      // The owner of the file must be able to open its lock, even if the file itself may not be written.
      status.mode |= 0o600
      try? fileSystem.setOwnership(file, like: status)
    }
    LockText.own().withUnsafeBytes { _ = try? fileSystem.write(file, $0) }
  }

  // MARK: Errors

  private func call<Value>(_ body: () throws(SystemError) -> Value) throws(SnapshotError) -> Value {
    do { return try body() } catch { throw failure(error) }
  }

  private func failure(_ error: SystemError) -> SnapshotError {
    if [SystemError.isDirectory, SystemError.tooManyLinks].contains(error.number) {
      return isNoLock(error.number == SystemError.isDirectory ? "is a directory" : "is a symbolic link")
    }
    var failure = SnapshotError(error, location.path, committed: " for the lock file \(name); nothing was replaced")
    failure.advice =
      error.number == SystemError.accessDenied || error.number == SystemError.readOnlyFileSystem
      ? "The folder or the lock file cannot be written; the file can be opened for reading only."
      : nil
    return failure
  }

  private func isNoLock(_ what: String) -> SnapshotError {
    SnapshotError(
      .reservedName, "\(name.quotedForMessage(limit: 255)) beside it has the name of its lock, but \(what)",
      advice: "Move or rename \(name.quotedForMessage(limit: 255)) if you need it, or remove it. It was not changed.",
      path: location.path)
  }

  private func isHeldElsewhere(by holder: String?) -> SnapshotError {
    let who = holder.map { $0.contains(LockText.processID) ? "this program itself, \($0)," : $0 } ?? "another process"
    return SnapshotError(
      .locked, "\(who) has the file open for writing",
      advice: "Close it there, wait, or open the file for reading only.", path: location.path,
      systemError: SystemError.wouldBlock)
  }
}

/// What is in a file that has the name of a lock, and what kind of file it is.
struct LockContent {
  let status: FileStatus
  let text: LockText.Content
  let holder: String?

  /// Why the file is no lock file, to follow “but”; nil if it may be one.
  var problem: String? {
    if let what = status.kind.nameIfNotRegular { return "is \(what)" }
    if status.links > 1 { return "is one more name of another file" }
    return text == .other ? "is no lock file" : nil
  }

  /// Whether a holder may remove it. A file that is removed already has no names.
  var isSafeToRemove: Bool { problem == nil && status.links == 1 }
}

extension FileSystem {
  /// Whether a name still leads to an open file.
  func isCurrent(_ file: OpenFile, _ name: String, in directory: OpenFile) throws(SystemError) -> Bool {
    guard let current = try statusIfAny(of: name, in: directory) else { return false }
    let own = try status(file)
    return own.device == current.device && own.inode == current.inode
  }

  /// What is in a file that is locked, or is to be.
  func lockContent(_ file: OpenFile) throws(SystemError) -> LockContent {
    let status = try status(file)
    guard status.kind == .regular else { return LockContent(status: status, text: .other, holder: nil) }
    var bytes = [UInt8](repeating: 0, count: LockText.length + 1)
    let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
      try read(file, into: UnsafeMutableRawBufferPointer(bytes), at: 0)
    }
    bytes.removeLast(bytes.count - count)
    return LockContent(status: status, text: LockText.content(of: bytes), holder: LockText.holder(in: bytes))
  }
}
