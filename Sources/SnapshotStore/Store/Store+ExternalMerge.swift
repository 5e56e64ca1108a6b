package import SnapshotFoundation

/// Takes external content into the store.
extension Store {
  /// Takes their value if nothing is unsaved. Keeps ours beside the file if theirs may lack saved changes.
  func reload(_ found: FoundFile<Root>, _ saver: Saver<Root>) throws(SnapshotError) -> ExternalChange {
    let (seen, theirs) = (core.latest, found.value)
    guard seen.revision <= saver.durableRevision else { return .refused }
    var value = seen.value.replacingTables(with: theirs)
    // A store that only reads shows the content of the file.
    var (next, repaired) = (Settled(verbatim: value, .opened), [Violation]())
    if !isReadOnly {
      repaired = value.repairAll()
      switch external(value, .foreign, over: seen) {
      case .success(let settled): next = settled
      case .failure(let reason): return .rejected(reason, kept: nil)
      }
    }
    var (kept, keptTheirs): (String?, String?)
    if !isReadOnly {
      // It will count as saved, so it must be durable.
      try saver.file.makeDurable()
      // The program that wrote the file need not have known the journal.
      if saver.file.isUnfolded || lacksSavedChanges(found, saver) {
        kept = try saver.file.saveAside(seen.value, as: "conflict")
      }
      // What is repaired replaces theirs at the next save.
      if !repaired.isEmpty { keptTheirs = try saver.file.keepConflict(found.content) }
    }
    let isTheirs = (found.joining == nil || isReadOnly) && next.value.isStoredLike(theirs)
    let isDone = inTransaction {
      guard core.latest === seen else { return false }
      saver.file.accept(found, unknown: found.file.unknown, making: theirs)
      publishMerge(next, over: seen, isTheirs: isTheirs, saver)
      return true
    }
    if isDone != true { return .refused }
    saver.dropSupersededJournal()
    if repaired.isEmpty { return .reloaded(kept: kept) }
    return .merged(MergeOutcome(repaired: repaired, keptOurs: kept), kept: keptTheirs)
  }

  /// Whether theirs may have been made from an older version of the file, and so may lack newer changes.
  private func lacksSavedChanges(_ found: FoundFile<Root>, _ saver: Saver<Root>) -> Bool {
    guard let history = found.history else { return true }
    let theirs = found.content
    let origins = saver.file.origins(of: theirs, history, isBehindMerge: found.isAmbiguous)
    if origins.isNewest { return false }
    let newest = history.newest
    let merged = ExternalMerge(theirs: theirs, origins: origins, newest: newest, ourUnknown: saver.file.unknown)
      .run(newest.value)
    return origins.isUnknown || !merged.conflicts.isEmpty || !merged.content.value.isStoredLike(theirs.value)
  }

  /// Where external content is, and how a merge leaves it.
  struct Incoming {
    /// Keeps the content under another name, and returns that path.
    let keep: () throws(SnapshotError) -> String
    /// Lets ours be saved although a rule refuses theirs. Returns the path under which theirs was kept, or nil.
    let reject: () throws(SnapshotError) -> String?
    /// Takes over the unknown content that further saves write. Called in the transaction, with what this store makes
    /// of the content, without what is not saved.
    let accept: (UnknownContent, _ made: Root?) -> Void
    /// Whether the content is in the file of the store, and not beside it.
    let isInFile: Bool
    /// Whether nobody can say what it was made from; see `FoundFile`.
    var isAmbiguous = false
    /// What the store had read or saved before; nil if it does not matter.
    var before: Root?
    /// How the content was made of a file and a journal that do not belong together.
    var joining: FoundFile<Root>.Joining?
  }

  /// Merges the content of the file.
  func merge(
    _ found: FoundFile<Root>, _ history: ValueHistory<Root>, _ saver: Saver<Root>
  ) throws(SnapshotError) -> ExternalChange {
    try saver.file.makeDurable()
    return try merge(
      found.content, history, saver,
      Incoming(
        keep: { () throws(SnapshotError) in try saver.file.keepConflict(found.content) },
        reject: { () throws(SnapshotError) in try self.keepOurs(found, saver) },
        accept: { saver.file.accept(found, unknown: $0, making: $1) }, isInFile: found.joining == nil,
        isAmbiguous: found.isAmbiguous,
        before: saver.isShared ? saver.file.madeLast : nil, joining: found.joining))
  }

