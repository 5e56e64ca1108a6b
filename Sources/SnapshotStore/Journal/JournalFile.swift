import SnapshotFoundation

/// The journal beside the file of a session, and the only way to change it.
///
/// The caller holds the lock of the file, and makes one call at a time. A line counts once it was written and synced.
/// After a failure it is not known what is behind the last such line. So nothing is appended then: the next change
/// writes a new journal, or the file.
///
/// The file has more bytes than lines: NULs that are already on the disk. A line replaces some of them. That is much
/// cheaper than a line that makes the file longer, for which the file system has to write its own structures as well.
final class JournalFile {
  struct State {
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
  /// Nil if there is no journal.
  var state: State?
  /// The past of the journal that was read or written last. It stays if the journal is lost.
  var latestPast: JournalPast?

  /// Whether other processes append to the journal too. They use descriptors that they have opened before, which a
  /// `UseWatch` does not see.
  let isShared: Bool

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

  /// What the journal is made from. Nil if there is none, or if nobody shared the file when it was made.
  var past: JournalPast? { state?.header?.past }

  /// What the first line says; nil if there is no journal, or if it was not read.
  var header: JournalHeader? { state?.header }

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
  ///
  /// - Parameter isMark: whether it has no change.
  func append(_ text: JournalText, isMark: Bool = false) throws(SnapshotError) {
    do throws(SnapshotError) {
      try write(text, isMark: isMark)
    } catch {
      // Without peers, the journal is made anew.
      state?.isUndecided = isShared
      // A mark may name the file in place. Then no line before it would count.
      if isShared || isMark { retract(text) }
      close()
      throw error
    }
  }

  /// Overwrites a line that is not acknowledged, so that no peer takes it in. The disk may have it nevertheless.
  private func retract(_ text: JournalText) {
    guard let state, let handle = state.handle else { return }
    try? fileSystem.writeAll([UInt8](repeating: 0, count: text.bytes.count), to: handle, at: state.size)
  }

  private func write(_ text: JournalText, isMark: Bool) throws(SnapshotError) {
    guard var new = state, let handle = new.handle else { fatalError("the journal is not open") }
    assert(text.isLine(behind: new.end), "the next reader would not take the line for what it is")
    state?.isTorn = true
    do throws(SystemError) {
      try fileSystem.writeAll(text.bytes, to: handle, at: new.size)
    } catch {
      throw isMark ? unreplaced(error) : failure(error)
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
      throw isMark ? unreplaced(error) : indeterminate(error)
    }
    state = new
  }

  /// Writes NULs behind the lines if there are none: a quarter of the journal, but at least a page and at most 256 KiB.
  /// It is no failure if there is no space for them.
  func makeSpace(_ state: inout State) {
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

  /// All bytes of the journal and its status; nil if there is none.
  func read(limit: Int) throws(SnapshotError) -> (bytes: [UInt8], status: FileStatus)? {
    try fileSystem.readJournal(beside: location, limit: limit)
  }

  var path: String { place.path }

  func failure(_ error: SystemError) -> SnapshotError {
    SnapshotError(error, path, committed: "; the change is not saved")
  }

  /// The error of a fold that could not make its mark, which it does before it replaces the file.
  func unreplaced(_ error: SystemError) -> SnapshotError {
    SnapshotError(error, path, committed: "; nothing was replaced")
  }

  /// The error after a write whose sync failed: the disk may have the line or not.
  func indeterminate(_ error: SystemError) -> SnapshotError {
    SnapshotError(
      .indeterminate, "\(error.call) failed: \(error.text); the change may be saved or not, and is saved again",
      path: path, systemError: error.number)
  }
}
