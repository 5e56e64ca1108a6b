import SnapshotFoundation
import Synchronization

/// The journal beside the file of a session, and the only way to change it.
///
/// The caller holds the lock of the file, and makes one call at a time. A line counts once it was written and synced.
/// After a failure it is not known what is behind the last such line. So nothing is appended then: the next change
/// writes a new journal, or the file.
///
/// The file has more bytes than lines: NULs that are already on the disk. A line replaces some of them. That is much
/// cheaper than a line that makes the file longer, for which the file system has to write its own structures as well.
final class JournalFile: Sendable {
  struct State: Sendable {
    /// Open behind the last line; nil if nothing may be appended.
    var handle: OpenFile?
    /// The place behind the last line that counts.
    var end: JournalPosition
    /// The number of bytes up to there.
    var size: Int
    /// The number of bytes in the file, with the NULs behind the lines.
    var space = 0
    /// The status of the open file behind the last line; nil if it is not open. While the use is watched, only the
    /// identity and the size are up to date.
    var status: FileStatus?
    /// The folder of the journal when it was made.
    var folder: FileStatus?
    /// Tells of the use by others. Nil if the system cannot tell, or someone has used the journal.
    var watch: (any UseWatch)?
    /// Whether nothing may be appended. Bytes that do not count may follow, of a line that was not written to its end,
    /// or a fold mark is among the lines.
    var isTorn = false
    /// Whether it is another program's, and only stands where the path leads now.
    var isForeign = false
    /// Whether a line of this store may stand behind the end although its save has failed. Peers leave it out, and a
    /// process that opens the file does not.
    var isUndecided = false
    /// The file that the mark at the end names; nil if this session has written none there.
    var mark: JournalBase?
    /// Whether its name is durable. If not, a power cut may bring back what was there before.
    var isDurable = true
    /// Whether the file has all of it, and the journal is only there because it could not be removed.
    var isSpent = false
  }

  /// The unit in which NULs are written. Larger writes would make larger units in the page cache, and each sync writes
  /// the whole of such a unit.
  private static let page = 4096
  /// The most NULs behind the lines.
  static let mostSpace = 1 << 18 + page

  let fileSystem: any FileSystem
  /// The place of the file of the store.
  let location: FileLocation
  let place: FileLocation
  /// Nil if there is no journal.
  let state = SmallLock<State?>(nil)

  /// Whether other processes append to the journal too. They use descriptors that they have opened before, which a
  /// `UseWatch` does not see.
  private let isShared: Bool

  init(beside location: FileLocation, on fileSystem: any FileSystem, isShared: Bool = false) {
    self.location = location
    self.isShared = isShared
    self.fileSystem = fileSystem
    place = location.sibling(SideName.journal(of: location.name))
  }

  var name: String { place.name }

  /// Whether there is a journal that the file needs.
  var isThere: Bool { state.withLock { $0?.isSpent == false } }

  /// Whether a journal is on the disk, even one that the file does not need.
  var isOnDisk: Bool { state.withLock { $0 != nil } }

  /// Whether the journal is another program's.
  var isForeign: Bool { state.withLock { $0?.isForeign == true } }

  /// Whether a line that peers do not know may be on the disk. The next save writes the file then.
  var isUndecided: Bool { state.withLock { $0?.isSpent == false && $0?.isUndecided == true } }

  /// The number of bytes that count.
  var size: Int { state.withLock { $0?.size } ?? 0 }

  /// How far the journal counts; nil if there is none that the file needs. Nil also if its name is not durable: then
  /// others read all of it, and make it durable.
  var acknowledgedEnd: Lineage.JournalEnd? {
    state.withLock { state in
      guard let state, !state.isSpent, state.isDurable else { return nil }
      return Lineage.JournalEnd(size: state.size, number: state.end.number, sum: state.end.sum)
    }
  }

  /// The file that the mark at the end names; nil if this session has written none there. The lines before it do not
  /// count beside that file.
  var mark: JournalBase? { state.withLock { $0?.mark } }

  /// The place behind the last line, if a line can be appended there.
  var openEnd: JournalPosition? { state.withLock { state in state?.handle == nil ? nil : state?.end } }

  /// The inode of the open journal; nil if none is open.
  var openInode: UInt64? { state.withLock { state in state?.handle == nil ? nil : state?.status?.inode } }

  /// Whether there is something with the name of the journal. It may be the journal of another program.
  var isNameTaken: Bool {
    do throws(SystemError) {
      return try fileSystem.statusIfAny(at: place) != nil
    } catch {
      return true
    }
  }

  /// Notes a journal that was found on the disk. Nothing is appended to it.
  func note(_ journal: Journal) {
    state.withLock {
      let count = journal.source.bytes.count
      $0 = State(
        handle: nil, end: journal.end, size: count - journal.tornBytes, space: count,
        isTorn: journal.tornBytes > 0 || journal.isMarked)
    }
  }

  /// Appends a line, durably.
  func append(_ text: JournalText) throws(SnapshotError) {
    do throws(SnapshotError) {
      try append(text, "; the change is not saved")
    } catch {
      // Without peers, the journal is made anew.
      state.withLock { $0?.isUndecided = isShared }
      throw error
    }
  }

