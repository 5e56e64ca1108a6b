public import Foundation
import SnapshotStore

/// An undo that outlives a sync.
extension Notebook {
  /// What an undo has brought back has the date of now, by the clock of the ``sources``. A note that is gone leaves a tombstone, since
  /// another copy may have it; one that is back is newer than its tombstone. Tags and attachments have no tombstones: those that an
  /// undo has removed come back with the next sync from a copy that has them.
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

  /// For other copies a note that is back was changed after its deletion, by a second: dates count to the second between copies.
  private mutating func outlive(_ note: Note, _ tombstone: DeletedNote?, at date: Date) {
    let dates = [tombstone, deletedNotes.remove(note.id)].compactMap { $0?.deletionDate } + [date - 1]
    var note = note
    note.makeNewer(than: dates.filter(\.isFinite).max() ?? date)
    // Notes have no unique index, so there is nothing to refuse.
    _ = try? notes.upsert(note)
  }

  /// For other copies a note that is gone was deleted, after it was last changed.
  private mutating func bury(_ note: Note, at date: Date) {
    let dates = [note.latestModificationDate + 1, date] + [deletedNotes[note.id]?.deletionDate].compactMap(\.self)
    _ = try? deletedNotes.upsert(DeletedNote(id: note.id, deletionDate: dates.filter(\.isFinite).max() ?? date))
  }
}

extension Note {
  /// Makes every date of a change later than another date by a second at least.
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
