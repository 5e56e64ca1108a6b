/// A store whose file other processes have open too.
extension Store {
  /// How long a look waits for a process that saves. A store that has the file alone keeps it for longer.
  private static var lookPatience: LockPatience { LockPatience(holder: .milliseconds(20), saver: .milliseconds(20)) }

  /// How long the writer of this store may keep other processes waiting.
  private static var writerPatience: Duration { .milliseconds(50) }

  /// Takes in what others have saved. Called in the saver's turn.
  ///
  /// - Returns: what the program was told of it; nil if nothing had to be decided.
  func lookForSaves() -> ExternalChange? {
    guard let saver, saver.file.mayHaveNews else { return nil }
    if saver.file.looksLater, let failed = saver.file.failedLook { return failed.change }
    do throws(SnapshotError) {
      let (change, isSettled) = try saver.withFileLock(waiting: Self.lookPatience) { change in
        (change, !saver.file.mayHaveNews)
      }
      // The lock file cannot be written, for example. Then each look would cause the next one.
      if !isSettled {
        note(SnapshotError(.ioFailed, "the lock file does not say what was read"), nil, saver)
        lookLater(after: Self.lockedInterval, saver)
      }
      return change
    } catch {
      // Another process has the lock. When it releases it, a look follows at once.
      if error.code == .locked, error.systemError != nil {
        lookLater(after: Self.lockedInterval, saver)
        return nil
      }
      let isOurs = error.code == .locked || error.code == .wouldDeadlock
      note(error, isOurs ? nil : .unreadable(error), saver)
      saver.file.failedLook?.count += 1
      let failed = saver.file.failedLook
      lookLater(after: isOurs ? Self.lockedInterval : Self.interval(after: failed?.count ?? 1), saver)
      return failed?.change
    }
  }

  /// Notes that a look has failed. Tells the program once that what others have saved cannot be taken in. A program of
  /// a newer version may have saved it.
  private func note(_ error: SnapshotError, _ change: ExternalChange?, _ saver: Saver<Root>) {
    // A change that was noted deeper in the same look says more.
    if saver.file.failedLook?.error.code == error.code { return }
    saver.file.failedLook = FailedLook(error: error, change: change)
    if let change { tell(change, saver) }
  }

  /// The time until the next look. A look takes the lock from others, and may read all of the file. So it comes less
  /// often if nothing changes.
  private static func interval(after count: Int) -> Duration {
    min(pollingInterval * (1 << min(count - 1, 10)), .seconds(16))
  }

  /// Looks once more later.
  private func lookLater(after interval: Duration, _ saver: Saver<Root>) {
    if saver.file.looksLater { return }
    saver.file.looksLater = true
    saver.betweenSaves(after: interval) { [weak self] in
      self?.saver?.file.looksLater = false
      _ = self?.meetExternalChange()
    }
  }

  /// The time between looks while another process has the lock.
  private static var lockedInterval: Duration { .milliseconds(500) }

  /// Publishes what others have saved, with what is unsaved here on top. Called in the saver's turn, with the lock of
  /// the file.
  ///
  /// - Returns: what the program is told of it; nil if nothing had to be decided.
  /// - Throws: `changedExternally`, and the errors of reading. Nothing may be saved then.
  func integrate() throws(SnapshotError) -> ExternalChange? {
    guard let saver else { return nil }
    let change: ExternalChange?
    switch try saver.file.look() {
    case .nothing: change = nil
    case .taken(let taken):
      let first = try publish(taken, saver)
      change = taken.isBeforeForeign ? try integrate() ?? first : first
    case .foreign(let isBesideJournal): change = try lookAnew(isBesideJournal: isBesideJournal, saver)
    }
    saver.file.failedLook = nil
    return change
  }

  /// Takes in what is there, of which nobody can say what it was made from.
  ///
  /// - Parameter isBesideJournal: whether only another program has replaced the file, beside the journal.
  private func lookAnew(isBesideJournal: Bool, _ saver: Saver<Root>) throws(SnapshotError) -> ExternalChange? {
    let change = reaction(to: saver.file.lookAnew(isBesideJournal: isBesideJournal), saver)
    if let change, let problem = change.problem(saver.location.path) {
      note(problem, change, saver)
      throw problem
    }
    saver.file.noteExtent()
    if let change { tell(change, saver) }
    return change
  }

