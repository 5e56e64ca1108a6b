import Synchronization

/// Changes of the file by someone else.
extension Store {
  /// Looks now whether someone else has changed the file, and does what ``StoreOptions/externalChanges`` says.
  ///
  /// A store with another policy than `failSave` watches its file's folder; call this where changes may go unnoticed, for
  /// example when a program comes to the foreground.
  ///
  /// - Returns: what came of it; nil if nobody has changed the file.
  @discardableResult
  public func checkFile() async -> ExternalChange? {
    guard let saver else { return nil }
    return await withCheckedContinuation { continuation in
      saver.betweenSaves { continuation.resume(returning: self.meetExternalChange()) }
    }
  }

  /// Begins to notice. The saver must not keep the store alive.
  func watchFile(_ fileSystem: any FileSystem) {
    guard let saver else { return }
    saver.foreignChange.withLock { meet in
      meet = { [weak self] in self?.meetForeignChangeInSave() ?? false }
    }
    guard externalChanges != .failSave || onExternalChange != nil else { return }
    let location = saver.file.location
    let watch = fileSystem.watch(location.name, in: location.directory) { [weak self] in self?.lookSoon() }
    self.watch.withLock { $0 = watch }
  }

  private func lookSoon() {
    saver?.betweenSaves { [weak self] in _ = self?.meetExternalChange() }
  }

  /// Whether the save that found the change may be repeated.
  private func meetForeignChangeInSave() -> Bool {
    switch meetExternalChange() {
    case .reloaded, .merged, .replaced, .removed: true
    case .refused, .unreadable, nil: false
    }
  }

  /// Runs between saves, or inside of one that was refused.
  private func meetExternalChange() -> ExternalChange? {
    guard let saver, core.phase != .closed, !saver.isOver else { return nil }
    let change: ExternalChange
    switch saver.file.inspect(Root.self) {
    case .unchanged: return nil
    case .removed:
      change = .removed
      // It is to be made anew, even if nothing else changes.
      if [.merge, .keepOurs].contains(externalChanges), !isReadOnly { touch(saver) }
    case .unreadable(let error): change = .unreadable(error)
    case .changed(let theirs, let before, let found):
      do throws(SnapshotError) {
        change = try meet(theirs, before, found, saver)
      } catch {
        change = .unreadable(error)
      }
    }
    if let onExternalChange, !saver.isEnding { saver.outsideTurn { onExternalChange(change) } }
    return change
  }

  private func meet(
    _ theirs: Root, _ before: Root?, _ found: StoreFile.Base, _ saver: Saver<Root>
  ) throws(SnapshotError) -> ExternalChange {
    // Who only reads has nothing of its own.
    switch isReadOnly && externalChanges != .failSave ? .reload : externalChanges {
    case .failSave: return .refused
    case .reload: return try reload(theirs, found, saver) ? .reloaded : .refused
    case .keepOurs:
      let path = try saver.file.keepConflict()
      let isDone = inTransaction {
        saver.file.accept(found, keepsUnknown: true)
        publishUnchanged(saver)
        return true
      }
      return isDone == true ? .replaced(kept: path) : .refused
    case .merge:
      // Without knowing what the file held before, every difference is a conflict.
      guard let before else { return .refused }
      return try merge(theirs, before, found, saver)
    }
  }

  /// As a transaction, unless the store is closed, or the transaction that runs does not end: it may be waiting for the very
  /// save that found the change.
  private func inTransaction<Result>(_ body: () -> Result) -> Result? {
    // A store is closed under the same lock, and then the file is not its own any more.
    writerLock.withLock(waitingAtMost: saver?.isEnding == true ? 1 : 10) { core.phase == .closed ? nil : body() } ?? nil
  }

  /// Takes their value if there is nothing to be saved.
  private func reload(
    _ theirs: Root, _ found: StoreFile.Base, _ saver: Saver<Root>
  ) throws(SnapshotError) -> Bool {
    // It will count as saved, so it has to be.
    if !isReadOnly { try saver.file.makeDurable() }
    let isDone = inTransaction {
      let before = core.latest
      guard before.revision <= saver.durableRevision else { return false }
      saver.file.accept(found)
      let after = Published(before.value.replacingTables(with: theirs), revision: before.revision + 1)
      publishExternal(after, before)
      saver.adopted(revision: after.revision)
      return true
    }
    return isDone ?? false
  }

  private func merge(
    _ theirs: Root, _ base: Root, _ found: StoreFile.Base, _ saver: Saver<Root>
  ) throws(SnapshotError) -> ExternalChange {
    try saver.file.makeDurable()
    var kept: String?
    var attempt = 0
    while true {
      attempt += 1
      let seen = core.latest
      let result = Root.merging(base: base, ours: seen.value, theirs: theirs)
      // What loses must be kept before anything is published that would be saved over it: theirs where ours was taken, and
      // both where the result had to be mended. A transaction may come in between; then this goes round. In the end it
      // keeps both to be on the safe side, and merges with whatever is there.
      let isLast = attempt == 10
      if !result.conflicts.isEmpty || !result.mended.isEmpty || isLast, kept == nil {
        kept = try saver.file.keepConflict()
      }
      if !result.mended.isEmpty || isLast { _ = try saver.file.saveAside(seen.value, as: "before-merge") }
      let outcome = inTransaction { () -> ExternalChange? in
        let before = core.latest
        guard before === seen || isLast else { return nil }
        saver.file.accept(found)
        let final = before === seen ? result : Root.merging(base: base, ours: before.value, theirs: theirs)
        publishMerge(final.value, over: before, of: theirs, saver)
        return .merged(conflicts: final.conflicts, mended: final.mended, kept: kept)
      }
      guard let outcome else { return .refused }
      if let outcome { return outcome }
    }
  }

  /// Under the writer lock.
  private func publishMerge(_ merged: Root, over before: Published, of theirs: Root, _ saver: Saver<Root>) {
    let after = Published(merged, revision: before.revision + 1)
    publishExternal(after, before)
    let isTheirs = merged.isStoredLike(theirs)
    isTheirs ? saver.adopted(revision: after.revision) : saver.changed(revision: after.revision)
  }

  /// Makes the value one to be saved, though it has not changed.
  private func touch(_ saver: Saver<Root>) {
    _ = inTransaction { publishUnchanged(saver) }
  }

  /// Under the writer lock.
  private func publishUnchanged(_ saver: Saver<Root>) {
    let before = core.latest
    let after = Published(before.value, revision: before.revision + 1)
    core.publish(after)
    saver.changed(revision: after.revision)
  }

  private func publishExternal(_ after: Published, _ before: Published) {
    core.publish(after)
    observers.notify {
      ChangeSet(before: before.value, after: after.value, revision: after.revision, origin: .file)
    }
  }
}

extension Origin {
  /// Someone else, who changed the file.
  public static let file = Origin("file")
}
