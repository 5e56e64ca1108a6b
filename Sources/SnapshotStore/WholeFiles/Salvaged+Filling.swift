public import SnapshotFoundation

/// Filling the losses of a damaged file from an older version.
extension Salvaged {
  /// A salvaged value that was filled from an older version.
  public struct Filled: Sendable {
    /// The repaired value, with its unknown content.
    public let content: SnapshotContent<Root>
    /// The generation from which it was filled; nil if there was none, or nothing was lost.
    public internal(set) var generation: Generation?
    /// The content that was added from the older version: records, single values, and unknown content.
    public let taken: [RecordDifference]
    /// The records that were repaired after that, and the records of the older version that did not fit.
    public let repaired: [Violation]
  }

  /// The salvaged value, with its losses filled from an older version.
  ///
  /// ```swift
  /// let salvaged = try Salvaged<Library>(of: SnapshotFile.readBytes(at: damaged))
  /// let backup = try SnapshotFile.readContent(Library.self, at: backupURL)
  /// let filled = try salvaged.filled(from: backup)
  /// try SnapshotFile.create(filled.content, as: .json, at: url)
  /// ```
  ///
  /// Salvaged records stay as they are. Every record that only the older version has is added, and so is every single
  /// value that was lost. A record that was deleted after the older version comes back, unless the model removes it in
  /// ``RepairingModel/removeDeleted(addedTo:)``. A record does not fit if a salvaged one has its key in a unique index.
  /// Such a record is left out, and listed in ``Filled/repaired``.
  ///
  /// If nothing was lost, or only the checksum is wrong, nothing is added. O(n log n).
  ///
  /// - Parameter older: an older version of the file, for example a generation or a backup.
  /// - Throws: ``SnapshotError`` with code `unencodable` if a record of the older version cannot be written.
  public func filled(from older: SnapshotContent<Root>) throws -> Filled {
    try filled(fromAny: hasLosses ? older : nil)
  }

  /// The salvaged value, with its losses filled from the newest readable generation of the file.
  ///
  /// See ``filled(from:)`` for the rules. If there is no such generation, the result is the salvaged value, repaired.
  ///
  /// - Parameters:
  ///   - url: the path where the damaged file is, or was. The file itself is not read.
  ///   - limits: the limits for size and depth.
  /// - Throws: ``SnapshotError`` if the generations cannot be listed.
  public func filled(fromGenerationsOf url: URL, limits: ReadLimits = ReadLimits()) throws -> Filled {
    guard hasLosses else { return try filled(fromAny: nil) }
    let fileSystem = POSIXFileSystem()
    let location = try FileLocation(try url.requiredPath(), on: fileSystem)
    let folder = GenerationFolder(fileSystem: fileSystem, location: location)
    let newest = try folder.newestReadable(Root.self, limits, .wholeFile)
    var filled = try filled(fromAny: newest.map { SnapshotContent($0.decoded) })
    filled.generation = newest?.generation
    return filled
  }

  /// Whether content may be missing. A wrong checksum alone shows no loss: missing records may have been deleted. Of
  /// what occurs twice, one is there.
  var hasLosses: Bool { losses.contains { ![.checksumMismatch, .duplicate].contains($0.code) } }

  func filled(fromAny older: SnapshotContent<Root>?) throws -> Filled {
    var (filled, repaired): (SnapshotContent<Root>, [Violation]) = (beforeRepair, [])
    if let older {
      var filling = SalvageFilling(self, from: older)
      filling.run()
      (filled, repaired) = (filling.content, filling.leftOut)
    }
    let taken = try ModelDifference(from: beforeRepair, to: filled).records
    if !isComplete { repaired += filled.value.repairLosses() }
    return Filled(content: filled, generation: nil, taken: taken, repaired: repaired)
  }
}
