public import Foundation
import SnapshotStore

/// Content for another copy: a notebook with the changed records and the records that they refer to.
///
/// Write this part with ``Notebook/vesperJSON(changedSince:)``, or save it like any other notebook, which keeps
/// everything. The other side merges it.
///
/// Notes that come with a program have ids up to 999. They are never sent, and neither are their deletions and
/// pictures, because every copy has its own. A merge takes them from content that contains them all the same.
extension Notebook {
  /// The changes since a date, including those in the same second and those of unknown date. O(n).
  ///
  /// Notes count by the latest of their modification dates, tags by the date of their name, tombstones by the date of
  /// the deletion. Tags and attachments of the notes are included. Other tags without a date and other attachments are
  /// left out.
  ///
  /// A merged or imported note has the dates that it came with. If they are before the given date, the note is left
  /// out, however late it arrived. Where several copies sync, `missing(from:)` is safer.
  public func changed(since date: Date) -> Notebook {
    let second = ChangeSecond(date)
    return part(
      notes: notes.filter { $0.isSynced && ChangeSecond($0.latestModificationDate) >= second },
      tags: tags.filter { $0.nameModificationDate != nil && ChangeSecond($0.nameModificationDate) >= second },
      deletions: deletedNotes.filter {
        $0.isSynced && ($0.deletionDate == nil || ChangeSecond($0.deletionDate) >= second)
      })
  }

  /// The differences to an earlier value, such as a snapshot taken after the last sync, or the value before a change
  /// set. O(changes · log n) if this value was made from it.
  public func changed(since earlier: Notebook) -> Notebook {
    let unsynced = unsyncedAttachments()
    return part(
      notes: notes.records(changedSince: earlier.notes) { $0.isSynced },
      tags: tags.records(changedSince: earlier.tags) { _ in true },
      attachments: attachments.records(changedSince: earlier.attachments) { !unsynced.contains($0.id) },
      deletions: deletedNotes.records(changedSince: earlier.deletedNotes) { $0.isSynced })
  }

  /// The records that some content lacks, or has with other values. After a merge of that content, the other side needs
  /// them to reach the same result. O(n).
  public func missing(from content: SyncContent) -> Notebook {
    let theirs = SyncHoldings(content)
    let unsynced = unsyncedAttachments()
    return part(
      notes: notes.filter { note in
        guard note.isSynced else { return false }
        guard let other = theirs.notes[note.id], other.isSame(as: note) else { return true }
        // The properties that a side with modification dates may leave out without lacking anything.
        return !other.missing.isDisjoint(with: [.creationDate, .sortDate])
      },
      tags: tags.filter { theirs.tags[$0.id]?.hasSameBits(as: $0) != true },
      attachments: attachments.filter { theirs.attachments[$0.id] != $0 && !unsynced.contains($0.id) },
      deletions: deletedNotes.filter { $0.isSynced && theirs.deletions[$0.id] != $0 })
  }

  /// The records that another notebook lacks, or has with other values. The same as for content made of it. O(n).
  public func missing(from other: Notebook) -> Notebook { missing(from: SyncContent(other)) }

  /// Whether this notebook has everything in some content, with the same values, so that dropping the content loses
  /// nothing. O(m log n) for m records.
  public func holds(_ content: SyncContent) -> Bool {
    content.unreadableDeletions.isEmpty
      && content.notes.allSatisfy { incoming in notes[incoming.note.id].map { incoming.isSame(as: $0) } == true }
      && content.deletions.allSatisfy { deletedNotes[$0.id] == $0 }
      && content.tags.allSatisfy { tags[$0.id]?.hasSameBits(as: $0) == true }
      && content.namedTags.allSatisfy { tags[$0.id]?.name.hasSameBytes(as: $0.name) == true }
      && content.attachments.allSatisfy { attachments[$0.id] == $0 }
  }

  /// The attachments that only notes of a program have. O(1) without such notes, otherwise O(n).
  private func unsyncedAttachments() -> Set<Attachment.ID> {
    let unsynced = notes.prefix { $0.id < Note.drawnIDs.lowerBound }.filter { !$0.isSynced }.flatMap(\.attachments)
    if unsynced.isEmpty { return [] }
    return notes.lazy.filter(\.isSynced).reduce(into: Set(unsynced)) { $0.subtract($1.attachments) }
  }

  /// The notebook with some of its records only, and with the records that its notes refer to.
  func part(
    notes: [Note], tags: [Tag] = [], attachments: [Attachment] = [], deletions: [DeletedNote]
  ) -> Notebook {
    var part = Notebook(sources: sources)
    let tagIDs = Set(tags.map { $0.id }).union(notes.lazy.flatMap { $0.tags })
    let attachmentIDs = Set(attachments.map { $0.id }).union(notes.lazy.flatMap { $0.attachments })
    for id in tagIDs.sorted() { if let tag = self.tags[id] { _ = part.add(tag) } }
    part.putAll(
      notes: notes.map { Table.Box($0) }, attachments: attachmentIDs.sorted().compactMap { self.attachments[$0] },
      deletions: deletions)
    return part
  }

  /// Adds records that are known to be valid, all records of a table at once.
  mutating func putAll(notes: [Table<Note>.Box], attachments: [Attachment], deletions: [DeletedNote]) {
    // No table has a unique index, and all ids are equal to themselves, so the tables refuse nothing.
    if !attachments.isEmpty { try? self.attachments.put(attachments.map { Table.Box($0) }) }
    if !notes.isEmpty { try? self.notes.put(notes) }
    if !deletions.isEmpty { try? deletedNotes.put(deletions.map { Table.Box($0) }) }
  }
}

/// The records of some content by their ids.
private struct SyncHoldings {
  let notes: [Note.ID: SyncNote]
  let tags: [Tag.ID: Tag]
  let attachments: [Attachment.ID: Attachment]
  let deletions: [Note.ID: DeletedNote]

  init(_ content: SyncContent) {
    notes = Dictionary(content.notes.map { ($0.note.id, $0) }, uniquingKeysWith: { $1 })
    tags = Dictionary((content.namedTags + content.tags).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    attachments = Dictionary(content.attachments.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let undated = content.unreadableDeletions.map { DeletedNote(id: $0, deletionDate: nil) }
    deletions = Dictionary((undated + content.deletions).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
  }
}

extension Table {
  /// The records that were inserted or changed since `earlier`, in ascending order of ids.
  fileprivate func records(changedSince earlier: Table, where isWanted: (Value) -> Bool) -> [Value] {
    changes(from: earlier).compactMap { change in
      guard let record = change.after, isWanted(record) else { return nil }
      return record
    }
  }
}

extension Note {
  /// Whether the note takes part in syncs: it does not come with a program.
  fileprivate var isSynced: Bool { id < 0 || id >= Note.drawnIDs.lowerBound }
}

extension DeletedNote {
  fileprivate var isSynced: Bool { id < 0 || id >= Note.drawnIDs.lowerBound }
}
