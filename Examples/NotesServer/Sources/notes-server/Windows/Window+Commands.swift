import Foundation
import SnapshotNotebook
import SnapshotStore

/// The commands of a window. Each change is a step that can be undone.
extension Window {
  /// - Throws: `SnapshotError`, for example if the note was deleted; `TransactionRefusal`.
  func perform(_ command: Command) async throws {
    switch command {
    case .list(let choice, let search): showList(choice, search: search)
    case .more: sendMore()
    case .open(let id): open(id)
    case .new(let tag): try addNote(tag)
    case .write(let id, let text, let base, let isHeld): try write(id, text, base: base, isHeld: isHeld)
    case .discard(let id): discard(id)
    case .addTag(let id, let name): try addTag(name, to: id)
    case .removeTag(let id, let tag): try removeTag(tag, from: id)
    case .archive(let id, let isArchived):
      try history.perform(isArchived ? "Archive" : "Unarchive") {
        _ = try isArchived ? $0.archive(id) : $0.unarchive(id)
      }
    case .delete(let id): try history.perform("Delete Note") { _ = $0.deleteNotes([id]) }
    case .undo: try report(history.undo())
    case .redo: try report(history.redo())
    case .save: try await store.flush(folding: true)
    }
  }

  private func addNote(_ tag: Tag.ID?) throws {
    let note = try history.perform("New Note") { try $0.addNote(text: "", tags: tag.map { [$0] } ?? []) }
    outbox.send("created", Created(note: "\(note.id)"))
  }

  private func addTag(_ name: String, to id: Note.ID) throws {
    try history.perform("Add Tag") { notebook in
      _ = try notebook.apply(.addTag(notebook.tag(checkedName: name).id), to: [id])
    }
  }

  private func removeTag(_ tag: Tag.ID, from id: Note.ID) throws {
    try history.perform("Remove Tag") { notebook in
      _ = try notebook.apply(.removeTag(tag), to: [id])
      notebook.deleteOrphanedTags()
    }
  }

  /// Says what an undo has left as it is, because others have changed it since.
  private func report(_ outcome: MergeOutcome?) {
    guard let outcome, !outcome.conflicts.isEmpty else { return }
    outbox.send("notice", Notice(text: "Some of it stays, because it was changed since."))
  }
}
