public import SnapshotFoundation

/// What a damaged file has lost comes from an older version.
extension Salvaged {
  /// A salvaged value, filled from an older version.
  public struct Filled: Sendable {
    /// The value, mended, with what its schema does not know.
    public let content: SnapshotContent<Root>
    /// The kept older version that it was filled from; nil if there was none, or nothing was lost.
    public internal(set) var generation: Generation?
    /// What comes from the older version: records, single values, and what the schema does not know.
    public let taken: [RecordDifference]
    /// What was mended after that, and which records of the older version do not fit.
    public let mended: [Violation]
  }

  /// The salvaged value, filled with what was lost and an older version of it has.
  ///
  /// ```swift
  /// let salvaged = try Salvaged<Library>(of: SnapshotFile.readBytes(at: damaged))
  /// let backup = try SnapshotFile.readContent(Library.self, at: backupURL)
  /// let filled = try salvaged.filled(from: backup)
  /// try SnapshotFile.write(SnapshotFile.encode(filled.content, as: .json).bytes, to: url, replacing: false)
  /// ```
  ///
  /// A record that was salvaged stays as it is. Every record that only the older version has is added, and every single
  /// value that was lost. A record that was deleted after the older version was made comes back, unless the model
  /// removes it in ``MendingModel/pruneAfterFilling(_:)``. A record does not fit if a salvaged one has its key in a
  /// unique index. Then it is left out, and listed in ``Filled/mended``.
  ///
  /// If nothing was lost, or nothing but the checksum is wrong, nothing is taken. O(n log n).
  ///
  /// - Parameter older: an older version of the file, for example a generation or a backup.
  /// - Throws: ``SnapshotError`` with code `unencodable` if a record of the older version cannot be written.
  public func filled(from older: SnapshotContent<Root>) throws -> Filled {
    try filled(fromAny: hasLosses ? older : nil)
  }

  /// The salvaged value, filled from the newest kept older version of the file that can be read.
  ///
  /// See ``filled(from:)`` for what is taken. Without such a version it is the salvaged value, mended.
  ///
  /// - Parameters:
  ///   - url: the damaged file, or where it was. It is not read.
  ///   - limits: what is refused for its size or depth.
  /// - Throws: ``SnapshotError`` if the generations cannot be listed.
  public func filled(fromGenerationsOf url: URL, limits: ReadLimits = ReadLimits()) throws -> Filled {
    try filled(fromGenerationsOf: try url.requiredPath(), limits: limits, on: POSIXFileSystem())
  }

  /// The same on another file system, for tests.
  package func filled(
    fromGenerationsOf path: String, limits: ReadLimits = ReadLimits(), on fileSystem: any FileSystem
  ) throws -> Filled {
    guard hasLosses else { return try filled(fromAny: nil) }
    let folder = GenerationFolder(fileSystem: fileSystem, location: try FileLocation(path, on: fileSystem))
    let newest = try folder.newestReadable(Root.self, limits, .wholeFile)
    var filled = try filled(fromAny: newest.map { SnapshotContent($0.decoded) })
    filled.generation = newest?.generation
    return filled
  }

  /// Whether something may be missing. A wrong checksum alone tells of no loss: what is not there may have been
  /// deleted.
  var hasLosses: Bool { losses.contains { $0.code != .checksumMismatch } }

  func filled(fromAny older: SnapshotContent<Root>?) throws -> Filled {
    var (filled, mended): (SnapshotContent<Root>, [Violation]) = (unmended, [])
    if let older {
      var filling = SalvageFilling(self, from: older)
      filling.run()
      (filled, mended) = (filling.content, filling.leftOut)
    }
    let taken = try ModelDifference(from: unmended, to: filled).records
    if !isComplete { mended += filled.value.mendAsWhole() }
    return Filled(content: filled, generation: nil, taken: taken, mended: mended)
  }
}
