import SnapshotNotebook
import SnapshotStore

/// Counts with their nouns.
enum Counts {
  static func text(_ count: Int, _ singular: String) -> String {
    "\(count) \(singular)\(count == 1 ? "" : "s")"
  }

  /// `1864 notes, 76 tags, 0 attachments, 0 deleted notes`.
  static func text(of notebook: Notebook) -> String {
    [
      text(notebook.notes.count, "note"), text(notebook.tags.count, "tag"),
      text(notebook.attachments.count, "attachment"), text(notebook.deletedNotes.count, "deleted note"),
    ].joined(separator: ", ")
  }
}
