/// A look at a shared file that has failed.
struct FailedLook: Sendable {
  let error: SnapshotError
  /// What the program was told of it; nil if only this program is in the way.
  let change: ExternalChange?
  /// The number of looks that have failed in this way, one after the other.
  var count = 0
}

/// An external change of a file that is not shared, if it was not taken in. It is read once, and told once.
struct RefusedChange: Sendable {
  let seen: SeenFile
  let change: ExternalChange
  let retry: Retry

  /// When another look at the same version of the file may have another result.
  enum Retry: Sendable { case never, onceClean, always }
}

/// What tells one version of the file from another without reading it.
struct SeenFile: Equatable, Sendable {
  /// The file that the store has read or written last. After a save of its own, the same change is a new one.
  let known: FileStatus?
  /// The file in place; nil if there is none.
  let current: FileStatus?
  /// The journal beside it, for a store that only reads.
  let journal: JournalExtent?

  init<Root: Model>(_ file: StoreFile<Root>) {
    known = file.base?.status.withoutLinks
    current = (try? file.fileSystem.statusIfAny(at: file.location))?.withoutLinks
    journal = file.session.isReadOnly ? try? JournalExtent.find(beside: file.location, on: file.fileSystem) : nil
  }
}
