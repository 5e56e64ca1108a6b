import SnapshotFoundation

/// Checks whether the file has an external change.
extension StoreFile {
  /// The content of the file, compared with the content that this store last read or wrote.
  enum Inspection {
    case unchanged
    case removed
    case unreadable(SnapshotError)
    case changed(FoundFile<Root>)
  }

  func inspect() -> Inspection {
    guard let base else { return .unchanged }
    do throws(SnapshotError) {
      if session.isReadOnly { return try inspectJournaled(base) }
      let current = try? fileSystem.statusIfAny(at: location)
      if let current, current.isSameContent(as: base.status), base.isStatusTrusted { return .unchanged }
      let (bytes, status) = try fileSystem.readFile(at: location, limit: limits.fileSize)
      let document = try Document(bytes, limits: limits, threads: threads)
      let name = JournalBase(of: document, bytes, threads: threads)
      if name == base.name {
        // The file was only touched, or replaced by the same bytes. The places of the leaves in it are still valid.
        if base.status.inode != status.inode { self.base?.isDurable = false }
        self.base?.status = status
        return .unchanged
      }
      let decoded = try SnapshotCoder.decode(Root.self, from: document, decoding)
      let theirs = base.history.map { decoded.root.sharing(with: $0.values) } ?? decoded.root
      var file = KnownFile(
        status: status, name: name, isDurable: false, olderVersion: decoded.olderVersion, fileUnknown: decoded.unknown,
        value: theirs)
      file.take(history(with: SnapshotContent(theirs, decoded.unknown), isForeign: true))
      file.unknown = file.fileUnknown
      return .changed(FoundFile(file: file, value: theirs, history: base.history))
    } catch {
      return error.code == .fileNotFound ? .removed : .unreadable(error.at(path: location.path))
    }
  }

  /// The same for a store that only reads: the store that writes may have appended to its journal.
  private func inspectJournaled(_ base: KnownFile<Root>) throws(SnapshotError) -> Inspection {
    let current = try? fileSystem.statusIfAny(at: location)
    let extent = try? JournalExtent.find(beside: location, on: fileSystem)
    if let current, current.isSameContent(as: base.status), base.isStatusTrusted, extent == base.journal {
      return .unchanged
    }
    let content = try fileSystem.readJournaled(at: location, limit: limits.fileSize)
    let document = try Document(content.bytes, limits: limits, threads: threads)
    if content.base(document) == base.name, content.journalExtent == base.journal {
      self.base?.status = content.status
      return .unchanged
    }
    return .changed(try read(content, document, base, base.history))
  }

  /// Reads the file and its journal, of which nobody can say what they were made from. Called with the lock. O(n).
  ///
  /// - Parameter isBesideJournal: whether only another program has replaced the file, beside the journal.
  func lookAnew(isBesideJournal: Bool) -> Inspection {
    guard let base, let known else { return inspect() }
    do throws(SnapshotError) {
      let content = try fileSystem.readJournaled(at: location, limit: limits.fileSize)
      let document = try Document(content.bytes, limits: limits, threads: threads)
      // Nobody with this library has saved since, so the other program has never seen what was in the journal.
      var found = try read(
        content, document, base, history(before: base), behind: isBesideJournal ? .none : .foreign,
        isFolded: !isBesideJournal)
      found.isAmbiguous = !isBesideJournal
      if let outcome = found.joining?.outcome, !outcome.conflicts.isEmpty || !outcome.repaired.isEmpty {
        found.joining?.kept = try keepAside(content.bytes, as: "conflict")
      }
      session.journal.forget()
      if let journal = try content.readJournal(limits) {
        session.journal.note(journal, isKnown: isBesideJournal, durable: session.durableEnd)
        // Its process may have been killed before it was durable.
        if let read = content.journal { _ = try session.journal.makeDurable(read.bytes, read.status) }
      }
      if content.journal == nil, found.value.isStoredLike(known),
        found.content.hasSameUnknown(as: SnapshotContent(known, unknown))
      {
        accept(found, unknown: found.file.unknown, making: base.foreignChange?.after)
        self.base?.needsWholeSave = false
        return .unchanged
      }
      return .changed(found)
    } catch {
      if error.code == .fileNotFound {
        self.base?.isMissed = true
        return .removed
      }
      return .unreadable(error.at(path: location.path))
    }
  }

