public import SnapshotFoundation

/// Reading and writing whole snapshot files, without a store.
///
/// ```swift
/// let dashboard = try SnapshotFile.read(Dashboard.self, at: url)
/// try SnapshotFile.create(dashboard, as: .xml, at: copy)
/// ```
///
/// The name of a function that writes tells what happens to an existing file:
///
/// - `create` refuses it.
/// - `write` overwrites it.
/// - `replace` overwrites it if it still has the bytes that were read.
/// - `restore` overwrites it, and keeps the old version.
/// - `change` and `migrate` change its content, and keep the old version.
///
/// All of them write like a store: atomically and durably. They follow symbolic links and keep the mode of the file.
public enum SnapshotFile {
  /// The value in a file.
  ///
  /// - Parameters:
  ///   - type: the model. It may be omitted if it is known from the result.
  ///   - url: the file.
  ///   - options: the limits, what is accepted, and the number of threads.
  /// - Throws: ``SnapshotError``, with code `unknownKey` for a key or a table that the schema does not know.
  public static func read<Root: Model>(
    _ type: Root.Type = Root.self, at url: URL, options: ReadOptions = ReadOptions()
  ) throws -> Root {
    let path = try url.requiredPath()
    return try decode(type, from: try readBytes(path, options), path: path, options: options)
  }

  /// The whole content of a file: the value, and the unknown content. It can be written again without a loss.
  ///
  /// - Parameters:
  ///   - type: the model. It may be omitted if it is known from the result.
  ///   - url: the file.
  ///   - options: the limits, what is accepted, and the number of threads.
  /// - Throws: ``SnapshotError``.
  public static func readContent<Root: Model>(
    _ type: Root.Type = Root.self, at url: URL, options: ReadOptions = ReadOptions()
  ) throws -> SnapshotContent<Root> {
    let path = try url.requiredPath()
    return try decodeContent(type, from: try readBytes(path, options), path: path, options: options)
  }

  /// All bytes of a regular file. For the file of a store with a journal, those that it would have without: with the
  /// changes in the journal.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - limits: the limits for size and depth.
  ///   - withJournal: whether to look for a journal. If false, the bytes are those of the file alone.
  /// - Throws: ``SnapshotError``, with code `damagedJournal` or `foreignJournal` for a journal that cannot be used.
  public static func readBytes(
    at url: URL, limits: ReadLimits = ReadLimits(), withJournal: Bool = true
  ) throws -> [UInt8] {
    let path = try url.requiredPath()
    if withJournal { return try readBytes(path, ReadOptions(limits: limits)) }
    let fileSystem = POSIXFileSystem()
    return try fileSystem.readFile(at: FileLocation(path, on: fileSystem), limit: limits.fileSize).bytes
  }

  private static func readBytes(_ path: String, _ options: ReadOptions) throws(SnapshotError) -> [UInt8] {
    let fileSystem = POSIXFileSystem()
    let location = try FileLocation(path, on: fileSystem)
    let content = try fileSystem.readJournaled(at: location, limit: options.limits.fileSize)
    do {
      return try content.folded(options.limits, path: path)
    } catch {
      // An edited file is not the one on which the journal stands.
      if error.code == .checksumMismatch, options.acceptsChecksumMismatch {
        throw SnapshotError.foreignJournal(path: path)
      }
      // The caller reads the bytes of a damaged file, and reports the damage.
      if error.meansDamage { return content.bytes }
      throw error
    }
  }
}

// MARK: - Bytes

extension SnapshotFile {
  /// The value of some bytes.
  ///
  /// - Parameters:
  ///   - type: the model. It may be omitted if it is known from the result.
  ///   - bytes: all bytes of a file in any format.
  ///   - path: the name of the source in errors.
  ///   - options: the limits, what is accepted, and the number of threads.
  /// - Throws: ``SnapshotError``, with code `unknownKey` for a key or a table that the schema does not know.
  public static func decode<Root: Model>(
    _ type: Root.Type = Root.self, from bytes: [UInt8], path: String? = nil, options: ReadOptions = ReadOptions()
  ) throws -> Root {
    let decoding = DecodingOptions(options, unknownKeys: options.leavesOutUnknownKeys ? .leaveOut : .refuse)
    return try SnapshotCoder.decode(type, from: bytes, options.limits, decoding, path: path).0.root
  }

