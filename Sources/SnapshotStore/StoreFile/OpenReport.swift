/// How a store was opened.
///
/// ```swift
/// guard let report = store.openReport else { return }     // nil if in memory
/// if let migration = report.migration {
///   show("migrated from version \(migration.from)")
/// }
/// switch report.source {
/// case .created, .file: break
/// case .generation(let old): show("the file is damaged; this is \(old.date)")
/// case .salvage: show("the file is damaged; \(report.losses.count) losses")
/// case .initial: show("the file is beyond repair; all is as at first")
/// }
/// if let journal = report.journal {
///   show("\(journal.changes) changes were in the journal")
/// }
/// for unknown in report.unknownKeys { show("kept, not understood: \(unknown)") }
/// ```
public struct OpenReport: Sendable {
  /// The source of the value.
  public enum Source: Equatable, Sendable {
    /// There was no file, and an empty one was created.
    case created
    /// The file.
    case file
    /// A generation, because the file is damaged.
    case generation(Generation)
    /// The readable records of the damaged file.
    case salvage
    /// The initial value, because nothing of the file can be read.
    case initial
  }

  /// The migration of a file of an older version to the version of its schema.
  public struct Migration: Equatable, Sendable {
    /// The version of the file before the migration.
    public let from: Int
    /// The version of the schema.
    public let to: Int
    /// The names of the steps, in the order in which they ran.
    public let steps: [String]
  }

  /// A journal that was beside the file. A process that did not close its store has left it.
  public struct FoundJournal: Sendable {
    /// The number of lines whose changes the value has. Each is one save.
    public internal(set) var changes = 0
    /// The number of damaged lines that could not be read.
    public internal(set) var lostLines = 0
    /// The result of a merge, because someone else had replaced or edited the file. Nil if the file was the one of the
    /// journal.
    public internal(set) var outcome: MergeOutcome?
    /// The reason why a rule or a validation refuses that merge. The value is then that of the file, and the changes of
    /// the journal are in a store among ``kept``: `NAME.unsaved-DATE.EXTENSION`.
    public internal(set) var refusal: (any Error)?
    /// The paths of files that were kept: the journal, and the file as it was. Empty if the journal was replayed.
    public internal(set) var kept: [String] = []
  }

  /// The source of the value.
  public internal(set) var source: Source
  /// The journal that was beside the file; nil if there was none.
  public internal(set) var journal: FoundJournal?
  /// The reason why the store is read-only although it was to be opened for writing.
  public internal(set) var readOnlyReason: SnapshotError?
  /// The reason why the file could not be read, if another source was used.
  public internal(set) var problem: SnapshotError?
  /// The path of the damaged file. Nil if it was left in its place, by a store that only reads.
  public internal(set) var damagedFile: String?
  /// The losses of a damaged file that was salvaged, record by record.
  public internal(set) var losses: [SalvageLoss] = []
  /// The migration to the version of the schema; nil if the file has that version.
  public internal(set) var migration: Migration?
  /// The schema version of the file, if it is newer than the program's. The store is then read-only.
  public internal(set) var newerVersion: Int?
  /// The reason why the store cannot watch the file although ``StoreOptions/externalChanges`` requires it. The store
  /// then checks the file every two seconds.
  public internal(set) var watchProblem: SnapshotError?
  /// The content of the file that the schema does not know; empty for most files. It is kept and written in every save.
  /// If the file is of a newer version, it is left out.
  public internal(set) var unknownKeys: [UnknownKey] = []
}

extension OpenReport {
  /// A report on the decoded content.
  init<Root: Model>(source: Source, of decoded: DecodedSnapshot<Root>) {
    self.init(source: source)
    if !decoded.steps.isEmpty {
      migration = Migration(from: decoded.version, to: Root.schema.version, steps: decoded.steps)
    }
    newerVersion = decoded.version > Root.schema.version ? decoded.version : nil
    unknownKeys = decoded.unknown.report
  }
}
