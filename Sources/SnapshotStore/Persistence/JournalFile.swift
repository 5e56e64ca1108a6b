import SnapshotFoundation
import Synchronization

/// The journal beside the file of a session, and the only way to change it.
///
/// The caller holds the lock of the file, and makes one call at a time. A line counts once it was written and synced.
/// After a failure it is not known what is behind the last such line. So nothing is appended then: the next change
/// writes a new journal, or the file.
final class JournalFile: Sendable {
  private struct State: Sendable {
    /// Open behind the last line; nil if nothing may be appended.
    var handle: OpenFile?
    /// The place behind the last line that counts.
    var end: JournalPosition
    /// The number of bytes up to there.
    var size: Int
    /// The status of the open file behind the last line; nil if it is not open.
    var status: FileStatus?
    /// Whether bytes that do not count may follow: of a line that was not written to its end.
    var isTorn = false
    /// Whether the file has all of it, and the journal is only there because it could not be removed.
    var isSpent = false
  }

  private let fileSystem: any FileSystem
  /// The place of the file of the store.
  private let location: FileLocation
  /// Nil if there is no journal.
  private let state = SmallLock<State?>(nil)

  init(beside location: FileLocation, on fileSystem: any FileSystem) {
    self.location = location
    self.fileSystem = fileSystem
  }

  private var name: String { SideName.journal(of: location.name) }
  private var place: FileLocation { location.sibling(name) }

  /// Whether there is a journal that the file needs.
  var isThere: Bool { state.withLock { $0?.isSpent == false } }

  /// Whether a journal is on the disk, even one that the file does not need.
  var isOnDisk: Bool { state.withLock { $0 != nil } }

  /// The number of bytes that count.
  var size: Int { state.withLock { $0?.size } ?? 0 }

  /// The place behind the last line, if a line can be appended there.
  var openEnd: JournalPosition? { state.withLock { state in state?.handle == nil ? nil : state?.end } }

