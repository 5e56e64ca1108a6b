public import SnapshotFoundation

/// Writing of files that are too large to be in memory as a whole.
extension SnapshotFile {
  /// Creates a file from pieces of bytes, or replaces a file that may be replaced. It is for the formats of other
  /// programs, since a snapshot has a checksum at its beginning.
  ///
  /// The file appears as a whole after the last piece, or not at all. Only one piece is in memory.
  ///
  /// ```swift
  /// try SnapshotFile.write(to: url, replacing: { $0.starts(with: title) }) {
  ///   append throws(SnapshotError) in
  ///   try append(title)
  ///   for post in posts { try append(line(post)) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - mayReplace: receives the first 4,096 bytes of the file that exists, or all if it has fewer. It returns whether
  ///     the file may be replaced.
  ///   - body: passes the bytes to its argument, in their order.
  /// - Throws: ``SnapshotError`` with the file unchanged: `fileExists` if the file may not be replaced,
  ///   `changedExternally` if it changes meanwhile, `locked` if a store has it open; the errors of `body`.
  public static func write(
    to url: URL, replacing mayReplace: (_ beginning: [UInt8]) -> Bool,
    _ body: (_ append: ([UInt8]) throws(SnapshotError) -> Void) throws(SnapshotError) -> Void
  ) throws {
    let fileSystem = POSIXFileSystem()
    let session = try FileSession(at: try url.requiredPath(), on: fileSystem, lockTimeLimit: lockTimeLimit)
    defer { session.close() }
    // A file that stays keeps its journal too.
    _ = try requireReplaceable(session, mayReplace)
    try session.settlingJournal(ReadLimits(), date: Date()) { () throws(SnapshotError) in
      // The file must stay the same from this check to the replacement.
      let checked = try requireReplaceable(session, mayReplace)
      let isUnchanged = { (status: FileStatus?) throws(SnapshotError) in
        if status?.withoutLinks == checked?.withoutLinks { return }
        throw SnapshotError(
          .changedExternally, "the file was changed by someone else meanwhile", path: session.location.path)
      }
      let replacement = try session.replace(expecting: .status(isUnchanged)) { copy throws(SnapshotError) in
        try copy.write(from: body)
      }
      try replacement.requireDurable()
    }
  }

  /// The status of the file, which may be replaced; nil if there is none.
  private static func requireReplaceable(
    _ session: FileSession, _ mayReplace: (_ beginning: [UInt8]) -> Bool
  ) throws(SnapshotError) -> FileStatus? {
    let path = session.location.path
    do {
      let beginning = try session.fileSystem.beginning(of: session.location, count: 4_096)
      if let beginning, !mayReplace(beginning.bytes) {
        throw SnapshotError.fileExists(path: path)
      }
      return beginning?.status
    } catch let error as SystemError {
      throw SnapshotError(error, path)
    } catch {
      throw error as? SnapshotError ?? SnapshotError(.ioFailed, "\(error)", path: path)
    }
  }
}
