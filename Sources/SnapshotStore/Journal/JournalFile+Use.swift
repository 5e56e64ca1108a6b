import Synchronization

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
