import Synchronization

/// The lineage of the file, which the lock file passes on from one holder of the lock to the next.
extension FileSession {
  /// Goes on with the lineage in the lock file.
  func beginLineage() {
    let status = (try? fileSystem.statusIfAny(at: location)) ?? nil
    let line = lock.withLock { $0 }?.lineage
    let found = lineage(line, with: status)
    // What is about to be read has nothing else of the run.
    if found.isForeign { overwritten.withLock { $0 = 0...found.number } }
    lineage.withLock { $0 = found }
    if found != line { note { _ in } }
  }

  /// Another program may have replaced the file before it was read.
  func begin(with content: JournaledContent) {
    guard let begun = lineage.withLock({ $0 }), !begun.isOf(content.status) else { return }
    overwritten.withLock { $0 = 0...begun.number }
    noteForeignFile(content.status)
  }

  /// The lineage of the file in place. A new one begins if the lock file has none.
  func lineage(_ line: Lineage?, with status: FileStatus?) -> Lineage {
    line?.continued(with: status) ?? line?.withForeignFile(status)
      ?? Lineage(run: .random(in: .min ... .max), file: status)
  }

  /// Notes that this session has read a file that another program has put in place.
  func noteForeignFile(_ status: FileStatus) {
    lineage.withLock { lineage in
      if let known = lineage, known.continued(with: status) == nil { lineage = known.withForeignFile(status) }
    }
  }

  /// Notes the version that is about to be put in place.
  func announce(_ status: FileStatus, isUntyped: Bool) {
    let (overwritten, hasMerged) = (overwritten.withLock { $0 }, hasMerged.withLock { $0 })
    note { lineage in
      lineage.prepare(status, isMerge: hasMerged, isUntyped: isUntyped)
      if let overwritten { lineage.overwrite(overwritten) }
      // A store that shares the file has taken in, and settled, what was there.
      if isShared { lineage.settle() }
    }
  }

  /// Whether a program without the types has saved since the version that this session knows.
  func hasUntypedNews(_ found: Lineage) -> Bool {
    lineage.withLock { known in known.map { $0.run != found.run || $0.number < found.lastUntyped } ?? true }
  }

  /// Notes that the journal was changed. What it has up to its end is acknowledged.
  ///
  /// - Parameter isSave: whether this store has saved.
  /// - Returns: whether the next holder of the lock will know it. Otherwise it takes the last lines for those of a
  ///   process that was killed before it reported them.
  @discardableResult
  func noteJournal(isSave: Bool = false) -> Bool { note { if isSave, isShared { $0.settle() } } }

  /// Changes the lineage, and tells the next holder of the lock.
  ///
  /// - Returns: whether the lock file could be written.
  @discardableResult
  func note(_ change: (inout Lineage) -> Void) -> Bool {
    let end = journal.acknowledgedEnd
    let changed = lineage.withLock { lineage in
      if var new = lineage {
        change(&new)
        new.journal = end
        lineage = new
      }
      return lineage
    }
    guard let changed, let lock = lock.withLock({ $0 }) else { return false }
    return lock.note(changed)
  }
}