  func merge(
    _ theirs: SnapshotContent<Root>, _ history: ValueHistory<Root>, _ saver: Saver<Root>, _ incoming: Incoming
  ) throws(SnapshotError) -> ExternalChange {
    let origins = saver.file.origins(of: theirs, history, isBehindMerge: incoming.isAmbiguous)
    let careful = ExternalMerge(
      theirs: theirs, origins: origins, newest: history.newest, ourUnknown: saver.file.unknown)
    var merge = careful
    if incoming.isAmbiguous, !origins.isUnknown { merge.options = .yieldsUnchanged }
    let made = incoming.before.map { merge.run($0).content.value }
    var (kept, keptOurs): (String?, String?)
    var round = 0
    while true {
      round += 1
      let isLast = round == 10
      let seen = core.latest
      let result = merge.run(seen.value)
      let next: Settled<Root>
      let repaired: [Violation]
      switch externalRepaired(result.content.value, .merge(with: [theirs.value]), over: seen) {
      case .success((let settled, let more)): (next, repaired) = (settled, result.repaired + more)
      case .failure(let reason): return .rejected(reason, kept: try incoming.reject())
      }
      let value = next.value
      // Writes the losing version to a conflict file first. Publishing before that could overwrite it at the next save.
      // Theirs loses if ours was taken. Both versions are kept if the result was repaired.
      if result.losesTheirs || isLast || repaired.count > result.repaired.count, kept == nil {
        kept = try incoming.keep()
      }
      var conflicts = result.conflicts
      let old = keptOurs
      if !repaired.isEmpty || isLast {
        keptOurs = try saver.file.saveAside(seen.value, as: "before-merge")
      } else if merge.options.contains(.yieldsUnchanged) {
        let evidence = careful.run(seen.value)
        let lost = LostRecords.value(of: evidence.content.value, since: value, missingIn: value, nil)
        keptOurs = try lost.map { lost throws(SnapshotError) in try saver.file.keepLost(lost, as: "before-merge") }
        // What this store has removed comes back. Theirs has it, so nothing is lost.
        let found = Set(conflicts)
        conflicts += evidence.conflicts.filter { $0.resolution == .keptTheirChange && !found.contains($0) }
        if lost != nil {
          conflicts += LostRecords.conflicts(
            evidence.conflicts.filter(\.losesTheirs), of: evidence.content.value, missingIn: value
          ).map(\.withTheirs)
        }
      }
      if let old, old != keptOurs { saver.file.removeAside(old) }
      // A report names one file. If both merges have kept one, there are two reports.
      let toldApart =
        kept == nil
        ? nil
        : incoming.joining.flatMap { joining in
          joining.kept.map { ExternalChange.merged(joining.outcome, kept: $0) }
        }
      let joined = toldApart == nil ? incoming.joining?.outcome ?? MergeOutcome() : MergeOutcome()
      let told = Set(joined.conflicts)
      let allConflicts = joined.conflicts + conflicts.filter { !told.contains($0) }
      let isTheirs = incoming.isInFile && !result.keepsOurUnknown && value.isStoredLike(theirs.value)
      var rebased = MergedChange(value, madeFrom: seen.value, policy: .ours, isTransaction: false) { _ in }
      let outcome = inTransaction { () -> ExternalChange? in
        let now = core.latest
        guard let settled = rebase(next, &rebased, from: seen, onto: now, isLast: isLast) else {
          return isLast ? .refused : nil
        }
        incoming.accept(result.content.unknown, made)
        publishMerge(settled, over: now, isTheirs: isTheirs && now === seen, saver)
        let report = MergeOutcome(
          conflicts: allConflicts, repaired: joined.repaired + repaired, keptOurs: keptOurs)
        return .merged(report, kept: kept ?? incoming.joining?.kept)
      }
      saver.dropSupersededJournal()
      guard let outcome else { return .refused }
      if let outcome {
        if let toldApart { tell(toldApart, saver) }
        return outcome
      }
    }
  }

