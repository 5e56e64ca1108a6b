public import Foundation

/// What goes out to another copy: a notebook that holds what changed, and what that refers to.
///
/// Such a part of a notebook is written with ``Notebook/vesperJSON(changedSince:)`` or saved as any other, and the other
/// side merges it.
extension Notebook {
  /// What changed since a date, in the same second included, and all of which it is not known when: notes by the latest of
  /// their modification dates, tags by that of their name, tombstones by the date of the deletion. O(n).
  ///
  /// Tags and attachments of the notes are there too. A tag on no such note, of which it is not known when it was named, is
  /// left out, and so are attachments of no such note.
  public func changed(since date: Date) -> Notebook {
    let second = SyncSecond(date)
    return part(
      notes: notes.filter { SyncSecond($0.latestModificationDate) >= second },
      tags: tags.filter { $0.nameModificationDate != nil && SyncSecond($0.nameModificationDate) >= second },
      deletions: deletedNotes.filter { $0.deletionDate == nil || SyncSecond($0.deletionDate) >= second })
  }

  /// The notebook with some of its records only, and with what its notes refer to.
  func part(
    notes: [Note], tags: [Tag] = [], attachments: [Attachment] = [], deletions: [DeletedNote]
  ) -> Notebook {
    var part = Notebook(sources: sources)
    let tagIDs = Set(notes.flatMap(\.tags) + tags.map(\.id))
    let attachmentIDs = Set(notes.flatMap(\.attachments) + attachments.map(\.id))
    part.putAll(
      notes: notes, tags: tagIDs.sorted().compactMap { self.tags[$0] },
      attachments: attachmentIDs.sorted().compactMap { self.attachments[$0] }, deletions: deletions)
    return part
  }

  /// Puts records in that are known to be sound, those of each table at once.
  mutating func putAll(notes: [Note], tags: [Tag], attachments: [Attachment], deletions: [DeletedNote]) {
    // None of the tables has a unique index, and all ids are equal to themselves: there is nothing to refuse.
    try? self.tags.put(tags.map { RecordBox($0) })
    try? self.attachments.put(attachments.map { RecordBox($0) })
    try? self.notes.put(notes.map { RecordBox($0) })
    try? deletedNotes.put(deletions.map { RecordBox($0) })
  }
}

/// A modification date as far as it counts for who is newer: to the second, because other programs keep no more of it. A
/// date that is not known is older than any other.
///
/// This is the one notion of newer; what is of the same second is decided by comparing values, or not at all.
struct SyncSecond: Comparable {
  private let second: Double

  init(_ date: Date?) {
    second = date?.timeIntervalSinceReferenceDate.rounded(.down) ?? -.infinity
  }

  static func < (a: SyncSecond, b: SyncSecond) -> Bool { a.second < b.second }
}

extension Note {
  /// When anything was last changed: that is `modificationDate`, unless a clock went back in between.
  var latestModificationDate: Date {
    let dates = [
      textModificationDate, archivedModificationDate, sortDateModificationDate, tagsModificationDate,
      attachmentsModificationDate,
    ]
    return dates.reduce(modificationDate) { max($0, $1 ?? $0) }
  }
}
