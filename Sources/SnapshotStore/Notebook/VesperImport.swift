extension Notebook {
  /// Adds what a file of the notes app Vesper holds: the JSON of its sync service, or its tutorial property list.
  ///
  /// As ``importNotes(_:options:progress:)``; tags keep Vesper's spelling and dates, and its deletions are remembered.
  ///
  /// - Parameters:
  ///   - bytes: all bytes of the file.
  ///   - limits: what is refused for its size or depth.
  ///   - path: what errors and the report call the source.
  ///   - options: what happens to notes that are here with other content.
  ///   - progress: called after each batch; what it throws ends the import, and leaves the notebook as it was.
  /// - Throws: ``SnapshotError``, and what `progress` throws; the notebook is then unchanged.
  @discardableResult
  public mutating func importVesper(
    _ bytes: [UInt8], limits: ReadLimits = ReadLimits(), path: String? = nil, options: ImportOptions = ImportOptions(),
    progress: (ImportProgress) throws -> Void = { _ in }
  ) throws -> ImportReport {
    try importContent(
      try ForeignContent(vesper: bytes, limits: limits, path: path), options: options, progress: progress)
  }
}
