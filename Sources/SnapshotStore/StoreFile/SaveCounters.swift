/// The result of a save.
enum SaveResult: Equatable, Sendable {
  /// The file was written. `folds`: whether there was a journal, which is gone now. `keptJournal`: the path under
  /// which it is kept, because another program has changed it, or it could not be read.
  case written(bytes: Int, folds: Bool = false, keptJournal: String? = nil)
  /// Bytes were appended to the journal, or a new one was made of them.
  case appended(bytes: Int)
  /// The file already had these bytes.
  case skipped
}

/// The number of saves since the store was opened, by their results.
struct SaveCounters: Equatable, Sendable {
  /// Saves that wrote the file or the journal.
  var saves = 0
  /// Bytes that these saves wrote.
  var bytes = 0
  /// The bytes among them that went to the journal.
  var journalBytes = 0
  /// Saves that wrote the file and removed the journal.
  var folds = 0
  /// Saves that did not write because the file had the same bytes.
  var skipped = 0
  /// Saves that failed.
  var failures = 0

  mutating func count(_ result: Result<SaveResult, SnapshotError>) {
    switch result {
    case .success(.written(let bytes, let hasFolded, _)):
      saves += 1
      self.bytes += bytes
      if hasFolded { folds += 1 }
    case .success(.appended(let bytes)):
      saves += 1
      self.bytes += bytes
      journalBytes += bytes
    case .success(.skipped): skipped += 1
    case .failure: failures += 1
    }
  }
}
