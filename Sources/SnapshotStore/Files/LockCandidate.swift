import SnapshotFoundation

/// A lock that is being acquired. It creates or opens the lock file, waits for the lock, and checks that the file is a
/// lock file before it writes.
struct LockCandidate {
  let name: String
  let directory: OpenFile
  /// The file that the lock protects.
  let location: FileLocation
  let fileSystem: any FileSystem

  /// A lock that is held. Its file names this process as the holder.
  struct Acquired {
    let file: OpenFile
    /// What the file says of the journal; nil if it says nothing.
    let journalEnd: JournalEnd?
    /// Whether the file has just been made. Nobody can know then who has the locked file open.
    let isNew: Bool
  }

  /// Waits for the lock, and takes it.
  ///
  /// - Parameter time: how long this process will have the lock.
  /// - Throws: `locked`, `reservedName`, `ioFailed`.
  func acquire(until end: LockDeadline, _ time: LockText.HoldingTime) throws(SnapshotError) -> Acquired {
    while true {
      let file = try call { () throws(SystemError) in try open() }
      do throws(SnapshotError) {
        if let content = try content(locking: file, until: end) {
          setOwner(of: file)
          describeHolder(in: file, time)
          return Acquired(file: file, journalEnd: content.journalEnd, isNew: content.text == .nothing)
        }
      } catch {
        fileSystem.close(file)
        throw error
      }
      fileSystem.close(file)
    }
  }

  /// The same with a lock file that was unlocked. It stays open if another file is returned, and if this fails.
  func acquire(
    again file: OpenFile, until end: LockDeadline, _ time: LockText.HoldingTime
  ) throws(SnapshotError) -> Acquired {
    let content: LockContent?
    do throws(SnapshotError) {
      content = try self.content(locking: file, until: end)
    } catch {
      fileSystem.unlock(file)
      throw error
    }
    guard let content else {
      fileSystem.unlock(file)
      return try acquire(until: end, time)
    }
    describeHolder(in: file, time)
    return Acquired(file: file, journalEnd: content.journalEnd, isNew: content.text == .nothing)
  }

  /// Locks a file, and reads it. Nil if it is not the lock file any more. The holder may have removed it between its
  /// opening and its locking. Such a file locks nothing.
  private func content(locking file: OpenFile, until end: LockDeadline) throws(SnapshotError) -> LockContent? {
    try lock(file, until: end)
    let (content, current) = try call { () throws(SystemError) in
      (try fileSystem.lockContent(file), try fileSystem.statusIfAny(of: name, in: directory))
    }
    guard let current, current.isSameFile(as: content.status) else { return nil }
    try requireLockFile(content)
    return content
  }

  /// Creates the lock file, or opens the existing one.
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
        // Another process removed it in between, so it can be created now.
        guard error.number == SystemError.noSuchFile else { throw error }
      }
    }
  }

  private func lock(_ file: OpenFile, until end: LockDeadline) throws(SnapshotError) {
    if try isLocked(file, until: end.holder) { return }
    try requireLockFile(call { () throws(SystemError) in try fileSystem.lockContent(file) })
    // One that has not written its name yet may have it for a save, too.
    if (try? fileSystem.lockContent(file))?.mayBeForASave == true, try isLocked(file, until: end.saver) { return }
    throw isHeldElsewhere(by: try? fileSystem.lockContent(file))
  }

  /// Returns false if another holder still has the lock at that time.
  private func isLocked(_ file: OpenFile, until end: ContinuousClock.Instant) throws(SnapshotError) -> Bool {
    do {
      try fileSystem.lock(file, timeLimit: max(.zero, end - .now))
      return true
    } catch {
      guard error.number == SystemError.wouldBlock else { throw failure(error) }
      return false
    }
  }

  /// Refuses a file that may be a user's work. A file that names a holder is a lock file. An empty one must belong to
  /// this user, or to the owner of the file to be locked.
  ///
  /// - Throws: `reservedName`.
  private func requireLockFile(_ content: LockContent) throws(SnapshotError) {
    if let problem = content.problem { throw isNoLock(problem) }
    guard content.text == .nothing, content.status.owner != fileSystem.user else { return }
    let owner = try call { () throws(SystemError) in
      try fileSystem.statusIfAny(of: location.name, in: directory)?.owner
    }
    if owner != content.status.owner { throw isNoLock("belongs to another user and names no holder") }
  }

  /// Lets those open the lock file who may open the file. A failure does no harm to this process.
  private func setOwner(of file: OpenFile) {
    guard var status = try? fileSystem.statusIfAny(of: location.name, in: directory) else { return }
    // The owner of the file must be able to open its lock, even if the file itself is not writable.
    status.mode |= 0o600
    try? fileSystem.setAccess(file, like: status, of: location.name, in: directory, attributes: false)
  }

  /// Writes the name of the holder. It is used for messages only, so a failure does no harm.
  private func describeHolder(in file: OpenFile, _ time: LockText.HoldingTime) {
    LockText.own(time).withUnsafeBytes { _ = try? fileSystem.write(file, $0, at: 0) }
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
      : SystemError.noLocks.contains(error.number) && error.call.hasPrefix("flock")
        ? "The file system has no locks; the file can be opened for reading only, or moved to another disk." : nil
    return failure
  }

  private func isNoLock(_ what: String) -> SnapshotError {
    SnapshotError(
      .reservedName, "\(name.quotedForMessage(limit: 255)) beside it has the name of its lock, but \(what)",
      advice: "Move or rename \(name.quotedForMessage(limit: 255)) if you need it, or remove it. It was not changed.",
      path: location.path)
  }

  private func isHeldElsewhere(by content: LockContent?) -> SnapshotError {
    let holder = content?.holder
    let own = holder?.contains(LockText.processID) == true ? "this program itself, " : ""
    if content?.mayBeForASave == true {
      let saver = holder.flatMap { FileUser(line: $0) }
      let who = saver.map { "\($0.name) (process \($0.process)) has been saving since \($0.since.formatted(.iso8601))" }
      return isHeldElsewhere(
        own + (who ?? "another process saves, and does not come to an end"),
        advice: "If it was stopped, let it continue, or end it.")
    }
    let who = holder.map { own.isEmpty ? $0 : "\($0)," } ?? "another process"
    return isHeldElsewhere(
      "\(own)\(who) has the file open for writing", advice: "Close it there, or wait. It can be read meanwhile.")
  }

  private func isHeldElsewhere(_ message: String, advice: String) -> SnapshotError {
    SnapshotError(
      .locked, message, advice: advice, path: location.path, systemError: SystemError.wouldBlock)
  }
}

