import SnapshotFoundation

/// What others have saved, as a store finds it that shares its file. All of it under the lock of the file.
extension StoreFile {
  /// What others have saved since this store last looked.
  struct Taken {
    /// What the file and its journal hold now.
    let content: SnapshotContent<Root>
    /// The newest of what they held that this store knows. It is the base of a merge.
    let known: SnapshotContent<Root>
    /// What this store had read or saved last, if that did not lead to what is there. What it keeps of that is told.
    var newest: SnapshotContent<Root>?
    /// Whether a program without the types has made some of it.
    let isUntyped: Bool
    /// Whether another program has replaced the file since. The next look finds that.
    var isBeforeForeign = false
    fileprivate let position: FilePosition
    /// The file, if it is another one than before.
    fileprivate let file: KnownFile<Root>?
    fileprivate let news: JournalFile.News?
  }

  /// What a look under the lock has found.
  enum Look {
    case nothing
    case taken(Taken)
    /// Nobody can say what the file was made from. `isBesideJournal`: whether the journal beside it goes on from what
    /// this store knows, so that only another program has replaced the file.
    case foreign(isBesideJournal: Bool)
  }

  /// Whether others may have saved since this store had the lock. It does not take the lock, so it decides nothing.
  var mayHaveNews: Bool {
    guard let base else { return true }
    let current = try? fileSystem.statusIfAny(at: location)
    if base.isMissed, current == nil { return false }
    guard let current, current.isSameContent(as: base.status) else { return true }
    return !session.journal.isAsKnown(base.journal)
  }

  /// Reads what others have saved. O(new lines), and O(n) after the file was replaced.
  func look() throws(SnapshotError) -> Look {
    guard let base, let known else { return .nothing }
    let status: FileStatus?
    do throws(SystemError) {
      status = try fileSystem.statusIfAny(at: location)
    } catch {
      throw SnapshotError(error, location.path)
    }
    guard let status else {
      if base.isMissed { return .nothing }
      return try beforeRemoval(base).map { .taken($0) } ?? .foreign(isBesideJournal: true)
    }
    let isSameFile = status.isSameContent(as: base.status) && base.isStatusTrusted
    if isSameFile {
      if session.journal.isOnDisk || base.journal == nil, session.journal.isAsKnown(base.journal) {
        session.journal.noteCut(session.durableEnd)
        return .nothing
      }
      // What is pending of the unknown content is in no line.
      if !base.needsWholeSave, base.unknown.flattened.difference == .none,
        session.journal.header?.version == Root.schema.version,
        let news = try session.journal.tail(durable: session.durableEnd, limits)
      {
        if news.journal.lines.isEmpty { return .nothing }
        buildIndexes(of: known)
        let content = try news.journal.replay(
          news.journal.lines[...], onto: SnapshotContent(known, base.unknown), decoding, idKeys: [:], limits: limits)
        var position = session.journal.position(on: base.name) ?? FilePosition(base: base.name)
        position.end = news.journal.end
        return .taken(
          Taken(
            content: content, known: SnapshotContent(known, base.unknown), isUntyped: false, position: position,
            file: nil, news: news))
      }
    }
    if !isSameFile, let taken = try lookAtFold(base, known, status) { return .taken(taken) }
    return try lookAtAll(base, isSameFile ? status : nil)
  }

  /// A file that another process has folded from the journal that this store still has open, and nothing else. Nil if
  /// it was made in another way. O(new lines).
  private func lookAtFold(
    _ base: KnownFile<Root>, _ known: Root, _ status: FileStatus
  ) throws(SnapshotError) -> Taken? {
    guard base.isAmbiguous || base.foreignChange == nil, !base.needsWholeSave,
      base.unknown.flattened.difference == .none,
      session.journal.openEnd != nil,
      session.journal.header?.version == Root.schema.version, let rest = try session.journal.rest(limits),
      case .fold(let name) = rest.lines.last?.kind,
      let read = try session.journal.read(limit: limits.fileSize),
      let journal = try? Journal(read.bytes, limits: limits), let header = journal.header, let past = header.past,
      past.witness == JournalFile.witness(of: status), header.base == name, let link = past.before, past.isAll,
      link.end == rest.end, link.base == base.name,
      let lines = journal.lines(since: name), case .checksum = name.sum
    else { return nil }
    buildIndexes(of: known)
    try makeDurable()
    var content = try rest.replay(
      rest.lines[...], onto: SnapshotContent(known, base.unknown), decoding, idKeys: [:], limits: limits)
    // The file has other members than these lines.
    guard content.unknown.flattened.difference == .none else { return nil }
    let file = KnownFile(
      status: status, name: name, unknown: content.unknown, fileUnknown: content.unknown, value: content.value,
      history: history(with: content))
    content = try journal.replay(lines, onto: content, decoding, idKeys: [:], limits: limits)
    session.journal.forget()
    let news = try session.journal.whole(journal, read.bytes, read.status, durable: session.durableEnd)
    return Taken(
      content: content, known: SnapshotContent(known, base.unknown), isUntyped: past.untyped == past.place.number,
      position: header.position(on: name, start: journal.start, end: journal.end), file: file, news: news)
  }

