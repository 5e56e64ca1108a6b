import SnapshotFoundation
import Synchronization

/// Checks whether the file has an external change.
extension StoreFile {
  /// The content of the file, compared with the content that this store last read or wrote.
  enum Inspection<Root: Model> {
    case unchanged
    case removed
    case unreadable(SnapshotError)
    /// Another value, and the earlier values of the file if they are known.
    case changed(theirs: Root, ValueHistory<Root>?, Base)
  }

  func inspect<Root: Model>(_ type: Root.Type) -> Inspection<Root> {
    guard let base = base.withLock({ $0 }) else { return .unchanged }
    do throws(SnapshotError) {
      if session.isReadOnly { return try inspectJournaled(type, base) }
      let current = try? fileSystem.statusIfAny(at: location)
      if let current, current.isSameContent(as: base.status), base.isStatusTrusted { return .unchanged }
      let (bytes, status) = try fileSystem.readFile(at: location, limit: limits.fileSize)
      let document = try Document(bytes, limits: limits, threads: threads)
      let digest = Checksum.cksum(bytes[...], threads: threads)
      let checksum = document.checksum == .ok ? document.header.checksum : nil
      let isSame = base.digest == nil ? checksum != nil && checksum == base.checksum : digest == base.digest
      if isSame, status.size == base.status.size {
        // The file was only touched, or replaced by the same bytes. The places of the leaves in it are still valid.
        self.base.withLock {
          if $0?.status.inode != status.inode { $0?.isDurable = false }
          $0?.status = status
        }
        return .unchanged
      }
      let decoded = try SnapshotCoder.decode(type, from: document, decoding)
      let history = base.history as? ValueHistory<Root>
      let theirs = history.map { decoded.root.sharing(with: $0.values) } ?? decoded.root
      let found = Base(
        status: status, checksum: checksum, digest: checksum == nil ? digest : nil, isDurable: false,
        olderVersion: decoded.olderVersion, unknown: decoded.unknown, fileUnknown: decoded.unknown, value: theirs,
        history: self.history(with: theirs))
      return .changed(theirs: theirs, history, found)
    } catch {
      return error.code == .fileNotFound ? .removed : .unreadable(error.at(path: location.path))
    }
  }

  /// The same for a store that only reads: the store that writes may have appended to its journal.
  private func inspectJournaled<Root: Model>(_ type: Root.Type, _ base: Base) throws(SnapshotError) -> Inspection<Root>
  {
    let current = try? fileSystem.statusIfAny(at: location)
    let extent = try? JournalExtent.find(beside: location, on: fileSystem)
    if let current, current.isSameContent(as: base.status), base.isStatusTrusted, extent == base.journal {
      return .unchanged
    }
    let content = try fileSystem.readJournaled(at: location, limit: limits.fileSize)
    let document = try Document(content.bytes, limits: limits, threads: threads)
    let name = content.base(document)
    if name == base.journalName, content.journalExtent == base.journal {
      self.base.withLock { $0?.status = content.status }
      return .unchanged
    }
    let (theirs, found) = try read(type, content, document, base)
    return .changed(theirs: theirs, base.history as? ValueHistory<Root>, found)
  }

