public import SnapshotFoundation

/// The stores that have a file open.
extension SnapshotFile {
  /// The stores that have a file open for writing, of all processes with this library. The file need not exist.
  ///
  /// ```swift
  /// for user in try SnapshotFile.users(of: url) {
  ///   print(user.name, "(process \(user.process))", user.since, user.access)
  /// }
  /// ```
  ///
  /// Stores for reading only are not listed. It needs no permission to write, and keeps no other program waiting.
  ///
  /// A process of another machine or container may be missing. A process that was killed is not listed, unless another
  /// process has its number by now. For an exclusive store, Linux says whether it still has the lock, so the number
  /// does not matter there.
  ///
  /// - Throws: ``SnapshotError``, with code `fileNotFound` if there is no such folder, and `ioFailed` if the lock file
  ///   cannot be read.
  public static func users(of url: URL) throws -> [FileUser] {
    try users(of: try url.requiredPath(), on: POSIXFileSystem())
  }

  /// The same on another file system, for tests.
  static func users(of path: String, on fileSystem: any FileSystem) throws -> [FileUser] {
    let location = try FileLocation(path, on: fileSystem)
    do {
      return try fileSystem.users(of: location)
    } catch {
      throw SnapshotError(error, path, committed: " for the lock file")
    }
  }
}
