/// A record or single value that two sides changed, where not both changes can be kept.
///
/// ```swift
/// let outcome = try pad.commit(policy: .theirs)
/// for conflict in outcome.conflicts where conflict.resolution == .tookTheirs {
///   print("another change won: \(conflict.place)")
/// }
/// ```
public struct MergeConflict: Hashable, Sendable {
  /// The name of the table, or of the single value, in the file.
  public let table: String
  /// The id of the record as text; empty for a single value. It is empty too for the order of a table without types,
  /// whose ``properties`` are `["order"]`.
  public let id: String
  /// The keys of the properties that both changed. Empty if the conflict is about the record as a whole.
  public let properties: [String]
  /// The decision. A conflict of a ``TransactionRefusal`` was not decided; there it is what the merge would have done.
  public let resolution: Resolution

  /// The decision of a merge about a record that both sides changed.
  ///
  /// If stores share a file, the version that was not taken is only in a file beside it; see
  /// ``ExternalChange/merged(_:kept:)``. So a store no longer has “our value” after the merge.
  public enum Resolution: String, Sendable {
    /// Both changed it. The result has ours; theirs is only in their value.
    case tookOurs
    /// Both changed it. The result has theirs; ours is only in our value.
    case tookTheirs
    /// Both changed it, or one side removed it. The result has the base; the changes are only in their values.
    case tookBase
    /// Ours removed it and theirs changed it. The result has theirs.
    case keptTheirChange
    /// Theirs removed it and ours changed it. The result has ours.
    case keptOurChange
    /// One side changed it and the other removed it. The policy chose the removal.
    case removed
    /// Theirs has a key of a unique index that another record of ours has. Theirs is only in their value.
    case leftTheirsOut
    /// Ours has a key of a unique index that another record of theirs has. The result has theirs, or no such record.
    /// Ours is only in the file at ``MergeOutcome/keptOurs``.
    case leftOursOut
    /// Theirs was made from an older version of the file, and has that version of the record. The result has ours,
    /// which is newer.
    case tookOursOverOlder
  }

  /// A conflict of your own merge.
  public init(table: String, id: String, properties: [String] = [], resolution: Resolution) {
    self.table = table
    self.id = id
    self.properties = properties
    self.resolution = resolution
  }
}

extension MergeConflict: CustomStringConvertible {
  /// The table, the id and the properties, for example `notes 1001, text`.
  public var place: String { ([id.isEmpty ? table : "\(table) \(id)"] + properties).joined(separator: ", ") }

  /// The place and the decision, for example `notes 1001, text: both changed it; ours was taken`.
  public var description: String {
    let (what, done) = words
    return "\(place): \(what)\(done.map { "; \($0)" } ?? "")".escapedForMessage()
  }

  /// The place and the changes of both sides, for a merge that made no decision.
  var descriptionOfRefusal: String { "\(place): \(words.what)".escapedForMessage() }

  private var words: (what: String, done: String?) {
    switch resolution {
    case .tookOurs: ("both changed it", "ours was taken")
    case .tookTheirs: ("both changed it", "theirs was taken")
    case .tookBase: ("both changed it", "it is as it was before")
    case .keptTheirChange: ("removed here, changed there", "it was restored")
    case .keptOurChange: ("changed here, removed there", "it stays")
    case .removed: ("one side changed it, the other removed it", "it is gone")
    case .tookOursOverOlder: ("theirs is an older version of it", "ours was taken")
    case .leftTheirsOut: ("theirs does not fit: another record here has its unique key", nil)
    case .leftOursOut: ("ours does not fit: another record there has its unique key", nil)
    }
  }
}

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
