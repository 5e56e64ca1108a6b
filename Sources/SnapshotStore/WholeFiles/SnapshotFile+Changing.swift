public import SnapshotFoundation

/// Changes the whole content of a file in one session.
extension SnapshotFile {
  /// Changes the whole content of a file in one session. It first keeps the old version as a generation.
  ///
  /// Use it for a large change, such as a merge. ``Store/update(at:options:waitingAtMost:_:)`` keeps generations only
  /// at intervals, and does not change unknown content.
  ///
  /// The rules and validations of the schema are run. The generation is kept in addition to those of stores. It may be
  /// removed when it is three hours old and ten others are newer.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - url: the file, which must exist.
  ///   - limits: the limits for size and depth.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  ///   - date: the date of an edit. Records that `body` has changed get it where ``Record/mergeRules`` name dates and
  ///     `body` has set none. Nil for a change that brings its own dates, such as a merge.
  ///   - body: changes the content.
  /// - Returns: the result of `body`, once the file has the change and is synced.
  /// - Throws: the errors of `body`; ``TransactionRefusal``; ``SnapshotError``, with code `locked` if the time limit
  ///   was too short. The file is then unchanged. It is also unchanged if its old version cannot be kept.
  @discardableResult
  public static func change<Root: Model, Result>(
    _ type: Root.Type, at url: URL, limits: ReadLimits = ReadLimits(), waitingAtMost timeLimit: Duration = .seconds(10),
    datingEditsAt date: Date? = nil, _ body: (inout SnapshotContent<Root>) throws -> Result
  ) throws -> Result {
    let replacement = KeepingReplacement<Root>(path: try url.requiredPath(), limits: limits, lockTimeLimit: timeLimit)
    return try replacement.change { content in
      let before = content.value
      let result = try body(&content)
      let transaction = RuledTransaction(revision: 1, origin: .local)
      let kind = date.map { Settlement<Root>.Kind.command(at: $0) } ?? .edit
      return (result, try Settlement(before: before, kind: kind, transaction: transaction).run(content.value))
    }
  }
}

/// Migration of a file without a store.
extension SnapshotFile {
  /// Migrates a file of an older version to the version of its schema. The old file is kept as a generation.
  ///
  /// Otherwise a file is migrated at the first save of a store that has it open.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - url: the file.
  ///   - dryRun: whether to run and decode all steps without writing the result.
  ///   - limits: the limits for size and depth.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  /// - Returns: the migration that was made, or would be. Nil if the file has the version of the schema; it is then
  ///   unchanged.
  /// - Throws: ``SnapshotError``; the file is then unchanged. With code `locked` if the time limit was too short.
  @discardableResult
  public static func migrate<Root: Model>(
    _ type: Root.Type, at url: URL, dryRun: Bool = false, limits: ReadLimits = ReadLimits(),
    waitingAtMost timeLimit: Duration = .seconds(10)
  ) throws -> OpenReport.Migration? {
    let options = StoreFileOptions(
      fileSystem: POSIXFileSystem(), limits: limits, threads: Parallel.defaultThreads, isReadOnly: dryRun,
      lockTimeLimit: timeLimit)
    return try migrate(type, at: try url.requiredPath(), options)
  }

  /// The same on another file system, for tests.
  static func migrate<Root: Model>(
    _ type: Root.Type, at path: String, _ options: StoreFileOptions
  ) throws(SnapshotError) -> OpenReport.Migration? {
    let opened = try StoreFile<Root>.open(at: path, options)
    defer { opened.file.close() }
    guard let root = opened.root else {
      throw SnapshotError(.fileNotFound, "there is no such file", path: path)
    }
    if !options.isReadOnly, opened.report.migration != nil { _ = try opened.file.save(root) }
    return opened.report.migration
  }
}

/// The journal beside a file, without a store.
extension SnapshotFile {
  /// The journal beside the file of a store, as it is at the moment.
  ///
  /// ```swift
  /// if let journal = try SnapshotFile.journal(of: url) {
  ///   print("\(journal.changes) changes are not in the file yet")
  /// }
  /// ```
  public struct JournalSummary: Equatable, Sendable {
    /// The number of lines with changes. Each is one save.
    public let changes: Int
    /// The number of bytes.
    public let byteCount: Int
    /// The time of the first change.
    public let since: Date
  }

  /// The journal beside a file. Nil if there is none, or if the file has all of it. O(bytes of both).
  ///
  /// - Throws: ``SnapshotError``, with code `damagedJournal` or `foreignJournal`. The latter also if the file is gone,
  ///   and the journal is there.
  public static func journal(of url: URL, limits: ReadLimits = ReadLimits()) throws -> JournalSummary? {
    let fileSystem = POSIXFileSystem()
    let path = try url.requiredPath()
    let location = try FileLocation(path, on: fileSystem)
    let content: JournaledContent
    do throws(SnapshotError) {
      content = try fileSystem.readJournaled(at: location, limit: limits.fileSize)
    } catch {
      let isAlone = error.code == .fileNotFound && JournalFile(beside: location, on: fileSystem).isNameTaken
      throw isAlone ? SnapshotError.journalAlone(path: path) : error
    }
    if content.journal == nil { return nil }
    let document = try Document(content.bytes, limits: limits, threads: Parallel.defaultThreads)
    guard let (journal, lines) = try content.changes(of: document, path: path) else { return nil }
    let changes = lines.filter { $0.kind == .changes }
    guard let first = changes.first else { return nil }
    return JournalSummary(changes: changes.count, byteCount: journal.source.bytes.count, since: first.date)
  }

  /// Writes the changes in the journal of a file to the file. Removes the journal, unless stores share the file. The
  /// types of the store are not needed. A store does this itself when it is opened for writing, in quiet times and when
  /// it is closed.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - limits: the limits for size and depth.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  /// - Returns: the journal that was there; nil if there was none with changes.
  /// - Throws: ``SnapshotError``, with both files unchanged. With code `locked` if the time limit was too short. With
  ///   code `damagedJournal` or `foreignJournal` if the journal cannot be used.
  @discardableResult
  public static func fold(
    at url: URL, limits: ReadLimits = ReadLimits(), waitingAtMost timeLimit: Duration = .seconds(10)
  ) throws -> JournalSummary? {
    let session = try FileSession(at: try url.requiredPath(), on: POSIXFileSystem(), lockTimeLimit: timeLimit)
    defer { session.close() }
    let summary = try journal(of: url, limits: limits)
    try session.foldJournal(limits, date: Date())
    return summary
  }
}