  /// - Parameter consequence: what a failure means, in words.
  private func append(_ text: JournalText, _ consequence: String) throws(SnapshotError) {
    guard var new = state.withLock({ $0 }), let handle = new.handle else { fatalError("the journal is not open") }
    assert(text.isLine(behind: new.end), "the next reader would not take the line for what it is")
    state.withLock { $0?.isTorn = true }
    do throws(SystemError) {
      try fileSystem.writeAll(text.bytes, to: handle, at: new.size)
    } catch {
      close()
      throw failure(error, consequence)
    }
    new.end = text.end
    new.size += text.bytes.count
    let space = new.space
    makeSpace(&new)
    do throws(SystemError) {
      try fileSystem.syncData(handle)
      if new.watch == nil {
        new.status = try fileSystem.status(handle)
      } else if new.space != space {
        new.status?.size = try fileSystem.size(handle)
      }
    } catch {
      close()
      throw indeterminate(error)
    }
    state.withLock { $0 = new }
  }

  /// Writes NULs behind the lines if there are none: a quarter of the journal, but at least a page and at most 256 KiB.
  /// It is no failure if there is no space for them.
  private func makeSpace(_ state: inout State) {
    guard let handle = state.handle, state.size > state.space || state.space == 0 else { return }
    let end = state.size + min(max(state.size / 4, Self.page), Self.mostSpace - Self.page)
    state.space = state.size
    let zeros = [UInt8](repeating: 0, count: Self.page)
    while state.space < end {
      // Up to the end of a page.
      let piece = zeros.prefix(Self.page - state.space % Self.page)
      guard (try? fileSystem.writeAll(Array(piece), to: handle, at: state.space)) != nil else { return }
      state.space += piece.count
    }
  }

  /// Makes the journal, or replaces it as a whole. It stays open for lines if it is durable.
  ///
  /// - Parameters:
  ///   - bytes: the header and the first lines.
  ///   - end: the place behind them.
  ///   - status: the status of the file of the store. The journal gets its owner and its mode.
  /// - Returns: the reason why its name is not durable, with code `indeterminate`. It is on the disk then.
  /// - Throws: an error with what was there before unchanged.
  func begin(
    _ bytes: [UInt8], end: JournalPosition, like status: FileStatus?
  ) throws(SnapshotError) -> SnapshotError? {
    assert(Lineage.JournalEnd(size: bytes.count, number: end.number, sum: end.sum).isIn(bytes))
    close()
    let directory: OpenFile
    var new: State
    do throws(SystemError) {
      directory = try fileSystem.openDirectory(location.directory)
    } catch {
      throw failure(error)
    }
    defer { fileSystem.close(directory) }
    do throws(SystemError) {
      new = try make(bytes, end, in: directory, like: status)
    } catch {
      throw failure(error)
    }
    // From here on this is the journal beside the file, even if its name is not durable. A fold has to know it.
    state.withLock {
      $0 = new
      $0?.isDurable = false
    }
    do throws(SystemError) {
      // No line counts before that.
      try fileSystem.sync(directory)
      new.folder = try fileSystem.status(directory)
      new.watch = isShared ? nil : watch(since: new.status)
      state.withLock { $0 = new }
      return nil
    } catch {
      close()
      return indeterminate(error)
    }
  }

  /// Writes a temporary file and renames it. A save removes what a killed process leaves of it.
  private func make(
    _ bytes: [UInt8], _ end: JournalPosition, in directory: OpenFile, like status: FileStatus?
  ) throws(SystemError) -> State {
    let temporary = TemporaryName(for: location).with(.random(in: .min ... .max))
    let handle = try fileSystem.create(temporary, in: directory)
    do throws(SystemError) {
      try fileSystem.writeAll(bytes, to: handle)
      var state = State(handle: handle, end: end, size: bytes.count)
      makeSpace(&state)
      if let status {
        try fileSystem.setAccess(handle, like: status, of: location.name, in: directory, attributes: false)
      }
      try fileSystem.sync(handle)
      state.status = try fileSystem.status(handle)
      try fileSystem.rename(temporary, to: name, in: directory)
      return state
    } catch {
      try? fileSystem.remove(temporary, in: directory)
      fileSystem.close(handle)
      throw error
    }
  }

  /// Marks that all of the journal is in the file that will be there next, durably. So nobody replays it onto that
  /// file, even if the journal is still there after a crash.
  ///
  /// Nothing is appended behind a mark. If the file is not replaced, the next change makes the journal anew.
  ///
  /// - Returns: whether the journal was marked. It is not if another program has removed or changed it.
  func mark(_ base: JournalBase, date: Date, like status: FileStatus?) throws(SnapshotError) -> Bool {
    guard let state = state.withLock({ $0 }), !state.isForeign else { return false }
    let text = JournalWriter.fold(to: base, after: state.end, date: date)
    if lookIsUntouched() {
      try append(text, "; nothing was replaced")
      endAppending(behind: base)
      return true
    }
    guard let bytes = try? read(limit: .max)?.bytes, bytes.count == state.size || state.isTorn,
      areLines(bytes.prefix(state.size), upTo: state.end)
    else { return false }
    let failure = try begin(bytes.prefix(state.size) + text.bytes, end: text.end, like: status)
    endAppending(behind: base)
    if let failure { throw failure }
    return true
  }

  private func endAppending(behind mark: JournalBase) {
    close()
    state.withLock { $0?.mark = mark }
  }

  /// All bytes of the journal and its status; nil if there is none.
  func read(limit: Int) throws(SnapshotError) -> (bytes: [UInt8], status: FileStatus)? {
    try fileSystem.readJournal(beside: location, limit: limit)
  }

  var path: String { place.path }

  private func failure(
    _ error: SystemError, _ consequence: String = "; the change is not saved"
  ) -> SnapshotError {
    SnapshotError(error, path, committed: consequence)
  }

  /// The error after a write whose sync failed: the disk may have the line or not.
  private func indeterminate(_ error: SystemError) -> SnapshotError {
    SnapshotError(
      .indeterminate, "\(error.call) failed: \(error.text); the change may be saved or not, and is saved again",
      path: path, systemError: error.number)
  }
}
