import SnapshotFoundation
import Synchronization

/// The file of one open store: reads it, replaces it, and knows what it should find there.
///
/// It holds the lock of the file until it is closed, unless it only reads. A file that someone else changed in between all
/// the same is not overwritten. A save whose bytes are in the file already is skipped.
final class StoreFile: Sendable {
  let session: FileSession
  let format: FileFormat
  let limits: ReadLimits
  /// The most threads that a save works on: one less than opening may, so that whoever goes on writing meanwhile has a
  /// processor.
  let threads: Int
  private let generations: GenerationPolicy
  private let readsNewerVersions: Bool
  let date: @Sendable () -> Date
  let base: Mutex<Base?>
  private let kept = Mutex(Kept())
  /// The values of generations that were read to find what someone else's was made from, by the names of their files.
  let readGenerations = Mutex<[String: any Sendable]>([:])

  /// The file as this store last read or wrote it; nil before it was created.
  struct Base: Sendable {
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
    /// Whether it may become a generation: not a file that could not be read, and not the empty one of the beginning.
    var isWorthKeeping = true
    /// The version of the schema that it has, if that is an older one, so that the first save keeps it whatever else is kept.
    var olderVersion: Int?
    /// What it holds that the schema does not know.
    var unknown = UnknownContent()
    /// The value in it; nil if it could not be read.
    var value: (any Sendable)?
    /// A `ValueHistory`: the value and those that the file held before it; nil if the value could not be read.
    var history: (any Sendable)?
    /// Where the leaves of the value's tables stand in the file, if it wrote it. As long as the value is held, the nodes by
    /// which they are known do not change.
    var saved: EncodedLeaves?
  }

  var location: FileLocation { session.location }
  var fileSystem: any FileSystem { session.fileSystem }

  /// How the file is decoded.
  var decoding: DecodingOptions {
    DecodingOptions(unknownKeys: .keep, acceptsNewerVersion: readsNewerVersions, threads: threads)
  }

  /// What is known of the generations.
  private struct Kept: Sendable {
    /// The date of the newest one; nil before the folder was looked at.
    var newest: Date?
    /// Why none could be kept at the last save.
    var failure: SnapshotError?
  }

  /// What a save came to.
  enum Outcome: Equatable, Sendable {
    case written(bytes: Int)
    /// The file held these bytes already.
    case skipped
  }

  init(_ session: FileSession, format: FileFormat, base: Base?, options: StoreFileOptions) {
    self.session = session
    self.format = format
    self.base = Mutex(base)
    limits = options.limits
    threads = max(1, options.threads - 1)
    generations = options.generations
    readsNewerVersions = options.readsNewerVersions && options.isReadOnly
    date = options.date
  }

  /// Lets others open the file for writing. Nothing must be saved any more.
  func close() {
    session.close()
    base.withLock {
      $0?.saved = nil
      $0?.value = nil
      $0?.history = nil
    }
    readGenerations.withLock { $0 = [:] }
  }

  /// Makes the file hold a value, durably.
  ///
  /// - Throws: `unencodable` and `changedOutside`, with the file untouched, and what ``AtomicSave`` throws.
  func save<Root: Model>(_ root: Root) throws(SnapshotError) -> Outcome {
    guard !session.isReadOnly else {
      throw SnapshotError(.readOnly, "the file was opened for reading only", path: location.path)
    }
    do throws(SnapshotError) {
      try session.followFolder()
      let known = base.withLock { $0?.saved }
      do throws(SnapshotError) {
        return try save(root, known: known ?? EncodedLeaves())
      } catch {
        switch error.code {
        // As its status says, nobody has changed the file. It is replaced by one that takes nothing from it.
        case .oldBytesUnreadable: break
        // Someone wrote into the file without a trace in its status; the whole of it, which is looked at now, says so.
        case .oldBytesChanged: base.withLock { $0?.isStatusTrusted = false }
        default: throw error
        }
        return try save(root, known: EncodedLeaves())
      }
    } catch {
      throw error.at(path: location.path)
    }
  }

