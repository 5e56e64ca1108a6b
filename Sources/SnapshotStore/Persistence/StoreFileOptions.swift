import SnapshotFoundation

/// What the file of a store needs to know.
struct StoreFileOptions: Sendable {
  let fileSystem: any FileSystem
  /// The format of a file that is not there yet; nil takes it from the name.
  var newFormat: FileFormat?
  var limits = ReadLimits()
  var threads = 1
  var isReadOnly = false
  /// How long to wait while someone else has the file open for writing.
  var lockTimeLimit: Duration = .zero
  var generations = GenerationPolicy()
  var recovery = Recovery.none
  /// Whether a file of a newer version may be read, by who only reads.
  var readsNewerVersions = false
  /// The clock on the wall.
  var date: @Sendable () -> Date = { Date() }

  /// How the file is decoded: what a store does not know it keeps.
  var decoding: DecodingOptions {
    DecodingOptions(
      unknownKeys: .keep, acceptsNewerVersion: readsNewerVersions && isReadOnly, threads: threads)
  }
}
