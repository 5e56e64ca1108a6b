import SnapshotStore

/// How much of a folder of notes is read.
extension FolderReader.Limits {
  /// The limits for a folder of texts: a file is bounded as a file and as a text, folders as arrays in each other, and names as the
  /// elements of one array.
  init(_ limits: ReadLimits) {
    self.init(fileSize: min(limits.fileSize, limits.textSize), depth: limits.depth, count: limits.elementCount)
  }
}