  /// - Parameter known: leaves whose bytes may be taken from the file.
  private func save<Root: Model>(_ root: Root, known: EncodedLeaves) throws(SnapshotError) -> Outcome {
    let unknown = base.withLock { $0?.unknown } ?? UnknownContent()
    let encoding = try SnapshotEncoding(of: root, as: format, known: known, unknown: unknown, threads: threads)
    try limits.requireReadable(
      byteCount: encoding.bytes.count, advice: "Raise the limit in the options of the store.", path: location.path)
    if holds(encoding) { return .skipped }
    try keepOlderVersion()
    let isFirstSave = base.withLock { $0?.isOwn != true }
    let replacement = try session.replace(
      with: encoding.bytes, expecting: .status(refuseExternalChange), cleansUp: isFirstSave, keep: keepGeneration)
    let saved = encoding.leaves.isEmpty ? nil : encoding.leaves
    let history = history(with: root)
    base.withLock {
      let isFirst = $0 == nil
      $0 = Base(
        status: replacement.status, checksum: encoding.checksum, isDurable: replacement.directoryFailure == nil,
        isOwn: true, isWorthKeeping: !isFirst, unknown: unknown, value: root, history: history, saved: saved)
    }
    try replacement.requireDurable()
    return .written(bytes: encoding.bytes.count)
  }

  /// Keeps a file of an older version before a save brings it to the one of the program, or fails: what the steps made of it
  /// cannot be undone.
  private func keepOlderVersion() throws(SnapshotError) {
    guard let version = base.withLock({ $0?.olderVersion }) else { return }
    let current: FileStatus?
    do {
      current = try fileSystem.statusIfAny(at: location)
    } catch {
      throw SnapshotError(error, location.path, committed: " as the file was to be kept; nothing was replaced")
    }
    guard let current else { return }
    try refuseExternalChange(current)
    try session.generations.keepFile(date: date(), migratedVersion: version)
    base.withLock {
      $0?.olderVersion = nil
      // The save need not keep it a second time.
      $0?.isWorthKeeping = false
    }
  }

  /// Keeps the file that is about to be replaced, if it is time. A save does not fail because that does.
  private func keepGeneration(in directory: OpenFile) {
    let date = date()
    let newest = kept.withLock { $0.newest }
    let isDue = newest.map { date.distance(from: $0) >= generations.interval } ?? true
    guard generations.count > 0, isDue, base.withLock({ $0?.isWorthKeeping == true }) else { return }
    do {
      let newest = try session.generations
        .keepFile(in: directory, date: date, GenerationFolder.Trimming(generations), interval: generations.interval)
      kept.withLock { $0 = Kept(newest: newest) }
    } catch {
      let failure = SnapshotError(
        .ioFailed, "no older version was kept: \(error.call) failed: \(error.text)", path: location.path,
        systemError: error.number)
      kept.withLock { $0.failure = failure }
    }
  }

  /// Why no generation could be kept when one was last due; nil if it was.
  var generationFailure: SnapshotError? { kept.withLock { $0.failure } }

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
  private func refuseExternalChange(_ current: FileStatus?) throws(SnapshotError) {
    guard let current else { return }
    if let base = base.withLock({ $0 }) {
      if base.isStatusTrusted, current.isSameContent(as: base.status) { return }
      if current.size == base.status.size, try holdsSameBytes(as: base) { return }
    }
    throw SnapshotError(
      .changedOutside, "the file was changed by someone else since it was opened or saved; it is not overwritten",
      advice: "Open it again and repeat the change, or move one of the two aside.", path: location.path)
  }

  /// Whether the file has the bytes that it had, though its status is another one.
  private func holdsSameBytes(as base: Base) throws(SnapshotError) -> Bool {
    let bytes: [UInt8]
    do {
      bytes = try fileSystem.readFile(at: location, limit: base.status.size).bytes
    } catch {
      guard error.code == .ioFailed else { return false }
      throw SnapshotError(
        .ioFailed,
        "the file may have been changed by someone else, and cannot be read to find out: \(error.message); it is not overwritten",
        advice: "Move the file aside; the next save makes it anew from what is in memory. Check the disk.",
        path: location.path, systemError: error.systemError)
    }
    return base.digest == nil
      ? format.verify(bytes, against: base.checksum) == .ok : Checksum.cksum(bytes[...]) == base.digest
  }
}

extension FileStatus {
  /// Whether nothing suggests that the content is another one.
  func isSameContent(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode && size == other.size && modified == other.modified
  }
}
