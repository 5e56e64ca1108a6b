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
