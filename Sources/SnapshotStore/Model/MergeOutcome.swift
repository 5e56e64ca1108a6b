/// The conflicts of a merge, and the records that it repaired. Commits and refreshes of a scratchpad, undos, redos and
/// external changes are merges.
///
/// Two empty lists mean that nothing was in conflict and nothing was restored. Relations and rules may have changed
/// records all the same: a ``Relation`` that clears a reference is not named here.
public struct MergeOutcome: Equatable, Sendable {
  /// The changes of both sides that conflicted, with the decisions.
  public var conflicts: [MergeConflict] = []
  /// The records that were restored or repaired because the other side refers to them.
  public var repaired: [Violation] = []
  /// The path of the file with what this store has lost to an external change: `NAME.before-merge-DATE.EXTENSION`. Nil
  /// if it has lost nothing.
  public var keptOurs: String?
}
