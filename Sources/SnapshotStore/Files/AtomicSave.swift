/// Replaces a file as a whole, so that its path holds the old bytes or the new ones at every instant, whatever fails.
///
/// A temporary file of a random name is made beside the target, written in full, and synced; it is renamed over the target;
/// the directory is synced, because without that the rename itself may be lost at a power cut. A file system's promise after
/// a failed sync is worth nothing, so a failure throws the temporary away, and a retry starts anew.
///
/// Whoever saves holds the ``FileLock`` of the file, so that no other process that uses this library saves in between.
struct AtomicSave {
  let fileSystem: any FileSystem
  let location: FileLocation
  /// Random numbers for the names of temporary files.
  var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

  /// A file that was replaced.
  struct Replacement {
    /// The status of the new file.
    let status: FileStatus
    /// Why the directory could not be synced, with code `indeterminate`: after a power cut the old file may be back.
    let directoryFailure: SnapshotError?
  }

  /// Replaces the file, or makes it.
  ///
  /// - Parameter content: what it will hold; pieces may come from the file that is there now.
  /// - Parameter cleansUp: whether to look for temporaries that were left behind, which takes a listing of the directory.
  /// - Parameter permit: is given the status of the file that would be replaced, nil if there is none; throws to
  ///   prevent it.
  /// - Parameter keep: called immediately before the file that is there is replaced, with its directory.
  /// - Throws: an error which means that the old file is untouched: `notRegularFile`, `changedOutside` if the file
  ///   changes while the new one is written, `oldBytesChanged` if pieces of the old one are not what they were, `ioFailed`,
  ///   and what `permit` throws.
  func replace(
    with content: PiecedBytes, cleansUp: Bool = true, permit: (FileStatus?) throws(SnapshotError) -> Void,
    keep: (_ directory: OpenFile) -> Void = { _ in }
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
    let status = try write(content, over: old, in: directory, keep)
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

  /// Writes a temporary file and renames it; on failure the temporary is gone.
  private func write(
    _ content: PiecedBytes, over old: FileStatus?, in directory: OpenFile, _ keep: (OpenFile) -> Void
  ) throws(SnapshotError) -> FileStatus {
    let temporary = TemporaryName(for: location).with(random())
    let file = try call { () throws(SystemError) in try fileSystem.create(temporary, in: directory) }
    defer { fileSystem.close(file) }
    do throws(SnapshotError) {
      let status = try fill(file, with: content, in: directory, like: old)
      // The lock keeps out processes that take it. Others are noticed until this moment.
      if try existingStatus(in: directory)?.withoutLinks != old?.withoutLinks {
        throw SnapshotError(
          .changedOutside, "the file was changed by someone else during the save; nothing was replaced")
      }
      if old != nil { keep(directory) }
      try call { () throws(SystemError) in try fileSystem.rename(temporary, to: location.name, in: directory) }
      return status
    } catch {
      try? fileSystem.remove(temporary, in: directory)
      throw error.at(path: location.path)
    }
  }

  /// Makes the content durable in a new file, and gives its status.
  private func fill(
    _ file: OpenFile, with content: PiecedBytes, in directory: OpenFile, like old: FileStatus?
  ) throws(SnapshotError) -> FileStatus {
    try PieceCopy(on: fileSystem, to: file, replacing: location, in: directory).write(content)
    return try call { () throws(SystemError) in
      if let old { try fileSystem.setOwnership(file, like: old) }
      let status = try fileSystem.status(file)
      guard status.size == content.count else { throw SystemError(call: "write", number: SystemError.ioError) }
      try fileSystem.sync(file)
      return status
    }
  }

  /// The file that is to be replaced; anything but a regular file is not to be.
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
    SnapshotError(error, location.path, committed: "; nothing was replaced")
  }
}
