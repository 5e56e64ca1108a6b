public import Foundation
public import SnapshotStore

/// A tombstone: the note with this id was deleted.
public struct DeletedNote: Record {
  /// The id of the note.
  public let id: Note.ID
  /// The date of the deletion; nil if it is unknown.
  public let deletionDate: Date?

  /// The later deletion counts.
  public static let mergeRules: [MergeRule] = [.modified("deletionDate")]

  /// A tombstone.
  public init(id: Note.ID, deletionDate: Date?) {
    self.id = id
    self.deletionDate = deletionDate
  }
}
