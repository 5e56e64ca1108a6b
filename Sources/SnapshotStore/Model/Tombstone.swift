public import SnapshotFoundation

/// A tombstone: the record with this id was removed.
///
/// A copy of the data that still has the record learns from the tombstone that the record was removed, and when. A
/// schema that declares ``Tombstones`` keeps them right.
public struct Tombstone<Target: Record>: Record where Target.ID: Codable {
  /// The id of the record.
  public let id: Target.ID
  /// The date of the removal; nil if it is unknown.
  public let deletionDate: Date?

  /// The later removal counts.
  public static var mergeRules: [MergeRule] { [.modified("deletionDate")] }

  /// A tombstone.
  public init(id: Target.ID, deletionDate: Date?) {
    self.id = id
    self.deletionDate = deletionDate
  }
}

extension Table {
  /// Removes the tombstones from before a date, and returns how many there were. Tombstones without a date stay. O(n).
  ///
  /// The library never does this by itself. A copy that still has one of these records brings it back at the next
  /// merge. So choose a date before the last merge with every copy.
  ///
  /// ```swift
  /// try store.write { $0.deletedPosts.prune(before: lastMerge) }
  /// ```
  @discardableResult
  public mutating func prune<Target>(before date: Date) -> Int where Value == Tombstone<Target> {
    removeAll { $0.deletionDate.map { $0 < date } ?? false }.count
  }
}
