import Synchronization

/// Looking whether someone else changed the file.
extension StoreFile {
  /// What is in the file, compared with what this store read or wrote last.
  enum Inspection<Root: Model> {
    case unchanged
    case removed
    case unreadable(SnapshotError)
    /// Another value, and the one that the file held before, if it is known.
    case changed(theirs: Root, before: Root?, Base)
  }

  func inspect<Root: Model>(_ type: Root.Type) -> Inspection<Root> {
    guard let base = base.withLock({ $0 }) else { return .unchanged }
    do throws(SnapshotError) {
      let current = try? fileSystem.statusIfAny(at: location)
      if let current, current.isSameContent(as: base.status), base.isStatusTrusted { return .unchanged }
      let (bytes, status) = try fileSystem.readFile(at: location, limit: limits.fileSize)
      let document = try Document(bytes, limits: limits, threads: threads)
      let digest = Checksum.cksum(bytes[...], threads: threads)
      let checksum = document.checksum == .ok ? document.header.checksum : nil
      let isSame = base.digest == nil ? checksum != nil && checksum == base.checksum : digest == base.digest
      if isSame, status.size == base.status.size {
        // Only touched, or replaced by the same bytes. Leaves that are known by their place are still there.
        self.base.withLock {
          if $0?.status.inode != status.inode { $0?.isDurable = false }
          $0?.status = status
        }
        return .unchanged
      }
      let theirs = try SnapshotCoder.decode(type, from: document, decoding)
      let found = Base(
        status: status, checksum: checksum, digest: checksum == nil ? digest : nil, isDurable: false,
        olderVersion: theirs.olderVersion, unknown: theirs.unknown, value: theirs.root)
      return .changed(theirs: theirs.root, before: base.value as? Root, found)
    } catch {
      return error.code == .fileNotFound ? .removed : .unreadable(error.at(path: location.path))
    }
  }

  /// Syncs what someone else wrote, so that it counts as saved.
  func makeDurable() throws(SnapshotError) {
    try fileSystem.makeDurable(at: location)
  }

  /// From now on, what an inspection found is what the file is expected to hold.
  ///
  /// - Parameter keepsUnknown: whether what this store's own file held that its schema does not know goes on being saved,
  ///   instead of what the one that was found holds.
  func accept(_ found: Base, keepsUnknown: Bool = false) {
    base.withLock {
      let unknown = $0?.unknown
      $0 = found
      if keepsUnknown, let unknown { $0?.unknown = unknown }
    }
  }

  /// Gives what someone else wrote one more name, and returns that path.
  func keepConflict() throws(SnapshotError) -> String {
    try Quarantine.keep(location, on: fileSystem, as: "conflict", date: date())
  }

  /// Writes a value beside the file, because it cannot be saved into it, and returns that path.
  func saveAside<Root: Model>(_ root: Root, as word: String) throws(SnapshotError) -> String {
    let unknown = base.withLock { $0?.unknown } ?? UnknownContent()
    let bytes = try SnapshotEncoding(of: root, as: format, unknown: unknown, threads: threads).bytes
    return try Quarantine.write(bytes, beside: location, on: fileSystem, as: word, date: date())
  }
}
