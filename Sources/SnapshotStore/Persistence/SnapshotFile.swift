public import SnapshotFoundation

/// Reading and writing whole snapshot files, without a store.
public enum SnapshotFile {
  /// The value in a file.
  ///
  /// - Parameters:
  ///   - type: the model. It may be omitted if it is known from the result.
  ///   - url: the file.
  ///   - limits: the limits for size and depth.
  ///   - leavingOutUnknownKeys: whether to leave out unknown keys and tables, for a caller that does not write the
  ///     value again. Otherwise they are an error. A store and `readContent` keep them.
  ///   - threads: the most threads that decode at once; nil means the number of processors.
  /// - Throws: ``SnapshotError``.
  public static func read<Root: Model>(
    _ type: Root.Type = Root.self, at url: URL, limits: ReadLimits = ReadLimits(), leavingOutUnknownKeys: Bool = false,
    threads: Int? = nil
  ) throws -> Root {
    let path = try url.requiredPath()
    let bytes = try readBytes(path, limits)
    return try decode(
      type, from: bytes, limits: limits, leavingOutUnknownKeys: leavingOutUnknownKeys, path: path, threads: threads)
  }

  /// The whole content of a file: the value, and the unknown content. It can be written again without a loss.
  ///
  /// - Parameters:
  ///   - type: the model. It may be omitted if it is known from the result.
  ///   - url: the file.
  ///   - limits: the limits for size and depth.
  ///   - threads: the most threads that decode at once; nil means the number of processors.
  /// - Throws: ``SnapshotError``.
  public static func readContent<Root: Model>(
    _ type: Root.Type = Root.self, at url: URL, limits: ReadLimits = ReadLimits(), threads: Int? = nil
  ) throws -> SnapshotContent<Root> {
    let path = try url.requiredPath()
    return try decodeContent(type, from: try readBytes(path, limits), limits: limits, path: path, threads: threads)
  }

  /// The whole content of some bytes: the value, and the unknown content.
  ///
  /// - Parameters:
  ///   - type: the model. It may be omitted if it is known from the result.
  ///   - bytes: all bytes of a file in any format.
  ///   - limits: the limits for size and depth.
  ///   - acceptingChecksumMismatch: whether to accept content that was edited after its checksum was made.
  ///   - path: the name of the source in errors.
  ///   - threads: the most threads that decode at once; nil means the number of processors.
  /// - Throws: ``SnapshotError``. As when a store is opened, the code is `unknownKey` for a key that could not be
  ///   written again.
  public static func decodeContent<Root: Model>(
    _ type: Root.Type = Root.self, from bytes: [UInt8], limits: ReadLimits = ReadLimits(),
    acceptingChecksumMismatch: Bool = false, path: String? = nil, threads: Int? = nil
  ) throws -> SnapshotContent<Root> {
    let options = DecodingOptions(
      unknownKeys: .keep, acceptsChecksumMismatch: acceptingChecksumMismatch,
      threads: threads ?? Parallel.defaultThreads)
    return SnapshotContent(try SnapshotCoder.decode(type, from: bytes, limits, options, path: path).0)
  }

  /// The value of some bytes.
  ///
  /// - Parameters:
  ///   - type: the model. It may be omitted if it is known from the result.
  ///   - bytes: all bytes of a file in any format.
  ///   - limits: the limits for size and depth.
  ///   - acceptingChecksumMismatch: whether to accept content that was edited after its checksum was made.
  ///   - leavingOutUnknownKeys: whether to leave out unknown keys and tables. Otherwise they are an error.
  ///     `decodeContent` keeps them.
  ///   - path: the name of the source in errors.
  ///   - threads: the most threads that decode at once; nil means the number of processors.
  /// - Throws: ``SnapshotError``.
  public static func decode<Root: Model>(
    _ type: Root.Type = Root.self, from bytes: [UInt8], limits: ReadLimits = ReadLimits(),
    acceptingChecksumMismatch: Bool = false, leavingOutUnknownKeys: Bool = false, path: String? = nil,
    threads: Int? = nil
  ) throws -> Root {
    let options = DecodingOptions(
      unknownKeys: leavingOutUnknownKeys ? .leaveOut : .refuse, acceptsChecksumMismatch: acceptingChecksumMismatch,
      threads: threads ?? Parallel.defaultThreads)
    return try SnapshotCoder.decode(type, from: bytes, limits, options, path: path).0.root
  }

