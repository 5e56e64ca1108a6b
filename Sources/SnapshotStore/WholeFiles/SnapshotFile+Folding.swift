public import SnapshotFoundation

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
