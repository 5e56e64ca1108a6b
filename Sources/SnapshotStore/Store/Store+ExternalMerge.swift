/// Taking in what someone else wrote into the file.
extension Store {
  /// Takes their value if there is nothing to be saved. Keeps ours beside the file if theirs may lack something that was saved.
  func reload(
    _ theirs: Root, _ history: ValueHistory<Root>?, _ found: StoreFile.Base, _ saver: Saver<Root>
  ) throws(SnapshotError) -> ExternalChange {
    let seen = core.latest
    guard seen.revision <= saver.durableRevision else { return .refused }
    var value = seen.value.replacingTables(with: theirs)
    // A store that only reads shows what the file holds.
    if !isReadOnly, let reason = refusal(of: &value, over: seen) { return .rejected(reason, kept: nil) }
    var kept: String?
    if !isReadOnly {
      // It will count as saved, so it has to be.
      try saver.file.makeDurable()
      if lacksSavedChanges(SnapshotContent(theirs, found.unknown), history, saver) {
        kept = try saver.file.saveAside(seen.value, as: "conflict")
      }
    }
    let isDone = inTransaction {
      guard core.latest === seen else { return false }
      saver.file.accept(found, unknown: found.unknown)
      publishMerge(value, over: seen, of: theirs, saver)
      return true
    }
    return isDone == true ? .reloaded(kept: kept) : .refused
  }

  /// Whether theirs may have been made from an older version of the file, and so may have something in an older way.
  private func lacksSavedChanges(
    _ theirs: SnapshotContent<Root>, _ history: ValueHistory<Root>?, _ saver: Saver<Root>
  ) -> Bool {
    guard let history else { return true }
    let origins = saver.file.origins(of: theirs.value, history)
    if origins.isNewest { return false }
    let newest = SnapshotContent(history.newest, saver.file.unknown)
    let merged = ExternalMerge(theirs: theirs, origins: origins, newest: newest).run(history.newest)
    return origins.isUnknown || !merged.conflicts.isEmpty || !merged.content.value.isStoredLike(theirs.value)
  }

  func merge(
    _ theirs: Root, _ history: ValueHistory<Root>, _ found: StoreFile.Base, _ saver: Saver<Root>
  ) throws(SnapshotError) -> ExternalChange {
    try saver.file.makeDurable()
    let merge = ExternalMerge(
      theirs: SnapshotContent(theirs, found.unknown), origins: saver.file.origins(of: theirs, history),
      newest: SnapshotContent(history.newest, saver.file.unknown))
    var kept: String?
    var attempt = 0
    while true {
      attempt += 1
      let seen = core.latest
      let result = merge.run(seen.value)
      var value = result.content.value
      if let reason = refusal(of: &value, over: seen) {
        return .rejected(reason, kept: try keepOurs(found, saver))
      }
      // What loses must be kept before anything is published that would be saved over it: theirs where ours was taken, and
      // both where the result had to be mended. A transaction may come in between; then this goes round. In the end it
      // keeps both to be on the safe side, and merges with whatever is there.
      let isLast = attempt == 10
      if result.losesTheirs || isLast, kept == nil { kept = try saver.file.keepConflict() }
      if !result.mended.isEmpty || isLast { _ = try saver.file.saveAside(seen.value, as: "before-merge") }
      let outcome = inTransaction { () -> ExternalChange? in
        let before = core.latest
        guard before === seen || isLast else { return nil }
        let final = before === seen ? result : merge.run(before.value)
        if before !== seen {
          value = final.content.value
          if refusal(of: &value, over: before) != nil { return .refused }
        }
        saver.file.accept(found, unknown: final.content.unknown)
        publishMerge(value, over: before, of: theirs, keepsOurUnknown: final.keepsOurUnknown, saver)
        return .merged(conflicts: final.conflicts, mended: final.mended, kept: kept)
      }
      guard let outcome else { return .refused }
      if let outcome { return outcome }
    }
  }

  /// Runs the rules and the validations of the schema on what someone else has made; why they refuse it, or nil.
  private func refusal(of value: inout Root, over before: Published) -> (any Error)? {
    do {
      try settle(&value, before, .file, rules: hasRules)
      return nil
    } catch {
      return error
    }
  }

  /// Under the writer lock.
  private func publishMerge(
    _ merged: Root, over before: Published, of theirs: Root, keepsOurUnknown: Bool = false, _ saver: Saver<Root>
  ) {
    let after = Published(merged, revision: before.revision + 1)
    publishExternal(after, before)
    let isTheirs = !keepsOurUnknown && merged.isStoredLike(theirs)
    isTheirs ? saver.adopted(revision: after.revision) : saver.changed(revision: after.revision)
  }
}
