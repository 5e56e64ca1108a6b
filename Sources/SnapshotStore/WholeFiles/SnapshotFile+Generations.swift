public import SnapshotFoundation

/// Generations of a file.
extension SnapshotFile {
  /// The generations of a store's file, newest first. The file itself may be missing or damaged.
  ///
  /// - Throws: ``SnapshotError``.
  public static func generations(of url: URL) throws -> [Generation] {
    let fileSystem = POSIXFileSystem()
    let location = try FileLocation(try url.requiredPath(), on: fileSystem)
    return try GenerationFolder(fileSystem: fileSystem, location: location).generations()
  }

  /// Restores a generation. The present file becomes the newest generation. If it is not a valid value of the model, it
  /// is kept under the returned name.
  ///
  /// It is an edit, as an undo is. What comes back outlives its ``Tombstone``, and what is gone gets one. Changed
  /// records get a new date where ``Record/mergeRules`` name one. So no sync reverts it. For a model without dates and
  /// tombstones the file has the bytes of the generation.
  ///
  /// - Parameters:
  ///   - generation: one of `generations(of: url)`.
  ///   - type: the model. A generation that is not a valid value of it is not restored.
  ///   - url: the file.
  ///   - limits: the limits for size and depth.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  /// - Returns: the path of the old file if it could not become a generation.
  /// - Throws: ``SnapshotError``; the file is then unchanged. With code `locked` if the time limit was too short.
  @discardableResult
  public static func restore<Root: Model>(
    _ generation: Generation, as type: Root.Type, at url: URL, limits: ReadLimits = ReadLimits(),
    waitingAtMost timeLimit: Duration = .seconds(10)
  ) throws -> String? {
    try restore(
      generation, as: type, at: try url.requiredPath(), limits: limits, waitingAtMost: timeLimit, on: POSIXFileSystem(),
      date: Date())
  }

  /// The same on another file system, for tests.
  package static func restore<Root: Model>(
    _ generation: Generation, as type: Root.Type, at path: String, limits: ReadLimits,
    waitingAtMost timeLimit: Duration = .seconds(10), on fileSystem: any FileSystem, date: Date
  ) throws(SnapshotError) -> String? {
    let replacement = KeepingReplacement<Root>(
      path: path, limits: limits, lockTimeLimit: timeLimit, fileSystem: fileSystem, date: date)
    return try replacement.run { folder throws(SnapshotError) in
      let bytes = try folder.bytes(of: generation, limits)
      let (decoded, format) = try SnapshotCoder.decode(
        type, from: bytes, limits, .wholeFile, path: folder.path(of: generation))
      return { held throws(SnapshotError) in
        // A generation of an older version stays one, for the program of that version.
        guard let held, decoded.olderVersion == nil else { return bytes }
        var content = SnapshotContent(decoded)
        content.value.restore(over: held.value, at: date)
        if content.value.isStoredLike(decoded.root) { return bytes }
        return try SnapshotCoder.encode(content.value, content.unknown, as: format, threads: Parallel.defaultThreads)
      }
    }
  }

  /// Replaces the content of a file by a value. The present file becomes the newest generation. If it is not a valid
  /// value of the model, it is kept under the returned name.
  ///
  /// - Parameters:
  ///   - root: the value.
  ///   - format: the format.
  ///   - url: the file, which may be missing.
  ///   - limits: the limits for reading the present file, which decides whether it is valid.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  /// - Returns: the path of the old file if it could not become a generation.
  /// - Throws: ``SnapshotError``; the file is then unchanged. With code `locked` if the time limit was too short.
  @discardableResult
  public static func restore<Root: Model>(
    _ root: Root, as format: FileFormat, at url: URL, limits: ReadLimits = ReadLimits(),
    waitingAtMost timeLimit: Duration = .seconds(10)
  ) throws -> String? {
    try restore(SnapshotContent(root), as: format, at: url, limits: limits, waitingAtMost: timeLimit)
  }

  /// Replaces the content of a file by a value with its unknown content. The present file is kept as for a value alone.
  ///
  /// - Parameters:
  ///   - content: the new content.
  ///   - format: the format.
  ///   - url: the file, which may be missing.
  ///   - limits: the limits for reading the present file, which decides whether it is valid.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  /// - Returns: the path of the old file if it could not become a generation.
  /// - Throws: ``SnapshotError``; the file is then unchanged. With code `locked` if the time limit was too short.
  @discardableResult
  public static func restore<Root: Model>(
    _ content: SnapshotContent<Root>, as format: FileFormat, at url: URL, limits: ReadLimits = ReadLimits(),
    waitingAtMost timeLimit: Duration = .seconds(10)
  ) throws -> String? {
    let bytes = try encode(content, as: format)
    let path = try url.requiredPath()
    let replacement = KeepingReplacement<Root>(path: path, limits: limits, lockTimeLimit: timeLimit)
    return try replacement.run { _ in { _ in bytes } }
  }
}
