public import SnapshotFoundation

/// A file is brought to a new version of its types.
extension SnapshotFile {
  /// Brings a file of an older version to the one of its schema, which otherwise happens when a store that has it open saves for
  /// the first time. The old file is kept as a generation.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - url: the file.
  ///   - dryRun: whether only to see what would happen: all steps run, and their result is decoded, but nothing is written.
  ///   - limits: what is refused for its size or depth.
  /// - Returns: what was done, or would be; nil if the file has the version of the schema, and is left as it is.
  /// - Throws: ``SnapshotError``; the file is then as it was. With code `locked` if a store has had the file open for
  ///   writing for ten seconds.
  @discardableResult
  public static func migrate<Root: Model>(
    _ type: Root.Type, at url: URL, dryRun: Bool = false, limits: ReadLimits = ReadLimits()
  ) throws -> MigrationReport? {
    let options = StoreFileOptions(
      fileSystem: POSIXFileSystem(), limits: limits, threads: Parallel.defaultThreads, isReadOnly: dryRun,
      lockTimeLimit: lockTimeLimit)
    return try migrate(type, at: try url.requiredPath(), options)
  }

  /// The same on another file system, for tests.
  static func migrate<Root: Model>(
    _ type: Root.Type, at path: String, _ options: StoreFileOptions
  ) throws(SnapshotError) -> MigrationReport? {
    let opened = try StoreFile.open(type, at: path, options)
    defer { opened.file.close() }
    guard let root = opened.root else {
      throw SnapshotError(.fileNotFound, "there is no such file", path: path)
    }
    if !options.isReadOnly, opened.report.migration != nil { _ = try opened.file.save(root) }
    return opened.report.migration
  }
}
