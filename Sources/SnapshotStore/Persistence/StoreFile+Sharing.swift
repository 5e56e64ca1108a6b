import SnapshotFoundation
import Synchronization

/// A file that several processes have open and save. All of it between `FileSession.take` and `releaseLock`.
extension StoreFile {
  /// What others have saved since this store last looked.
  struct Taken<Root: Model> {
    /// What the file and its journal hold now.
    let content: SnapshotContent<Root>
    /// What they held when this store looked last. It is the base of a merge.
    let known: Root
    /// Whether a program without the types has made some of it.
    let isUntyped: Bool
    /// The file, if it is another one than before.
    fileprivate let file: Base?
    fileprivate let news: JournalFile.News?
    fileprivate let lineage: Lineage
  }

  /// What a look under the lock has found.
  enum Look<Root: Model> {
    case nothing
    case taken(Taken<Root>)
    /// The journal does not have all that others have saved. Nobody can say what was lost.
    case incomplete
    /// Another program has replaced the file meanwhile.
    case replaced
  }

  /// What the file and its journal hold, as far as this store knows.
  func known<Root: Model>(_ type: Root.Type) -> Root? {
    (journaled.withLock { $0 } ?? base.withLock { $0?.value }) as? Root
  }

  /// What others make their saves from, as far as this store knows. The file of another program may be in place.
  func knownToOthers<Root: Model>(_ type: Root.Type) -> Root? {
    base.withLock { $0?.expected } as? Root ?? known(type)
  }

  /// Reads what others have saved. O(new lines), and O(n) after the file was replaced.
  ///
  /// - Parameters:
  ///   - lineage: the lineage of the file in place, which follows what this store knows.
  ///   - isSameFile: whether the file is the one that this store knows.
  func integrate<Root: Model>(
    _ type: Root.Type, _ lineage: Lineage, isSameFile: Bool
  ) throws(SnapshotError) -> Look<Root> {
    guard let base = base.withLock({ $0 }), let known = known(type) else { return .nothing }
    if !isSameFile { return try integrateFile(base, knownToOthers(type) ?? known, lineage) }
    // Someone has removed it. What its journal has is in memory, and the next save makes the file again.
    if lineage.file == nil { return .nothing }
    guard let name = base.journalName else { return .nothing }
    let header = JournalHeader(
      schema: Root.schema.name, version: Root.schema.version, base: name, date: date())
    let news: JournalFile.News
    switch try session.journal.news(header, upTo: lineage.journal, limits) {
    case .nothing: return .nothing
    case .incomplete: return .incomplete
    case .news(let found): news = found
    }
    let start: Root? = news.isWhole ? base.value as? Root : known
    guard let start, let lines = news.isWhole ? news.journal.lines(since: name) : news.journal.lines[...] else {
      // It belongs to a file that another program has replaced. Both are merged, and the next fold removes it.
      if session.journal.openInode == nil { return .nothing }
      throw SnapshotError.foreignJournal(path: location.path)
    }
    buildIndexes(of: start)
    var content = SnapshotContent(start, base.unknown)
    content = try news.journal.replay(lines, onto: content, decoding, idKeys: [:], limits: limits)
    return .taken(Taken(content: content, known: known, isUntyped: false, file: nil, news: news, lineage: lineage))
  }

  /// Builds the indexes that the opening has left for later. Otherwise each line would copy the table for them: O(n).
  private func buildIndexes<Root: Model>(of root: Root) {
    for build in root.deferredBuilding { build() }
  }

  /// Takes in the file that others have put in place, and its journal.
  private func integrateFile<Root: Model>(
    _ base: Base, _ known: Root, _ lineage: Lineage
  ) throws(SnapshotError) -> Look<Root> {
    // The process that put it in place may have been killed before the folder was synced.
    try makeDurable()
    let folded = try folded(base, known, lineage)
    var found = folded
    if found == nil { found = try readFile(base, known, lineage) }
    guard let (put, value, idKeys) = found else { return .replaced }
    var file = put
    var content = SnapshotContent(value, file.unknown)
    session.journal.forget()
    var news: JournalFile.News?
    if let name = file.journalName {
      let header = JournalHeader(schema: Root.schema.name, version: Root.schema.version, base: name, date: date())
      switch try session.journal.news(header, upTo: lineage.journal, limits) {
      case .nothing: break
      case .incomplete: return .incomplete
      case .news(let found):
        if let lines = found.journal.lines(since: name) {
          content = try found.journal.replay(lines, onto: content, decoding, idKeys: idKeys, limits: limits)
          news = found
        }
      }
    }
    file.unknown = content.unknown
    return .taken(
      Taken(
        content: content, known: known, isUntyped: session.hasUntypedNews(lineage), file: file, news: news,
        lineage: lineage))
  }

  private typealias NewFile<Root> = (Base, Root, idKeys: [ExactText: IDKey])

