/// Saves changes to the journal beside the file.
extension StoreFile {
  /// Appends what changed since the last save to the journal, durably. O(changes · log n).
  ///
  /// - Parameter isUntouched: whether nobody else has changed the open journal.
  /// - Returns: nil if the file must be written instead. That is so without a journal, if the journal would exceed its
  ///   limit, and if the content of the file is not exactly known. It is also so if another program has removed or
  ///   changed the journal, or has put one of its own there.
  /// - Throws: `changedExternally` if the file is another one by now; `unencodable`; `ioFailed`.
  func append(_ root: Root, isUntouched: Bool) throws(SnapshotError) -> SaveResult? {
    // A file without a checksum was written by someone else, who may spell ids in another way.
    guard let base, case .checksum = base.name.sum, base.isDurable, !base.needsWholeSave,
      !session.journal.isUndecided, base.olderVersion == nil, base.unknown.flattened.difference != .old,
      let size = usedPolicy.limit(fileSize: base.status.size),
      let saved = base.value, let current = try currentStatus()
    else { return nil }
    try refuseExternalChange(current)
    guard noteStatus(current), session.journal.openEnd == nil || isUntouched,
      session.journal.isOnDisk || !session.journal.isNameTaken, !session.journal.isForeign
    else { return nil }
    let name = base.name
    // A longer one could not be read again.
    let limit = min(size, limits.fileSize)
    do throws(SnapshotError) {
      if let end = session.journal.openEnd, let before = journaled {
        let rest = limit - session.journal.size
        let line = try journalWriter.changes(
          from: before, to: root, unknown: base.unknown, after: end, date: date(), limit: rest)
        guard let line else { return .skipped }
        var position = session.journal.position(on: name) ?? FilePosition(base: name)
        position.end = line.end
        note(position, root, isSure: false)
        try session.journal.append(line)
        note(position, root)
        return noteLine(of: root, line.bytes.count)
      }
      // A journal made anew has the lines of this store only.
      if base.hasLinesOfOthers { return nil }
      var heading = heading(name)
      // A store that is opened meanwhile may have read the journal whose place this one takes.
      if session.keepsPast || session.journal.isOnDisk {
        heading.past = session.journal.past(
          after: [session.journal.position()].compactMap(\.self) + tips, on: name, current, replacing: current)
      }
      let header = JournalWriter.header(heading)
      let line = try journalWriter.changes(
        from: saved, to: root, unknown: base.unknown, after: header.end, date: date(),
        limit: limit - header.bytes.count)
      guard let line else { return session.journal.isThere ? nil : .skipped }
      let position = heading.position(on: name, start: header.end.sum, end: line.end)
      note(position, root, isSure: false)
      let failure = try session.journal.begin(heading, header, line.bytes, end: line.end, like: current)
      note(position, root)
      let result = noteLine(of: root, header.bytes.count + line.bytes.count)
      if let failure { throw session.journal.indeterminate(failure) }
      return result
    } catch {
      // Too many changes, or something else has the name of the journal.
      if error.code == .limitExceeded || error.code == .notRegularFile { return nil }
      throw error
    }
  }

  /// Notes that the journal on the disk has a value, whether that is acknowledged or not.
  private func noteLine(of root: Root, _ byteCount: Int) -> SaveResult {
    journaled = root
    session.noteSaved()
    return .appended(bytes: byteCount)
  }

  /// A journal that another process has begun is used by all.
  private var usedPolicy: JournalPolicy {
    journalPolicy == .none && session.journal.isThere ? .beside() : journalPolicy
  }

  /// How long nothing must change before the journal is folded into the file. It may be that of others.
  var quietTime: Duration {
    session.isShared && journalPolicy == .none ? JournalPolicy.beside().quietTime : journalPolicy.quietTime
  }

  private func currentStatus() throws(SnapshotError) -> FileStatus? {
    do {
      return try fileSystem.status(at: location.resolvedPath)
    } catch {
      if error.number == SystemError.noSuchFile { return nil }
      throw SnapshotError(error, location.path)
    }
  }

  /// Notes that the file still has its content, so that it is not read again for each change.
  ///
  /// - Returns: whether it is durable. A copy that another program has put in its place may not be.
  private func noteStatus(_ status: FileStatus) -> Bool {
    guard let known = base?.status, !known.isSameContent(as: status) else { return true }
    if known.inode != status.inode { base?.isDurable = false }
    base?.status = status
    return base?.isDurable == true
  }

  /// Removes a journal that has nothing that the file does not have.
  ///
  /// - Returns: the path under which it is kept, if another program has changed it.
  func dropJournal(_ root: Root) -> String? {
    var kept: String?
    if session.journal.isOnDisk {
      // If it cannot be removed, nobody merges it with the file.
      var isOurs = !session.journal.isForeign
      var isMarked = false
      if let base {
        let name = base.name
        let status = (try? currentStatus()) ?? base.status
        let isAsKnown = try? session.journal.mark(
          name, date: date(), like: status, noting: { note($0, root, isSure: false) })
        if let isAsKnown { (isOurs, isMarked) = (isAsKnown, true) }
        kept = session.endJournal(
          heading(name), isOurs: isOurs, isMarked: isMarked,
          madeFrom: [session.journal.position()].compactMap(\.self) + tips,
          JournalPast.Making(isMerge: base.isForeign),
          like: status, replacing: status, date: date(), noting: { note($0, root, isSure: $1) })
      }
    }
    journaled = session.journal.openEnd == nil ? nil : root
    noteExtent()
    return kept
  }

  /// Removes a journal that was kept under another name, and is not that of the file. It must not stay, because nobody
  /// who shares the file could read it.
  func endStrayJournal() {
    if !session.keepsPast || !session.journal.isOnDisk { session.journal.remove() }
  }

  /// Gives a journal without a file another name, and returns that path; nil if there is none. A new file must not
  /// become a part of it.
  func setStrayJournalAside() throws(SnapshotError) -> String? { try session.journal.keepAside(date: date()) }
}
