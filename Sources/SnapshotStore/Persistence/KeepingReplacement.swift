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
  /// - Parameter content: gives the new bytes; called under the lock, with the older versions of the file.
  /// - Returns: the path under which a file stays that could not become a generation.
  func run(_ content: (GenerationFolder) throws(SnapshotError) -> [UInt8]) throws(SnapshotError) -> String? {
    let session = try FileSession(at: path, on: fileSystem, lockTimeLimit: lockTimeLimit)
    defer { session.close() }
    let bytes = try content(session.generations)
    let current = try session.content(limit: limits.fileSize)?.bytes
    let kept = if let current { try keep(current, session) } else { nil as String? }
    // A program that does not know the lock may have written meanwhile. Then the file is not the one that was kept.
    try session.replace(with: PiecedBytes(bytes), expecting: .bytes(current)).requireDurable()
    return kept
  }

  /// Changes what a file holds, which must be valid. Nothing is kept or written if that stays the same.
  func change<Result>(_ body: (inout SnapshotContent<Root>) throws -> Result) throws -> Result {
    let session = try FileSession(at: path, on: fileSystem, lockTimeLimit: lockTimeLimit)
    defer { session.close() }
    let current = try fileSystem.readFile(at: session.location, limit: limits.fileSize).bytes
    let (decoded, format) = try decode(current)
    var content = SnapshotContent(decoded)
    let result = try body(&content)
    // Layout alone, as of a file that was edited by hand, is no reason to write.
    if content.value.hasSameTables(as: decoded.root), content.unknown.isSame(as: decoded.unknown) { return result }
    let new = try SnapshotFile.encode(content, as: format).bytes
    if new == current { return result }
    try limits.requireReadable(byteCount: new.count, path: path)
    try session.generations.keepFile(date: date, migratedVersion: decoded.olderVersion, trimming: .ofChanges)
    try session.replace(with: PiecedBytes(new), expecting: .bytes(current)).requireDurable()
    return result
  }

  private func keep(_ bytes: [UInt8], _ session: FileSession) throws(SnapshotError) -> String? {
    let decoded: DecodedSnapshot<Root>
    do throws(SnapshotError) {
      decoded = try decode(bytes).0
    } catch {
      return try Quarantine.keep(
        session.location, on: fileSystem, as: error.meansDamage ? "damaged" : "replaced", date: date)
    }
    try session.generations.keepFile(date: date, migratedVersion: decoded.olderVersion)
    return nil
  }

  private func decode(_ bytes: [UInt8]) throws(SnapshotError) -> (DecodedSnapshot<Root>, FileFormat) {
    try SnapshotCoder.decode(Root.self, from: bytes, limits, .wholeFile, path: path)
  }
}

extension DecodingOptions {
  /// For files that are kept or put back as they are, with all that a store would keep.
  static var wholeFile: DecodingOptions {
    DecodingOptions(unknownKeys: .keep, threads: Parallel.defaultThreads)
  }
}
