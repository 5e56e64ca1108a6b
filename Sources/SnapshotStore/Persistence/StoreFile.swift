import SnapshotFoundation
import Synchronization

/// The file of one open store. It reads and replaces the file, and knows its expected content.
///
/// It holds the lock of the file until it is closed, unless it only reads. A file with an external change is not
/// overwritten. If the file already has the bytes of a save, the save is skipped.
final class StoreFile: Sendable {
  let session: FileSession
  let format: FileFormat
  let limits: ReadLimits
  /// The most threads of a save: one less than for opening, so that other writers have a processor meanwhile.
  let threads: Int
  private let generations: Generation.Policy
  let journalPolicy: JournalPolicy
  private let readsNewerVersions: Bool
  let date: @Sendable () -> Date
  let base: SmallLock<Base?>
  /// The value that the file and its journal hold together; nil if there is no journal.
  let journaled = SmallLock<(any Sendable)?>(nil)
  /// The `KnownVersions` of the file.
  let versions = SmallLock<(any Sendable)?>(nil)
  /// Makes the lines of the journal. Used in the turn of the saver only.
  let journalWriter: SmallLock<JournalWriter>
  let kept = SmallLock(Kept())
  /// The values of generations that were read to find the base of an external value, by their file names.
  let readGenerations = SmallLock<[String: any Sendable]>([:])
  /// What a merge that is not published yet has written beside the file, by the word in the name.
  let keptByMerge = SmallLock<[String: (bytes: [UInt8], path: String)]>([:])

  /// The file as this store last read or wrote it; nil before it was created.
  struct Base: Sendable {
    var status: FileStatus
    /// The checksum in the file; nil if it has none.
    var checksum: UInt32?
    /// The checksum of all bytes, for a file without a checksum.
    var digest: UInt32?
    /// Whether the directory has been synced since.
    var isDurable = true
    /// Whether this store has written the file.
    var isOwn = false
    /// Whether an unchanged status proves unchanged content.
    var isStatusTrusted = true
    /// Whether the file may become a generation. A file that could not be read, and the first empty one, may not.
    var isWorthKeeping = true
    /// The schema version of the file if it is an older one. The first save then keeps the file under every policy.
    var olderVersion: Int?
    /// How far the journal was written when the file was read; nil if there was none.
    var journal: JournalExtent?
    /// Whether another program has put the file in place, and its content was merged.
    var isMerged = false
    /// Whether the store has noticed that the file was removed.
    var isMissed = false
    /// Whether the next save has to write the file, because a journal could not say what it holds.
    var needsWholeSave = false
    /// Whether the journal has lines of other processes. What these change in unknown content, no line of this store
    /// can say.
    var hasLinesOfOthers = false
    /// The unknown content of the file and its journal.
    var unknown = UnknownContent()
    /// That of the file alone.
    var fileUnknown = UnknownContent()
    /// The value in the file; nil if it could not be read.
    var value: (any Sendable)?
    /// What the file and its journal held together when they were read; nil if there was no journal.
    var journaled: (any Sendable)?
    /// What the stores that share the file make of it, if another program has put it in place. Each merges it with what
    /// they had saved before. The next save is made from that.
    var expected: (any Sendable)?
    /// Whether the stores that share the file may make different things of it. A store has made it from more than one
    /// version, or nobody can say what the stores knew before.
    var isAmbiguous = false
    /// Whether a store may have merged the file of another program since the last version that is known here.
    var isBehindMerge = false
    /// The content merged with the journal, if another program has replaced the version on which that stands. It may
    /// replace the file again before this is saved.
    var joined: Joined?
    /// How that was merged, if the journal stands on another version of the file. Then no file holds the value yet.
    var joining: Joining?
    /// A `ValueHistory` of the current and the earlier values; nil if the value could not be read.
    var history: (any Sendable)?
    /// The places of the tables' leaves in the file, if this store wrote it. The value must be held, so that the nodes
    /// that identify leaves do not change.
    var saved: EncodedLeaves?
  }

  var location: FileLocation { session.location }
  var fileSystem: any FileSystem { session.fileSystem }

  /// The options for decoding the file.
  var decoding: DecodingOptions {
    DecodingOptions(unknownKeys: .keep, acceptsNewerVersion: readsNewerVersions, threads: threads)
  }

  /// The known state of the generations.
  struct Kept: Sendable {
    /// The date of the newest generation; nil before the folder was read.
    var newest: Date?
    /// The reason why no generation could be kept at the last save.
    var failure: SnapshotError?
    /// When copies of merges were last compared with their bound.
    var trimmed: Date?
  }

