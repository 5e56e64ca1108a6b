/// The winner of a conflict: two sides changed the same property of the same record in different ways.
///
/// ```swift
/// try pad.commit(policy: .newest)      // the later change of a property wins
/// ```
///
/// Changes of different records, or of different properties of one record, are no conflict. Both are kept under every
/// policy. A property of a record that both sides added is no conflict either, if a date says which value is later. A
/// record that one side removed and the other changed stays with its change, unless `resolve` chooses otherwise.
public enum MergePolicy: Sendable {
  /// Our side, into which theirs is merged.
  case ours
  /// Their side, whose changes are merged in.
  case theirs
  /// The side with the later change, by the dates that ``Record/mergeRules`` name. Ours if neither is later. A missing
  /// date is never later.
  case newest
  /// Neither side: the property or record stays as in the base. A record that both added is left out. Use it to prepare
  /// a base for later merges: these then see that both sides changed the property.
  case base
  /// No side: a call that can throw throws a ``TransactionRefusal`` that lists the conflicts. A call that cannot throw
  /// takes ours.
  case fail
  /// The side that a function chooses. The function must be quick, and must not write to the store.
  ///
  /// As ``StoreOptions/mergePolicy`` it may run while the lock of the file is held, and other processes wait for it. So
  /// it must not flush the store either: `flushAndWait` fails with `wouldDeadlock`.
  case resolve(@Sendable (Conflict) -> Side)

  /// The winner of one conflict.
  public enum Side: Sendable {
    /// Our side, into which theirs is merged.
    case ours
    /// Their side, whose changes are merged in.
    case theirs
    /// Neither side: the base stays.
    case base
  }

  /// A conflict for a function to decide.
  ///
  /// ```swift
  /// let policy = MergePolicy.resolve { conflict in
  ///   conflict.properties.contains("title") ? .ours : .theirs
  /// }
  /// try pad.commit(policy: policy)
  /// ```
  public struct Conflict: Sendable {
    /// The name of the table, or of the single value, in the file.
    public let table: String
    /// The keys of the properties in conflict. They are decided together.
    ///
    /// Empty if the conflict is about whole records: one side removed the record, or properties of both would not make
    /// a record.
    public let properties: [String]
    /// The record or single value in the base; nil if both sides added it.
    public let base: (any SingleValue)?
    /// The record or single value of ours; nil if ours removed it.
    public let ours: (any SingleValue)?
    /// The record or single value of theirs; nil if theirs removed it.
    public let theirs: (any SingleValue)?
  }
}
