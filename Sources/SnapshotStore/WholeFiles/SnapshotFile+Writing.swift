public import SnapshotFoundation

/// Writing of whole files.
extension SnapshotFile {
  /// Creates a file that holds a value. No file may exist yet. The bytes are written in pieces, so that they are in
  /// memory only once.
  ///
  /// - Throws: ``SnapshotError``, with code `fileExists` if there is a file; with code `unencodable`.
  public static func create<Root: Model>(_ root: Root, as format: FileFormat, at url: URL) throws {
    try create(SnapshotContent(root), as: format, at: url)
  }

  /// Creates a file that holds a value with its unknown content. No file may exist yet.
  ///
  /// - Throws: ``SnapshotError``, with code `fileExists` if there is a file; with code `unencodable`.
  public static func create<Root: Model>(_ content: SnapshotContent<Root>, as format: FileFormat, at url: URL) throws {
    let encoded = try SnapshotEncoding(
      of: content.value, as: format, unknown: content.unknown, threads: Parallel.defaultThreads)
    try save(encoded.bytes, at: url, expecting: .noFile)
  }

  /// Creates a file with bytes. No file may exist yet.
  ///
  /// - Throws: ``SnapshotError``, with code `fileExists` if there is a file.
  public static func create(_ bytes: [UInt8], at url: URL) throws {
    try save(PiecedBytes(bytes), at: url, expecting: .noFile)
  }

  /// Writes bytes to a file, whether or not it exists. The old bytes are lost.
  ///
  /// - Parameters:
  ///   - bytes: the new bytes.
  ///   - url: the file.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  /// - Throws: ``SnapshotError``, with code `locked` if the time limit was too short.
  public static func write(_ bytes: [UInt8], to url: URL, waitingAtMost timeLimit: Duration = .seconds(10)) throws {
    try save(PiecedBytes(bytes), at: url, expecting: .anything, waitingAtMost: timeLimit)
  }

  /// Replaces the bytes of a file if it still has the bytes that were read.
  ///
  /// - Parameters:
  ///   - old: the bytes that were read.
  ///   - new: the new bytes.
  ///   - url: the file.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  /// - Throws: ``SnapshotError``, with code `changedExternally` if the file has other bytes or is gone. With code
  ///   `locked` if the time limit was too short.
  public static func replace(
    _ old: [UInt8], with new: [UInt8], at url: URL, waitingAtMost timeLimit: Duration = .seconds(10)
  ) throws {
    try save(PiecedBytes(new), at: url, expecting: .bytes(old), waitingAtMost: timeLimit)
  }

  /// How long a write waits for a store that has the file open, if the caller does not say it.
  static let lockTimeLimit: Duration = .seconds(10)

  private static func save(
    _ bytes: PiecedBytes, at url: URL, expecting expected: FileSession.Expectation,
    waitingAtMost timeLimit: Duration = lockTimeLimit
  ) throws {
    let path = try url.requiredPath()
    if case .noFile = expected { try requireNoFile(at: path) }
    let session = try FileSession(at: path, on: POSIXFileSystem(), lockTimeLimit: timeLimit)
    defer { session.close() }
    let limits = ReadLimits()
    let replace = { () throws(SnapshotError) in
      try session.replace(with: bytes, expecting: expected).requireDurable()
    }
    switch expected {
    case .bytes:
      do throws(SnapshotError) {
        try session.foldJournal(limits, date: Date())
      } catch {
        // Of an edited file. The journal stays: it is merged when a store is opened.
        guard [.checksumMismatch, .foreignJournal].contains(error.code) else { throw error }
      }
      try replace()
    case .noFile where try session.content(limit: limits.fileSize) != nil: try replace()
    // Without its file, a journal is kept.
    case .noFile, .anything, .status: try session.settlingJournal(limits, date: Date(), replace)
    }
  }

  /// Refuses a file that is there before a lock is waited for. Under the lock, the same is checked again.
  private static func requireNoFile(at path: String) throws(SnapshotError) {
    let fileSystem = POSIXFileSystem()
    let location = try FileLocation(path, on: fileSystem)
    guard let status = (try? fileSystem.statusIfAny(at: location)) ?? nil, status.kind == .regular else { return }
    throw SnapshotError.fileExists(path: location.path)
  }
}

/// Writing of files that are too large to be in memory as a whole.
extension SnapshotFile {
  /// Creates a file from pieces of bytes, or replaces a file that may be replaced. It is for the formats of other
  /// programs, since a snapshot has a checksum at its beginning.
  ///
  /// The file appears as a whole after the last piece, or not at all. Only one piece is in memory.
  ///
  /// ```swift
  /// try SnapshotFile.write(to: url, replacing: { $0.starts(with: title) }) {
  ///   append throws(SnapshotError) in
  ///   try append(title)
  ///   for post in posts { try append(line(post)) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - mayReplace: receives the first 4,096 bytes of the file that exists, or all if it has fewer. It returns whether
  ///     the file may be replaced.
  ///   - body: passes the bytes to its argument, in their order.
  /// - Throws: ``SnapshotError`` with the file unchanged: `fileExists` if the file may not be replaced,
  ///   `changedExternally` if it changes meanwhile, `locked` if a store has it open; the errors of `body`.
  public static func write(
    to url: URL, replacing mayReplace: (_ beginning: [UInt8]) -> Bool,
    _ body: (_ append: ([UInt8]) throws(SnapshotError) -> Void) throws(SnapshotError) -> Void
  ) throws {
    let fileSystem = POSIXFileSystem()
    let session = try FileSession(at: try url.requiredPath(), on: fileSystem, lockTimeLimit: lockTimeLimit)
    defer { session.close() }
    // A file that stays keeps its journal too.
    _ = try requireReplaceable(session, mayReplace)
    try session.settlingJournal(ReadLimits(), date: Date()) { () throws(SnapshotError) in
      // The file must stay the same from this check to the replacement.
      let checked = try requireReplaceable(session, mayReplace)
      let isUnchanged = { (status: FileStatus?) throws(SnapshotError) in
        if status?.withoutLinks == checked?.withoutLinks { return }
        throw SnapshotError(
          .changedExternally, "the file was changed by someone else meanwhile", path: session.location.path)
      }
      let replacement = try session.replace(expecting: .status(isUnchanged)) { copy throws(SnapshotError) in
        try copy.write(from: body)
      }
      try replacement.requireDurable()
    }
  }

  /// The status of the file, which may be replaced; nil if there is none.
  private static func requireReplaceable(
    _ session: FileSession, _ mayReplace: (_ beginning: [UInt8]) -> Bool
  ) throws(SnapshotError) -> FileStatus? {
    let path = session.location.path
    do {
      let beginning = try session.fileSystem.beginning(of: session.location, count: 4_096)
      if let beginning, !mayReplace(beginning.bytes) {
        throw SnapshotError.fileExists(path: path)
      }
      return beginning?.status
    } catch let error as SystemError {
      throw SnapshotError(error, path)
    } catch {
      throw error as? SnapshotError ?? SnapshotError(.ioFailed, "\(error)", path: path)
    }
  }
}
