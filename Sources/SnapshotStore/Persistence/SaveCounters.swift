/// How much saving a store has done since it was opened.
public struct SaveCounters: Equatable, Sendable {
  /// Saves that wrote the file.
  public internal(set) var saves = 0
  /// Bytes written by them.
  public internal(set) var bytes = 0
  /// Saves that found the same bytes in the file, and did not write.
  public internal(set) var skipped = 0
  /// Saves that failed.
  public internal(set) var failures = 0

  mutating func count(_ result: Result<StoreFile.Outcome, SnapshotError>) {
    switch result {
    case .success(.written(let bytes)):
      saves += 1
      self.bytes += bytes
    case .success(.skipped): skipped += 1
    case .failure: failures += 1
    }
  }
}
