/// Replaces a whole file. At every instant the path has the old bytes or the new ones, whatever fails.
///
/// 1. A temporary file with a random name is written beside the target and synced.
/// 2. It is renamed over the target.
/// 3. The directory is synced, because a power cut might otherwise undo the rename.
///
/// A file system guarantees nothing after a failed sync. So if the first step or the second fails, the temporary file
/// is removed, and a retry starts again.
///
/// The caller holds the ``FileLock`` of the file, so that no other process with this library saves at the same time.
struct AtomicSave {
  let fileSystem: any FileSystem
  let location: FileLocation
  /// Returns random numbers for the names of temporary files.
  var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

  /// The result of a replacement.
  struct Replacement {
    /// The status of the new file.
    let status: FileStatus
    /// The reason why the directory could not be synced, with code `indeterminate`. After a power cut the old file may
    /// be back.
    let directoryFailure: SnapshotError?
  }

  /// Replaces or creates the file.
  ///
  /// - Parameters:
  ///   - content: the new content. Pieces of it may come from the present file.
  ///   - cleansUp: whether to remove leftover temporary files, which lists the directory.
  ///   - permit: receives the status of the file to be replaced, nil if there is none. It throws to prevent the
  ///     replacement.
  ///   - keep: called with the directory immediately before the present file is replaced.
  /// - Throws: every error means that the old file is unchanged. `notRegularFile`; `changedExternally` if the file
  ///   changes while the new one is written; `oldBytesChanged` if pieces of the old file have changed; `ioFailed`;
  ///   the errors of `permit`.
  func replace(
    with content: PiecedBytes, cleansUp: Bool = true, permit: (FileStatus?) throws(SnapshotError) -> Void,
    keep: (_ directory: OpenFile) -> Void = { _ in }
  ) throws(SnapshotError) -> Replacement {
    try replace(cleansUp: cleansUp, permit: permit, keep: keep) { copy throws(SnapshotError) in try copy.write(content)
    }
  }

  /// The same with content that `write` makes, in pieces of its own.
  ///
  /// - Parameters:
  ///   - announce: called with the status of the new file and of the present one, before the new one is put in place.
  ///     It throws to prevent that.
  ///   - write: writes the content, and returns how many bytes it has written.
  func replace(
    cleansUp: Bool = true, permit: (FileStatus?) throws(SnapshotError) -> Void,
    keep: (_ directory: OpenFile) -> Void = { _ in },
    announce: (_ new: FileStatus, _ old: FileStatus?) throws(SnapshotError) -> Void = { _, _ in },
    writing write: (_ copy: consuming PieceCopy) throws(SnapshotError) -> Int
  ) throws(SnapshotError) -> Replacement {
    let directory = try call { () throws(SystemError) in try fileSystem.openDirectory(location.directory) }
    defer { fileSystem.close(directory) }
    let old = try existingStatus(in: directory)
    if old != nil {
      try call { () throws(SystemError) in try fileSystem.requireWritable(location.name, in: directory) }
    }
    try permit(old)
    if cleansUp {
      fileSystem.removeLeftoverFiles(TemporaryName(for: location), in: directory, owner: old?.owner)
    }
    let status = try replace(old, in: directory, keep, announce, write)
    do {
      try fileSystem.sync(directory)
      return Replacement(status: status, directoryFailure: nil)
    } catch {
      let failure = SnapshotError(
        .indeterminate,
        "\(error.call) of the directory failed: \(error.text); the path holds the old or the new content, complete",
        path: location.path, systemError: error.number)
      return Replacement(status: status, directoryFailure: failure)
    }
  }

  /// Writes a temporary file and renames it. After a failure the temporary file is removed.
  private func replace(
    _ old: FileStatus?, in directory: OpenFile, _ keep: (OpenFile) -> Void,
    _ announce: (FileStatus, FileStatus?) throws(SnapshotError) -> Void,
    _ write: (_ copy: consuming PieceCopy) throws(SnapshotError) -> Int
  ) throws(SnapshotError) -> FileStatus {
    let temporary = TemporaryName(for: location).with(random())
    let file = try call { () throws(SystemError) in try fileSystem.create(temporary, in: directory) }
    defer { fileSystem.close(file) }
    do throws(SnapshotError) {
      let count = try write(PieceCopy(on: fileSystem, to: file, replacing: location, in: directory))
      let status = try finish(file, count: count, like: old, in: directory)
      try requireUnchanged(old, in: directory)
      if old != nil { keep(directory) }
      try announce(status, old)
      // The lock stops processes that use it. A change by any other process is noticed up to this moment. To keep the
      // old file may take as long as to write the new one.
      try requireUnchanged(old, in: directory)
      try call { () throws(SystemError) in try fileSystem.rename(temporary, to: location.name, in: directory) }
      return status
    } catch {
      try? fileSystem.remove(temporary, in: directory)
      throw error.at(path: location.path)
    }
  }

  private func requireUnchanged(_ old: FileStatus?, in directory: OpenFile) throws(SnapshotError) {
    if try existingStatus(in: directory)?.withoutLinks == old?.withoutLinks { return }
    throw SnapshotError(
      .changedExternally, "the file was changed by someone else during the save; nothing was replaced")
  }

  /// Syncs a new file, and returns its status.
  ///
  /// - Parameter count: the number of bytes that were written.
  private func finish(
    _ file: OpenFile, count: Int, like old: FileStatus?, in directory: OpenFile
  ) throws(SnapshotError) -> FileStatus {
    try call { () throws(SystemError) in
      if let old {
        try fileSystem.setAccess(file, like: old, of: location.name, in: directory, attributes: true)
      }
      let status = try fileSystem.status(file)
      guard status.size == count else { throw SystemError(call: "write", number: SystemError.ioError) }
      try fileSystem.sync(file)
      return status
    }
  }

  /// The status of the file to be replaced; nil if there is none. Throws if it is not a regular file.
  private func existingStatus(in directory: OpenFile) throws(SnapshotError) -> FileStatus? {
    let status = try call { () throws(SystemError) in try fileSystem.statusIfAny(of: location.name, in: directory) }
    if let what = status?.kind.nameIfNotRegular {
      throw SnapshotError(.notRegularFile, "the path is \(what)", path: location.path)
    }
    return status
  }

  private func call<Value>(_ body: () throws(SystemError) -> Value) throws(SnapshotError) -> Value {
    do {
      return try body()
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: SystemError) -> SnapshotError {
    var failure = SnapshotError(error, location.path, committed: "; nothing was replaced")
    if error.number == SystemError.accessDenied {
      failure.advice = "Change the permissions of the file and its folder, or save to another folder."
    } else if error.number == SystemError.readOnlyFileSystem {
      failure.advice = "The disk can only be read: save to another one."
    }
    return failure
  }
}
