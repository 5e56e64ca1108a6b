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

extension FileLocation {
  /// Refuses a folder that other machines have too. A lock may hold for the processes of one machine only, and bytes
  /// that others have appended may come late.
  ///
  /// - Throws: `notShareable`.
  func requireLocal(on fileSystem: any FileSystem) throws(SnapshotError) {
    guard let kind = fileSystem.networkFileSystem(at: directory) else { return }
    throw SnapshotError(
      .notShareable, "its folder is on a network file system (\(kind)), where stores cannot share a file",
      advice: "Open it with exclusive access, or move it to a disk of this machine.", path: path)
  }
}

extension FileStatus {
  /// Whether both belong to the same file or directory, even if its content changed.
  func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }

  /// Whether nothing in the status suggests other content.
  func isSameContent(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode && size == other.size && modified == other.modified
  }
}