  /// A file that was read with its journal, or its journal alone.
  private struct ReadFile {
    let content: JournaledContent
    /// What the file holds.
    let value: Root
    /// The file, if it is another one than before.
    var file: KnownFile<Root>?
    /// Where its records have their ids.
    var idKeys: [ExactText: IDKey] = [:]
  }

  /// Reads the journal as a whole, and the file if it is another one.
  ///
  /// - Parameter same: the status of the file if it is the known one.
  private func lookAtAll(_ base: KnownFile<Root>, _ same: FileStatus?) throws(SnapshotError) -> Look {
    let read: ReadFile?
    do throws(SnapshotError) {
      read = if let same { try readJournal(base, same) } else { try readFile(base) }
    } catch {
      if error.code == .fileNotFound { return .foreign(isBesideJournal: true) }
      throw error
    }
    guard let read else { return .foreign(isBesideJournal: false) }
    let name = (read.file ?? base).name
    let journal: Journal?
    do throws(SnapshotError) {
      journal = try read.content.readJournal(limits)
    } catch {
      // Someone has cut it off. If this store has all of it, the next save writes the file.
      guard error.code == .damagedJournal, same != nil, let end = session.durableEnd, session.journal.durableEnd == end
      else { throw error }
      session.journal.endAppending()
      noteExtent()
      return .nothing
    }
    if let journal, !journal.stands(on: name) {
      if let taken = try beforeForeign(base, journal, read.content) { return .taken(taken) }
      let isCut = journal.lines.contains { $0.kind == .cut(name) }
      return .foreign(isBesideJournal: !isCut && versions.hasMoment(of: journal))
    }
    let disk = FileDescent(base: name, journal: journal, lockFile: session.durableEnd)
    if let known = versions.newest(before: disk) {
      let isCut = !versions.leads(to: disk)
      var taken = try taken(read, disk, since: withForeignChange(known), isCut: isCut)
      // Another program has put an older file in place, and a store may have gone on from that.
      if let newest = versions.newest, isCut, newest.position.base != known.position.base {
        taken.newest = base.foreignChange.map { SnapshotContent($0.after, base.unknown) } ?? newest.content
      }
      return .taken(taken)
    }
    // Those who did not know of this store may have ended the journal. They went on from what was there.
    let isEnded = same == nil && journal == nil && session.lock?.wasUnlisted == true
    if isEnded, case .checksum = name.sum, let newest = versions.newest {
      return .taken(try taken(read, disk, since: withForeignChange(newest), isCut: false))
    }
    // The file that is known in any case counts even after many lines.
    guard let known = knownFile(before: disk) else { return .foreign(isBesideJournal: false) }
    return .taken(try taken(read, disk, since: known, isCut: !versions.leads(to: disk)))
  }

  /// What others have appended before another program removed the file. Nil if there is nothing new.
  private func beforeRemoval(_ base: KnownFile<Root>) throws(SnapshotError) -> Taken? {
    guard let read = try readJournal(base, base.status), let journal = try? read.content.readJournal(limits)
    else { return nil }
    return try beforeForeign(base, journal, read.content)
  }

  /// What others have appended before another program replaced the known file. It was made from what this store knows,
  /// and the other program has never seen it. Nil if there is nothing new.
  private func beforeForeign(
    _ base: KnownFile<Root>, _ journal: Journal, _ content: JournaledContent
  ) throws(SnapshotError) -> Taken? {
    guard !base.isForeign, let value = base.value, journal.stands(on: base.name),
      journal.header?.version == Root.schema.version, base.fileUnknown.flattened.difference == .none
    else { return nil }
    let disk = FileDescent(base: base.name, journal: journal, lockFile: session.durableEnd)
    guard let known = versions.newest(before: disk), let position = journal.position(on: base.name),
      known.position.end != position.end
    else { return nil }
    var taken = try taken(
      ReadFile(content: content, value: value), disk, since: known, isCut: !versions.leads(to: disk))
    taken.isBeforeForeign = true
    return taken
  }

  /// Reads the journal beside the file that is known. Nil if its value is not known.
  private func readJournal(
    _ base: KnownFile<Root>, _ status: FileStatus
  ) throws(SnapshotError) -> ReadFile? {
    let journal = try session.journal.read(limit: limits.fileSize)
    let content = JournaledContent(bytes: [], status: status, journal: journal, journalPath: session.journal.path)
    return base.value.map { ReadFile(content: content, value: $0) }
  }