  /// Settles external content.
  func external(
    _ value: Root, _ kind: Settlement<Root>.Kind, over before: Published, validates: Bool = true
  ) -> Result<Settled<Root>, any Error> {
    func settle() -> Result<Settled<Root>, any Error> {
      Result { try settled(value, kind, over: before, .file, validates: validates) }
    }
    return saver.map { $0.refusingFlushes(settle) } ?? settle()
  }

  /// The same. What the schema refuses is repaired first, if the model can.
  func externalRepaired(
    _ value: Root, _ kind: Settlement<Root>.Kind, over before: Published
  ) -> Result<(Settled<Root>, repaired: [Violation]), any Error> {
    let first = external(value, kind, over: before)
    if case .failure(let error) = first, error is TransactionRefusal {
      var value = value
      let repaired = value.repairAll()
      if !repaired.isEmpty { return external(value, kind, over: before).map { ($0, repaired) } }
    }
    return first.map { ($0, []) }
  }

  /// Called under the writer lock.
  ///
  /// - Parameter isTheirs: whether the file has the value.
  private func publishMerge(_ merged: Settled<Root>, over before: Published, isTheirs: Bool, _ saver: Saver<Root>) {
    let after = Published(merged, revision: before.revision + 1)
    publishExternal(after, before)
    isTheirs && !saver.file.session.journal.isUndecided
      ? saver.adopted(revision: after.revision) : saver.changed(revision: after.revision)
  }
}

/// Another version of a store's file, which a sync service keeps because it could not merge it.
package protocol ConflictVersion {
  /// The file with the version's content.
  var url: URL { get }
  /// Tells the service that the version is no longer needed.
  func resolve() throws
}

/// Takes conflict versions into the store.
extension Store {
  /// Handles conflict versions as ``StoreOptions/externalChanges`` says. With `merge` they are merged into the value.
  /// With `reload` and `keepOurs` they are kept beside the file. With `fail` nothing is done.
  ///
  /// A version is resolved only when its content is durable: in the file, or in a file beside it. A version that cannot
  /// be read stays. Blocks the thread for the saves.
  func mergeVersions(_ versions: [any ConflictVersion]) {
    guard let saver, !isReadOnly, externalChanges != .fail else { return }
    var taken: [any ConflictVersion] = []
    for version in versions {
      let change = saver.inTurn { meetVersion(at: version.url, saver) }
      switch change {
      case .merged, .replaced: taken.append(version)
      case .rejected(_, let kept) where kept != nil: taken.append(version)
      default: break
      }
      onExternalChange?(change)
    }
    if taken.isEmpty { return }
    do {
      try flushAndWait()
    } catch {
      return log("\(saver.name): conflict versions were merged, but the result could not be saved: \(error)")
    }
    for version in taken {
      do {
        try version.resolve()
      } catch {
        // The next notice tries again. A merge of the same version then changes nothing, and keeps no second copy.
        log("\(saver.name): a conflict version was merged but stays unresolved: \(error)")
      }
    }
  }

  private func meetVersion(at url: URL, _ saver: Saver<Root>) -> ExternalChange {
    do throws(SnapshotError) {
      guard core.phase == .open else { return .refused }
      let location = try FileLocation(url.requiredPath(), on: saver.fileSystem)
      let bytes = try saver.fileSystem.readFile(at: location, limit: saver.file.limits.fileSize).bytes
      let keep = { () throws(SnapshotError) in try saver.file.keepAside(bytes, as: "conflict") }
      guard externalChanges == .merge else { return .replaced(kept: try keep()) }
      let (theirs, history) = try saver.file.version(bytes)
      guard let history else { return .refused }
      return try merge(
        theirs, history, saver,
        .init(
          keep: keep, reject: keep, accept: { unknown, _ in saver.file.accept(unknown: unknown) }, isInFile: false))
    } catch {
      return .unreadable(error)
    }
  }
}
