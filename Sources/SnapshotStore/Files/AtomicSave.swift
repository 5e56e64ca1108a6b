/// Replaces a file as a whole, so that its path holds the old bytes or the new ones at every instant, whatever fails.
///
/// A temporary file of a random name is made beside the target, written in full, and synced; it is renamed over the
/// target; the directory is synced, because without that the rename itself may be lost at a power cut. A file system's
/// promise after a failed sync is worth nothing, so a failure throws the temporary away, and a retry starts anew.
struct AtomicSave {
  let fileSystem: any FileSystem
  let location: FileLocation
  /// Random numbers for the names of temporary files.
  var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

  /// Bytes per `write`.
  private static let chunk = 1 << 20

  /// A file that was replaced.
  struct Replacement {
    /// The status of the new file.
    let status: FileStatus
    /// Why the directory could not be synced, with code `indeterminate`: after a power cut the old file may be back.
    let directoryFailure: SnapshotError?
  }

  /// Replaces the file.
  ///
  /// - Throws: an error which means that the old file is untouched.
  func replace(with bytes: [UInt8]) throws(SnapshotError) -> Replacement {
    let directory: OpenFile
    do {
      directory = try fileSystem.openDirectory(location.directory)
    } catch {
      throw failure(error)
    }
    defer { fileSystem.close(directory) }
    let temporary = temporaryName()
    let status: FileStatus
    do {
      status = try write(bytes, to: temporary, in: directory)
    } catch {
      throw failure(error)
    }
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

  /// Everything up to the rename; on failure the temporary is gone.
  private func write(
    _ bytes: [UInt8], to temporary: String, in directory: OpenFile
  ) throws(SystemError) -> FileStatus {
    let old = try existingStatus(in: directory)
    let file = try fileSystem.create(temporary, in: directory)
    defer { fileSystem.close(file) }
    do throws(SystemError) {
      try writeAll(bytes, to: file)
      if let old { try fileSystem.setOwnership(file, like: old) }
      let status = try fileSystem.status(file)
      guard status.size == bytes.count else { throw SystemError(call: "write", number: SystemError.ioError) }
      try fileSystem.sync(file)
      try fileSystem.rename(temporary, to: location.name, in: directory)
      return status
    } catch {
      try? fileSystem.remove(temporary, in: directory)
      throw error
    }
  }

  /// The file that is to be replaced; anything but a regular file is not to be.
  private func existingStatus(in directory: OpenFile) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      let file = try fileSystem.open(location.name, in: directory)
      defer { fileSystem.close(file) }
      let status = try fileSystem.status(file)
      if status.kind != .regular { throw SystemError(call: "open", number: SystemError.isDirectory) }
      return status
    } catch {
      if error.number == SystemError.noSuchFile { return nil }
      throw error
    }
  }

  private func writeAll(_ bytes: [UInt8], to file: OpenFile) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      let end = min(offset + Self.chunk, bytes.count)
      let written: Result<Int, SystemError> = bytes[offset..<end].withUnsafeBytes { buffer in
        do throws(SystemError) {
          return .success(try fileSystem.write(file, buffer))
        } catch {
          return .failure(error)
        }
      }
      let count = try written.get()
      // A write that takes nothing would be repeated for ever.
      if count <= 0 { throw SystemError(call: "write", number: SystemError.ioError) }
      offset += count
    }
  }

  private func failure(_ error: SystemError) -> SnapshotError {
    SnapshotError(error, location.path, committed: "; nothing was replaced")
  }

  /// `.name.3f9a….tmp`: hidden, told from others' files by its form, and unlikely to be taken.
  private func temporaryName() -> String {
    let digits = String(random(), radix: 36)
    // The name must fit into 255 bytes with what is added to it.
    var stem = location.name
    while stem.utf8.count > 200 { stem.removeLast() }
    return ".\(stem).\(digits).tmp"
  }
}
