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
  /// - Throws: ``SnapshotError``, with code `locked` if a store has had the file open for writing for ten seconds.
  public static func write(_ bytes: [UInt8], to url: URL) throws {
    try save(PiecedBytes(bytes), at: url, expecting: .anything)
  }

  /// Replaces the bytes of a file if it still has the bytes that were read.
  ///
  /// - Throws: ``SnapshotError``, with code `changedExternally` if the file has other bytes or is gone. With code
  ///   `locked` if a store has had the file open for writing for ten seconds.
  public static func replace(_ old: [UInt8], with new: [UInt8], at url: URL) throws {
    try save(PiecedBytes(new), at: url, expecting: .bytes(old))
  }

  /// How long a write waits for a store that has the file open, which may be a short session.
  static let lockTimeLimit: Duration = .seconds(10)

  private static func save(_ bytes: PiecedBytes, at url: URL, expecting expected: FileSession.Expectation) throws {
    let session = try FileSession(at: try url.requiredPath(), on: POSIXFileSystem(), lockTimeLimit: lockTimeLimit)
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
}
