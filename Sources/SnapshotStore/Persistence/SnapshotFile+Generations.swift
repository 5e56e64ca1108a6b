public import Foundation

extension SnapshotFile {
  /// The kept older versions of a store's file, newest first. The file itself may be missing or damaged.
  ///
  /// - Throws: ``SnapshotError``.
  public static func generations(of url: URL) throws -> [Generation] {
    let fileSystem = POSIXFileSystem()
    let location = try FileLocation(try url.requiredPath(), on: fileSystem)
    return try GenerationFolder(fileSystem: fileSystem, location: location).generations()
  }

  /// Makes a file hold an older version again. What it holds now stays: as the newest generation, or, if it cannot be
  /// read, under the name that is returned.
  ///
  /// - Parameters:
  ///   - generation: one of `generations(of: url)`.
  ///   - type: the model; a generation that does not hold a valid value of it is not restored.
  ///   - url: the file.
  /// - Returns: the path under which a damaged file stays.
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
    let location = try FileLocation(path, on: fileSystem)
    try location.requireRegularFile(on: fileSystem)
    let lock = try FileLock(of: location, on: fileSystem, timeLimit: lockTimeLimit)
    defer { lock.release() }
    let folder = GenerationFolder(fileSystem: fileSystem, location: location)
    let bytes = try folder.bytes(of: generation, limits)
    _ = try folder.decode(type, bytes, generation, limits, threads: Parallel.defaultThreads)

    var damagedFile: String?
    if let current = try currentFile(location, on: fileSystem, limits) {
      if (try? decode(type, from: current, limits: limits)) != nil {
        try folder.keepFile(date: date)
      } else {
        damagedFile = try Quarantine.keep(location, on: fileSystem, date: date)
      }
    }
    let saved = try AtomicSave(fileSystem: fileSystem, location: location).replace(with: PiecedBytes(bytes)) { _ in }
    if let failure = saved.directoryFailure { throw failure }
    return damagedFile
  }

  private static func currentFile(
    _ location: FileLocation, on fileSystem: any FileSystem, _ limits: ReadLimits
  ) throws(SnapshotError) -> [UInt8]? {
    do {
      return try fileSystem.readFile(at: location, limit: limits.fileSize).bytes
    } catch {
      if error.code == .fileNotFound { return nil }
      throw error
    }
  }
}
