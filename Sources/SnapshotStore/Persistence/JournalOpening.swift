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

  /// What both hold together.
  struct Result {
    var content: SnapshotContent<Root>
    var report = OpenReport.FoundJournal()
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
    if journal.header == nil {
      // Nothing was ever saved in it.
      if !options.isReadOnly { session.journal.remove() }
      return nil
    }
    guard journal.header?.schema == Root.schema.name, let lines = journal.lines(since: name) else {
      return try joined(journal, decoded)
    }
    if lines.isEmpty {
      if !options.isReadOnly { session.journal.remove() }
      return nil
    }
    if !options.isReadOnly { session.journal.note(journal) }
    let value = isOlder ? try migrated() : try replay(journal, lines, onto: decoded)
    return Result(content: value, report: OpenReport.FoundJournal(changes: lines.count { $0.kind == .changes }))
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

  private var journalPath: String { session.location.sibling(SideName.journal(of: session.location.name)).path }

  private func replay(
    _ journal: Journal, _ lines: ArraySlice<Journal.Line>, onto content: SnapshotContent<Root>
  ) throws(SnapshotError) -> SnapshotContent<Root> {
    do throws(SnapshotError) {
      return try journal.replay(lines, onto: content, options.decoding, idKeys: idKeys, limits: options.limits)
    } catch {
      throw error.at(path: journalPath)
    }
  }

  /// The value of a file of an older version. The changes are made in that version, and the whole is migrated.
  private func migrated() throws(SnapshotError) -> SnapshotContent<Root> {
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
      // A line may need one that is lost.
      let whole = lines.prefix { line in !journal.losses.contains { $0.range.lowerBound < line.range.lowerBound } }
      for some in [lines, whole] {
        guard let value = try? replay(journal, some, onto: decoded) else { continue }
        result.content = value
        result.report.changes = some.count { $0.kind == .changes }
        break
      }
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
    if journal.header?.schema == Root.schema.name, journal.header?.version == version,
      let lines = journal.lines(since: name), let value = try? replay(journal, lines, onto: decoded)
    {
      result.content = value
      result.report.changes = lines.count { $0.kind == .changes }
    }
    if !options.isReadOnly {
      result.report.kept = try session.journal.copyAside(date: options.date()).map { [$0] } ?? []
    }
    return result
  }
}

// MARK: - A file that someone else has replaced

extension JournalOpening {
  /// The value of a file that is not the one of the journal, merged with the changes of the journal.
  ///
  /// The base is a generation that the journal names. Without one, a record that both have is merged by the dates of
  /// its rules, and what was removed stays. Both files are kept under other names.
  private func joined(_ journal: Journal, _ theirs: SnapshotContent<Root>) throws(SnapshotError) -> Result {
    guard journal.header?.schema == Root.schema.name, journal.header?.version == Root.schema.version else {
      throw SnapshotError.foreignJournal(path: session.location.path)
    }
    let (base, lines) = base(of: journal) ?? (SnapshotContent(Root()), journal.lines[...])
    let ours = try replay(journal, lines, onto: base)
    let merged = Root.merging(base: base.value, ours: ours.value, theirs: theirs.value)
    var value = merged.value
    let isRefused = isRefused(&value, over: theirs.value)
    var result = Result(content: isRefused ? theirs : SnapshotContent(value, theirs.unknown), needsSave: true)
    result.report.changes = isRefused ? 0 : lines.count { $0.kind == .changes }
    result.report.outcome = MergeOutcome(conflicts: merged.conflicts, mended: merged.mended)
    if !options.isReadOnly {
      // Even without a conflict: the journal may be an old copy, and what was removed since would be back.
      result.report.kept.append(
        try Quarantine.keep(session.location, on: session.fileSystem, as: "conflict", date: options.date()))
      result.report.kept += try session.journal.copyAside(date: options.date()).map { [$0] } ?? []
      session.journal.note(journal)
    }
    return result
  }

  /// The generation on which the journal stands, and its lines since then.
  private func base(of journal: Journal) -> (SnapshotContent<Root>, ArraySlice<Journal.Line>)? {
    let folder = session.generations
    for generation in (try? folder.generations()) ?? [] {
      guard let bytes = try? folder.bytes(of: generation, options.limits),
        let lines = journal.lines(since: JournalBase(of: bytes, options.limits)),
        let document = try? Document(bytes, limits: options.limits, threads: options.threads),
        let decoded = try? SnapshotCoder.decode(Root.self, from: document, options.decoding)
      else { continue }
      return (SnapshotContent(decoded), lines)
    }
    return nil
  }

  /// Whether a rule or a validation of the schema refuses a merged value.
  private func isRefused(_ value: inout Root, over theirs: Root) -> Bool {
    let transaction = RuledTransaction(revision: 1, origin: .file)
    do {
      try Root.schema.applyRules(to: &value, before: theirs, transaction)
      try Root.schema.validate(value, before: theirs, transaction)
      return false
    } catch {
      return true
    }
  }
}

extension Journal {
  /// The number of lines that a salvage could not use.
  fileprivate var lostLineCount: Int { losses.reduce(0) { $0 + ($1.numbers?.count ?? 1) } }
}