  /// What a file and its journal hold together. The value shares memory with the earlier ones of the file.
  ///
  /// - Parameters:
  ///   - gap: what the file may have held since the last version that is known.
  ///   - isFolded: whether another store may have written the journal to the file meanwhile.
  func read<Root: Model>(
    _ type: Root.Type, _ content: JournaledContent, _ document: Document, _ base: Base,
    behind gap: HistoryGap = .none, isFolded: Bool = true
  ) throws(SnapshotError) -> (value: Root, Base) {
    let decoded = try SnapshotCoder.decode(type, from: document, decoding)
    // The journal is left as it is.
    var options = StoreFileOptions(fileSystem: fileSystem, limits: limits, threads: threads, isReadOnly: true)
    options.readsNewerVersions = decoding.acceptsNewerVersion
    var opening = JournalOpening<Root>(
      session: session, options: options, content: content, name: content.base(document),
      idKeys: document.header.idKeys)
    let history = history(before: base, type)
    opening.history = isFolded ? history : base.history as? ValueHistory<Root>
    if let name = base.journalName, let value = base.value as? Root {
      opening.known.append(.init(name: name, content: SnapshotContent(value, base.unknown)))
    }
    if let joined = base.joined, let value = base.value as? Root, let ours = joined.value as? Root {
      opening.known.append(
        .init(
          name: joined.name, content: SnapshotContent(value, base.unknown),
          joined: SnapshotContent(ours, joined.unknown), end: joined.end))
    }
    let journaled = try opening.run(onto: SnapshotContent(decoded), isOlder: decoded.olderVersion != nil)
    let read = journaled?.content.value ?? decoded.root
    let value = history.map { read.sharing(with: $0.values) } ?? read
    // What it has without its journal. The other program may have kept that.
    let alone = journaled == nil ? value : history.map { decoded.root.sharing(with: $0.values) } ?? decoded.root
    var found = Base(
      status: content.status, checksum: document.checksum == .ok ? document.header.checksum : nil,
      isDurable: false, olderVersion: decoded.olderVersion, unknown: journaled?.content.unknown ?? decoded.unknown,
      fileUnknown: decoded.unknown, value: alone,
      history: history?.appending(alone, date: date(), behind: gap) ?? ValueHistory(alone, date: date()))
    found.digest = found.checksum == nil ? Checksum.cksum(content.bytes[...], threads: threads) : nil
    found.journal = content.journalExtent
    if let journaled {
      found.journaled = value
      if let version = journaled.joined, let end = version.end {
        found.joined = Joined(name: version.name, end: end, value: value, unknown: journaled.content.unknown)
      }
      if journaled.needsSave { found.joining = Joining(outcome: journaled.report.outcome ?? MergeOutcome()) }
    }
    return (value, found)
  }

  /// The values that the file has held, and what it holds with its journal. Another store may have folded that.
  func history<Root: Model>(before base: Base, _ type: Root.Type) -> ValueHistory<Root>? {
    let history = base.history as? ValueHistory<Root>
    guard session.isShared, let known = known(type) else { return history }
    return history?.appending(known, date: date())
  }

  /// The content of another version of the file, and the earlier values of the file if they are known.
  func version<Root: Model>(
    _ bytes: [UInt8], of type: Root.Type
  ) throws(SnapshotError) -> (SnapshotContent<Root>, ValueHistory<Root>?) {
    let document = try Document(bytes, limits: limits, threads: threads)
    let decoded = try SnapshotCoder.decode(type, from: document, decoding)
    let history = base.withLock { $0?.history } as? ValueHistory<Root>
    let theirs = history.map { decoded.root.sharing(with: $0.values) } ?? decoded.root
    return (SnapshotContent(theirs, decoded.unknown), history)
  }

  /// The values that the file has held, including the current one.
  ///
  /// - Parameter gap: what it may have held since the last one.
  func history<Root: Model>(with value: Root, behind gap: HistoryGap = .none) -> ValueHistory<Root> {
    guard var history = base.withLock({ $0?.history }) as? ValueHistory<Root> else {
      return ValueHistory(value, date: date())
    }
    history.append(value, date: date(), behind: gap)
    return history
  }

  /// The possible bases of a value: earlier contents of the file, while the store was open and before.
  func origins<Root: Model>(
    of theirs: Root, _ history: ValueHistory<Root>, isBehindMerge: Bool = false
  ) -> MergeOrigins<Root> {
    history.origins(of: theirs, isBehindMerge: isBehindMerge) { generations(sharingWith: history.values) }
  }