  /// What a file and its journal hold together. The value shares memory with the earlier ones of the file.
  ///
  /// - Parameters:
  ///   - earlier: the earlier values with which the content is compared.
  ///   - gap: what the file may have held since the last version that is known.
  ///   - isFolded: whether another store may have written the journal to the file meanwhile.
  func read(
    _ content: JournaledContent, _ document: Document, _ base: KnownFile<Root>, _ earlier: ValueHistory<Root>?,
    behind gap: HistoryGap = .none, isFolded: Bool = true
  ) throws(SnapshotError) -> FoundFile<Root> {
    let decoded = try SnapshotCoder.decode(Root.self, from: document, decoding)
    // The journal is left as it is.
    var options = StoreFileOptions(fileSystem: fileSystem, limits: limits, threads: threads, isReadOnly: true)
    options.readsNewerVersions = decoding.acceptsNewerVersion
    options.defaults = defaults
    let name = content.base(document)
    var opening = JournalOpening<Root>(
      session: session, options: options, content: content, name: name,
      idKeys: document.header.idKeys)
    let history = history(before: base)
    opening.history = isFolded ? history : base.history
    if let value = base.value {
      // The lines of the journal come on top of it, so it must not have what they say.
      let content = SnapshotContent(value, base.fileUnknown)
      opening.known.append(.init(name: base.name, content: content))
      if let joined = base.joined {
        opening.known.append(
          .init(
            name: joined.name, content: content, joined: SnapshotContent(joined.value, joined.unknown),
            end: joined.end))
      }
    }
    let journaled = try opening.run(onto: SnapshotContent(decoded), isOlder: decoded.olderVersion != nil)
    let read = journaled?.content.value ?? decoded.root
    let value = history.map { read.sharing(with: $0.values) } ?? read
    // What it has without its journal. The other program may have kept that.
    let alone = journaled == nil ? value : history.map { decoded.root.sharing(with: $0.values) } ?? decoded.root
    let file = KnownFile(
      status: content.status, name: name, isDurable: false, olderVersion: decoded.olderVersion,
      journal: content.journalExtent, unknown: journaled?.content.unknown ?? decoded.unknown,
      fileUnknown: decoded.unknown, value: alone,
      history: history?.appending(
        SnapshotContent(alone, decoded.unknown), date: date(), isForeign: true, behind: gap)
        ?? ValueHistory(SnapshotContent(alone, decoded.unknown), date: date()))
    var found = FoundFile(file: file, value: value, history: earlier)
    guard let journaled else { return found }
    found.journaled = value
    if let version = journaled.joined, let end = version.end {
      found.joined = .init(name: version.name, end: end, value: value, unknown: journaled.content.unknown)
    }
    if journaled.needsSave {
      found.joining = .init(outcome: journaled.report.outcome ?? MergeOutcome())
    } else {
      found.position = journaled.position
    }
    return found
  }

  /// The values that the file has held, and what it holds with its journal. Another store may have folded that.
  func history(before base: KnownFile<Root>) -> ValueHistory<Root>? {
    let history = base.history
    guard session.isShared, let known else { return history }
    return history?.appending(SnapshotContent(known, unknown), date: date())
  }

  /// The content of another version of the file, and the earlier values of the file if they are known.
  func version(
    _ bytes: [UInt8]
  ) throws(SnapshotError) -> (SnapshotContent<Root>, ValueHistory<Root>?) {
    let document = try Document(bytes, limits: limits, threads: threads)
    let decoded = try SnapshotCoder.decode(Root.self, from: document, decoding)
    let history = base?.history
    let theirs = history.map { decoded.root.sharing(with: $0.values) } ?? decoded.root
    return (SnapshotContent(theirs, decoded.unknown), history)
  }

