/// The number of saves since the store was opened, by their results.
struct SaveCounters: Equatable, Sendable {
  /// Saves that wrote the file.
  var saves = 0
  /// Bytes that these saves wrote.
  var bytes = 0
  /// Saves that did not write because the file had the same bytes.
  var skipped = 0
  /// Saves that failed.
  var failures = 0

  mutating func count(_ result: Result<StoreFile.SaveResult, SnapshotError>) {
    switch result {
    case .success(.written(let bytes)):
      saves += 1
      self.bytes += bytes
    case .success(.skipped): skipped += 1
    case .failure: failures += 1
    }
  }
}