  /// The bytes of a value in a format. The same value always gives the same bytes.
  ///
  /// - Parameters:
  ///   - root: the value.
  ///   - format: the format.
  ///   - threads: the most threads that encode at once; nil means the number of processors.
  /// - Throws: ``SnapshotError`` with code `unencodable`.
  public static func encode<Root: Model>(
    _ root: Root, as format: FileFormat, threads: Int? = nil
  ) throws -> EncodedSnapshot {
    try encode(SnapshotContent(root), as: format, threads: threads)
  }

  /// The bytes of a value with its unknown content in a format. The same content always gives the same bytes.
  ///
  /// - Parameters:
  ///   - content: the content.
  ///   - format: the format.
  ///   - threads: the most threads that encode at once; nil means the number of processors.
  /// - Throws: ``SnapshotError`` with code `unencodable`.
  public static func encode<Root: Model>(
    _ content: SnapshotContent<Root>, as format: FileFormat, threads: Int? = nil
  ) throws -> EncodedSnapshot {
    try SnapshotCoder.encode(
      content.value, content.unknown, as: format, threads: threads ?? Parallel.defaultThreads)
  }

  /// The JSON of any value in one line, as in a JSON file: exact, with ISO 8601 dates.
  ///
  /// - Throws: ``SnapshotError`` with code `unencodable`.
  public static func json(of value: some Encodable) throws -> String {
    do {
      var sink = ByteSink()
      JSONText.append(try ItemEncoder.item(forRecord: value), to: &sink)
      return String(decoding: sink.bytes, as: UTF8.self)
    } catch {
      throw SnapshotError.encoding(error, at: "\(type(of: value))")
    }
  }

  /// Writes bytes to a file like a store: atomically and durably. It follows symbolic links and keeps the mode of a
  /// replaced file.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - url: the file.
  ///   - replacing: whether an existing file may be replaced.
  /// - Throws: ``SnapshotError``: `fileExists` if the file exists and `replacing` is false; `locked` if a store has had
  ///   the file open for writing for ten seconds.
  public static func write(_ bytes: [UInt8], to url: URL, replacing: Bool) throws {
    try replace(url, with: PiecedBytes(bytes), expecting: replacing ? .anything : .noFile)
  }

  /// Creates a file that holds a value, as `write` does for bytes. No file may exist yet. The bytes are written in
  /// pieces, so that they are in memory only once.
  ///
  /// - Throws: ``SnapshotError``, with code `fileExists` if there is a file, `unencodable`.
  public static func create<Root: Model>(_ root: Root, as format: FileFormat, at url: URL) throws {
    let encoded = try SnapshotEncoding(of: root, as: format, threads: Parallel.defaultThreads)
    try replace(url, with: encoded.bytes, expecting: .noFile)
  }

  /// Replaces the bytes of a file like `write`, if the file still has the bytes that were read.
  ///
  /// - Throws: ``SnapshotError``, with code `changedExternally` if the file has other bytes or is gone.
  public static func replace(_ old: [UInt8], with new: [UInt8], at url: URL) throws {
    try replace(url, with: PiecedBytes(new), expecting: .bytes(old))
  }

  /// How long a write waits for a store that has the file open, which may be a short session.
  static let lockTimeLimit: Duration = .seconds(10)

  private static func replace(
    _ url: URL, with bytes: PiecedBytes, expecting expected: FileSession.Expectation
  ) throws {
    let session = try FileSession(at: try url.requiredPath(), on: POSIXFileSystem(), lockTimeLimit: lockTimeLimit)
    defer { session.close() }
    try session.replace(with: bytes, expecting: expected).requireDurable()
  }

  /// All bytes of a regular file.
  ///
  /// - Throws: ``SnapshotError``.
  public static func readBytes(at url: URL, limits: ReadLimits = ReadLimits()) throws -> [UInt8] {
    try readBytes(try url.requiredPath(), limits)
  }

  private static func readBytes(_ path: String, _ limits: ReadLimits) throws(SnapshotError) -> [UInt8] {
    let fileSystem = POSIXFileSystem()
    let location = try FileLocation(path, on: fileSystem)
    return try fileSystem.readFile(at: location, limit: limits.fileSize).bytes
  }
}
