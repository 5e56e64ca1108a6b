import Foundation
public import SnapshotStore

/// The content of another copy of a notebook, or a part of it: the input of ``Notebook/merge(_:policy:)``.
///
/// ```swift
/// let changes = notebook.changed(since: lastSync)     // to be sent
/// try other.merge(SyncContent(changes))               // on the other side
/// ```
public struct SyncContent: Sendable {
  var notes: [SyncNote] = []
  var tags: [Tag] = []
  /// Tags that notes have but no tag record lists. They are made if they do not exist. They never change a spelling.
  var namedTags: [Tag] = []
  var attachments: [Attachment] = []
  var deletions: [DeletedNote] = []
  /// Notes that were deleted at a date that cannot be read.
  var unreadableDeletions: [Note.ID] = []
  /// Items that cannot be taken over.
  var skipped: [SkippedItem] = []
  /// The snapshot that the content was read from, if it was one. It has the content that a notebook does not know; see
  /// `SnapshotContent.mergeUnknown(from:policy:)`.
  public internal(set) var snapshot: SnapshotContent<Notebook>?

  /// All records of a notebook, which may be a part of another notebook; see `Notebook.changed(since:)`. O(n).
  public init(_ notebook: Notebook) {
    notes = notebook.notes.boxes.map { SyncNote($0) }
    tags = Array(notebook.tags)
    attachments = Array(notebook.attachments)
    deletions = Array(notebook.deletedNotes)
  }

  /// Refuses records that would break the rules of the notebook they are merged into.
  func requireSound() throws(SnapshotError) {
    for incoming in notes {
      if let problem = incoming.note.problems().first { throw Self.refusal("note \(incoming.note.id)", problem) }
    }
    for tag in tags {
      guard let name = TagName(tag.name), name.id.utf8.elementsEqual(tag.id.utf8) else {
        throw Self.refusal("tag \(SnapshotError.quoted(tag.id))", "its name is empty, or does not match its id")
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
  /// Chooses between two spellings of a name where no date decides: the one with the greater bytes.
  static func preferred(_ a: TagName?, _ b: TagName) -> TagName {
    guard let a else { return b }
    return a.spelling.utf8.lexicographicallyPrecedes(b.spelling.utf8) ? b : a
  }
}
