import SnapshotFoundation

/// Replaces a file with any content, and keeps its old version. A file that cannot be kept is not replaced.
struct KeepingReplacement<Root: Model> {
  let path: String
  var limits = ReadLimits()
  /// How long to wait while others have the file open for writing.
  var lockTimeLimit = SnapshotFile.lockTimeLimit
  var fileSystem: any FileSystem = POSIXFileSystem()
  var date = Date()

  /// Replaces the content of the file, whatever it is.
  ///
  /// - Parameter read: reads the new content. Called under the lock, with the generations of the file.
  /// - Returns: the path of the old file if it could not become a generation.
  func run(_ read: (GenerationFolder) throws(SnapshotError) -> NewContent) throws(SnapshotError) -> String? {
    let session = try FileSession(at: path, on: fileSystem, lockTimeLimit: lockTimeLimit, isUntyped: Root.isUntyped)
    defer { session.close() }
    // What cannot be read leaves the journal as it is.
    let new = try read(session.generations)
    return try session.settlingJournal(limits, date: date) { () throws(SnapshotError) in
      let current = try session.content(limit: limits.fileSize)?.bytes
      let held = current.map { bytes in Result { () throws(SnapshotError) in try decode(bytes).0 } }
      let bytes = try new(held.flatMap { try? $0.get() }.map(SnapshotContent.init))
      let kept = if let held { try keep(held, session) } else { nil as String? }
      // A program that does not use the lock may have written meanwhile. Then the kept file is not the current one.
      try session.replace(with: PiecedBytes(bytes), expecting: .bytes(current)).requireDurable()
      return kept
    }
  }

  /// Returns the new bytes of the file, in place of the content that it holds. Nil if that cannot be read.
  typealias NewContent = (SnapshotContent<Root>?) throws(SnapshotError) -> [UInt8]

  /// Changes the content of a valid file. Nothing is kept or written if the content stays the same.
  ///
  /// - Parameter body: changes the content, and settles its value.
  func change<Output>(_ body: (inout SnapshotContent<Root>) throws -> (Output, Settled<Root>)) throws -> Output {
    let session = try FileSession(at: path, on: fileSystem, lockTimeLimit: lockTimeLimit, isUntyped: Root.isUntyped)
    defer { session.close() }
    try session.foldJournal(limits, date: date)
    let current = try fileSystem.readFile(at: session.location, limit: limits.fileSize).bytes
    let (decoded, format) = try decode(current)
    var content = SnapshotContent(decoded)
    let (result, settled) = try body(&content)
    content.value = settled.value
    // A difference in layout only, such as a hand edit makes, is no reason to write.
    if content.value.hasSameTables(as: decoded.root), content.unknown.isSame(as: decoded.unknown) { return result }
    let new = try SnapshotFile.encode(content, as: format)
    if new == current { return result }
    try limits.requireReadable(byteCount: new.count, path: path)
    try session.generations.keepFile(date: date, migratedVersion: decoded.olderVersion, trimming: .ofChanges)
    try session.replace(with: PiecedBytes(new), expecting: .bytes(current)).requireDurable()
    return result
  }

  /// Keeps the file that is about to be replaced.
  private func keep(
    _ held: Result<DecodedSnapshot<Root>, SnapshotError>, _ session: FileSession
  ) throws(SnapshotError) -> String? {
    switch held {
    case .success(let decoded):
      try session.generations.keepFile(date: date, migratedVersion: decoded.olderVersion)
      return nil
    case .failure(let error):
      return try Quarantine.keep(
        session.location, on: fileSystem, as: error.meansDamage ? "damaged" : "replaced", date: date)
    }
  }

  private func decode(_ bytes: [UInt8]) throws(SnapshotError) -> (DecodedSnapshot<Root>, FileFormat) {
    try SnapshotCoder.decode(Root.self, from: bytes, limits, .wholeFile, path: path)
  }
}