/// How long to wait for the lock of a file.
struct LockPatience {
  /// For a holder that has the file open exclusively.
  var holder: Duration
  /// For one that has the lock for a save only. It is soon at its end, unless it was stopped.
  var saver: Duration

  /// For the opening of a file. It does not fail because another process saves at that moment.
  ///
  /// - Parameter limit: how long the caller wants to wait for other stores.
  static func opening(_ limit: Duration) -> LockPatience { LockPatience(holder: limit, saver: max(limit, .seconds(2))) }
}

/// The times at which the waiting for a lock ends.
struct LockDeadline {
  let holder: ContinuousClock.Instant
  let saver: ContinuousClock.Instant

  init(_ patience: LockPatience) {
    let now = ContinuousClock.now
    holder = now + patience.holder
    saver = now + patience.saver
  }
}

/// The content and the status of a file with the name of a lock.
struct LockContent {
  let status: FileStatus
  let text: LockText.Content
  private let bytes: [UInt8]?

  /// - Parameter bytes: the first two lines, and the beginning of the third; nil if the file cannot be a lock.
  init(_ status: FileStatus, _ bytes: [UInt8]? = nil) {
    self.status = status
    self.bytes = bytes
    text = bytes.map(LockText.content) ?? .other
  }

  // These are read only when they are asked for. Every save looks at the lock several times.

  var holder: String? { bytes.flatMap(LockText.holder) }
  /// Whether the holder may have the lock for a short time only. One without a name has only just taken it.
  var mayBeForASave: Bool { holder.map { $0.hasSuffix(LockText.HoldingTime.forASave.rawValue) || isClosing } ?? true }
  /// Whether the holder removes the file. It may have read before who has the locked file open.
  var isClosing: Bool { holder?.hasSuffix(LockText.HoldingTime.closing.rawValue) == true }
  var journalEnd: JournalEnd? { bytes.flatMap(LockText.journalEnd) }
  /// Whether the file was removed because nobody had the locked file open.
  var isRemoved: Bool { bytes?.dropFirst(LockText.length).starts(with: JournalEnd.removed.utf8) == true }

  /// The reason why the file is not a lock file, as the text after “but”; nil if it may be one.
  var problem: String? {
    if let what = status.kind.nameIfNotRegular { return "is \(what)" }
    if status.links > 1 { return "is a second name of another file" }
    return text == .other ? "is not a lock file" : nil
  }

  /// Whether a holder may remove the file. A removed file has no names.
  var isSafeToRemove: Bool { problem == nil && status.links == 1 }
}

extension FileSystem {
  /// Whether a name still leads to an open file.
  func isCurrent(_ file: OpenFile, _ name: String, in directory: OpenFile) throws(SystemError) -> Bool {
    guard let current = try statusIfAny(of: name, in: directory) else { return false }
    let own = try status(file)
    return own.isSameFile(as: current)
  }

  /// The content of a file that is locked, or will be.
  func lockContent(_ file: OpenFile) throws(SystemError) -> LockContent {
    let status = try status(file)
    guard status.kind == .regular else { return LockContent(status) }
    var bytes = [UInt8](repeating: 0, count: 2 * LockText.length + LockUsers.mark.utf8.count)
    let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
      try read(file, into: UnsafeMutableRawBufferPointer(bytes), at: 0)
    }
    bytes.removeLast(bytes.count - count)
    return LockContent(status, bytes)
  }
}
