/// An external change of the file, and the reaction of the store.
///
/// ```swift
/// var options = StoreOptions()
/// options.externalChanges = .merge
/// options.onExternalChange = { change in
///   guard case .merged(let outcome, _) = change else { return }
///   show(outcome.conflicts.map(\.place))
/// }
/// let store = try Store<Dashboard>.open(at: url, options: options)
/// ```
public enum ExternalChange: Sendable {
  /// Nothing was done. The next save will fail.
  case refused
  /// The store has taken the file's value. If the file may lack changes of the store's old value, that value was kept
  /// under the path.
  case reloaded(kept: String?)
  /// The store has merged the changes of both sides.
  ///
  /// The external file was kept under the path if there are conflicts, if the result was repaired, or if its base is
  /// unknown. If the result was repaired, the store's old value is in ``MergeOutcome/keptOurs``.
  ///
  /// Of a change by another store that shares the file, only the records in conflict are kept: theirs under the path,
  /// and ours in ``MergeOutcome/keptOurs``. There is no file for a side that has lost nothing.
  case merged(MergeOutcome, kept: String?)
  /// The store's value replaces the file. The external file was kept under this path.
  case replaced(kept: String)
  /// A rule or a validation of the schema refuses the external content, for this reason. The store keeps its value.
  ///
  /// With the policy `merge` this value replaces the file, and the external file was kept under the path. The path is
  /// nil if the store was busy or closed. Then nothing was replaced. With `reload` the path is always nil: the file
  /// stays, and the next save fails.
  ///
  /// The changes of another store that shares the file are taken nevertheless. Together with them, the schema refuses
  /// the unsaved changes of this store. So the store drops all its unsaved changes. The records and single values that
  /// it had added or changed were kept under the path. If it had only removed records, the path is nil: these records
  /// stay, so nothing is lost.
  case rejected(any Error, kept: String?)
  /// The file cannot be read and was not touched. Another program may still be writing it.
  case unreadable(SnapshotError)
  /// The file was removed. The next save creates it again.
  case removed
}

extension ExternalChange {
  /// What a store logs if the program has no ``StoreOptions/onExternalChange``. Nil if there was no
  /// conflict and no refusal, and no value was kept beside the file.
  var logLine: String? {
    let quoted = { (path: String) in path.quotedForMessage(limit: 400) }
    switch self {
    case .merged(let outcome, _):
      let places = self.kept.map(quoted)
      if places.isEmpty, outcome.conflicts.isEmpty, outcome.repaired.isEmpty { return nil }
      let kept = places.isEmpty ? "" : " The versions that were not taken are in \(places.joined(separator: " and "))."
      let first = outcome.conflicts.prefix(3).map(\.description) + outcome.repaired.prefix(3).map(\.description)
      let more = outcome.conflicts.count + outcome.repaired.count - first.count
      let decisions = first.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
      return "was changed by others too.\(kept) Decided: \(decisions)"
    case .rejected(let reason, let kept):
      return "was changed by others too, which does not fit: \("\(reason)".escapedForMessage(limit: 400))"
        + (kept.map { ". One of the two versions is in \(quoted($0))" } ?? "")
    case .replaced(let kept): return "was changed by others. Their version is in \(quoted(kept))"
    case .reloaded(let kept?): return "was changed by others. The version before is in \(quoted(kept))"
    case .refused, .reloaded, .unreadable, .removed: return nil
    }
  }

  /// The paths under which versions were kept.
  var kept: [String] {
    switch self {
    case .merged(let outcome, let kept): [kept, outcome.keptOurs].compactMap(\.self)
    case .replaced(let kept): [kept]
    case .reloaded(let kept), .rejected(_, let kept): [kept].compactMap(\.self)
    case .refused, .unreadable, .removed: []
    }
  }

  /// The reaction of a store to an external change of its file: by an editor, a sync folder, `git checkout`.
  ///
  /// Under every policy, external content is never overwritten silently, and a file that cannot be read is not touched.
  /// The rules and the validations of the schema apply to a reload or merge as to a transaction.
  ///
  /// `fail` is as in a ``MergePolicy``. `reload` and `keepOurs` take one side as a whole, which no `MergePolicy` does.
  public enum Policy: Sendable {
    /// The next save fails with `changedExternally`. In a store that shares its file, this is the same as `merge`.
    case fail
    /// The store takes the file's value if it has no unsaved changes of its own; otherwise as `fail`.
    ///
    /// The other program may have read an older version, so that the file lacks changes that the store has saved. Then
    /// the store's value is first written beside the file, as `NAME.conflict-DATE.EXTENSION`.
    case reload
    /// The store merges the external changes, like ``Model/merging(base:ours:theirs:policy:)``.
    ///
    /// The merge base is the version of the file that the other program has read. It need not be the newest, because a
    /// save may come between its reading and its writing. The store remembers the last versions and finds the base
    /// among them. If several are possible, or none is known, differences are conflicts, and ours stays.
    ///
    /// With conflicts, the external file is kept as `NAME.conflict-DATE.EXTENSION`. So is a file in which an older
    /// version replaced a newer one.
    case merge
    /// The store keeps its own value and saves it. The external file is kept as `NAME.conflict-DATE.EXTENSION`.
    case keepOurs
  }
}
