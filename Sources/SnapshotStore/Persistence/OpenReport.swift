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
    /// Those records of the damaged file that can be read.
    case salvage
  }

  /// Where the value came from.
  public internal(set) var source: Source
  /// Why the store can only be read, if it was to be opened for writing.
  public internal(set) var readOnlyReason: SnapshotError?
  /// Why the file could not be read, if something else was opened in its place.
  public internal(set) var problem: SnapshotError?
  /// The path under which the damaged file stays; nil if it was left where it is, by a store that only reads.
  public internal(set) var damagedFile: String?
  /// What could not be read of a damaged file that was salvaged, record by record.
  public internal(set) var losses: [SalvageLoss] = []
  /// What brought the value to the version of the schema; nil if the file has that version.
  public internal(set) var migration: MigrationReport?
  /// The version of the schema that the file has, if it is newer than the one of the program; the store can only be read.
  public internal(set) var newerVersion: Int?
  /// Why nothing notices changes of the file at once, though ``StoreOptions/externalChanges`` asks for it; the store looks at the file
  /// every two seconds instead.
  public internal(set) var watchProblem: SnapshotError?
  /// What the file holds that the schema does not know: it is kept, and written back with every save; or, if the file is of a
  /// newer version, left out. Empty for most.
  public internal(set) var unknownKeys: [UnknownKey] = []
}

extension OpenReport {
  /// A report on what was decoded.
  init<Root: Model>(source: Source, of decoded: DecodedSnapshot<Root>) {
    self.init(source: source)
    migration = MigrationReport(of: decoded)
    newerVersion = decoded.version > Root.schema.version ? decoded.version : nil
    unknownKeys = decoded.unknown.report
  }
}
