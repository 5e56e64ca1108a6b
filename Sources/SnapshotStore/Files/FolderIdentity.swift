/// Checks whether a path still leads to the same folder.
extension FileSystem {
  /// The folder to which the path of a file leads now. It may have changed since the file was opened.
  func folderStatus(of location: FileLocation) throws(SystemError) -> FileStatus {
    try status(at: location.directory)
  }
}

extension FileLocation {
  /// The status of the open directory of the file.
  func folderStatus(_ directory: OpenFile, on fileSystem: any FileSystem) throws(SnapshotError) -> FileStatus {
    do {
      return try fileSystem.status(directory)
    } catch {
      throw SnapshotError(error, path)
    }
  }
}

extension FileStatus {
  /// Whether both belong to the same file or directory, even if its content changed.
  func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
