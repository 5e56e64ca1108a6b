public import SnapshotFoundation

/// Reading and writing whole snapshot files, without a store.
public enum SnapshotFile {
  /// The value in a file.
  ///
  /// - Parameters:
  ///   - type: the model; it can be left out where it is known from the result.
  ///   - url: the file.
  ///   - limits: what is refused for its size or depth.
  ///   - leavingOutUnknownKeys: whether to leave out what the schema does not know, for a caller that does not write the value again;
  ///     otherwise it is refused. A store keeps it, and so does `readContent`.
  ///   - threads: the most threads that may decode at once; nil means as many as the machine has processors.
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

  /// All that a file holds, to be written again without a loss: the value, and what its schema does not know.
  ///
  /// - Parameters:
  ///   - type: the model; it can be left out where it is known from the result.
  ///   - url: the file.
  ///   - limits: what is refused for its size or depth.
  ///   - threads: the most threads that may decode at once; nil means as many as the machine has processors.
  /// - Throws: ``SnapshotError``.
  public static func readContent<Root: Model>(
    _ type: Root.Type = Root.self, at url: URL, limits: ReadLimits = ReadLimits(), threads: Int? = nil
  ) throws -> SnapshotContent<Root> {
    let path = try url.requiredPath()
    return try decodeContent(type, from: try readBytes(path, limits), limits: limits, path: path, threads: threads)
  }

  /// All that bytes hold: the value, and what its schema does not know.
  ///
  /// - Parameters:
  ///   - type: the model; it can be left out where it is known from the result.
  ///   - bytes: all bytes of a file in any of the formats.
  ///   - limits: what is refused for its size or depth.
  ///   - acceptingChecksumMismatch: whether to take content that was edited after its checksum was made.
  ///   - path: what errors call the source.
  ///   - threads: the most threads that may decode at once; nil means as many as the machine has processors.
  /// - Throws: ``SnapshotError``; as opening a store does, with code `unknownKey` for what could not be written again as it was.
  public static func decodeContent<Root: Model>(
    _ type: Root.Type = Root.self, from bytes: [UInt8], limits: ReadLimits = ReadLimits(),
    acceptingChecksumMismatch: Bool = false, path: String? = nil, threads: Int? = nil
  ) throws -> SnapshotContent<Root> {
    let options = DecodingOptions(
      unknownKeys: .keep, acceptsChecksumMismatch: acceptingChecksumMismatch,
      threads: threads ?? Parallel.defaultThreads)
    return SnapshotContent(try SnapshotCoder.decode(type, from: bytes, limits, options, path: path).0)
  }

  /// The value that bytes hold.
  ///
  /// - Parameters:
  ///   - type: the model; it can be left out where it is known from the result.
  ///   - bytes: all bytes of a file in any of the formats.
  ///   - limits: what is refused for its size or depth.
  ///   - acceptingChecksumMismatch: whether to take content that was edited after its checksum was made.
  ///   - leavingOutUnknownKeys: whether to leave out what the schema does not know; otherwise it is refused. `decodeContent` keeps it.
  ///   - path: what errors call the source.
  ///   - threads: the most threads that may decode at once; nil means as many as the machine has processors.
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

  /// The bytes of a value in a format; the same value always gives the same bytes.
  ///
  /// - Parameters:
  ///   - root: the value.
  ///   - format: the format.
  ///   - threads: the most threads that may encode at once; nil means as many as the machine has processors.
  /// - Throws: ``SnapshotError`` with code `unencodable`.
  public static func encode<Root: Model>(
    _ root: Root, as format: FileFormat, threads: Int? = nil
  ) throws -> EncodedSnapshot {
    try encode(SnapshotContent(root), as: format, threads: threads)
  }

  /// The bytes of a value in a format, with what its schema does not know; the same content always gives the same bytes.
  ///
  /// - Parameters:
  ///   - content: what a file is to hold.
  ///   - format: the format.
  ///   - threads: the most threads that may encode at once; nil means as many as the machine has processors.
  /// - Throws: ``SnapshotError`` with code `unencodable`.
  public static func encode<Root: Model>(
    _ content: SnapshotContent<Root>, as format: FileFormat, threads: Int? = nil
  ) throws -> EncodedSnapshot {
    try SnapshotCoder.encode(
      content.value, content.unknown, as: format, threads: threads ?? Parallel.defaultThreads)
  }

  /// The JSON of any value, in one line, as it stands in a JSON file: exact, with ISO 8601 dates.
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

  /// Writes bytes to a file as a store would: atomically, durably, through symbolic links, keeping the mode of a file
  /// that is replaced. Throws `fileExists` if there is a file already and `replacing` is false.
  ///
  /// - Throws: ``SnapshotError``, with code `locked` if a store has had the file open for writing for ten seconds.
  public static func write(_ bytes: [UInt8], to url: URL, replacing: Bool) throws {
    try replace(url, with: PiecedBytes(bytes), expecting: replacing ? .anything : .noFile)
  }

  /// Makes a file that holds a value, as `write` does for bytes. There must be none yet. The bytes are written in the pieces
  /// in which they are encoded, so that they are in memory once.
  ///
  /// - Throws: ``SnapshotError``, with code `fileExists` if there is a file, `unencodable`.
  public static func create<Root: Model>(_ root: Root, as format: FileFormat, at url: URL) throws {
    let encoded = try SnapshotEncoding(of: root, as: format, threads: Parallel.defaultThreads)
    try replace(url, with: encoded.bytes, expecting: .noFile)
  }

  /// Replaces the bytes of a file, as `write` does, if they are still the ones that were read.
  ///
  /// - Throws: ``SnapshotError``, with code `changedOutside` if the file has other bytes or is gone.
  public static func replace(_ old: [UInt8], with new: [UInt8], at url: URL) throws {
    try replace(url, with: PiecedBytes(new), expecting: .bytes(old))
  }

  /// How long writing waits for a store that has the file open, which may be a short session.
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
