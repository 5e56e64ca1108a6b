public import SnapshotFoundation

/// Migration of a file without a store.
extension SnapshotFile {
  /// Migrates a file of an older version to the version of its schema. The old file is kept as a generation.
  ///
  /// Otherwise a file is migrated at the first save of a store that has it open.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - url: the file.
  ///   - dryRun: whether to run and decode all steps without writing the result.
  ///   - limits: the limits for size and depth.
  ///   - timeLimit: how long to wait while others have the file open for writing.
  /// - Returns: the migration that was made, or would be. Nil if the file has the version of the schema; it is then
  ///   unchanged.
  /// - Throws: ``SnapshotError``; the file is then unchanged. With code `locked` if the time limit was too short.
  @discardableResult
  public static func migrate<Root: Model>(
    _ type: Root.Type, at url: URL, dryRun: Bool = false, limits: ReadLimits = ReadLimits(),
    waitingAtMost timeLimit: Duration = .seconds(10)
  ) throws -> OpenReport.Migration? {
    let options = StoreFileOptions(
      fileSystem: POSIXFileSystem(), limits: limits, threads: Parallel.defaultThreads, isReadOnly: dryRun,
      lockTimeLimit: timeLimit)
    return try migrate(type, at: try url.requiredPath(), options)
  }

  /// The same on another file system, for tests.
  static func migrate<Root: Model>(
    _ type: Root.Type, at path: String, _ options: StoreFileOptions
  ) throws(SnapshotError) -> OpenReport.Migration? {
    let opened = try StoreFile<Root>.open(at: path, options)
    defer { opened.file.close() }
    guard let root = opened.root else {
      throw SnapshotError(.fileNotFound, "there is no such file", path: path)
    }
    if !options.isReadOnly, opened.report.migration != nil { _ = try opened.file.save(root) }
    return opened.report.migration
  }
}
