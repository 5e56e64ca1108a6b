/// Checks whether a path still leads to the same folder.
extension FileSystem {
  /// The folder to which the path of a file leads now. It may have changed since the file was opened.
  func folderStatus(of location: FileLocation) throws(SystemError) -> FileStatus {
    let folder = try openDirectory(location.directory)
    defer { close(folder) }
    return try status(folder)
  }
}

extension FileStatus {
  /// Whether both belong to the same file or directory, even if its content changed.
  func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
