import SnapshotFoundation

/// The options for the file of a store.
struct StoreFileOptions: Sendable {
  let fileSystem: any FileSystem
  /// The format of a new file; nil takes it from the name.
  var newFormat: FileFormat?
  var limits = ReadLimits()
  var threads = 1
  var isReadOnly = false
  /// Whether the lock is held only while the file is opened and saved.
  var isShared = false
  /// How long to wait while another store has the file open for writing.
  var lockTimeLimit: Duration = .zero
  var generations = Generation.Policy()
  var journal = JournalPolicy.none
  var recovery = Recovery.none
  /// Whether a file of a newer version may be opened for reading.
  var readsNewerVersions = false
  /// The values of keys that the file lacks, beside those of the schema.
  var defaults: [DefaultValue] = []
  /// Returns the date of the machine's clock.
  var date: @Sendable () -> Date = { Date() }

  /// The format of a new file at a location.
  func format(of location: FileLocation) -> FileFormat { newFormat ?? FileFormat(fileName: location.name) ?? .json }

  /// The options for decoding the file when it is opened. Unknown content is kept.
  var decoding: DecodingOptions {
    DecodingOptions(
      unknownKeys: .keep, acceptsNewerVersion: readsNewerVersions && isReadOnly, threads: threads, defersIndexes: true,
      defaults: defaults)
  }
}
