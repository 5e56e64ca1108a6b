import SnapshotFoundation

/// The file of one open store. It reads and replaces the file, and knows its expected content.
///
/// It holds the lock of the file until it is closed, unless it only reads. A file with an external change is not
/// overwritten. If the file already has the bytes of a save, the save is skipped.
///
/// Only the thread with the turn of the saver uses it.
final class StoreFile<Root: Model> {
  let session: FileSession
  let format: FileFormat
  let limits: ReadLimits
  /// The most threads of a save: one less than for opening, so that other writers have a processor meanwhile.
  let threads: Int
  private let generations: Generation.Policy
  let journalPolicy: JournalPolicy
  private let readsNewerVersions: Bool
  let defaults: [DefaultValue]
  let date: @Sendable () -> Date
  /// The file as this store last read or wrote it; nil before it was created.
  var base: KnownFile<Root>?
  /// The value that the file and its journal hold together; nil if there is no journal.
  @Boxed var journaled: Root?
  /// The values that the file has had.
  var versions = KnownVersions<Root>()
  /// Makes the lines of the journal.
  var journalWriter = JournalWriter()
  /// The date of the newest generation; nil before the folder was read.
  private var newestGeneration: Date?
  /// The reason why the last due generation could not be kept; nil if it was kept.
  private(set) var generationFailure: SnapshotError?
  /// The generations that were read to find the base of external content, by their file names.
  var readGenerations: [String: SnapshotContent<Root>] = [:]
  /// What a merge that is not published yet has written beside the file, by the word in the name.
  var keptByMerge: [String: (bytes: [UInt8], path: String)] = [:]
  /// The look at a shared file that has failed last. It is tried again later.
  var failedLook: FailedLook?
  /// Whether a look follows because another process has the lock of a shared file.
  var looksLater = false
  /// The last external change of a file that is not shared, if it was not taken in.
  var refused: RefusedChange?
  /// When copies of merges were last compared with their bound.
  var copiesTrimmed: Date?

  var location: FileLocation { session.location }
  var fileSystem: any FileSystem { session.fileSystem }

  /// The options for decoding the file.
  var decoding: DecodingOptions {
    DecodingOptions(unknownKeys: .keep, acceptsNewerVersion: readsNewerVersions, threads: threads, defaults: defaults)
  }

  init(_ session: FileSession, format: FileFormat, base: KnownFile<Root>?, options: StoreFileOptions) {
    self.session = session
    self.format = format
    self.base = base
    limits = options.limits
    threads = max(1, options.threads - 1)
    generations = options.generations
    journalPolicy = session.isReadOnly ? .none : options.journal
    defaults = options.defaults
    readsNewerVersions = options.readsNewerVersions && session.isReadOnly
    date = options.date
  }

  /// Lets others open the file for writing. Afterwards nothing may be saved.
  func close() {
    // Two stores that were closed at the same time have left it to each other.
    session.close { _ = try? session.foldJournal(limits, date: date()) }
    base?.saved = nil
    base?.value = nil
    base?.history = nil
    (journaled, readGenerations, versions) = (nil, [:], KnownVersions())
  }

  /// Whether changes are in the journal that are not in the file.
  var isUnfolded: Bool { session.journal.isThere }

  /// Saves a value durably, in the file or in its journal.
  ///
  /// - Parameter folding: whether to write the file in any case.
  /// - Throws: `unencodable` and `changedExternally`, with the file unchanged; the errors of ``AtomicSave``.
  func save(_ root: Root, folding: Bool = true) throws(SnapshotError) -> SaveResult {
    guard !session.isReadOnly else {
      throw SnapshotError(.readOnly, "the file was opened for reading only", path: location.path)
    }
    let unknown = base?.unknown
    do throws(SnapshotError) {
      // What the value has written once is its own. Otherwise, a property that is nil again would have its old text.
      if base?.unknown.isEmpty == false { base?.unknown.remove(Set(try root.flattenedMembers().map(\.key))) }
      let appends = !folding && session.journal.lookIsUntouched()
      // If the name of the journal leads to the open journal, the folder is the same.
      if !appends { try session.followFolder() }
      if !folding, let result = try append(root, isUntouched: appends) { return result }
      let known = base?.saved
      do throws(SnapshotError) {
        return try save(root, known: known ?? EncodedLeaves())
      } catch {
        switch error.code {
        // By its status, the file is unchanged. The new file is then written without pieces of the old one.
        case .oldBytesUnreadable: break
        // The file was changed without a trace in its status. The comparison of the whole file will show the change.
        case .oldBytesChanged: base?.isStatusTrusted = false
        default: throw error
        }
        return try save(root, known: EncodedLeaves())
      }
    } catch {
      if let unknown, error.code != .indeterminate { base?.unknown = unknown }
      throw error.at(path: location.path)
    }
  }