  /// The whole content of some bytes: the value, and the unknown content.
  ///
  /// - Parameters:
  ///   - type: the model. It may be omitted if it is known from the result.
  ///   - bytes: all bytes of a file in any format.
  ///   - path: the name of the source in errors.
  ///   - options: the limits, what is accepted, and the number of threads.
  /// - Throws: ``SnapshotError``. As when a store is opened, the code is `unknownKey` for a key that could not be
  ///   written again.
  public static func decodeContent<Root: Model>(
    _ type: Root.Type = Root.self, from bytes: [UInt8], path: String? = nil, options: ReadOptions = ReadOptions()
  ) throws -> SnapshotContent<Root> {
    let decoding = DecodingOptions(options, unknownKeys: .keep)
    return SnapshotContent(try SnapshotCoder.decode(type, from: bytes, options.limits, decoding, path: path).0)
  }

  /// Reads bytes without their types, and keeps only the records that a fold chooses.
  ///
  /// All of the file is checked as strictly as by `decodeContent`. The memory is that of the records that are kept. A
  /// large table is read on several threads, and the fold runs on them.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of a file in any format.
  ///   - path: the name of the source in errors.
  ///   - options: the limits, what is accepted, and the number of threads.
  ///   - fold: returns the fold for a table, with no record yet. For nil, the records of the table are only checked. In
  ///     newline-delimited JSON a table may continue after another one. Then it is called again for that table.
  /// - Returns: the content with the records that are kept, and the folds by table, in the order of the file.
  /// - Throws: ``SnapshotError``, as `decodeContent` does.
  public static func decodeRecords<Fold: RecordFold>(
    from bytes: [UInt8], path: String? = nil, options: ReadOptions = ReadOptions(),
    folding fold: @escaping (_ table: String) -> Fold?
  ) throws -> (content: SnapshotContent<UntypedModel>, folds: [(table: String, fold: Fold)]) {
    let decoding = DecodingOptions(options, unknownKeys: .keep)
    do throws(SnapshotError) {
      return try FoldDecoding.run(Document(bytes, limits: options.limits, threads: decoding.threads), decoding, fold)
    } catch {
      throw path.map(error.at(path:)) ?? error
    }
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
  ) throws -> [UInt8] {
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
  ) throws -> [UInt8] {
    try SnapshotCoder.encode(content.value, content.unknown, as: format, threads: threads ?? Parallel.defaultThreads)
  }

  /// The JSON of any value in one line, as in a JSON file: exact, with ISO 8601 dates.
  ///
  /// - Throws: ``SnapshotError`` with code `unencodable`.
  public static func json(of value: some Encodable) throws -> String {
    try ItemEncoder.item(forRecord: value, at: "\(type(of: value))").json
  }
}

/// The stores that have a file open.
extension SnapshotFile {
  /// The stores that have a file open for writing, of all processes with this library. The file need not exist.
  ///
  /// ```swift
  /// for user in try SnapshotFile.users(of: url) {
  ///   print(user.name, "(process \(user.process))", user.since, user.access)
  /// }
  /// ```
  ///
  /// Stores for reading only are not listed. It needs no permission to write, and keeps no other program waiting.
  ///
  /// A process of another machine or container may be missing. A process that was killed is not listed, unless another
  /// process has its number by now. For an exclusive store, Linux says whether it still has the lock, so the number
  /// does not matter there.
  ///
  /// - Throws: ``SnapshotError``, with code `fileNotFound` if there is no such folder, and `ioFailed` if the lock file
  ///   cannot be read.
  public static func users(of url: URL) throws -> [FileUser] {
    try users(of: try url.requiredPath(), on: POSIXFileSystem())
  }

  /// The same on another file system, for tests.
  static func users(of path: String, on fileSystem: any FileSystem) throws -> [FileUser] {
    let location = try FileLocation(path, on: fileSystem)
    do {
      return try fileSystem.users(of: location)
    } catch {
      throw SnapshotError(error, path, committed: " for the lock file")
    }
  }
}