  /// The result of a save.
  enum SaveResult: Equatable, Sendable {
    /// The file was written. `folds`: whether there was a journal, which is gone now. `keptJournal`: the path under
    /// which it is kept, because another program has changed it, or it could not be read.
    case written(bytes: Int, folds: Bool = false, keptJournal: String? = nil)
    /// Bytes were appended to the journal, or a new one was made of them.
    case appended(bytes: Int)
    /// The file already had these bytes.
    case skipped
  }

  init<Root: Model>(
    _ session: FileSession, _ type: Root.Type, format: FileFormat, base: Base?, options: StoreFileOptions
  ) {
    self.session = session
    self.format = format
    self.base = SmallLock(base)
    limits = options.limits
    threads = max(1, options.threads - 1)
    generations = options.generations
    journalPolicy = session.isReadOnly ? .none : options.journal
    journalWriter = SmallLock(JournalWriter())
    readsNewerVersions = options.readsNewerVersions && session.isReadOnly
    date = options.date
  }

  /// Lets others open the file for writing. Afterwards nothing may be saved.
  func close() {
    // Two stores that were closed at the same time have left it to each other.
    session.close { _ = try? session.foldJournal(limits, date: date()) }
    base.withLock {
      $0?.saved = nil
      $0?.value = nil
      $0?.history = nil
    }
    journaled.withLock { $0 = nil }
    readGenerations.withLock { $0 = [:] }
    versions.withLock { $0 = nil }
  }

  /// Whether changes are in the journal that are not in the file.
  var isUnfolded: Bool { session.journal.isThere }

  /// Saves a value durably, in the file or in its journal.
  ///
  /// - Parameter folding: whether to write the file in any case.
  /// - Throws: `unencodable` and `changedExternally`, with the file unchanged; the errors of ``AtomicSave``.
  func save<Root: Model>(_ root: Root, folding: Bool = true) throws(SnapshotError) -> SaveResult {
    guard !session.isReadOnly else {
      throw SnapshotError(.readOnly, "the file was opened for reading only", path: location.path)
    }
    do throws(SnapshotError) {
      let appends = !folding && session.journal.lookIsUntouched()
      // If the name of the journal leads to the open journal, the folder is the same.
      if !appends { try session.followFolder() }
      if !folding, let result = try append(root, isUntouched: appends) { return result }
      let known = base.withLock { $0?.saved }
      do throws(SnapshotError) {
        return try save(root, known: known ?? EncodedLeaves())
      } catch {
        switch error.code {
        // By its status, the file is unchanged. The new file is then written without pieces of the old one.
        case .oldBytesUnreadable: break
        // The file was changed without a trace in its status. The comparison of the whole file will show the change.
        case .oldBytesChanged: base.withLock { $0?.isStatusTrusted = false }
        default: throw error
        }
        return try save(root, known: EncodedLeaves())
      }
    } catch {
      throw error.at(path: location.path)
    }
  }

  /// - Parameter known: leaves whose bytes may be copied from the file.
  private func save<Root: Model>(_ root: Root, known: EncodedLeaves) throws(SnapshotError) -> SaveResult {
    let unknown = base.withLock { $0?.unknown } ?? UnknownContent()
    let encoding = try SnapshotEncoding(of: root, as: format, known: known, unknown: unknown, threads: threads)
    try limits.requireReadable(
      byteCount: encoding.bytes.count, advice: "Raise the limit in the options of the store.", path: location.path)
    let folds = isUnfolded
    if !folds, holds(encoding) { return .skipped }
    if base.withLock({ $0 == nil }) { _ = try setStrayJournalAside() }
    try keepOlderVersion()
    let isFirstSave = base.withLock { $0?.isOwn != true }
    let isInJournal =
      base.withLock { $0?.needsWholeSave == false }
      && (journaled.withLock { $0 } as? Root)?.hasSameTables(as: root) == true
    let name = JournalBase(sum: .checksum(encoding.checksum), size: encoding.bytes.count)
    let (replacement, keptJournal): (AtomicSave.Replacement, String?)
    do throws(SnapshotError) {
      (replacement, keptJournal) = try session.fold(
        into: encoding.bytes, heading(name, root), madeFrom: tips(root),
        JournalPast.Making(isMerge: base.withLock { $0?.isMerged == true }, isAll: isInJournal),
        expecting: .status(refuseExternalChange), date: date(), cleansUp: isFirstSave, keep: keepGeneration,
        noting: { note($0, root, isSure: $1) })
    } catch {
      // The file in place may be like the one that was not put there. Then the lines do not count any more.
      if session.journal.mark == name, base.withLock({ $0?.journalName }) == name { journaled.withLock { $0 = nil } }
      throw error
    }
    if !isUnfolded {
      let open = session.journal.openEnd == nil ? nil : root
      journaled.withLock { $0 = open }
    }
    let saved = encoding.leaves.isEmpty ? nil : encoding.leaves
    let history = history(with: root)
    base.withLock {
      let isFirst = $0 == nil
      $0 = Base(
        status: replacement.status, checksum: encoding.checksum, isDurable: replacement.directoryFailure == nil,
        isOwn: true, isWorthKeeping: !isFirst, unknown: unknown, fileUnknown: unknown, value: root, history: history,
        saved: saved)
    }
    noteExtent()
    try replacement.requireDurable()
    return .written(bytes: encoding.bytes.count, folds: folds, keptJournal: keptJournal)
  }

