public import SnapshotCommands
public import SnapshotNotebook
public import SnapshotStore

/// The words for notes, and the merge of two notebooks without a base.
extension Notebook: CommandModel {
  /// The words for the records of a notebook.
  public static var nouns: [(table: String, noun: String)] {
    [("notes", "note"), ("tags", "tag"), ("attachments", "attachment"), ("deletedNotes", "deleted note")]
  }

  /// The title of a note, the name of a tag, the type of an attachment.
  public func title(of id: String, in table: String) -> String {
    switch table {
    case "notes": Note.ID(id).flatMap { notes[$0] }?.title ?? ""
    case "tags": tags[id]?.name ?? ""
    case "attachments": attachments[id]?.mimeType ?? ""
    default: ""
    }
  }

  /// Merges by the dates of the properties; see `Notebook.merging(ours:theirs:)`.
  public static func mergingWithoutBase(
    ours: SnapshotContent<Notebook>, theirs: SnapshotContent<Notebook>
  ) throws -> (content: SnapshotContent<Notebook>, conflicts: [MergeConflict], repaired: [Violation]) {
    SnapshotContent.merging(ours: ours, theirs: theirs)
  }
}
