public import SnapshotFoundation

/// Older versions of a file.
extension SnapshotFile {
  /// The kept older versions of a store's file, newest first. The file itself may be missing or damaged.
  ///
  /// - Throws: ``SnapshotError``.
  public static func generations(of url: URL) throws -> [Generation] {
    let fileSystem = POSIXFileSystem()
    let location = try FileLocation(try url.requiredPath(), on: fileSystem)
    return try GenerationFolder(fileSystem: fileSystem, location: location).generations()
  }

  /// Makes a file hold an older version again. What it holds now stays: as the newest generation, or, if that is no valid
  /// value of the model, under the name that is returned.
  ///
  /// - Parameters:
  ///   - generation: one of `generations(of: url)`.
  ///   - type: the model; a generation that does not hold a valid value of it is not restored.
  ///   - url: the file.
  ///   - limits: what is refused for its size or depth.
  /// - Returns: the path under which a file stays that could not become a generation.
  /// - Throws: ``SnapshotError``; the file is then as it was. With code `locked` if a store has had the file open for
  ///   writing for ten seconds.
  @discardableResult
  public static func restore<Root: Model>(
    _ generation: Generation, as type: Root.Type, at url: URL, limits: ReadLimits = ReadLimits()
  ) throws -> String? {
    try restore(
      generation, as: type, at: try url.requiredPath(), limits: limits, on: POSIXFileSystem(), date: Date())
  }

  /// The same on another file system, for tests.
  package static func restore<Root: Model>(
    _ generation: Generation, as type: Root.Type, at path: String, limits: ReadLimits, on fileSystem: any FileSystem,
    date: Date
  ) throws(SnapshotError) -> String? {
    let replacement = KeepingReplacement<Root>(path: path, limits: limits, fileSystem: fileSystem, date: date)
    return try replacement.run { folder throws(SnapshotError) in
      let bytes = try folder.bytes(of: generation, limits)
      _ = try SnapshotCoder.decode(type, from: bytes, limits, .wholeFile, path: folder.path(of: generation))
      return bytes
    }
  }

  /// Makes a file hold a value, whatever it held. That stays: as the newest generation, or, if it is no valid value of the
  /// model, under the name that is returned.
  ///
  /// - Parameters:
  ///   - root: the value.
  ///   - format: the format.
  ///   - url: the file, which may be missing.
  ///   - limits: up to which the file that is there is read, to see whether it is valid.
  /// - Returns: the path under which a file stays that could not become a generation.
  /// - Throws: ``SnapshotError``; the file is then as it was. With code `locked` if a store has had the file open for
  ///   writing for ten seconds.
  @discardableResult
  public static func replace<Root: Model>(
    with root: Root, as format: FileFormat, at url: URL, limits: ReadLimits = ReadLimits()
  ) throws -> String? {
    try replace(with: SnapshotContent(root), as: format, at: url, limits: limits)
  }

  /// Makes a file hold a value with what its schema does not know, whatever it held. That stays, as it does for a value alone.
  ///
  /// - Parameters:
  ///   - content: what the file is to hold.
  ///   - format: the format.
  ///   - url: the file, which may be missing.
  ///   - limits: up to which the file that is there is read, to see whether it is valid.
  /// - Returns: the path under which a file stays that could not become a generation.
  /// - Throws: ``SnapshotError``; the file is then as it was. With code `locked` if a store has had the file open for
  ///   writing for ten seconds.
  @discardableResult
  public static func replace<Root: Model>(
    with content: SnapshotContent<Root>, as format: FileFormat, at url: URL, limits: ReadLimits = ReadLimits()
  ) throws -> String? {
    let encoded = try encode(content, as: format)
    return try KeepingReplacement<Root>(path: try url.requiredPath(), limits: limits).run { _ in encoded.bytes }
  }
}
