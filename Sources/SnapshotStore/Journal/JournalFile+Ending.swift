import SnapshotFoundation
import Synchronization

/// The end of a journal, and of appending to it.
extension JournalFile {
  /// Notes that the file has all of the journal.
  func spend() { state?.isSpent = true }

  /// Removes the journal, which must not be needed any more. If that fails, it stays, and is not replayed. The next
  /// fold marks it once more, and tries again.
  func remove() {
    close()
    spend()
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

  /// Keeps what another program has made of the journal under another name, if that is possible, and returns that path.
  /// Its lines are not needed any more.
  func setAside(date: Date) -> String? {
    defer { forget() }
    return try? keepAside(date: date)
  }

  /// Lets the next change make the journal anew, because bytes that do not count stand behind the last line.
  func endAppending() {
    close()
    state?.isTorn = true
  }

  /// Ends appending. What is on the disk stays.
  func close() {
    guard var new = state else { return }
    if let status = new.status { new.extent = JournalExtent(status, end: new.size) }
    let handle = new.handle
    (new.handle, new.status, new.watch) = (nil, nil, nil)
    state = new
    if let handle { fileSystem.close(handle) }
  }

  /// The path leads to another folder now. If that has a journal, the next save writes the file. An exact copy of this
  /// journal ends then, and another one gets another name.
  func followFolder() {
    if !isNameTaken { return forget() }
    close()
    let known = state
    let bytes = (try? read(limit: .max))?.bytes
    let isCopy = known.map { bytes?.count == $0.size && areLines(bytes?[...] ?? [], upTo: $0.end) } ?? false
    var new = state ?? State(handle: nil, end: JournalPosition(number: 0, sum: 0), size: 0)
    new.isTorn = true
    new.isForeign = !isCopy
    state = new
  }

  /// Notes that what is saved next lacks what others have in the journal.
  func distrust() {
    state?.isKnown = false
    latestPast = nil
  }

  /// Forgets the journal.
  func forget() {
    close()
    state = nil
  }
}

/// The use of an open journal by other programs.
extension JournalFile {
  /// Looks whether the name leads to the open journal, and nobody has changed it since the last line. Otherwise another
  /// program has removed, replaced or edited it, and a line behind it might be lost. It takes some microseconds.
  func lookIsUntouched() -> Bool {
    guard let state = state, let handle = state.handle, let known = state.status else { return false }
    guard let watch = state.watch else {
      return (try? fileSystem.status(at: path))?.isSameContent(as: known) == true
    }
    // A file that was not moved has its name as long as its folder has one.
    let folder = try? fileSystem.folderStatus(of: location)
    guard let folder, let made = state.folder, folder.isSameFile(as: made) else { return false }
    return watch.isUnused && (try? fileSystem.size(handle)) == known.size || lookIsAsWritten(state, known)
  }

  /// Looks whether a journal that someone has used still has the lines of this store, and nothing else. O(journal).
  ///
  /// From here on the date tells of changes: a program that follows the journal uses it after each line.
  private func lookIsAsWritten(_ state: State, _ known: FileStatus) -> Bool {
    self.state?.watch = nil
    // Before the content is read, so that a change meanwhile is noticed later.
    guard let status = try? fileSystem.status(at: path), status.isSameFile(as: known), status.size == known.size,
      let bytes = try? read(limit: .max)?.bytes, bytes.count == state.size, areLines(bytes[...], upTo: state.end)
    else { return false }
    self.state?.status = status
    return true
  }

  /// Begins to watch the use by others, unless someone has changed the journal before.
  func watch(since status: FileStatus?) -> (any UseWatch)? {
    guard let status, let watch = fileSystem.watchUse(of: path),
      (try? fileSystem.status(at: path))?.isSameContent(as: status) == true
    else { return nil }
    return watch
  }

  /// Whether these bytes are whole lines that lead to this position.
  func areLines(_ bytes: ArraySlice<UInt8>, upTo end: JournalPosition) -> Bool {
    (try? Journal(Array(bytes), limits: ReadLimits(fileSize: .max)))?.end == end
  }
}

/// What a journal says of the versions of the file before.
extension JournalFile {
  /// What a journal says of its past that is made now. It goes on with the run of the journal whose place it takes, if
  /// the file has all of that.
  ///
  /// - Parameters:
  ///   - known: the moments of the file that its content was made from. The end of the journal is the first.
  ///   - base: what the new journal calls its file. A store may have read that before the journal was there.
  ///   - file: the status of that file.
  ///   - old: the file in place before. Another program may have put it there, with an old copy of the journal.
  func past(
    after known: [FilePosition], on base: JournalBase, _ file: FileStatus, replacing old: FileStatus?,
    _ making: JournalPast.Making = .init()
  ) -> JournalPast {
    let latest = latestPast
    let state = state
    var run = JournalPast(behind: latest)
    if let latest, let state, state.isKnown, !state.isCut, state.header?.past?.place == latest.place,
      latest.witness == old.map(Self.witness), !known.contains(where: { latest.isOlder(than: $0, state.start) })
    {
      run = latest
    }
    let first = run.place.number == 0 ? [FilePosition(base: base)] : []
    var next = run.next(madeFrom: known + first, making)
    next.witness = Self.witness(of: file)
    return next
  }

  static func witness(of file: FileStatus) -> String {
    [
      file.inode, UInt64(truncatingIfNeeded: file.size), UInt64(bitPattern: file.modified),
      UInt64(bitPattern: file.changed),
    ]
    .map { String($0, radix: 16) }.joined(separator: " ")
  }

  /// The moment behind the last line; nil without a journal, or if this store does not know what came before it.
  func position() -> FilePosition? {
    guard let state, state.isKnown, let header = state.header else { return nil }
    return header.position(on: header.base, start: state.start, end: state.end)
  }

  /// The moment of a file behind the last line that counts. Beside a file that a mark names, no line does.
  func position(on base: JournalBase) -> FilePosition? {
    guard let state, state.isKnown, let header = state.header else { return nil }
    let counts = base == header.base && state.mark != base
    return header.position(
      on: base, start: state.start, end: counts ? state.end : JournalPosition(number: 0, sum: state.start))
  }
}