  /// Whether the name leads to the open journal, and nobody has changed it since the last line. Otherwise another
  /// program has removed, replaced or edited it, and a line behind it might be lost. It takes some microseconds.
  var isUntouched: Bool {
    guard let known = state.withLock({ $0?.status }), let current = try? fileSystem.statusIfAny(at: place) else {
      return false
    }
    return current.isSameContent(as: known)
  }

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
      $0 = State(
        handle: nil, end: journal.end, size: journal.source.bytes.count - journal.tornBytes,
        isTorn: journal.tornBytes > 0)
    }
  }

  /// Appends a line, durably.
  func append(_ text: JournalText) throws(SnapshotError) { try append(text, "; the change is not saved") }

  /// - Parameter consequence: what a failure means, in words.
  private func append(_ text: JournalText, _ consequence: String) throws(SnapshotError) {
    guard let known = state.withLock({ $0 }), let handle = known.handle else { fatalError("the journal is not open") }
    state.withLock { $0?.isTorn = true }
    do throws(SystemError) {
      try fileSystem.writeAll(text.bytes, to: handle)
    } catch {
      close()
      throw failure(error, consequence)
    }
    let status: FileStatus
    do throws(SystemError) {
      try fileSystem.sync(handle)
      status = try fileSystem.status(handle)
    } catch {
      close()
      throw indeterminate(error)
    }
    state.withLock {
      $0 = State(handle: handle, end: text.end, size: known.size + text.bytes.count, status: status)
    }
  }

  /// Makes the journal, or replaces it as a whole, durably. It stays open for lines.
  ///
  /// - Parameters:
  ///   - bytes: the header and the first lines.
  ///   - end: the place behind them.
  ///   - status: the status of the file of the store. The journal gets its owner and its mode.
  func begin(_ bytes: [UInt8], end: JournalPosition, like status: FileStatus?) throws(SnapshotError) {
    close()
    let directory: OpenFile
    let handle: OpenFile
    do throws(SystemError) {
      directory = try fileSystem.openDirectory(location.directory)
    } catch {
      throw failure(error)
    }
    defer { fileSystem.close(directory) }
    do throws(SystemError) {
      handle = try make(bytes, in: directory, like: status)
    } catch {
      throw failure(error)
    }
    // From here on this is the journal beside the file, even if its name is not durable. A fold has to know it.
    state.withLock { $0 = State(handle: handle, end: end, size: bytes.count) }
    do throws(SystemError) {
      // No line counts before that.
      try fileSystem.sync(directory)
      let status = try fileSystem.status(handle)
      state.withLock { $0?.status = status }
    } catch {
      close()
      throw indeterminate(error)
    }
  }

  /// Writes a temporary file and renames it. A save removes what a killed process leaves of it.
  private func make(
    _ bytes: [UInt8], in directory: OpenFile, like status: FileStatus?
  ) throws(SystemError) -> OpenFile {
    let temporary = TemporaryName(for: location).with(.random(in: .min ... .max))
    let handle = try fileSystem.create(temporary, in: directory)
    do throws(SystemError) {
      try fileSystem.writeAll(bytes, to: handle)
      if let status { try fileSystem.setOwnership(handle, like: status) }
      try fileSystem.sync(handle)
      try fileSystem.rename(temporary, to: name, in: directory)
      return handle
    } catch {
      try? fileSystem.remove(temporary, in: directory)
      fileSystem.close(handle)
      throw error
    }
  }

  /// Marks that all of the journal is in the file that will be there next, durably. So nobody replays it onto that
  /// file, even if the journal is still there after a crash.
  ///
  /// - Returns: whether the journal was marked. It is not if another program has removed or changed it.
  func mark(_ base: JournalBase, date: Date, like status: FileStatus?) throws(SnapshotError) -> Bool {
    guard let state = state.withLock({ $0 }) else { return false }
    let text = JournalWriter.fold(to: base, after: state.end, date: date)
    if isUntouched {
      try append(text, "; nothing was replaced")
      return true
    }
    guard let bytes = try? read(limit: .max)?.bytes, bytes.count == state.size || state.isTorn,
      areLines(bytes.prefix(state.size), upTo: state.end)
    else { return false }
    try begin(bytes.prefix(state.size) + text.bytes, end: text.end, like: status)
    return true
  }

  /// Whether these bytes are whole lines that lead to this position.
  private func areLines(_ bytes: ArraySlice<UInt8>, upTo end: JournalPosition) -> Bool {
    (try? Journal(Array(bytes), limits: ReadLimits(fileSize: .max)))?.end == end
  }

  /// Removes the journal, which must not be needed any more. If that fails, it stays, and is not replayed. The next
  /// fold marks it once more, and tries again.
  func remove() {
    close()
    state.withLock { $0?.isSpent = true }
    do throws(SystemError) {
      let directory = try fileSystem.openDirectory(location.directory)
      defer { fileSystem.close(directory) }
      do throws(SystemError) {
        try fileSystem.remove(name, in: directory)
      } catch {
        if error.number != SystemError.noSuchFile { throw error }
      }
      forget()
      // A power cut must not bring it back beside a file that was edited meanwhile.
      try fileSystem.sync(directory)
    } catch {}
  }

  /// Gives the journal a second name, under which it stays, and returns that path. Nil if there is none.
  func copyAside(date: Date) throws(SnapshotError) -> String? {
    guard try read(limit: .max) != nil else { return nil }
    return try Quarantine.keep(place, as: "journal", beside: location, on: fileSystem, date: date)
  }

  /// Gives the journal another name, and returns that path. Nil if there is none.
  func keepAside(date: Date) throws(SnapshotError) -> String? {
    let kept = try copyAside(date: date)
    if kept != nil { remove() }
    return kept
  }

  /// Keeps what another program has made of the journal under another name, if that is possible. Its lines are not
  /// needed any more.
  func setAside(date: Date) {
    _ = try? keepAside(date: date)
    forget()
  }

  /// Ends appending. What is on the disk stays.
  func close() {
    let handle = state.withLock { state in
      defer {
        state?.handle = nil
        state?.status = nil
      }
      return state?.handle
    }
    if let handle { fileSystem.close(handle) }
  }

  /// Forgets the journal: the path leads to another folder now.
  func forget() {
    close()
    state.withLock { $0 = nil }
  }

  /// All bytes of the journal and its status; nil if there is none.
  func read(limit: Int) throws(SnapshotError) -> (bytes: [UInt8], status: FileStatus)? {
    try fileSystem.readJournal(beside: location, limit: limit)
  }

  private var path: String { place.path }

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

extension FileSystem {
  /// All bytes of the journal beside a file and its status; nil if there is none.
  func readJournal(
    beside location: FileLocation, limit: Int
  ) throws(SnapshotError) -> (bytes: [UInt8], status: FileStatus)? {
    do {
      return try readFile(at: location.sibling(SideName.journal(of: location.name)), limit: limit)
    } catch {
      if error.code == .fileNotFound { return nil }
      if error.systemError == SystemError.tooManyLinks {
        throw SnapshotError(
          .notRegularFile, "the journal is a symbolic link", advice: "Remove the link.", path: error.path)
      }
      throw error
    }
  }
}
