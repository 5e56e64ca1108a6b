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
    try KeepingReplacement<Root>(path, limits, on: fileSystem, date: date).run { location throws(SnapshotError) in
      let folder = GenerationFolder(fileSystem: fileSystem, location: location)
      let bytes = try folder.bytes(of: generation, limits)
      _ = try folder.decode(type, bytes, generation, limits, .wholeFile)
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
    let encoded = try encode(root, as: format)
    let replacement = KeepingReplacement<Root>(
      try url.requiredPath(), limits, on: POSIXFileSystem(), date: Date())
    return try replacement.run { _ in encoded.bytes }
  }
}

/// Replaces a file that may hold anything, and keeps what it held.
private struct KeepingReplacement<Root: Model> {
  let path: String
  let limits: ReadLimits
  let fileSystem: any FileSystem
  let date: Date

  init(_ path: String, _ limits: ReadLimits, on fileSystem: any FileSystem, date: Date) {
    self.path = path
    self.limits = limits
    self.fileSystem = fileSystem
    self.date = date
  }

  /// - Parameter content: gives the new bytes; called under the lock.
  /// - Returns: the path under which a file stays that could not become a generation.
  func run(_ content: (FileLocation) throws(SnapshotError) -> [UInt8]) throws(SnapshotError) -> String? {
    let location = try FileLocation(path, on: fileSystem)
    try location.requireRegularFile(on: fileSystem)
    let lock = try FileLock(of: location, on: fileSystem, timeLimit: SnapshotFile.lockTimeLimit)
    defer { lock.release() }
    let bytes = try content(location)
    let current = try currentBytes(location)
    let kept = if let current { try keep(current, location) } else { nil as String? }
    let save = AtomicSave(fileSystem: fileSystem, location: location)
    let saved = try save.replace(with: PiecedBytes(bytes)) { existing throws(SnapshotError) in
      // Who does not know the lock may have come in between; what was kept is then not what would be replaced.
      let bytes = existing == nil ? nil : try currentBytes(location)
      if bytes != current {
        throw SnapshotError(.changedOutside, "the file was changed by someone else meanwhile", path: location.path)
      }
    }
    if let failure = saved.directoryFailure { throw failure }
    return kept
  }

  private func keep(_ bytes: [UInt8], _ location: FileLocation) throws(SnapshotError) -> String? {
    let decoded: DecodedSnapshot<Root>
    do throws(SnapshotError) {
      let document = try Document(bytes, limits: limits, threads: Parallel.defaultThreads)
      decoded = try SnapshotCoder.decode(Root.self, from: document, .wholeFile)
    } catch {
      return try Quarantine.keep(
        location, on: fileSystem, as: error.meansDamage ? "damaged" : "replaced", date: date)
    }
    try GenerationFolder(fileSystem: fileSystem, location: location)
      .keepFile(date: date, migratedVersion: decoded.olderVersion)
    return nil
  }

  private func currentBytes(_ location: FileLocation) throws(SnapshotError) -> [UInt8]? {
    do {
      return try fileSystem.readFile(at: location, limit: limits.fileSize).bytes
    } catch {
      if error.code == .fileNotFound { return nil }
      throw error
    }
  }
}

extension DecodingOptions {
  /// For files that are kept or put back as they are, with all that a store would keep.
  fileprivate static var wholeFile: DecodingOptions {
    DecodingOptions(unknownKeys: .keep, threads: Parallel.defaultThreads)
  }
}