  /// Reads another file than before. Nil if it cannot be decoded. A look at a file of unknown origin tells why.
  private func readFile(_ base: KnownFile<Root>) throws(SnapshotError) -> ReadFile? {
    let content = try fileSystem.readJournaled(at: location, limit: limits.fileSize)
    // The process that put it in place may have been killed before the folder was synced.
    try makeDurable()
    guard let document = try? Document(content.bytes, limits: limits, threads: threads),
      let decoded = try? SnapshotCoder.decode(Root.self, from: document, decoding)
    else { return nil }
    let values = base.history?.values ?? []
    let value = decoded.root.sharing(with: values + [known].compactMap(\.self))
    let file = KnownFile(
      status: content.status, name: JournalBase(of: document, content.bytes, threads: threads),
      olderVersion: decoded.olderVersion, unknown: decoded.unknown, fileUnknown: decoded.unknown, value: value)
    return ReadFile(content: content, value: value, file: file, idKeys: document.header.idKeys)
  }

  /// What file and journal hold together.
  ///
  /// - Parameters:
  ///   - known: the newest known version that led to it.
  ///   - isCut: whether a version that was on the disk did not lead to it.
  private func taken(
    _ read: ReadFile, _ disk: FileDescent, since known: KnownVersions<Root>.Found,
    isCut: Bool
  ) throws(SnapshotError) -> Taken {
    var file = read.file
    if let unknown = file?.fileUnknown {
      let alone = SnapshotContent(read.value, unknown)
      file?.take(history(with: alone, behind: disk.gap(since: known.position)))
    }
    var content = SnapshotContent(
      read.value, file?.fileUnknown ?? base?.fileUnknown ?? UnknownContent())
    var news: JournalFile.News?
    if let journal = disk.journal, let lines = journal.lines(since: disk.base), let bytes = read.content.journal {
      buildIndexes(of: read.value)
      let isOlder = (journal.header?.version ?? 0) < Root.schema.version && lines.contains { $0.kind == .changes }
      content =
        isOlder || content.unknown.flattened.difference != .none
        ? try folded(sharingWith: read.value)
        : try journal.replay(lines, onto: content, decoding, idKeys: read.idKeys, limits: limits)
      news = try session.journal.whole(journal, bytes.bytes, bytes.status, durable: session.durableEnd)
      if isCut { news?.isCut = true }
    }
    file?.unknown = content.unknown
    return Taken(
      content: content, known: known.content, isUntyped: disk.hasUntypedChanges(since: known.position),
      position: disk.journal?.position(on: disk.base) ?? FilePosition(base: disk.base), file: file, news: news)
  }

  /// The file and its journal, whose lines are applied without types. So they are in the version of the file, and with
  /// the members that it has. Called with the lock.
  private func folded(sharingWith known: Root) throws(SnapshotError) -> SnapshotContent<Root> {
    let content = try fileSystem.readJournaled(at: location, limit: limits.fileSize)
    let document = try Document(content.folded(limits, path: location.path), limits: limits, threads: threads)
    var folded = SnapshotContent(try SnapshotCoder.decode(Root.self, from: document, decoding))
    folded.value = folded.value.sharing(with: [known])
    return folded
  }

  /// Builds the indexes that the opening has left for later. Otherwise each line would copy the table for them: O(n).
  private func buildIndexes(of root: Root) {
    for build in root.deferredBuilding { build() }
  }

  /// Notes that the published value has what was taken in. Until then, it is not saved over.
  ///
  /// - Parameter unknown: the unknown content that further saves write.
  func adopt(_ taken: Taken, unknown: UnknownContent) {
    if let file = taken.file {
      base = file
    } else if case .foreign(_, let isAmbiguous, let joined)? = base?.origin {
      base?.origin = .foreign(change: nil, isAmbiguous: isAmbiguous, joined: joined)
    }
    if let news = taken.news { session.journal.adopt(news) } else { session.journal.forget() }
    base?.unknown = unknown
    base?.unknown.flattened.note(taken.content.unknown.flattened)
    if !unknown.isSame(as: taken.content.unknown) { base?.needsWholeSave = true }
    if taken.news != nil { base?.hasLinesOfOthers = true }
    journaled = taken.news == nil ? nil : taken.content.value
    keptByMerge = [:]
    note(taken.position, taken.content.value, taken.content.unknown)
    noteExtent()
    // Otherwise the next one to look could not see that lines are missing.
    if !session.journal.isCut { session.noteDurable() }
  }
}
