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
    /// What the first line says, and its checksum. Nil for one that was not read.
    var header: JournalHeader?
    var start: UInt32 = 0
    /// The place behind the last line that counts.
    var end: JournalPosition
    /// The number of bytes up to there.
    var size: Int
    /// The number of bytes in the file, with the NULs behind the lines.
    var space = 0
    /// The status of the open file behind the last line; nil if it is not open. While the use is watched, only the
    /// identity and the size are up to date.
    var status: FileStatus?
    /// How far the journal was written when it was closed.
    var extent: JournalExtent?
    /// The folder of the journal when it was made.
    var folder: FileStatus?
    /// Tells of the use by others. Nil if the system cannot tell, or someone has used the journal.
    var watch: (any UseWatch)?
    /// Whether nothing may be appended. Bytes that do not count may follow, of a line that was not written to its end,
    /// or a fold mark is among the lines.
    var isTorn = false
    /// Whether this store knows all that came before it. Otherwise what it saves does not have that.
    var isKnown = true
    /// Whether lines are missing that were acknowledged. What is made from it may lack them.
    var isCut = false
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
  private let known = SmallLock<(state: State?, past: JournalPast?)>((nil, nil))

  /// Nil if there is no journal. Only the thread with the turn of the saver changes it.
  var state: State? {
    get { known.withLock { $0.state } }
    set {
      // The watch ends outside the lock.
      _ = known.withLock { known in
        defer { known.state = newValue }
        return known.state
      }
    }
  }

  /// The past of the journal that was read or written last. It stays if the journal is lost.
  var latestPast: JournalPast? {
    get { known.withLock { $0.past } }
    set { known.withLock { $0.past = newValue } }
  }

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

  /// Whether there is a journal that the file needs: one with lines behind the last fold.
  var isThere: Bool {
    state.map { !$0.isSpent && ($0.end.number > 0 || $0.isUndecided) } ?? false
  }

  /// Whether a journal is on the disk, even one that the file does not need.
  var isOnDisk: Bool { state != nil }

  /// Whether the journal is another program's.
  var isForeign: Bool { state?.isForeign == true }

  /// Whether a line that peers do not know may be on the disk. The next save writes the file then.
  var isUndecided: Bool { state.map { !$0.isSpent && $0.isUndecided } == true }

  /// Whether lines are missing that were acknowledged.
  var isCut: Bool { state?.isCut == true }

  /// The number of bytes that count.
  var size: Int { state?.size ?? 0 }

  /// How far the journal is durable; nil if there is none, or if its name is not durable.
  var durableEnd: JournalEnd? {
    guard let state, state.isDurable else { return nil }
    return JournalEnd(journal: state.start, size: state.size, number: state.end.number, sum: state.end.sum)
  }

  /// What the journal is made from. Nil if there is none, or if it is that of a store that has the file alone.
  var past: JournalPast? { state?.header?.past }

  /// What the first line says; nil if there is no journal, or if it was not read.
  var header: JournalHeader? { state?.header }

  /// What a journal says of its past that is made now. It goes on with the run of the journal whose place it takes, if
  /// the file has all of that.
  ///
  /// - Parameters:
  ///   - known: the moments of the file that its content was made from. The end of the journal is the first.
  ///   - file: the file of the new journal.
  ///   - old: the file in place before. Another program may have put it there, with an old copy of the journal.
  func past(
    after known: [FilePosition], of file: FileStatus, replacing old: FileStatus?, _ making: JournalPast.Making = .init()
  ) -> JournalPast {
    let latest = latestPast
    let state = state
    var run = JournalPast(behind: latest)
    if let latest, let state, state.isKnown, !state.isCut, state.header?.past?.place == latest.place,
      latest.witness == old.map(Self.witness), !known.contains(where: { latest.isOlder(than: $0, state.start) })
    {
      run = latest
    }
    var next = run.next(madeFrom: known, making)
    next.witness = Self.witness(of: file)
    return next
  }

  static func witness(of file: FileStatus) -> String {
    [file.inode, UInt64(truncatingIfNeeded: file.size), UInt64(bitPattern: file.modified)]
      .map { String($0, radix: 16) }.joined(separator: " ")
  }

  /// The moment behind the last line; nil without a journal, or if this store does not know what came before it.
  ///
  /// - Parameter base: the file in place; nil for the one on which the journal was begun.
  func position(on base: JournalBase? = nil) -> FilePosition? {
    guard let state, state.isKnown, let base = base ?? state.header?.base else { return nil }
    return state.header?.position(on: base, start: state.start, end: state.end)
  }

  /// The file that the mark at the end names; nil if this session has written none there. The lines before it do not
  /// count beside that file.
  var mark: JournalBase? { state?.mark }

  /// The place behind the last line, if a line can be appended there.
  var openEnd: JournalPosition? { state.flatMap { $0.handle == nil ? nil : $0.end } }

  /// Whether there is something with the name of the journal. It may be the journal of another program.
  var isNameTaken: Bool {
    do throws(SystemError) {
      return try fileSystem.statusIfAny(at: place) != nil
    } catch {
      return true
    }
  }

  /// Notes a journal that was found on the disk. Nothing is appended to it.
  ///
  /// - Parameters:
  ///   - isKnown: whether this store knows all that came before it.
  ///   - durable: the end up to which it was durable, as far as that is known.
  func note(_ journal: Journal, isKnown: Bool = true, durable: JournalEnd?) {
    let isCut = durable?.isMissing(in: journal) == true
    let count = journal.source.bytes.count
    state = State(
      handle: nil, header: journal.header, start: journal.start, end: journal.end, size: count - journal.tornBytes,
      space: count, isTorn: journal.tornBytes > 0 || journal.isMarked || isCut, isKnown: isKnown, isCut: isCut)
    latestPast = isKnown ? journal.header?.past : nil
  }

  /// Appends a line, durably.
  func append(_ text: JournalText) throws(SnapshotError) {
    do throws(SnapshotError) {
      try append(text, "; the change is not saved")
    } catch {
      // Without peers, the journal is made anew.
      state?.isUndecided = isShared
      if isShared { retract(text) }
      close()
      throw error
    }
  }

  /// Overwrites a line that is not acknowledged, so that no peer takes it in. The disk may have it nevertheless.
  private func retract(_ text: JournalText) {
    guard let state = state, let handle = state.handle else { return }
    try? fileSystem.writeAll([UInt8](repeating: 0, count: text.bytes.count), to: handle, at: state.size)
  }

  /// - Parameter consequence: what a failure means, in words.
  private func append(_ text: JournalText, _ consequence: String) throws(SnapshotError) {
    guard var new = state, let handle = new.handle else { fatalError("the journal is not open") }
    assert(text.isLine(behind: new.end), "the next reader would not take the line for what it is")
    state?.isTorn = true
    do throws(SystemError) {
      try fileSystem.writeAll(text.bytes, to: handle, at: new.size)
    } catch {
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
      throw indeterminate(error)
    }
    state = new
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
  ///   - header: what the first line says.
  ///   - first: that line.
  ///   - rest: the lines behind it.
  ///   - end: the place behind them; nil if there are none.
  ///   - isKnown: whether this store knows all that came before it.
  ///   - status: the status of the file of the store. The journal gets its owner and its mode.
  /// - Returns: the reason why its name is not durable, with code `indeterminate`. It is on the disk then.
  /// - Throws: an error with what was there before unchanged.
  func begin(
    _ header: JournalHeader, _ first: JournalText, _ rest: [UInt8] = [], end: JournalPosition? = nil,
    isKnown: Bool = true, like status: FileStatus?
  ) throws(SnapshotError) -> SnapshotError? {
    let (bytes, end) = (first.bytes + rest, end ?? first.end)
    assert(areLines(bytes[...], upTo: end), "the next reader would not take the lines for what they are")
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
      new.header = header
      new.start = first.end.sum
      new.isKnown = isKnown
      if isKnown, let past = header.past { latestPast = past }
    } catch {
      throw failure(error)
    }
    // From here on this is the journal beside the file, even if its name is not durable. A fold has to know it.
    state = new
    state?.isDurable = false
    do throws(SystemError) {
      // No line counts before that.
      try fileSystem.sync(directory)
      new.folder = try fileSystem.status(directory)
      new.watch = isShared ? nil : watch(since: new.status)
      state = new
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
    guard let state = state, !state.isForeign else { return false }
    let text = JournalWriter.fold(to: base, isWhole: state.isKnown, after: state.end, date: date)
    if lookIsUntouched() {
      do throws(SnapshotError) {
        try append(text, "; nothing was replaced")
      } catch {
        close()
        throw error
      }
      endAppending(behind: base)
      return true
    }
    guard let bytes = try? read(limit: .max)?.bytes, bytes.count == state.size || state.isTorn,
      areLines(bytes.prefix(state.size), upTo: state.end)
    else { return false }
    guard let header = state.header, let first = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return false }
    let line = JournalText(bytes: Array(bytes[...first]), end: JournalPosition(number: 0, sum: state.start))
    let failure = try begin(
      header, line, bytes[(first + 1)..<state.size] + text.bytes, end: text.end, isKnown: state.isKnown, like: status)
    self.state?.isCut = state.isCut
    endAppending(behind: base)
    if let failure { throw failure }
    return true
  }

  private func endAppending(behind mark: JournalBase) {
    close()
    state?.mark = mark
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
