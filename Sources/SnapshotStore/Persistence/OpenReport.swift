/// How a store was opened.
public struct OpenReport: Sendable {
  /// Where the value came from.
  public enum Source: Equatable, Sendable {
    /// There was no file; it was made.
    case created
    /// The file.
    case file
    /// A kept older version, because the file is damaged.
    case generation(Generation)
  }

  /// Where the value came from.
  public internal(set) var source: Source
  /// Why the store can only be read, if it was to be opened for writing.
  public internal(set) var readOnlyReason: SnapshotError?
  /// Why the file could not be read, if something else was opened in its place.
  public internal(set) var problem: SnapshotError?
  /// The path under which the damaged file stays; nil if it was left where it is, by a store that only reads.
  public internal(set) var damagedFile: String?
}
