import SnapshotFoundation

/// The declaration that a table remembers which of its records were removed.
///
/// ```swift
/// struct Dashboard: Model {
///   var posts = Table<Post>()
///   var deletedPosts = Table<Tombstone<Post>>()
///   static let schema = Schema(
///     "dashboard", version: 1,
///     Field("posts", \Dashboard.posts),
///     Field("deletedPosts", \Dashboard.deletedPosts),
///     tombstones: [Tombstones(of: \.posts, in: \.deletedPosts)])
/// }
/// ```
///
/// The library then adds and removes the tombstones, wherever a ``Rule`` runs:
///
/// - A removed record leaves a ``Tombstone``, dated later than every date of change of the record.
/// - An inserted record loses its tombstone, and gets dates of change at least a second later than it.
/// - A record and its tombstone never exist together. If a transaction or merge makes both, the record counts.
///
/// An undo is followed too: it removes or restores the records now. ``Model/merging(base:ours:theirs:policy:)`` removes
/// the tombstone of a record that it keeps. ``Salvaged/filled(from:)`` leaves out a record that has a tombstone in the
/// damaged file. Only a file from elsewhere can have a record beside its tombstone. ``Model/allViolations()`` says so.
///
/// The dates of change are those that ``Record/mergeRules`` name. Numbers in place of dates are not compared with the
/// dates of tombstones. Tombstones stay until they are pruned: ``Table/prune(before:)``.
///
/// A transaction costs O(log n) more for each changed record, and the encoding of each removed record. Nothing is kept
/// in a scratchpad, and by functions of the model outside a store. The commit or transaction follows. A function that
/// needs them at once calls ``Model/updateTombstones(since:)``.
public struct Tombstones<Root: Model>: Sendable {
  let hooks: any TombstoneHooks<Root>
}

/// The functions of a table and its tombstones, without the type of their records.
protocol TombstoneHooks<Root>: Sendable {
  associatedtype Root: Model

  /// The table of the tombstones.
  var table: AnyKeyPath { get }

  /// Brings the tombstones to the records, after changes since an earlier value.
  func follow(_ before: Root, _ value: inout Root)

  /// The same after an undo, which removes and restores records now.
  ///
  /// - Parameter date: the date of the undo, unless the declaration has a clock.
  func followUndo(_ before: Root, _ value: inout Root, at date: Date)

  /// Adds the tombstones of another value whose records are in neither.
  func keep(_ value: inout Root, of other: Root)

  /// Records that have a tombstone.
  func violations(of value: Root) -> [Violation]

  /// Removes the tombstones of existing records.
  func repair(_ value: inout Root) -> [Violation]

  /// Whether changes may have made a record beside its tombstone. O(changes · log n).
  func mayNeedRepair(_ value: Root, after changes: ChangeSet<Root>) -> Bool

  /// Removes the records that were added to a salvaged value in spite of its tombstones.
  func prune(_ value: inout Root, _ salvaged: Root)

  /// Removes the records that another copy has removed, if its tombstones are later than their last changes.
  func leaveOut(_ value: inout Root, removedIn other: Root)
}