  /// Publishes what others have saved. What is unsaved here is merged with theirs. The version that this store knew is
  /// the base.
  private func publish(
    _ taken: StoreFile<Root>.Taken, _ saver: Saver<Root>
  ) throws(SnapshotError) -> ExternalChange? {
    if writerLock.isHeldByThisThread { throw SnapshotError.waitsForItself(saver.location.path) }
    let (theirs, rejection) = try settledByUs(taken, saver)
    for round in 1...Self.roundLimitOfLooks {
      let isLast = round == Self.roundLimitOfLooks
      let seen = core.latest
      var next = Rebased(
        settled: .init(verbatim: seen.value.replacingTables(with: theirs.value), .peer), unknown: theirs.unknown)
      if let rejection {
        next = Rebased(settled: seen.settled, unknown: theirs.unknown, change: rejection)
      } else if !seen.value.hasSameTables(as: taken.known.value)
        || !saver.file.unknown.isSame(as: taken.known.unknown)
      {
        next = try rebased(seen, onto: theirs, since: taken.known, taken.newest, saver)
      }
      var rebased = MergedChange(next.settled.value, madeFrom: seen.value, policy: .ours, isTransaction: false) { _ in }
      let published = inTransaction(waitingAtMost: Self.writerPatience) { () -> Published? in
        let now = core.latest
        guard let settled = rebase(next.settled, &rebased, from: seen, onto: now, isLast: isLast) else { return nil }
        // What one side would lose is kept beside the file first, in another round.
        guard rebased.conflicts.isEmpty, rebased.repaired.isEmpty else { return nil }
        // A fold by others, for example, changes no value.
        let value = settled.value
        if value.hasSameTables(as: now.value), value.hasSameTables(as: taken.content.value) { return now }
        let after = Published(settled, revision: now.revision + 1)
        publishExternal(after, now)
        return after
      }
      guard let published else { break }
      // The lock of the file is held on, so nothing is saved in between. Transactions need not wait for the disk.
      if let after = published {
        saver.file.adopt(taken, unknown: next.unknown)
        let session = saver.file.session
        let isTheirs =
          after.value.hasSameTables(as: taken.content.value) && next.unknown.isSame(as: taken.content.unknown)
          && !session.journal.isUndecided
        isTheirs ? saver.adopted(revision: after.revision) : saver.changed(revision: after.revision)
        if let change = next.change { tell(change, saver) }
        return next.change
      }
    }
    throw SnapshotError(
      .locked, "a transaction of this program takes long, so the lock was released for others; saving is tried again",
      path: saver.location.path)
  }

  /// What a program without the types has saved, settled as an edit of what this store knew. If the schema refuses it,
  /// it is kept beside the file, and does not count.
  private func settledByUs(
    _ taken: StoreFile<Root>.Taken, _ saver: Saver<Root>
  ) throws(SnapshotError) -> (SnapshotContent<Root>, ExternalChange?) {
    if !taken.isUntyped || !Root.schema.hasPromises { return (taken.content, nil) }
    let known = Published(
      .init(verbatim: core.latest.value.replacingTables(with: taken.known.value), .opened), revision: revision)
    var content = taken.content
    switch externalRepaired(known.value.replacingTables(with: content.value), .foreign, over: known) {
    case .success((let settled, _)):
      content.value = settled.value
      return (content, nil)
    case .failure(let reason):
      let kept = try saver.file.keepConflict(content)
      return (SnapshotContent(taken.known.value, saver.file.unknown), .rejected(reason, kept: kept))
    }
  }

  /// The most rounds beside transactions of this program. After that, they must wait.
  private static var roundLimitOfLooks: Int { 10 }

  /// What is published, and what the program is told of it.
  private struct Rebased {
    var settled: Settled<Root>
    var unknown: UnknownContent
    var change: ExternalChange?
  }

