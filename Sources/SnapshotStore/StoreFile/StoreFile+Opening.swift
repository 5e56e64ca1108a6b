import SnapshotFoundation

/// Opens the file or, by request, another source in its place.
extension StoreFile {
  /// A file that was opened.
  struct Opened {
    let file: StoreFile
    /// Nil if there is no file yet.
    let root: Root?
    let report: OpenReport

    /// The same after a journal was folded.
    fileprivate func adding(_ journal: OpenReport.FoundJournal) -> Opened {
      var report = report
      report.journal = journal
      return Opened(file: file, root: root, report: report)
    }
  }

  /// Opens a file and reads the value in it.
  ///
  /// - Parameter initial: the value in place of one that cannot be read, if the options allow that.
  /// - Throws: the errors of ``SnapshotCoder``; `fileNotFound` if the directory is missing; `notRegularFile`; `locked`;
  ///   `ioFailed`.
  static func open(
    at path: String, _ options: StoreFileOptions, initial: Root = Root()
  ) throws(SnapshotError) -> Opened {
    let session = try FileSession(
      at: path, on: options.fileSystem, lockTimeLimit: options.isReadOnly ? nil : options.lockTimeLimit,
      isShared: options.isShared)
    let end = session.holdsLock ? nil : session.lock?.notedEnd
    var content = try session.content(limit: options.limits.fileSize)
    if content == nil, session.isShared, !session.holdsLock {
      // The holder of the lock is making the file, or has just made it.
      _ = try session.take(waiting: .opening(.zero))
      content = try session.content(limit: options.limits.fileSize)
    }
    if session.isShared, !session.holdsLock {
      // The holder of the lock may have begun another journal, after a line of this one had failed.
      content = content?.upTo(session.lock?.notedEnd, options.limits).upTo(end, options.limits)
    }
    // Without the lock, the file is left as it is.
    var options = options
    options.isReadOnly = options.isReadOnly || !session.holdsLock
    guard let content else {
      let file = StoreFile(session, format: options.format(of: session.location), base: nil, options: options)
      return Opened(file: file, root: nil, report: OpenReport(source: .created))
    }
    do throws(SnapshotError) {
      let (content, folded) = try foldedBeforeMigration(content, session, options)
      let opened = try read(content, session, options)
      return folded.map { opened.adding($0) } ?? opened
    } catch {
      let failure = error.at(path: path)
      // Only a holder of the lock can keep the damaged file before it is replaced.
      guard error.meansDamage, !session.isShared || session.holdsLock else { throw failure }
      return try recover(failure, from: content, initial, session, options)
    }
  }

  /// Folds the journal of a file of an older version, in that version. So the file that is kept before its migration
  /// has everything.
  ///
  /// - Returns: the content of the file then, and the journal that was there.
  private static func foldedBeforeMigration(
    _ content: JournaledContent, _ session: FileSession, _ options: StoreFileOptions
  ) throws(SnapshotError) -> (JournaledContent, OpenReport.FoundJournal?) {
    guard content.journal != nil, !options.isReadOnly, let header = try? SnapshotHeader(of: content.bytes),
      header.schema == Root.schema.name, header.version < Root.schema.version,
      let document = try? Document(content.bytes, limits: options.limits, threads: options.threads),
      // Otherwise reading the file says what is wrong, or merges both.
      let lines = try? content.changes(of: document, path: session.location.path)?.lines
    else { return (content, nil) }
    try session.foldJournal(options.limits, date: options.date())
    let folded = try session.content(limit: options.limits.fileSize) ?? content
    return (folded, OpenReport.FoundJournal(changes: lines.count { $0.kind == .changes }))
  }

  private static func read(
    _ content: JournaledContent, _ session: FileSession, _ options: StoreFileOptions
  ) throws(SnapshotError) -> Opened {
    let document = try Document(content.bytes, limits: options.limits, threads: options.threads)
    let decoded = try SnapshotCoder.decode(Root.self, from: document, options.decoding)
    let name = JournalBase(of: document, content.bytes, threads: options.threads)
    if !options.isReadOnly { try options.fileSystem.makeDurable(at: session.location) }
    let opening = JournalOpening<Root>(
      session: session, options: options, content: content, name: name,
      idKeys: document.header.idKeys)
    let journaled = try opening.run(onto: SnapshotContent(decoded), isOlder: decoded.olderVersion != nil)
    var history = ValueHistory(SnapshotContent(decoded), date: options.date())
    // Others go on from both together.
    if session.isShared, !session.holdsLock, let journaled {
      history.append(journaled.content, date: options.date())
    }
    var base = KnownFile<Root>(
      status: content.status, name: name, olderVersion: decoded.olderVersion,
      unknown: journaled?.content.unknown ?? decoded.unknown, fileUnknown: decoded.unknown, value: decoded.root,
      history: history)
    base.journal = content.journalExtent
    base.needsWholeSave = journaled != nil
    let file = StoreFile(session, format: document.format, base: base, options: options)
    var report = OpenReport(source: .file, of: decoded)
    report.journal = journaled?.isOnlyPast == true ? nil : journaled?.report
    let root = journaled?.content.value ?? decoded.root
    file.note(FilePosition(base: name), decoded.root, decoded.unknown)
    if let position = journaled?.position { file.note(position, root) }
    if journaled?.needsSave == true, !options.isReadOnly {
      // The save has made another journal than the one that was read.
      _ = try file.save(root)
      file.endStrayJournal()
      return Opened(file: file, root: root, report: report)
    }
    if journaled != nil, session.keepsPast { file.keepJournal(root, content.journal) }
    try file.makeJournalDurable(content.journal)
    return Opened(file: file, root: root, report: report)
  }
}

