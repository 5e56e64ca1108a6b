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
