/// What a store does when someone else replaces or edits its file: an editor, a sync folder, `git checkout`.
///
/// Whatever the policy, what someone else wrote is never overwritten in silence, and a file that cannot be read is left
/// alone. The rules and the validations of the schema count for what is reloaded or merged as for a transaction.
public enum ExternalChangePolicy: Sendable {
  /// The next save fails with `changedOutside`.
  case failSave
  /// The store takes the file's value, if it has no changes of its own that are not saved; otherwise as `failSave`. If the file may
  /// lack changes that the store has saved, because who wrote it had read an older version, the store's value is first written beside
  /// it, as `NAME.conflict-DATE.EXTENSION`.
  case reload
  /// The store takes the changes in, as ``Model/merging(base:ours:theirs:policy:)`` does.
  ///
  /// The merge base is the version of the file that the other program has read: not always the newest, since a save may come between
  /// its reading and its writing. The store remembers the last versions and finds it among them. Where it cannot tell several
  /// apart, or knows none, what they have in different ways is a conflict: ours stays. With conflicts, the file stays as it is under
  /// the name `NAME.conflict-DATE.EXTENSION`; so does one in which an older version was found in place of a newer one.
  case merge
  /// The store keeps its own value and saves it; the file stays as it is under the name `NAME.conflict-DATE.EXTENSION`.
  case keepOurs
}

/// A change of the file by someone else, and what came of it.
public enum ExternalChange: Sendable {
  /// Nothing was done; the next save will fail.
  case refused
  /// The store holds the file's value now. The path is that of what the store held, if the file may lack changes of it.
  case reloaded(kept: String?)
  /// The store holds both sides' changes now. If there are conflicts, if the result had to be mended, or if nothing is known of
  /// what theirs was made from, the path is that of what they wrote; if it was mended, `NAME.before-merge-DATE.EXTENSION` beside it has
  /// what the store held.
  case merged(conflicts: [MergeConflict], mended: [Violation], kept: String?)
  /// The store's value replaces the file, which was kept under this path.
  case replaced(kept: String)
  /// A rule or a validation of the schema refuses what they wrote, for this reason; the store holds what it held. With the policy
  /// `merge` its value replaces the file, which was kept under the path. With `reload` the file stays as it is, and the next save fails.
  case rejected(any Error, kept: String?)
  /// The file cannot be read, and is left alone: perhaps someone is still writing it.
  case unreadable(SnapshotError)
  /// The file is gone. The next save makes it anew.
  case removed
}