  /// - Parameter known: leaves whose bytes may be copied from the file.
  private func save(_ root: Root, known: EncodedLeaves) throws(SnapshotError) -> SaveResult {
    let unknown = base?.unknown ?? UnknownContent()
    let encoding = try SnapshotEncoding(of: root, as: format, known: known, unknown: unknown, threads: threads)
    try limits.requireReadable(
      byteCount: encoding.bytes.count, advice: "Raise the limit in the options of the store.", path: location.path)
    let folds = isUnfolded
    if !folds, holds(encoding) { return .skipped }
    if base == nil { _ = try setStrayJournalAside() }
    try keepOlderVersion()
    let isFirstSave = base?.isOwn != true
    let isInJournal =
      base?.needsWholeSave == false && unknown.flattened.difference == .none
      && journaled?.hasSameTables(as: root) == true
    let name = JournalBase(sum: .checksum(encoding.checksum), size: encoding.bytes.count)
    let (replacement, keptJournal): (AtomicSave.Replacement, String?)
    do throws(SnapshotError) {
      (replacement, keptJournal) = try session.fold(
        into: encoding.bytes, heading(name), over: base?.needsWholeSave == false ? base?.name : nil, madeFrom: tips,
        JournalPast.Making(isMerge: base?.isForeign == true, isAll: isInJournal),
        expecting: .status(refuseExternalChange), date: date(), cleansUp: isFirstSave, keep: keepGeneration,
        noting: { note($0, root, isSure: $1) })
    } catch {
      versions.withdraw(FilePosition(base: name))
      // The file in place may be like the one that was not put there. Then the lines do not count any more.
      if session.journal.mark == name, base?.name == name {
        journaled = nil
        if let position = session.journal.position(on: name) { note(position, root) }
      }
      throw error
    }
    if !isUnfolded {
      journaled = session.journal.openEnd == nil ? nil : root
    } else if !isInJournal {
      // The file is there, and its name is not durable.
      journaled = nil
    }
    let saved = encoding.leaves.isEmpty ? nil : encoding.leaves
    var written = unknown
    written.flattened = FlattenedMembers()
    let history = history(with: SnapshotContent(root, written))
    base = KnownFile(
      status: replacement.status, name: name, origin: .own, isDurable: replacement.directoryFailure == nil,
      isWorthKeeping: base != nil, unknown: written, fileUnknown: written, value: root, history: history,
      saved: saved)
    noteExtent()
    try replacement.requireDurable()
    return .written(bytes: encoding.bytes.count, folds: folds, keptJournal: keptJournal)
  }

  /// What the first line of a journal on a file says.
  func heading(_ base: JournalBase) -> JournalHeader {
    JournalHeader(schema: Root.schema.name, version: Root.schema.version, base: base, date: date())
  }

  /// The newest moments of the file that this store knows.
  var tips: [FilePosition] { versions.tips }

  /// Keeps a file of an older version before a save migrates it, or fails. A migration cannot be reverted.
  private func keepOlderVersion() throws(SnapshotError) {
    guard let version = base?.olderVersion else { return }
    let current: FileStatus?
    do {
      current = try fileSystem.statusIfAny(at: location)
    } catch {
      throw SnapshotError(error, location.path, committed: " while the old file was being kept; nothing was replaced")
    }
    guard let current else { return }
    try refuseExternalChange(current)
    try session.generations.keepFile(date: date(), migratedVersion: version)
    base?.olderVersion = nil
    // A journal of the new version cannot stand on the old file, which stays if the save fails.
    base?.needsWholeSave = true
    // The save need not keep it a second time.
    base?.isWorthKeeping = false
  }

  /// Keeps the file that will be replaced, if a generation is due. A failure of this does not fail the save.
  private func keepGeneration(in directory: OpenFile) {
    let date = date()
    let isDue = newestGeneration.map { date.distance(from: $0) >= generations.interval } ?? true
    guard generations.count > 0, isDue, base?.isWorthKeeping == true else { return }
    do {
      newestGeneration = try session.generations
        .keepFile(in: directory, date: date, GenerationFolder.Trimming(generations), interval: generations.interval)
      generationFailure = nil
    } catch {
      generationFailure = SnapshotError(
        .ioFailed, "no older version was kept: \(error.call) failed: \(error.text)", path: location.path,
        systemError: error.number)
    }
  }

  /// Whether the file has exactly these bytes, durably. Reads the file only if checksum and size match.
  private func holds(_ encoding: SnapshotEncoding) -> Bool {
    let name = JournalBase(sum: .checksum(encoding.checksum), size: encoding.bytes.count)
    guard let base, base.isDurable, base.name == name,
      let bytes = try? fileSystem.readFile(at: location, limit: encoding.bytes.count).bytes
    else { return false }
    return encoding.bytes.isEqual(to: bytes)
  }

  /// Refuses to overwrite a file that was replaced or edited externally. A removed file may be created again. A file
  /// that was only touched, or replaced by the same bytes, may be overwritten.
  func refuseExternalChange(_ current: FileStatus?) throws(SnapshotError) {
    guard let current else { return }
    if let base {
      if base.isStatusTrusted, current.isSameContent(as: base.status) { return }
      if current.size == base.status.size, try holdsSameBytes(as: base) { return }
    }
    throw SnapshotError(
      .changedExternally, "the file was changed by someone else since it was opened or saved; it is not overwritten",
      advice: "Open it again and repeat the change, or move one of the two aside.", path: location.path)
  }

  /// Whether the file still has the same bytes although its status differs.
  private func holdsSameBytes(as base: KnownFile<Root>) throws(SnapshotError) -> Bool {
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
    return switch base.name.sum {
    case .checksum(let sum): format.verify(bytes, against: sum) == .ok
    case .digest(let sum): Checksum.cksum(bytes[...]) == sum
    }
  }
}
