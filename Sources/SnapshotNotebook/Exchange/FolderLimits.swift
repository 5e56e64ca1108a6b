import SnapshotFolders
import SnapshotStore

/// Limits for reading a folder of notes.
extension FolderReader.Limits {
  /// The limits for a folder of texts. Both limits of sizes apply to a file. Nested folders count as nested arrays, and
  /// names as array elements.
  init(_ limits: ReadLimits) {
    self.init(fileSize: min(limits.fileSize, limits.textSize), depth: limits.depth, count: limits.elementCount)
  }
}
