public import Foundation
import SnapshotStore

/// Dates for an undo, so that the next sync does not revert it.
extension Notebook {
  /// Gives all that an undo restored the current date, by the clock of the ``sources``.
  ///
  /// A note that the undo removed leaves a tombstone, because another copy may have the note. A note that the undo
  /// restored becomes newer than its tombstone. Tags and attachments have no tombstones. If an undo removes one, the
  /// next sync restores it from any copy that has it.
  public mutating func dateUndo(since before: Notebook, at date: Date) {
    let date = sources.now()
    renewDates(since: before, at: date)
    for change in notes.changes(from: before.notes) {
      switch change {
      case .inserted(let note): outlive(note, before.deletedNotes[note.id], at: date)
      case .removed(let note): bury(note, at: date)
      case .updated: break
      }
    }
  }

  /// Other copies see the restored note as changed a second after its deletion. Copies compare dates to the second.
  private mutating func outlive(_ note: Note, _ tombstone: DeletedNote?, at date: Date) {
    let dates = [tombstone, deletedNotes.remove(note.id)].compactMap { $0?.deletionDate } + [date - 1]
    var note = note
    note.makeNewer(than: dates.filter(\.isFinite).max() ?? date)
    // Notes have no unique index, so an upsert refuses nothing.
    _ = try? notes.upsert(note)
  }

  /// Other copies see the removed note as deleted after its last change.
  private mutating func bury(_ note: Note, at date: Date) {
    let dates = [note.latestModificationDate + 1, date] + [deletedNotes[note.id]?.deletionDate].compactMap(\.self)
    _ = try? deletedNotes.upsert(DeletedNote(id: note.id, deletionDate: dates.filter(\.isFinite).max() ?? date))
  }
}

extension Note {
  /// Makes every modification date later than another date, by a second at least.
  fileprivate mutating func makeNewer(than date: Date) {
    func newer(_ old: Date?) -> Date { max(old ?? date + 1, date + 1) }
    textModificationDate = newer(textModificationDate)
    archivedModificationDate = newer(archivedModificationDate)
    sortDateModificationDate = newer(sortDateModificationDate)
    tagsModificationDate = newer(tagsModificationDate)
    attachmentsModificationDate = newer(attachmentsModificationDate)
    modificationDate = newer(modificationDate)
  }
}