  /// The changes that are unsaved here, made on what others have saved. What one side loses by it is kept beside the
  /// file. If the schema refuses the result, theirs stays, and ours is kept.
  ///
  /// - Parameter newest: what this store had read or saved last, if that is not what it knew of theirs.
  private func rebased(
    _ seen: Published, onto content: SnapshotContent<Root>, since base: SnapshotContent<Root>,
    _ newest: SnapshotContent<Root>?, _ saver: Saver<Root>
  ) throws(SnapshotError) -> Rebased {
    let known = base.value
    let merge = ExternalMerge(
      theirs: content, origins: MergeOrigins([base], isNewest: newest == nil), newest: newest ?? base,
      policy: mergePolicy, options: .keepsTheirs, isOfStores: true, ourUnknown: saver.file.unknown)
    let result = merge.run(seen.value)
    let theirs = content.value
    // Theirs was settled where it was saved, or by this store. What is new is ours on top of it.
    let peers = Settled(verbatim: seen.value.replacingTables(with: theirs), .peer)
    let before = Published(peers, revision: seen.revision)
    var next = Rebased(settled: .init(verbatim: result.content.value, .peer), unknown: result.content.unknown)
    // If nobody here has changed it, theirs is all of it. A line can say what is saved next.
    if result.conflicts.isEmpty, result.repaired.isEmpty, saver.file.unknown.isSame(as: base.unknown) {
      next.unknown = content.unknown
    }
    var repaired = result.repaired
    switch externalRepaired(result.content.value, .merge(with: [seen.value]), over: before) {
    case .success((let settled, let more)):
      next.settled = settled
      repaired += more
    case .failure(let reason) where isTheirOwn(reason, theirs, since: known):
      let merged = external(result.content.value, .merge(with: [seen.value]), over: before, validates: false)
      if case .success(let settled) = merged { next.settled = settled }
    case .failure(let reason):
      let lost = LostRecords.value(of: seen.value, since: known, missingIn: theirs, nil)
      let kept = try lost.map { lost throws(SnapshotError) in
        try saver.file.keepLost(lost, as: "before-merge")
      }
      next = Rebased(settled: peers, unknown: content.unknown)
      next.change = .rejected(reason, kept: kept)
      return next
    }
    if result.conflicts.isEmpty, repaired.isEmpty { return next }
    // What was repaired may concern any record.
    let conflicts = repaired.isEmpty ? result.conflicts : nil
    let theirLoss = LostRecords.value(
      of: theirs, since: newest?.value ?? known, missingIn: next.settled.value, conflicts?.filter { $0.losesTheirs })
    let ourLoss = LostRecords.value(
      of: seen.value, since: known, missingIn: next.settled.value, conflicts?.filter { $0.losesOurs })
    let kept = try theirLoss.map { lost throws(SnapshotError) in
      try saver.file.keepLost(lost, as: "conflict")
    }
    let keptOurs = try ourLoss.map { lost throws(SnapshotError) in
      try saver.file.keepLost(lost, as: "before-merge")
    }
    let report = MergeOutcome(conflicts: result.conflicts, repaired: repaired, keptOurs: keptOurs)
    next.change = .merged(report, kept: kept)
    return next
  }

  /// Whether what others have saved breaks the same rules by itself. Then a program without the rules has saved it, and
  /// the changes of this store are not the reason.
  private func isTheirOwn(_ reason: any Error, _ theirs: Root, since known: Root) -> Bool {
    guard let refusal = reason as? TransactionRefusal else { return false }
    let known = Published(.init(verbatim: known, .opened), revision: 0)
    guard case .failure(let own as TransactionRefusal) = external(theirs, .foreign, over: known) else {
      return false
    }
    return Set(refusal.violations.map(\.description)).isSubset(of: own.violations.map(\.description))
  }
}

extension ExternalChange {
  /// The reason why nothing may be saved over what is in the file; nil if it was taken in.
  fileprivate func problem(_ path: String) -> SnapshotError? {
    switch self {
    case .unreadable(let error): return error
    case .refused, .rejected(_, nil):
      return SnapshotError(
        .changedExternally, "the file was changed by someone else, and the store could not take it in", path: path)
    case .reloaded, .merged, .replaced, .removed, .rejected: return nil
    }
  }
}