  /// The values that the file has held, including the current one.
  ///
  /// - Parameters:
  ///   - isForeign: whether a program that does not use this library has put the current one there.
  ///   - gap: what it may have held since the last one.
  func history(
    with content: SnapshotContent<Root>, isForeign: Bool = false, behind gap: HistoryGap = .none
  ) -> ValueHistory<Root> {
    base?.history?.appending(content, date: date(), isForeign: isForeign, behind: gap)
      ?? ValueHistory(content, date: date())
  }

  /// The possible bases of a value: earlier contents of the file, while the store was open and before.
  func origins(
    of theirs: SnapshotContent<Root>, _ history: ValueHistory<Root>, isBehindMerge: Bool = false
  ) -> MergeOrigins<Root> {
    history.origins(of: theirs, isBehindMerge: isBehindMerge) { generations(sharingWith: history.values) }
  }

  /// The newest generations, oldest first. Each is read once.
  private func generations(sharingWith values: [Root]) -> [SnapshotContent<Root>] {
    let folder = session.generations
    let newest = ((try? folder.generations()) ?? []).prefix(3).reversed()
    var read: [String: SnapshotContent<Root>] = [:]
    var found: [SnapshotContent<Root>] = []
    for generation in newest {
      let name = generation.url.lastPathComponent
      var content = readGenerations[name]
      if content == nil, let decoded = try? folder.read(Root.self, generation, limits, decoding).0 {
        content = SnapshotContent(decoded.root.sharing(with: values), decoded.unknown)
      }
      read[name] = content
      if let content { found.append(content) }
    }
    readGenerations = read
    return found
  }

  /// Syncs the external content, so that it counts as saved.
  func makeDurable() throws(SnapshotError) {
    try fileSystem.makeDurable(at: location)
  }

  /// Accepts the inspected content as the expected content of the file.
  ///
  /// - Parameters:
  ///   - unknown: the unknown content that further saves write.
  ///   - made: what this store makes of it, without what is not saved; nil if that is what it had made before.
  ///   - isTaken: whether the value of this store has it in it. Otherwise what other stores saved is not in there, and
  ///     no save of this one may be said to be made from it.
  func accept(_ found: FoundFile<Root>, unknown: UnknownContent, making made: Root?, isTaken: Bool = true) {
    var file = found.file
    let before = base?.foreignChange?.before ?? known.map { SnapshotContent($0, self.unknown) }
    let change = session.isShared ? before.flatMap { before in made.map { (before, $0) } } : nil
    file.origin = .foreign(
      change: change.map { Box(.init(before: $0, after: $1)) }, isAmbiguous: found.isAmbiguous,
      joined: found.joined.map { Box($0) })
    file.unknown = unknown
    file.needsWholeSave = true
    base = file
    keptByMerge = [:]
    // A store that has the file alone still has its own journal.
    if !session.isShared { return }
    // A journal of another version says different things to stores that know different versions.
    journaled = found.isAmbiguous && found.joined != nil ? nil : found.journaled
    let alone = file.value.map { SnapshotContent($0, file.fileUnknown) }
    if found.isAmbiguous { session.journal.latestPast = nil }
    let isOfOthers = found.isAmbiguous && found.position != nil
    versions.accept(file.name, isTaken || !isOfOthers ? alone : nil, isAmbiguous: found.isAmbiguous)
    if isTaken, let position = found.position { versions.note(position, found.content) }
  }

  /// Sets the unknown content that further saves write. Nothing of the file is copied then, since all records may have
  /// other unknown keys.
  func accept(unknown: UnknownContent) {
    base?.unknown = unknown
    base?.saved = nil
    base?.needsWholeSave = true
  }

  /// The unknown content of this store's own file.
  var unknown: UnknownContent { base?.unknown ?? UnknownContent() }
}
