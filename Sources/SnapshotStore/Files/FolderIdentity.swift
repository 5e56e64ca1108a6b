/// Whether a path still leads to the same folder.
extension FileSystem {
  /// The folder that the path of a file leads to now: it may be another one than it was when the file was opened.
  func folderStatus(of location: FileLocation) throws(SystemError) -> FileStatus {
    let folder = try openDirectory(location.directory)
    defer { close(folder) }
    return try status(folder)
  }
}

extension FileStatus {
  /// Whether both are of one file or directory, whatever has happened to it in between.
  func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