  /// What the first line of a journal on a file says.
  func heading<Root: Model>(_ base: JournalBase, _ root: Root) -> JournalHeader {
    JournalHeader(schema: Root.schema.name, version: Root.schema.version, base: base, date: date())
  }

  /// The newest moments of the file that this store knows.
  func tips<Root: Model>(_ root: Root) -> [FilePosition] {
    (versions.withLock { $0 } as? KnownVersions<Root>)?.tips ?? []
  }

  /// Keeps a file of an older version before a save migrates it, or fails. A migration cannot be reverted.
  private func keepOlderVersion() throws(SnapshotError) {
    guard let version = base.withLock({ $0?.olderVersion }) else { return }
    let current: FileStatus?
    do {
      current = try fileSystem.statusIfAny(at: location)
    } catch {
      throw SnapshotError(error, location.path, committed: " while the old file was being kept; nothing was replaced")
    }
    guard let current else { return }
    try refuseExternalChange(current)
    try session.generations.keepFile(date: date(), migratedVersion: version)
    base.withLock {
      $0?.olderVersion = nil
      // A journal of the new version cannot stand on the old file, which stays if the save fails.
      $0?.needsWholeSave = true
      // The save need not keep it a second time.
      $0?.isWorthKeeping = false
    }
  }

  /// Keeps the file that will be replaced, if a generation is due. A failure of this does not fail the save.
  private func keepGeneration(in directory: OpenFile) {
    let date = date()
    let newest = kept.withLock { $0.newest }
    let isDue = newest.map { date.distance(from: $0) >= generations.interval } ?? true
    guard generations.count > 0, isDue, base.withLock({ $0?.isWorthKeeping == true }) else { return }
    do {
      let newest = try session.generations
        .keepFile(in: directory, date: date, GenerationFolder.Trimming(generations), interval: generations.interval)
      kept.withLock { ($0.newest, $0.failure) = (newest, nil) }
    } catch {
      let failure = SnapshotError(
        .ioFailed, "no older version was kept: \(error.call) failed: \(error.text)", path: location.path,
        systemError: error.number)
      kept.withLock { $0.failure = failure }
    }
  }

  /// The reason why the last due generation could not be kept; nil if it was kept.
  var generationFailure: SnapshotError? { kept.withLock { $0.failure } }

  /// Whether the file has exactly these bytes, durably. Reads the file only if checksum and size match.
  private func holds(_ encoding: SnapshotEncoding) -> Bool {
    guard let base = base.withLock({ $0 }), base.isDurable, base.checksum == encoding.checksum,
      base.status.size == encoding.bytes.count,
      let bytes = try? fileSystem.readFile(at: location, limit: encoding.bytes.count).bytes
    else { return false }
    return encoding.bytes.isEqual(to: bytes)
  }

  /// Refuses to overwrite a file that was replaced or edited externally. A removed file may be created again. A file
  /// that was only touched, or replaced by the same bytes, may be overwritten.
  func refuseExternalChange(_ current: FileStatus?) throws(SnapshotError) {
    guard let current else { return }
    let isSame = base.withLock { $0.map { $0.isStatusTrusted && current.isSameContent(as: $0.status) } }
    if isSame == true { return }
    if let base = base.withLock({ $0 }) {
      if current.size == base.status.size, try holdsSameBytes(as: base) { return }
    }
    throw SnapshotError(
      .changedExternally, "the file was changed by someone else since it was opened or saved; it is not overwritten",
      advice: "Open it again and repeat the change, or move one of the two aside.", path: location.path)
  }

  /// Whether the file still has the same bytes although its status differs.
  private func holdsSameBytes(as base: Base) throws(SnapshotError) -> Bool {
    let bytes: [UInt8]
    do {
      bytes = try fileSystem.readFile(at: location, limit: base.status.size).bytes
    } catch {
      guard error.code == .ioFailed else { return false }
      throw SnapshotError(
        .ioFailed,
        "the file may have been changed by someone else, and cannot be read to find out: \(error.message); it is not overwritten",
        advice: "Move the file away; the next save creates it again from memory. Check the disk.",
        path: location.path, systemError: error.systemError)
    }
    return base.digest == nil
      ? format.verify(bytes, against: base.checksum) == .ok : Checksum.cksum(bytes[...]) == base.digest
  }
}
