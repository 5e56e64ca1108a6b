import Foundation
public import SnapshotStore

/// What another copy of a notebook holds, or the part of it that came in: what ``Notebook/merge(_:policy:)`` merges.
public struct SyncContent: Sendable {
  var notes: [SyncNote] = []
  var tags: [Tag] = []
  /// Tags that notes have and nobody lists: made if need be, but no reason to spell one otherwise that is there.
  var namedTags: [Tag] = []
  var attachments: [Attachment] = []
  var deletions: [DeletedNote] = []
  /// Notes that were deleted at a date that cannot be read.
  var unreadableDeletions: [Note.ID] = []
  /// What nobody can take over.
  var skipped: [SkippedItem] = []
  /// The snapshot that it was read from, if it was one, for what a notebook does not know of it: see
  /// `SnapshotContent.mergeUnknown(from:policy:)`.
  public internal(set) var snapshot: SnapshotContent<Notebook>?

  /// Everything in a notebook, which may be a part of another one, see `Notebook.changed(since:)`. O(n).
  public init(_ notebook: Notebook) {
    notes = notebook.notes.boxes.map { SyncNote($0) }
    tags = Array(notebook.tags)
    attachments = Array(notebook.attachments)
    deletions = Array(notebook.deletedNotes)
  }

  /// Refuses what would break the rules of the notebook that it is merged into.
  func requireSound() throws(SnapshotError) {
    for incoming in notes {
      if let problem = incoming.note.problems().first { throw Self.refusal("note \(incoming.note.id)", problem) }
    }
    for tag in tags {
      guard let name = TagName(tag.name), name.id.utf8.elementsEqual(tag.id.utf8) else {
        throw Self.refusal("tag \(SnapshotError.quoted(tag.id))", "its name is that of another tag, or none")
      }
      if tag.nameModificationDate?.isFinite == false {
        throw Self.refusal("tag \(SnapshotError.quoted(tag.id))", "its date is not finite")
      }
    }
    for deleted in deletions where deleted.id < 0 || deleted.deletionDate?.isFinite == false {
      throw Self.refusal("deleted note \(deleted.id)", "its id is negative, or its date is not finite")
    }
  }

  private static func refusal(_ place: String, _ problem: String) -> SnapshotError {
    SnapshotError(.invalidValue, "\(place): \(problem)")
  }
}

extension TagName {
  /// The one of two spellings of a name that wins where no date decides: the one whose bytes are greater.
  static func preferred(_ a: TagName?, _ b: TagName) -> TagName {
    guard let a else { return b }
    return a.spelling.utf8.lexicographicallyPrecedes(b.spelling.utf8) ? b : a
  }
}
