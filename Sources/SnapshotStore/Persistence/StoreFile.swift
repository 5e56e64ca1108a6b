import Synchronization

/// The file of one open store: reads it, replaces it, and knows what it should find there.
///
/// It holds the lock of the file until it is closed, unless it only reads. A file that someone else changed in between all
/// the same is not overwritten. A save whose bytes are in the file already is skipped.
final class StoreFile: Sendable {
  let location: FileLocation
  private let lock: FileLock?
  let format: FileFormat
  private let fileSystem: any FileSystem
  private let limits: ReadLimits
  /// The most threads that a save works on: one less than opening may, so that whoever goes on writing meanwhile has a
  /// processor.
  private let threads: Int
  private let base: Mutex<Base?>

  /// The file as this store last read or wrote it; nil before it was created.
  private struct Base: Sendable {
    var status: FileStatus
    /// The checksum in the file; nil if it had none.
    var checksum: UInt32?
    /// The checksum of all bytes of a file that states none.
    var digest: UInt32?
    /// Whether the directory has been synced since.
    var isDurable = true
    /// Whether this store has written the file.
    var isOwn = false
    /// Whether a file of this status has the content that it had.
    var isStatusTrusted = true
    /// The value that it wrote, and where the leaves of its tables stand in the file.
    var saved: Saved?
  }

  /// As long as the value is held, the nodes by which its leaves are known do not change.
  private struct Saved: Sendable {
    let value: any Sendable
    let leaves: EncodedLeaves
  }

  /// What a save came to.
  enum Outcome: Equatable, Sendable {
    case written(bytes: Int)
    /// The file held these bytes already.
    case skipped
  }

  private init(
    location: FileLocation, lock: FileLock?, format: FileFormat, fileSystem: any FileSystem, limits: ReadLimits,
    threads: Int, base: Base?
  ) {
    self.location = location
    self.lock = lock
    self.format = format
    self.limits = limits
    self.threads = max(1, threads - 1)
    self.fileSystem = fileSystem
    self.base = Mutex(base)
  }

  /// Opens a file and reads the value in it; nil for the value if there is no file yet.
  ///
  /// - Parameter lockTimeLimit: how long to wait while someone else has the file open for writing.
  /// - Throws: what ``SnapshotCoder`` throws when it decodes; `fileNotFound` if there is
  ///   not even the directory; `notRegularFile`; `locked`; `ioFailed`.
  static func open<Root: Model>(
    _ type: Root.Type, at path: String, on fileSystem: any FileSystem, newFormat: FileFormat?, limits: ReadLimits,
    threads: Int = 1, isReadOnly: Bool = false, lockTimeLimit: Duration = .zero
  ) throws(SnapshotError) -> (file: StoreFile, root: Root?) {
    let location = try FileLocation(path, on: fileSystem)
    try location.requireRegularFile(on: fileSystem)
    let lock = isReadOnly ? nil : try FileLock(of: location, on: fileSystem, timeLimit: lockTimeLimit)
    let content: (bytes: [UInt8], status: FileStatus)
    do {
      content = try fileSystem.readFile(at: location, limit: limits.fileSize)
    } catch {
      guard error.code == .fileNotFound else { throw error }
      let format = newFormat ?? FileFormat(fileName: location.name) ?? .json
      let file = StoreFile(
        location: location, lock: lock, format: format, fileSystem: fileSystem, limits: limits, threads: threads,
        base: nil)
      return (file, nil)
    }
    do throws(SnapshotError) {
      let document = try Document(content.bytes, limits: limits, threads: threads)
      let root = try SnapshotCoder.decode(type, from: document, threads: threads)
      let checksum = document.checksum == .ok ? document.header.checksum : nil
      let digest = checksum == nil ? Checksum.cksum(content.bytes[...], threads: threads) : nil
      let base = Base(status: content.status, checksum: checksum, digest: digest)
      if !isReadOnly { try fileSystem.makeDurable(at: location) }
      let file = StoreFile(
        location: location, lock: lock, format: document.source.format, fileSystem: fileSystem, limits: limits,
        threads: threads, base: base)
      return (file, root)
    } catch {
      throw error.at(path: path)
    }
  }

