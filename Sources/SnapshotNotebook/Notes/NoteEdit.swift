import Foundation

/// A change that many notes can get at once. ``Notebook/apply(_:to:)`` and ``Notebook/apply(_:where:)`` make it.
public enum NoteEdit: Hashable, Sendable {
  /// Puts notes away as a user does it. They get a new sort date too.
  case archive
  /// Takes notes back as a user does it. They get a new sort date too.
  case unarchive
  /// Puts notes away or takes them back. Their places in lists stay the same.
  case setArchived(Bool)
  /// Adds one tag behind those that a note has.
  case addTag(Tag.ID)
  /// Takes one tag off. The tag itself stays.
  case removeTag(Tag.ID)
}

extension NoteEdit {
  /// Changes a note. Gives false, and changes no date, if there is nothing to do.
  func apply(to note: inout Note, at date: Date) -> Bool {
    switch self {
    case .archive: note.archive(at: date)
    case .unarchive: note.unarchive(at: date)
    case .setArchived(let archived): note.setArchived(archived, at: date)
    case .addTag(let tag): note.addTag(tag, at: date)
    case .removeTag(let tag): note.removeTag(tag, at: date)
    }
  }
}
