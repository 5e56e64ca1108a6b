/// Who wins where two sides have changed the same property of the same record in different ways.
///
/// Changes of different records, or of different properties of one, are no conflict: both are kept, whatever the policy. Nor is a
/// property of a record that both have added, where a date says which of the two values is the later one.
/// A record that one side removed and the other changed stays, as it was changed, unless `resolve` says otherwise.
public enum MergePolicy: Sendable {
  /// Our side: the one that is merged into.
  case ours
  /// Their side: the one whose changes come in.
  case theirs
  /// The side that changed it later, by the dates that ``Record/mergeRules`` name; ours if none is later. A missing date
  /// is never later.
  case newest
  /// Neither side: the value, or the record, is as it was in what both were made from, and one that both added is left out. So it is for
  /// a merge of what others will be merged by: these then see that both sides changed it.
  case base
  /// Nobody: what can fail does, with a ``TransactionRefusal`` that lists the conflicts. Where nothing can fail, as ours.
  case fail
  /// The side that a function chooses. It must be quick, and must not write to the store.
  case resolve(@Sendable (Conflict) -> Side)

  /// What is taken where both sides changed the same.
  public enum Side: Sendable {
    /// The one that is merged into.
    case ours
    /// The one whose changes come in.
    case theirs
    /// Neither: what both were made from.
    case base
  }

  /// What both sides changed, for a function to decide.
  public struct Conflict: Sendable {
    /// The name of the table, or of the single value, in the file.
    public let table: String
    /// The properties, by their keys in the file, that go together; empty if it is about the records as wholes: one side has removed
    /// it, or the properties of both would make no record.
    public let properties: [String]
    /// The record or single value that both were made from; nil if both added it.
    public let base: (any SingleValue)?
    /// Ours; nil if we removed it.
    public let ours: (any SingleValue)?
    /// Theirs; nil if they removed it.
    public let theirs: (any SingleValue)?
  }
}