  /// Lets others open the file for writing. Nothing must be saved any more.
  func close() {
    lock?.release()
    base.withLock { $0?.saved = nil }
  }

  /// Makes the file hold a value, durably.
  ///
  /// - Throws: `unencodable` and `changedOutside`, with the file untouched, and what ``AtomicSave`` throws.
  func save<Root: Model>(_ root: Root) throws(SnapshotError) -> Outcome {
    do throws(SnapshotError) {
      let known = base.withLock { $0?.saved?.leaves }
      do throws(SnapshotError) {
        return try save(root, known: known ?? EncodedLeaves())
      } catch {
        guard error.code == .oldBytesChanged else { throw error }
        // The file could not be read, or someone wrote into it without a trace in its status. In the latter case the whole
        // of it, which is looked at now, says so. In the former, all is encoded anew.
        base.withLock { $0?.isStatusTrusted = false }
        return try save(root, known: EncodedLeaves())
      }
    } catch {
      throw error.at(path: location.path)
    }
  }

  /// - Parameter known: leaves whose bytes may be taken from the file.
  private func save<Root: Model>(_ root: Root, known: EncodedLeaves) throws(SnapshotError) -> Outcome {
    let encoding = try SnapshotEncoding(of: root, as: format, known: known, threads: threads)
    guard encoding.bytes.count <= limits.fileSize else {
      throw SnapshotError(
        .tooLarge,
        "the file would have \(encoding.bytes.count) bytes; the limit, up to which it can be opened again, is "
          + "\(limits.fileSize)", advice: "Raise the limit in the options of the store.")
    }
    if holds(encoding) { return .skipped }
    let isFirstSave = base.withLock { $0?.isOwn != true }
    let replacement = try AtomicSave(fileSystem: fileSystem, location: location)
      .replace(with: encoding.bytes, cleansUp: isFirstSave, permit: refuseForeignChange)
    let saved = encoding.leaves.leaves.isEmpty ? nil : Saved(value: root, leaves: encoding.leaves)
    base.withLock {
      $0 = Base(
        status: replacement.status, checksum: encoding.checksum, isDurable: replacement.directoryFailure == nil,
        isOwn: true, saved: saved)
    }
    if let failure = replacement.directoryFailure { throw failure }
    return .written(bytes: encoding.bytes.count)
  }

  /// Whether the file holds exactly these bytes, and durably. Checksum and size decide whether it is worth reading.
  private func holds(_ encoding: SnapshotEncoding) -> Bool {
    guard let base = base.withLock({ $0 }), base.isDurable, base.checksum == encoding.checksum,
      base.status.size == encoding.bytes.count,
      let bytes = try? fileSystem.readFile(at: location, limit: encoding.bytes.count).bytes
    else { return false }
    return encoding.bytes.isEqual(to: bytes)
  }

  /// A file that was removed may be made anew. One that was replaced or edited is someone's work; one that was only
  /// touched, or replaced by the same bytes, is not.
  private func refuseForeignChange(_ current: FileStatus?) throws(SnapshotError) {
    guard let current else { return }
    if let base = base.withLock({ $0 }) {
      if base.isStatusTrusted, current.isSameContent(as: base.status) { return }
      if current.size == base.status.size,
        let bytes = try? fileSystem.readFile(at: location, limit: current.size).bytes,
        base.digest == nil
          ? format.verify(bytes, against: base.checksum) == .ok : Checksum.cksum(bytes[...]) == base.digest
      {
        return
      }
    }
    throw SnapshotError(
      .changedOutside, "the file was changed by someone else since it was opened or saved; it is not overwritten",
      advice: "Open it again and repeat the change, or move one of the two aside.", path: location.path)
  }
}

extension FileStatus {
  /// Whether nothing suggests that the content is another one.
  fileprivate func isSameContent(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode && size == other.size && modified == other.modified
  }
}
