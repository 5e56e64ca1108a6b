import Synchronization

/// The file of one open store: reads it, replaces it, and knows what it should find there.
///
/// A file that someone else changed in between is not overwritten. A save whose bytes are in the file already is skipped.
final class StoreFile: Sendable {
  let location: FileLocation
  let format: FileFormat
  private let fileSystem: any FileSystem
  private let base: Mutex<Base?>

  /// The file as this store last read or wrote it; nil before it was created.
  private struct Base: Sendable {
    var status: FileStatus
    /// The checksum in the file; nil if it had none.
    var checksum: UInt32?
    /// Whether the directory has been synced since.
    var isDurable = true
  }

  /// What a save came to.
  enum Outcome: Equatable, Sendable {
    case written(bytes: Int)
    /// The file held these bytes already.
    case skipped
  }

  private init(location: FileLocation, format: FileFormat, fileSystem: any FileSystem, base: Base?) {
    self.location = location
    self.format = format
    self.fileSystem = fileSystem
    self.base = Mutex(base)
  }

  /// Opens a file and reads the value in it; nil for the value if there is no file yet.
  ///
  /// - Throws: what ``SnapshotCoder`` throws when it decodes; `fileNotFound` if there is
  ///   not even the directory; `notRegularFile`; `ioFailed`.
  static func open<Root: Model>(
    _ type: Root.Type, at path: String, on fileSystem: any FileSystem, newFormat: FileFormat?, limits: ReadLimits
  ) throws(SnapshotError) -> (file: StoreFile, root: Root?) {
    let location = try FileLocation(path, on: fileSystem)
    let content: (bytes: [UInt8], status: FileStatus)
    do {
      content = try fileSystem.readFile(at: location, limit: limits.fileSize)
    } catch {
      guard error.code == .fileNotFound else { throw error }
      let format = newFormat ?? FileFormat(fileName: location.name) ?? .json
      return (StoreFile(location: location, format: format, fileSystem: fileSystem, base: nil), nil)
    }
    do throws(SnapshotError) {
      let document = try Document(content.bytes, limits: limits)
      let root = try SnapshotCoder.decode(type, from: document)
      let base = Base(status: content.status, checksum: document.checksum == .ok ? document.header.checksum : nil)
      let file = StoreFile(location: location, format: document.source.format, fileSystem: fileSystem, base: base)
      return (file, root)
    } catch {
      throw error.at(path: path)
    }
  }

  /// Makes the file hold a value, durably.
  ///
  /// - Throws: `unencodable` and `changedOutside`, with the file untouched, and what ``AtomicSave`` throws.
  func save<Root: Model>(_ root: Root) throws(SnapshotError) -> Outcome {
    do throws(SnapshotError) {
      let encoded = try SnapshotCoder.encode(root, as: format)
      if try holds(encoded) { return .skipped }
      let saved = try AtomicSave(fileSystem: fileSystem, location: location)
        .replace(with: encoded.bytes, permit: refuseForeignChange)
      base.withLock {
        $0 = Base(status: saved.status, checksum: encoded.checksum, isDurable: saved.directoryFailure == nil)
      }
      if let failure = saved.directoryFailure { throw failure }
      return .written(bytes: encoded.bytes.count)
    } catch {
      throw error.at(path: location.path)
    }
  }

  /// Whether the file holds exactly these bytes, and durably. Checksum and size decide whether it is worth reading.
  private func holds(_ encoded: EncodedSnapshot) throws(SnapshotError) -> Bool {
    guard let base = base.withLock({ $0 }), base.isDurable, base.checksum == encoded.checksum,
      base.status.size == encoded.bytes.count
    else { return false }
    do {
      return try fileSystem.readFile(at: location, limit: encoded.bytes.count).bytes == encoded.bytes
    } catch {
      return false
    }
  }

  /// A file that was removed may be made anew. One that was replaced or edited is someone's work; one that was only
  /// touched, or replaced by the same bytes, is not.
  private func refuseForeignChange(_ current: FileStatus?) throws(SnapshotError) {
    guard let current else { return }
    if let base = base.withLock({ $0 }) {
      if current.isSameContent(as: base.status) { return }
      if let checksum = base.checksum, current.size == base.status.size,
        let bytes = try? fileSystem.readFile(at: location, limit: current.size).bytes,
        format.verify(bytes, against: checksum) == .ok
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
