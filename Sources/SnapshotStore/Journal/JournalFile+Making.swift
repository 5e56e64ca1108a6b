import SnapshotFoundation
import Synchronization

/// The making of a journal, and the mark at its end.
extension JournalFile {
  /// Makes the journal, or replaces it as a whole. It stays open for lines if it is durable.
  ///
  /// - Parameters:
  ///   - header: what the first line says.
  ///   - first: that line.
  ///   - rest: the lines behind it.
  ///   - end: the place behind them; nil if there are none.
  ///   - isKnown: whether this store knows all that came before it.
  ///   - status: the status of the file of the store. The journal gets its owner and its mode.
  /// - Returns: the reason why its name is not durable. It is on the disk then.
  /// - Throws: an error with what was there before unchanged.
  func begin(
    _ header: JournalHeader, _ first: JournalText, _ rest: [UInt8] = [], end: JournalPosition? = nil,
    isKnown: Bool = true, like status: FileStatus?
  ) throws(SnapshotError) -> SystemError? {
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
      return error
    }
  }

  /// Begins a journal for a mark only. It says nothing of what the file was made from.
  ///
  /// - Parameter base: what it calls the file in place.
  func begin(_ heading: JournalHeader, on base: JournalBase, like status: FileStatus) throws(SnapshotError) {
    var header = heading
    var past = JournalPast(behind: nil).next(madeFrom: [FilePosition(base: base)], .init())
    past.witness = Self.witness(of: status)
    (header.base, header.past) = (base, past)
    let latest = latestPast
    defer { latestPast = latest }
    if let failure = try begin(header, JournalWriter.header(header), like: status) { throw unreplaced(failure) }
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
  /// - Parameter note: called with the moment behind the mark before that may be on the disk.
  /// - Returns: whether the journal was marked. It is not if another program has removed or changed it.
  func mark(
    _ base: JournalBase, date: Date, like status: FileStatus?, noting note: (FilePosition) -> Void
  ) throws(SnapshotError) -> Bool {
    guard let state, !state.isForeign else { return false }
    let text = JournalWriter.fold(to: base, isWhole: state.isKnown, after: state.end, date: date)
    if var position = position(on: base) {
      position.end = text.end
      note(position)
    }
    if lookIsUntouched() {
      try append(text, isMark: true)
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
    if let failure { throw unreplaced(failure) }
    return true
  }

  private func endAppending(behind mark: JournalBase) {
    close()
    state?.mark = mark
  }
}