// MARK: - A damaged file

extension StoreFile {
  private static func recover(
    _ problem: SnapshotError, from content: JournaledContent, _ initial: Root,
    _ session: FileSession, _ options: StoreFileOptions
  ) throws(SnapshotError) -> Opened {
    let folder = session.generations
    guard options.recovery >= .generations else {
      guard let generation = (try? folder.generations())?.first else { throw problem }
      let date = generation.date.formatted(.iso8601)
      throw problem.advising(.keptVersion(date), Schema<Root>.adviceOnDamage(keptAt: date))
    }
    var source = newestReadable(in: folder, options)
    if source == nil { source = try salvage(from: content.bytes, problem, options) }
    guard let found = source ?? first(initial, session, options) else { throw problem }
    let opening = JournalOpening<Root>(
      session: session, options: options, content: content, name: name(of: found, content, session, options))
    let journaled = try opening.run(ontoRecovered: SnapshotContent(found.decoded), version: found.decoded.version)
    let base = KnownFile<Root>(
      status: content.status,
      name: JournalBase(
        sum: .digest(Checksum.cksum(content.bytes[...], threads: options.threads)), size: content.bytes.count),
      isWorthKeeping: false, unknown: journaled?.content.unknown ?? found.decoded.unknown)
    let file = StoreFile(session, format: found.format, base: base, options: options)
    var report = OpenReport(source: found.source, of: found.decoded)
    report.problem = problem
    report.losses = found.losses
    report.journal = journaled?.report
    let root = journaled?.content.value ?? found.decoded.root
    if !options.isReadOnly {
      report.damagedFile = try Quarantine.keep(session.location, on: options.fileSystem, date: options.date())
      _ = try file.save(root)
      if journaled != nil { file.endStrayJournal() }
    }
    return Opened(file: file, root: root, report: report)
  }

  /// What a journal calls the source. A damaged file has the size that it had, and often its checksum.
  private static func name(
    of found: Found, _ content: JournaledContent, _ session: FileSession, _ options: StoreFileOptions
  ) -> JournalBase {
    if case .generation(let generation) = found.source,
      let bytes = try? session.generations.bytes(of: generation, options.limits)
    {
      return JournalBase(of: bytes, options.limits)
    }
    let header = try? Document(content.bytes, limits: options.limits).header
    return JournalBase(sum: .checksum(header?.checksum ?? 0), size: content.bytes.count)
  }

  /// The value that is opened in place of the file.
  private struct Found {
    let source: OpenReport.Source
    let decoded: DecodedSnapshot<Root>
    let format: FileFormat
    var losses: [SalvageLoss] = []
  }

  private static func newestReadable(
    in folder: GenerationFolder, _ options: StoreFileOptions
  ) -> Found? {
    guard let newest = try? folder.newestReadable(Root.self, options.limits, options.decoding) else { return nil }
    return Found(source: .generation(newest.generation), decoded: newest.decoded, format: newest.format)
  }

  /// What can be read of the file; nil if nothing can.
  ///
  /// - Throws: the problem, if the file may not be replaced.
  private static func salvage(
    from bytes: [UInt8], _ problem: SnapshotError, _ options: StoreFileOptions
  ) throws(SnapshotError) -> Found? {
    guard options.recovery >= .salvage else { return nil }
    guard let salvaged = try? Salvage<Root>(bytes: bytes, limits: options.limits, defaults: options.defaults).run()
    else { return nil }
    // The header may be damaged. But if it is right, this is the file of another program.
    if salvaged.losses.contains(where: { [.wrongSchema, .newerVersion, .olderVersion].contains($0.code) }) {
      throw problem
    }
    return Found(source: .salvage, decoded: salvaged.decoded, format: salvaged.format, losses: salvaged.losses)
  }

  /// The initial value, if the options allow it and there is one.
  private static func first(_ initial: Root, _ session: FileSession, _ options: StoreFileOptions) -> Found? {
    guard options.recovery >= .initial, (initial as? any OptionalModel)?.isEmpty != true else { return nil }
    let decoded = DecodedSnapshot(
      root: initial, unknown: UnknownContent(), version: Root.schema.version, steps: [])
    return Found(source: .initial, decoded: decoded, format: options.format(of: session.location))
  }
}
