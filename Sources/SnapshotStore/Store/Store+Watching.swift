import Synchronization

/// Watches the file for external changes.
extension Store {
  /// The watch on the file, and the folder of the watch.
  struct Watching: Sendable {
    var watch: (any FileWatch)?
    /// The watch on what other processes write when they save; see `nameOfSaves`.
    var saveWatch: (any FileWatch)?
    /// The folder that is watched. The path may lead to another one now.
    var folder: FileStatus?
    /// Whether the file is checked at intervals instead.
    var isPolling = false
    /// Whether the next check is set.
    var pollsLater = false
    /// Whether a look follows because the file or what is beside it has changed.
    var looksSoon = false
  }

  /// The interval of checks if changes cannot be watched.
  static var pollingInterval: Duration { .seconds(2) }

  /// Begins to watch. The saver must not keep the store alive.
  func watchFile(_ fileSystem: any FileSystem) {
    guard let saver else { return }
    let meet = Callback { [weak self] in self?.meetExternalChangeInSave() ?? false }
    saver.state.withLock { $0.externalChange = meet }
    let integrate = Saver<Root>.Integration { [weak self] in
      self.map { store in Result { () throws(SnapshotError) in try store.integrate() } }
    }
    saver.state.withLock { $0.othersSaves = integrate }
    beginWatching()
  }

  /// Begins to watch, or begins again.
  func beginWatching() {
    guard let saver, externalChanges != .fail || onExternalChange != nil || followsJournal else { return }
    let look = Callback { [weak self] in self?.lookSoon() ?? () }
    saver.inTurn { saver.file.session.folderChanged = look }
    if let problem = watchFolder() {
      report.withLock { $0?.watchProblem = problem }
      saver.log(
        "\(saver.name): the file cannot be watched, so it is checked every \(Self.pollingInterval): "
          + problem.message)
    }
    // The file may have changed after it was read and before it was watched.
    lookSoon()
  }

  /// Whether other processes save without replacing the file.
  private var followsJournal: Bool { isReadOnly || saver?.isShared == true }

  /// The file beside the store's that tells of every save of others. A process that shares the file closes the lock
  /// file when a save is at its end. A store that only reads need not have that file.
  private func nameOfSaves(_ location: FileLocation) -> String? {
    if !followsJournal { return nil }
    return isReadOnly ? SideName.journal(of: location.name) : SideName.lock(of: location.name)
  }

  /// Watches the folder to which the path leads now, or starts checks at intervals.
  ///
  /// - Returns: the reason why it cannot watch. Nil too for a file system without notifications.
  @discardableResult
  private func watchFolder() -> SnapshotError? {
    guard let saver else { return nil }
    let (fileSystem, location) = (saver.fileSystem, saver.location)
    var problem: SnapshotError?
    var new = Watching(folder: try? fileSystem.folderStatus(of: location))
    do throws(SystemError) {
      new.watch = try fileSystem.watch(location.name, in: location.directory) { [weak self] in self?.lookSoon() }
      if let name = nameOfSaves(location) {
        new.saveWatch = try fileSystem.watchWrites(name, in: location.directory, each: isReadOnly) { [weak self] in
          self?.lookIfNews()
        }
      }
    } catch {
      problem = SnapshotError(
        .ioFailed, "\(error.call) failed: \(error.text)",
        advice: "Raise the limits of the system, or let other programs end.",
        path: location.path, systemError: error.number)
    }
    new.isPolling = new.watch == nil || followsJournal && new.saveWatch == nil
    replaceWatching(with: new)
    if new.isPolling { pollLater() }
    return problem
  }

  /// - Returns: what was there before, for the caller to free: the end of a watch takes a lock and makes a system call.
  @discardableResult
  func replaceWatching(with new: Watching) -> Watching {
    watching.withLock { watching in
      let old = watching
      watching = new
      (watching.pollsLater, watching.looksSoon) = (old.pollsLater, old.looksSoon)
      return old
    }
  }

  private func pollLater() {
    let isFirst = watching.withLock { watching in
      defer { watching.pollsLater = true }
      return !watching.pollsLater
    }
    if !isFirst { return }
    saver?.betweenSaves(after: Self.pollingInterval) { [weak self] in self?.poll() }
  }

  private func poll() {
    watching.withLock { $0.pollsLater = false }
    guard core.phase != .closed, saver?.isSuspended == false else { return }
    _ = meetExternalChange()
    // A watch may be available by now.
    watchFolder()
  }

  /// Handles a folder that was moved away and replaced by another one.
  func followFolder() {
    guard let saver, let watched = watching.withLock({ $0.folder }) else { return }
    guard let current = try? saver.fileSystem.folderStatus(of: saver.location) else { return }
    if !current.isSameFile(as: watched) { watchFolder() }
  }

  /// The saves of this store wake it up too. To find that out here is cheaper than on another thread.
  func lookIfNews() {
    if watching.withLock({ $0.looksSoon }) { return }
    // Another thread that is at the file may be at an end of it.
    guard let saver, saver.turn.runIfFree({ saver.file.mayHaveNews }) != false else { return }
    lookSoon()
  }

  /// The least time between a save of a shared file, or a look at it, and the next look.
  private static var lookPause: Duration { .milliseconds(4) }

  /// Several changes that come close together give one look.
  func lookSoon() {
    let isFirst = watching.withLock { watching in
      defer { watching.looksSoon = true }
      return !watching.looksSoon
    }
    if !isFirst { return }
    let look: @Sendable () -> Void = { [weak self] in
      self?.watching.withLock { $0.looksSoon = false }
      _ = self?.meetExternalChange()
    }
    // A save takes in what others have saved, too. Beside processes that save all the time, further looks would keep
    // everyone waiting for the lock.
    let pause = saver?.timeSinceRelease.map { Self.lookPause - $0 } ?? .zero
    if pause > .zero { saver?.betweenSaves(after: pause, look) } else { saver?.betweenSaves(look) }
  }
}