  /// The values of the newest generations, oldest first. Each is read once.
  private func generations<Root: Model>(sharingWith values: [Root]) -> [Root] {
    let folder = session.generations
    let newest = ((try? folder.generations()) ?? []).prefix(3).reversed()
    let known = readGenerations.withLock { $0 }
    var read: [String: any Sendable] = [:]
    var found: [Root] = []
    for generation in newest {
      let name = generation.url.lastPathComponent
      let value =
        known[name] as? Root
        ?? (try? folder.read(Root.self, generation, limits, decoding))?.0.root.sharing(with: values)
      read[name] = value
      if let value { found.append(value) }
    }
    readGenerations.withLock { $0 = read }
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
  ///   - expected: what other stores make of it; nil if that is the content itself.
  func accept<Root: Model>(_ found: Base, unknown: UnknownContent, expecting expected: Root?) {
    base.withLock {
      $0 = found
      $0?.isMerged = true
      $0?.expected = session.isShared && !found.isAmbiguous ? expected : nil
      $0?.journaled = nil
      $0?.unknown = unknown
      $0?.needsWholeSave = true
    }
    // A store that has the file alone still has its own journal.
    if !session.isShared { return }
    // A journal of another version says different things to stores that know different versions.
    journaled.withLock { $0 = found.isAmbiguous && found.joined != nil ? nil : found.journaled }
    let made = found.isAmbiguous ? nil : knownToOthers(Root.self).map { SnapshotContent($0, unknown) }
    let alone = (found.value as? Root).map { SnapshotContent($0, found.fileUnknown) }
    if found.isAmbiguous { session.journal.latestPast.withLock { $0 = nil } }
    versions.withLock { versions in
      guard var known = versions as? KnownVersions<Root> else { return }
      known.accept(found.journalName, alone, madeOfIt: made)
      versions = known
    }
  }

  /// Sets the unknown content that further saves write. Nothing of the file is copied then, since all records may have
  /// other unknown keys.
  func accept(unknown: UnknownContent) {
    base.withLock {
      $0?.unknown = unknown
      $0?.saved = nil
      $0?.needsWholeSave = true
    }
  }

  /// The unknown content of this store's own file.
  var unknown: UnknownContent { base.withLock { $0?.unknown } ?? UnknownContent() }

  /// Keeps the content of the file under another name, and returns that path. A part of what a shared store has read
  /// may be in the journal, or another program may have replaced the file since.
  func keepConflict<Root: Model>(_ theirs: SnapshotContent<Root>) throws(SnapshotError) -> String {
    guard session.isShared else { return try Quarantine.keep(location, on: fileSystem, as: "conflict", date: date()) }
    let bytes = try SnapshotEncoding(of: theirs.value, as: format, unknown: theirs.unknown, threads: threads).bytes
    if let bytes = bytes.array() { return try keepAside(bytes, as: "conflict") }
    return try Quarantine.write(bytes, beside: location, on: fileSystem, as: "conflict", date: date())
  }

  /// Writes bytes beside the file, durably, and returns that path. If a copy was kept before, it returns that one.
  func keepAside(_ bytes: [UInt8], as word: String) throws(SnapshotError) -> String {
    if let kept = Quarantine.copy(of: bytes, beside: location, on: fileSystem, as: word, date: date()) {
      return kept
    }
    return try Quarantine.write(PiecedBytes(bytes), beside: location, on: fileSystem, as: word, date: date())
  }

  /// Writes a value beside the file, because the file cannot be replaced, and returns that path.
  func saveAside<Root: Model>(_ root: Root, as word: String) throws(SnapshotError) -> String {
    let bytes = try SnapshotEncoding(of: root, as: format, unknown: unknown, threads: threads).bytes
    return try Quarantine.write(bytes, beside: location, on: fileSystem, as: word, date: date())
  }

  /// Removes a copy that was written beside the file, and that nobody was told of.
  func removeAside(_ path: String) {
    guard let copy = try? FileLocation(path, on: fileSystem),
      let directory = try? fileSystem.openDirectory(copy.directory)
    else { return }
    try? fileSystem.remove(copy.name, in: directory)
    fileSystem.close(directory)
  }

  /// Removes the oldest of what merges have kept beside the file, beyond a bound. Returns the names. Once an hour.
  func trimCopies() -> [String] {
    let date = date()
    let isDue = kept.withLock { kept in
      if let last = kept.trimmed, last.distance(from: date) < .seconds(3_600) { return false }
      kept.trimmed = date
      return true
    }
    return isDue ? Quarantine.trim(beside: location, on: fileSystem, date: date) : []
  }

  /// Writes some records beside the file, and returns that path. A merge that is tried again keeps them once.
  func keepLost<Root: Model>(_ lost: Root, as word: String) throws(SnapshotError) -> String {
    let bytes = try SnapshotEncoding(of: lost, as: format, unknown: UnknownContent(), threads: threads).bytes
    let array = bytes.array()
    if let array, let kept = keptByMerge.withLock({ $0[word] }), kept.bytes == array { return kept.path }
    let path = try Quarantine.write(bytes, beside: location, on: fileSystem, as: word, date: date())
    if let array { keptByMerge.withLock { $0[word] = (array, path) } }
    return path
  }
}
