import SnapshotFoundation

/// Brings a file and the journal beside it together when a store is opened.
struct JournalOpening<Root: Model> {
  let session: FileSession
  let options: StoreFileOptions
  let content: JournaledContent
  /// What a journal calls the file.
  let name: JournalBase
  /// Where the records of the file have their ids.
  var idKeys: [ExactText: IDKey] = [:]
  /// Versions of the file that the journal may stand on.
  var known: [Version] = []
  /// All versions that are known; nil if the store is being opened.
  var history: ValueHistory<Root>?

  /// A version of the file that the store knows.
  struct Version {
    /// What the journal calls the version on which it stands. Another program may have replaced that since.
    let name: JournalBase
    let content: SnapshotContent<Root>
    /// The content merged with the journal, if the journal stands on another version.
    var joined: SnapshotContent<Root>?
    /// The end of that journal.
    var end: JournalPosition?
  }

  /// What both hold together.
  struct Result {
    var content: SnapshotContent<Root>
    var report = OpenReport.FoundJournal()
    /// The file merged with the journal, if the journal stands on another version that is known.
    var joined: Version?
    /// The moment of the file that has the value; nil if none has it yet.
    var position: FilePosition?
    /// Whether the journal has no change that the file does not have.
    var isOnlyPast = false
    /// Whether the value must be saved in the file at once, because no journal says how to get there.
    var needsSave = false
  }

  /// The value of the file with the changes in the journal. Nil if there is no journal.
  ///
  /// - Parameters:
  ///   - decoded: the content of the file.
  ///   - isOlder: whether the file has an older version of the schema. The journal then has it too.
  /// - Throws: `damagedJournal`, unless the options allow recovery; the errors of reading the lines.
  func run(onto decoded: SnapshotContent<Root>, isOlder: Bool) throws(SnapshotError) -> Result? {
    if content.journal == nil { return nil }
    guard let journal = try strictJournal() else { return try recovered(decoded) }
    if let problem = journal.strangeness(beside: Root.schema.name, version(of: decoded)) {
      return try setAside(journal, problem.at(path: journalPath), decoded)
    }
    guard let lines = journal.lines(since: name) else { return try joined(journal, decoded) }
    let position = journal.stands(on: name) ? journal.position(on: name) : nil
    if lines.isEmpty {
      // What a journal of another file names may not be in the file. It is replaced by the next save.
      if !options.isReadOnly { session.journal.note(journal, isKnown: position != nil, durable: session.durableEnd) }
      if options.isReadOnly || session.keepsPast {
        let goesOn = session.isShared && position != nil
        return goesOn ? Result(content: decoded, position: position, isOnlyPast: true) : nil
      }
      session.journal.remove()
      return nil
    }
    let value: SnapshotContent<Root>
    do throws(SnapshotError) {
      value =
        isOlder || decoded.unknown.flattened.difference != .none
        ? try folded(content) : try replay(journal, lines, onto: decoded)
    } catch {
      // The sums of a line are right, and the line breaks the rules.
      guard error.code == .damagedJournal, options.recovery >= .generations else { throw error }
      return try recovered(decoded)
    }
    if !options.isReadOnly { session.journal.note(journal, durable: session.durableEnd) }
    return Result(
      content: value, report: OpenReport.FoundJournal(changes: lines.count { $0.kind == .changes }), position: position)
  }

  /// The journal; nil if it is damaged and may be recovered.
  private func strictJournal() throws(SnapshotError) -> Journal? {
    do throws(SnapshotError) {
      return try content.readJournal(options.limits)
    } catch {
      guard error.code == .damagedJournal, options.recovery >= .generations else { throw error.at(path: journalPath) }
      return nil
    }
  }

  /// The version of a file of this schema. A program that reads a newer one may do so with its journal.
  private func version(of content: SnapshotContent<Root>) -> Int {
    max(content.unknown.header(of: Root.self).version, Root.schema.version)
  }

  var journalPath: String { session.location.sibling(SideName.journal(of: session.location.name)).path }

  func replay(
    _ journal: Journal, _ lines: ArraySlice<Journal.Line>, onto content: SnapshotContent<Root>, isPart: Bool = false
  ) throws(SnapshotError) -> SnapshotContent<Root> {
    do throws(SnapshotError) {
      return try journal.replay(
        lines, onto: content, options.decoding, idKeys: idKeys, limits: options.limits, isPart: isPart)
    } catch {
      throw error.at(path: journalPath)
    }
  }

  /// The value of a file and its journal whose lines are applied without types. So the changes are made in the version
  /// of the file, and with the members that it has.
  func folded(_ content: JournaledContent) throws(SnapshotError) -> SnapshotContent<Root> {
    let bytes = try content.folded(options.limits, path: session.location.path)
    let document = try Document(bytes, limits: options.limits, threads: options.threads)
    return SnapshotContent(try SnapshotCoder.decode(Root.self, from: document, options.decoding))
  }
}

// MARK: - A damaged journal

extension JournalOpening {
  /// The value with the lines that can be read. The damaged journal is kept under another name.
  private func recovered(_ decoded: SnapshotContent<Root>) throws(SnapshotError) -> Result {
    let journal = Journal(salvaging: content.journal?.bytes ?? [], limits: options.limits)
    var result = Result(content: decoded, needsSave: true)
    result.report.lostLines = journal.lostLineCount
    if let lines = journal.lines(since: name) {
      let (value, count) = journal.replayPrefix(
        of: lines, onto: decoded, options.decoding, idKeys: idKeys, limits: options.limits)
      result.content = value
      result.report.changes = lines.prefix(count).count { $0.kind == .changes }
      result.report.lostLines += lines.dropFirst(count).count { $0.kind == .changes }
    } else {
      result.report.lostLines += journal.lines.count { $0.kind == .changes }
    }
    if !options.isReadOnly {
      result.report.kept = try session.journal.copyAside(date: options.date()).map { [$0] } ?? []
    }
    return result
  }

  /// The value of another source than the damaged file, with the changes of the journal if it belongs to that source.
  ///
  /// - Parameter version: the version of the schema in that source.
  func run(ontoRecovered decoded: SnapshotContent<Root>, version: Int) throws(SnapshotError) -> Result? {
    if content.journal == nil { return nil }
    let journal = Journal(salvaging: content.journal?.bytes ?? [], limits: options.limits)
    var result = Result(content: decoded, needsSave: true)
    result.report.lostLines = journal.lostLineCount
    if journal.header?.schema == Root.schema.name, journal.header?.version == version {
      if let lines = journal.lines(since: name), let value = try? replay(journal, lines, onto: decoded) {
        result.content = value
        result.report.changes = lines.count { $0.kind == .changes }
      } else if let merged = try? mergingWithoutBase(journal, decoded) {
        try merge(merged, journal.ownLines, over: decoded, &result)
      } else {
        result.report.lostLines += journal.lines.count { $0.kind == .changes }
      }
    } else {
      result.report.lostLines += journal.lines.count { $0.kind == .changes }
    }
    if !options.isReadOnly {
      result.report.kept += try session.journal.copyAside(date: options.date()).map { [$0] } ?? []
    }
    return result
  }
}

extension Journal {
  /// The number of lines that a salvage could not use.
  fileprivate var lostLineCount: Int { losses.reduce(0) { $0 + ($1.numbers?.count ?? 1) } }
}
