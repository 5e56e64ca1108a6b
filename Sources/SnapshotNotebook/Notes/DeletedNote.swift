public import Foundation
public import SnapshotStore

/// A tombstone: there was a note with this id, and it was deleted.
public struct DeletedNote: Record {
  /// The id of the note.
  public let id: Note.ID
  /// When it was deleted, if that is known.
  public let deletionDate: Date?

  /// The later deletion counts.
  public static let mergeRules: [MergeRule] = [.modified("deletionDate")]

  /// A tombstone.
  public init(id: Note.ID, deletionDate: Date?) {
    self.id = id
    self.deletionDate = deletionDate
  }
}
