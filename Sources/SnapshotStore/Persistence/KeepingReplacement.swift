import SnapshotFoundation

/// Replaces a file that may hold anything, and keeps what it held. What cannot be kept is not replaced.
struct KeepingReplacement<Root: Model> {
  let path: String
  var limits = ReadLimits()
  var fileSystem: any FileSystem = POSIXFileSystem()
  var date = Date()
  var lockTimeLimit = SnapshotFile.lockTimeLimit

  /// Makes the file hold other bytes, whatever it held.
  ///
  /// - Parameter content: gives the new bytes; called under the lock.
  /// - Returns: the path under which a file stays that could not become a generation.
  func run(_ content: (FileLocation) throws(SnapshotError) -> [UInt8]) throws(SnapshotError) -> String? {
    let location = try FileLocation(path, on: fileSystem)
    try location.requireRegularFile(on: fileSystem)
    let lock = try FileLock(of: location, on: fileSystem, timeLimit: lockTimeLimit)
    defer { lock.release() }
    let bytes = try content(location)
    let current = try currentBytes(location)
    let kept = if let current { try keep(current, location) } else { nil as String? }
    try replace(current, with: bytes, location)
    return kept
  }

  /// Changes what a file holds, which must be valid. Nothing is kept or written if that stays the same.
  func change<Result>(_ body: (inout SnapshotContent<Root>) throws -> Result) throws -> Result {
    let location = try FileLocation(path, on: fileSystem)
    try location.requireRegularFile(on: fileSystem)
    let lock = try FileLock(of: location, on: fileSystem, timeLimit: lockTimeLimit)
    defer { lock.release() }
    let current = try fileSystem.readFile(at: location, limit: limits.fileSize).bytes
    let (decoded, format) = try decode(current, location)
    var content = SnapshotContent(decoded)
    let result = try body(&content)
    // Layout alone, as of a file that was edited by hand, is no reason to write.
    if content.value.hasSameTables(as: decoded.root), content.unknown.isSame(as: decoded.unknown) { return result }
    let new = try SnapshotFile.encode(content, as: format).bytes
    if new == current { return result }
    guard new.count <= limits.fileSize else {
      throw SnapshotError(
        .tooLarge,
        "the file would have \(new.count.counted("byte")); the limit, up to which it can be opened again, is "
          + "\(limits.fileSize)", path: location.path)
    }
    try GenerationFolder(fileSystem: fileSystem, location: location)
      .keepFile(date: date, migratedVersion: decoded.olderVersion, trimming: .ofChanges)
    try replace(current, with: new, location)
    return result
  }

  private func replace(_ current: [UInt8]?, with bytes: [UInt8], _ location: FileLocation) throws(SnapshotError) {
    let save = AtomicSave(fileSystem: fileSystem, location: location)
    let saved = try save.replace(with: PiecedBytes(bytes)) { existing throws(SnapshotError) in
      // A program that does not know the lock may have come in between. Then what was kept is not what would be replaced.
      let bytes = existing == nil ? nil : try currentBytes(location)
      if bytes != current {
        throw SnapshotError(.changedOutside, "the file was changed by someone else meanwhile", path: location.path)
      }
    }
    if let failure = saved.directoryFailure { throw failure }
  }

  private func keep(_ bytes: [UInt8], _ location: FileLocation) throws(SnapshotError) -> String? {
    let decoded: DecodedSnapshot<Root>
    do throws(SnapshotError) {
      decoded = try decode(bytes, location).0
    } catch {
      return try Quarantine.keep(
        location, on: fileSystem, as: error.meansDamage ? "damaged" : "replaced", date: date)
    }
    try GenerationFolder(fileSystem: fileSystem, location: location)
      .keepFile(date: date, migratedVersion: decoded.olderVersion)
    return nil
  }

  private func decode(
    _ bytes: [UInt8], _ location: FileLocation
  ) throws(SnapshotError) -> (DecodedSnapshot<Root>, FileFormat) {
    do throws(SnapshotError) {
      let document = try Document(bytes, limits: limits, threads: Parallel.defaultThreads)
      return (try SnapshotCoder.decode(Root.self, from: document, .wholeFile), document.format)
    } catch {
      throw error.at(path: location.path)
    }
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
  static var wholeFile: DecodingOptions {
    DecodingOptions(unknownKeys: .keep, threads: Parallel.defaultThreads)
  }
}
