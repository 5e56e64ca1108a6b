/// How a store was opened.
public struct OpenReport: Sendable {
  /// Where the value came from.
  public enum Source: Equatable, Sendable {
    /// There was no file; it was made.
    case created
    /// The file.
    case file
  }

  /// Where the value came from.
  public internal(set) var source: Source
  /// Why the store can only be read, if it was to be opened for writing.
  public internal(set) var readOnlyReason: SnapshotError?
}
