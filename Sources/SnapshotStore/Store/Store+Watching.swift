import Synchronization

/// Noticing that someone else has changed the file.
extension Store {
  /// What notices changes of the file, and in which folder.
  struct Watching: Sendable {
    var watch: (any FileWatch)?
    /// The folder that is watched. Another one may have its path by now.
    var folder: FileStatus?
    /// Whether the file is looked at every so often instead.
    var isPolling = false
  }

  /// How often the file is looked at where changes are not noticed.
  static var pollingInterval: Duration { .seconds(2) }

  /// Begins to notice. The saver must not keep the store alive.
  func watchFile(_ fileSystem: any FileSystem) {
    guard let saver else { return }
    saver.foreignChange.withLock { meet in
      meet = { [weak self] in self?.meetForeignChangeInSave() ?? false }
    }
    guard externalChanges != .failSave || onExternalChange != nil else { return }
    saver.file.session.folderChanged.withLock { look in look = { [weak self] in self?.lookSoon() } }
    if let problem = watchFolder() {
      report.withLock { $0?.watchProblem = problem }
      saver.log(
        "\(saver.name): changes of the file cannot be noticed, so it is looked at every \(Self.pollingInterval): "
          + problem.message)
    }
    // Someone may have changed the file since it was read, when nothing was watched yet.
    lookSoon()
  }

  /// Watches the folder that the path leads to now, or has the file looked at every so often.
  ///
  /// - Returns: why nothing can be noticed; nil too for a file system on which nothing ever is.
  @discardableResult
  private func watchFolder() -> SnapshotError? {
    guard let saver else { return nil }
    let (fileSystem, location) = (saver.file.fileSystem, saver.file.location)
    var problem: SnapshotError?
    var new = Watching(folder: try? fileSystem.folderStatus(of: location))
    do throws(SystemError) {
      new.watch = try fileSystem.watch(location.name, in: location.directory) { [weak self] in self?.lookSoon() }
    } catch {
      problem = SnapshotError(
        .ioFailed, "\(error.call) failed: \(error.text)",
        advice: "Raise the limits of the system, or let other programs end.",
        path: location.path, systemError: error.number)
    }
    let begins = watching.withLock { watching in
      let wasPolling = watching.isPolling
      new.isPolling = new.watch == nil
      watching = new
      return new.isPolling && !wasPolling
    }
    if begins { pollLater() }
    return problem
  }

  private func pollLater() {
    saver?.betweenSaves(after: Self.pollingInterval) { [weak self] in self?.poll() }
  }

  private func poll() {
    guard core.phase != .closed else { return }
    _ = meetExternalChange()
    // There may be room for a watch by now.
    watchFolder()
    if watching.withLock({ $0.isPolling }) { pollLater() }
  }

  /// The folder may have been moved away, and another one put in its place.
  func followFolder() {
    guard let saver, let watched = watching.withLock({ $0.folder }) else { return }
    guard let current = try? saver.file.fileSystem.folderStatus(of: saver.file.location) else { return }
    if !current.isSameFile(as: watched) { watchFolder() }
  }

  func lookSoon() {
    saver?.betweenSaves { [weak self] in _ = self?.meetExternalChange() }
  }
}
