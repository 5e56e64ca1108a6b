import SnapshotFoundation

/// A file that several processes have open and save. All of it between `FileSession.take` and `releaseLock`.
extension StoreFile {
  /// What the file and its journal hold, as far as this store knows.
  var known: Root? { journaled ?? base?.value }

  /// What this store had read or saved last. It has merged the file of another program, if that is in place.
  var madeLast: Root? { base?.foreignChange?.after ?? known }

  /// Notes a moment of the file before it may be on the disk.
  ///
  /// - Parameters:
  ///   - isSure: whether it is on the disk.
  func note(
    _ position: FilePosition, _ value: Root, _ unknown: UnknownContent? = nil, isSure: Bool = true
  ) {
    // Nobody looks for the lines of a store that has had the file alone.
    if !session.isShared, position.end.number > 0, session.journal.past == nil { return }
    versions.note(position, SnapshotContent(value, unknown ?? base?.unknown ?? UnknownContent()), isSure: isSure)
  }

  /// Notes how far the journal was written, for a store that does not have it open.
  func noteExtent() {
    if !session.isShared { return }
    if session.journal.openEnd != nil {
      base?.journal = nil
      return
    }
    let extent = (try? JournalExtent.find(beside: location, on: fileSystem)) ?? nil
    base?.journal = extent
  }

  /// Makes the lines durable that were read when the file was opened. The sync of the last one may have failed. A flush
  /// without changes says that they are saved.
  func makeJournalDurable(_ read: (bytes: [UInt8], status: FileStatus)?) throws(SnapshotError) {
    guard session.holdsLock, session.journal.isOnDisk, session.journal.openEnd == nil, let read else { return }
    _ = try session.journal.makeDurable(read.bytes, read.status)
  }

  /// Keeps the journal that was found when the file was opened. With the lock, its next line follows the last one.
  ///
  /// - Parameters:
  ///   - root: what file and journal hold together.
  ///   - read: the bytes and the status of the journal when it was read.
  func keepJournal(_ root: Root, _ read: (bytes: [UInt8], status: FileStatus)?) {
    journaled = root
    guard session.holdsLock, let read, (try? session.journal.resume(read, durable: session.durableEnd)) == true
    else { return }
    base?.needsWholeSave = false
    base?.hasLinesOfOthers = true
    session.noteDurable()
  }
}
