import SnapshotFoundation

/// A journal that an operation on a whole file finds.
extension FileSession {
  /// Writes what the journal has to the file, and removes the journal. Does nothing if there is none.
  ///
  /// - Returns: whether there was a journal.
  /// - Throws: `damagedJournal` and `foreignJournal`, with both files unchanged; the errors of reading and replacing.
  @discardableResult
  func foldJournal(_ limits: ReadLimits, date: Date) throws(SnapshotError) -> Bool {
    guard try journal.read(limit: limits.fileSize) != nil else { return false }
    guard let content = try content(limit: limits.fileSize) else {
      throw SnapshotError.journalAlone(path: location.path)
    }
    guard let found = try content.readJournal(limits) else { return false }
    let bytes = try content.folded(limits, path: location.path)
    journal.note(found, isKnown: found.stands(on: JournalBase(of: content.bytes, limits)), durable: durableEnd)
    if bytes == content.bytes {
      if keepsPast { return true }
      // The process that put it in place may have been killed before the folder was synced.
      try fileSystem.makeDurable(at: location)
      journal.remove()
      return true
    }
    guard let header = found.header else { return true }
    let heading = JournalHeader(
      schema: header.schema, version: header.version, base: JournalBase(of: bytes, limits), date: date)
    try fold(
      into: PiecedBytes(bytes), heading, expecting: Expectation.bytes(content.bytes), date: date
    ).0.requireDurable()
    return true
  }

  /// The same, for a caller that replaces whatever there is: a journal that cannot be folded gets another name.
  ///
  /// - Parameter replace: replaces the file. Only then the journal loses its own name, because the file may stay.
  func settlingJournal<Result>(
    _ limits: ReadLimits, date: Date, _ replace: () throws(SnapshotError) -> Result
  ) throws(SnapshotError) -> Result {
    var isStray = false
    do throws(SnapshotError) {
      try foldJournal(limits, date: date)
    } catch {
      // Another file with that name stays.
      if error.code != .notRegularFile { isStray = try journal.copyAside(date: date) != nil }
    }
    let result = try replace()
    // Nobody could go on from it, not even those who share the file. One that could be read has a new one in its place.
    if isStray, !keepsPast || !journal.isOnDisk { journal.remove() }
    return result
  }
}
