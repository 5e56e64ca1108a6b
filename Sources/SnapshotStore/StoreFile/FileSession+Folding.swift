import SnapshotFoundation

/// Replaces the file, and the journal with it.
extension FileSession {
  /// Replaces or creates the file, with all that the old file and its journal hold in the new content. Then removes the
  /// journal. If others share the file, a new one takes its place, which names what the file was made from.
  ///
  /// - Parameters:
  ///   - heading: what the first line of a journal on the new file says.
  ///   - present: what a journal calls the file in place. If others share it and no journal is beside it, one is begun
  ///     there first. A mark in it says what the new file was made from, even if the disk is full by then.
  ///   - known: moments of the file that the new content was made from.
  ///   - making: how it was made.
  ///   - note: called with each moment of the file that will have the new content, before it may be on the disk.
  ///     `isSure`: whether the new file is in place by then.
  /// - Returns: the replacement, and the path under which a journal is kept that another program has changed.
  func fold(
    into content: PiecedBytes, _ heading: @autoclosure () -> JournalHeader, over present: JournalBase? = nil,
    madeFrom known: [FilePosition] = [],
    _ making: JournalPast.Making = .init(), expecting expected: Expectation, date: Date, cleansUp: Bool = true,
    keep: (_ directory: OpenFile) -> Void = { _ in },
    noting note: (FilePosition, _ isSure: Bool) -> Void = { _, _ in }
  ) throws(SnapshotError) -> (AtomicSave.Replacement, keptJournal: String?) {
    var isOurs = true
    var old: FileStatus?
    // The mark comes last, when only the rename can fail. Behind it nothing is appended.
    let replacement = try replace(
      expecting: expected, cleansUp: cleansUp, keep: keep,
      announce: { current throws(SnapshotError) in
        old = current
        let base = heading().base
        note(FilePosition(base: base), false)
        if keepsPast, !journal.isOnDisk, !journal.isNameTaken, let present, let current {
          try journal.begin(heading(), on: present, like: current)
        }
        guard journal.isOnDisk else { return }
        isOurs = try journal.mark(base, date: date, like: old, noting: { note($0, false) })
      }, writing: { copy throws(SnapshotError) in try copy.write(content) })
    // Before the directory is durable, a power cut may bring the old file back. It needs its journal.
    if replacement.directoryFailure != nil, journal.isOnDisk {
      if let position = journal.position(on: heading().base) { note(position, true) }
      return (replacement, nil)
    }
    // A journal that this session has not read stays. The next look merges it with the file.
    if !journal.isOnDisk, journal.isNameTaken { return (replacement, nil) }
    let made = [journal.position()].compactMap(\.self) + known
    // The rename has changed its date.
    let new = (try? fileSystem.statusIfAny(at: location)) ?? replacement.status
    let kept = endJournal(
      heading(), isOurs: isOurs, madeFrom: made, making, like: new, replacing: old, date: date, noting: note)
    return (replacement, kept)
  }

  /// Ends the journal, because the file has all of it. If others share the file, a new one takes its place.
  ///
  /// - Parameters:
  ///   - isOurs: whether the journal is as this session knows it; otherwise another program has changed it.
  ///   - isMarked: whether a mark in it names the file.
  /// - Returns: the path under which it is kept then.
  func endJournal(
    _ heading: JournalHeader, isOurs: Bool, isMarked: Bool = true, madeFrom made: [FilePosition],
    _ making: JournalPast.Making, like status: FileStatus, replacing old: FileStatus?, date: Date,
    noting note: (FilePosition, _ isSure: Bool) -> Void
  ) -> String? {
    journal.spend()
    var kept: String?
    if !isOurs { kept = journal.setAside(date: date) }
    if keepsPast, isOurs || !journal.isNameTaken {
      var header = heading
      var making = making
      making.isUntyped = isUntyped
      header.past = journal.past(after: made, on: header.base, status, replacing: old, making)
      let line = JournalWriter.header(header)
      note(header.position(on: header.base, start: line.end.sum, end: line.end), true)
      do throws(SnapshotError) {
        _ = try journal.begin(header, line, like: status)
      } catch {
        // The mark in the old one says the same. Without a mark, the old one must not stay.
        if !isMarked {
          journal.remove()
        } else if let position = journal.position(on: header.base) {
          note(position, true)
        }
      }
      if !isShared { journal.close() }
    } else {
      note(FilePosition(base: heading.base), true)
      if journal.isOnDisk { journal.remove() }
    }
    noteSaved()
    return kept
  }
}
