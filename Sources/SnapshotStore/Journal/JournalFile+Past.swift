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