  /// The value of a file that another process has folded from the journal that this store still has open. Nil if it was
  /// made in another way. O(new lines).
  private func folded<Root: Model>(
    _ base: Base, _ known: Root, _ lineage: Lineage
  ) throws(SnapshotError) -> NewFile<Root>? {
    guard session.isNext(lineage), base.expected == nil,
      let fold = lineage.fold, fold.journal == session.journal.openInode,
      let name = base.journalName, let status = try? fileSystem.statusIfAny(at: location), lineage.isOf(status)
    else { return nil }
    let header = JournalHeader(schema: Root.schema.name, version: Root.schema.version, base: name, date: date())
    guard let tail = try session.journal.rest(header, limits), case .fold(let mark) = tail.lines.last?.kind,
      mark == JournalBase(sum: .checksum(fold.checksum), size: status.size)
    else { return nil }
    buildIndexes(of: known)
    let content = try tail.replay(
      tail.lines[...], onto: SnapshotContent(known, base.unknown), decoding, idKeys: [:], limits: limits)
    let file = Base(
      status: status, checksum: fold.checksum, unknown: content.unknown, value: content.value,
      history: history(with: content.value))
    return (file, content.value, idKeys: [:])
  }

  private func readFile<Root: Model>(
    _ base: Base, _ known: Root, _ lineage: Lineage
  ) throws(SnapshotError) -> NewFile<Root>? {
    let (bytes, status) = try fileSystem.readFile(at: location, limit: limits.fileSize)
    guard lineage.isOf(status) else { return nil }
    let document = try Document(bytes, limits: limits, threads: threads)
    let decoded = try SnapshotCoder.decode(Root.self, from: document, decoding)
    let values = (base.history as? ValueHistory<Root>)?.values ?? []
    let value = decoded.root.sharing(with: values + [known])
    let checksum = document.checksum == .ok ? document.header.checksum : nil
    let file = Base(
      status: status, checksum: checksum, digest: checksum == nil ? Checksum.cksum(bytes[...], threads: threads) : nil,
      olderVersion: decoded.olderVersion, unknown: decoded.unknown, value: value,
      history: history(with: value, behind: session.gap(before: lineage)))
    return (file, value, idKeys: document.header.idKeys)
  }

  /// Notes that the published value has what was taken in. Until then, it is not saved over.
  ///
  /// - Parameter unknown: the unknown content that further saves write.
  func adopt<Root: Model>(_ taken: Taken<Root>, unknown: UnknownContent) {
    if let file = taken.file { base.withLock { $0 = file } }
    if let news = taken.news { session.journal.adopt(news) }
    base.withLock {
      $0?.unknown = unknown
      if taken.news != nil { $0?.hasLinesOfOthers = true }
    }
    journaled.withLock { $0 = taken.news == nil ? nil : taken.content.value }
    keptByMerge.withLock { $0 = [:] }
    session.follow(taken.lineage)
    // Lines that nobody had noted are durable now. The others are told of them.
    if session.journal.acknowledgedEnd != taken.lineage.journal { session.noteJournal() }
  }

  /// Reads the file and its journal, of which nobody can say what they were made from. Called with the lock. O(n).
  ///
  /// - Parameters:
  ///   - lineage: what the lock file says.
  ///   - isAmbiguous: whether the stores that share the file may make different things of it.
  /// - Returns: nil if another program has replaced the file meanwhile.
  func lookAnew<Root: Model>(_ type: Root.Type, _ lineage: Lineage, isAmbiguous: Bool) -> Inspection<Root>? {
    guard let base = base.withLock({ $0 }), let known = known(type) else { return inspect(type) }
    do throws(SnapshotError) {
      let content = try fileSystem.readJournaled(at: location, limit: limits.fileSize)
      guard lineage.isOf(content.status) else { return nil }
      let document = try Document(content.bytes, limits: limits, threads: threads)
      let gap = session.gap(before: lineage)
      // Nobody with this library has saved since, so the other program has never seen what was in the journal.
      let isFolded = !lineage.isForeign || gap != .none
      var (theirs, found) = try read(type, content, document, base, behind: gap, isFolded: isFolded)
      found.isAmbiguous = isAmbiguous
      found.isBehindMerge = gap == .foreign
      if let outcome = found.joining?.outcome, !outcome.conflicts.isEmpty || !outcome.mended.isEmpty {
        found.joining?.kept = try keepAside(content.bytes, as: "conflict")
      }
      session.journal.forget()
      if let journal = try content.readJournal(limits) {
        session.journal.note(journal)
        // Its process may have been killed before it was durable.
        if let read = content.journal { _ = try session.journal.makeDurable(read.bytes, read.status) }
      }
      if theirs.isStoredLike(known), content.status.isSameContent(as: base.status), content.journal == nil {
        if isAmbiguous { self.base.withLock { $0?.expected = nil } }
        return .unchanged
      }
      return .changed(theirs: theirs, history(before: base, type), found)
    } catch {
      if error.code == .fileNotFound { return lineage.isOf(nil) ? .removed : nil }
      return .unreadable(error.at(path: location.path))
    }
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
    guard session.holdsLock, let read, (try? session.journal.resume(read, behind: session.acknowledgedJournal)) == true
    else { return }
    base.withLock {
      $0?.needsWholeSave = false
      $0?.hasLinesOfOthers = true
    }
    session.noteJournal()
  }
}
