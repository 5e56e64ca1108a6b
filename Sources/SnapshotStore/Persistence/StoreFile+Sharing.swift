import SnapshotFoundation
import Synchronization

/// A file that several processes have open and save. All of it between `FileSession.take` and `releaseLock`.
extension StoreFile {
  /// What the file and its journal hold, as far as this store knows.
  func known<Root: Model>(_ type: Root.Type) -> Root? {
    (journaled.withLock { $0 } ?? base.withLock { $0?.value }) as? Root
  }

  /// What others make their saves from, as far as this store knows. The file of another program may be in place.
  func knownToOthers<Root: Model>(_ type: Root.Type) -> Root? {
    base.withLock { $0?.expected } as? Root ?? known(type)
  }

  /// Notes a moment of the file before it may be on the disk.
  ///
  /// - Parameters:
  ///   - isSure: whether it is on the disk.
  func note<Root: Model>(
    _ position: FilePosition, _ value: Root, _ unknown: UnknownContent? = nil, isSure: Bool = true
  ) {
    let content = SnapshotContent(value, unknown ?? base.withLock { $0?.unknown } ?? UnknownContent())
    versions.withLock { versions in
      var known = versions as? KnownVersions<Root> ?? KnownVersions()
      known.note(position, content, isSure: isSure)
      versions = known
    }
  }

  /// Notes how far the journal was written, for a store that does not have it open.
  func noteExtent() {
    if !session.isShared { return }
    if session.journal.openEnd != nil { return base.withLock { $0?.journal = nil } }
    let extent = (try? JournalExtent.find(beside: location, on: fileSystem)) ?? nil
    base.withLock { $0?.journal = extent }
  }

  /// Makes the lines durable that were read when the file was opened. The sync of the last one may have failed. A flush
  /// without changes says that they are saved.
  func makeJournalDurable(_ read: (bytes: [UInt8], status: FileStatus)?) throws(SnapshotError) {
    guard session.holdsLock, session.journal.isThere, session.journal.openEnd == nil, let read else { return }
    _ = try session.journal.makeDurable(read.bytes, read.status)
  }

  /// Keeps the journal that was found when the file was opened. With the lock, its next line follows the last one.
  ///
  /// - Parameters:
  ///   - root: what file and journal hold together.
  ///   - read: the bytes and the status of the journal when it was read.
  func keepJournal<Root: Model>(_ root: Root, _ read: (bytes: [UInt8], status: FileStatus)?) {
    journaled.withLock { $0 = root }
    guard session.holdsLock, let read, (try? session.journal.resume(read, durable: session.durableEnd)) == true
    else { return }
    base.withLock {
      $0?.needsWholeSave = false
      $0?.hasLinesOfOthers = true
    }
    session.noteDurable()
  }
}
