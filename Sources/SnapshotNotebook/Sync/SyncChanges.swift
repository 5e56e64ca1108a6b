public import Foundation
import SnapshotStore

/// What goes out to another copy: a notebook that holds what changed, and what that refers to.
///
/// Such a part of a notebook is written with ``Notebook/vesperJSON(changedSince:)``, or saved like any other, which keeps
/// everything; the other side merges it.
///
/// Notes that come with a program, by their ids up to 999, never go out, nor do their deletions and their pictures: every copy has
/// its own. Merging takes them where they come in all the same.
extension Notebook {
  /// What changed since a date, in the same second included, and all of which it is not known when: notes by the latest of
  /// their modification dates, tags by that of their name, tombstones by the date of the deletion. O(n).
  ///
  /// Tags and attachments of the notes are there too. A tag on no such note, of which it is not known when it was named, is
  /// left out, and so are attachments of no such note. A note that was merged in or imported has the dates that it came with.
  /// If they are before the date, it is missed, however late it came; where several copies meet, ``missing(from:)`` is the
  /// safer way.
  public func changed(since date: Date) -> Notebook {
    let second = ChangeSecond(date)
    return part(
      notes: notes.filter { $0.isSynced && ChangeSecond($0.latestModificationDate) >= second },
      tags: tags.filter { $0.nameModificationDate != nil && ChangeSecond($0.nameModificationDate) >= second },
      deletions: deletedNotes.filter {
        $0.isSynced && ($0.deletionDate == nil || ChangeSecond($0.deletionDate) >= second)
      })
  }

  /// What is different from an earlier value, such as that of a snapshot that was taken after the last sync, or the one
  /// before a change set. O(changes · log n) if this was made from it.
  public func changed(since earlier: Notebook) -> Notebook {
    let unsynced = unsyncedAttachments()
    return part(
      notes: notes.records(changedSince: earlier.notes) { $0.isSynced },
      tags: tags.records(changedSince: earlier.tags) { _ in true },
      attachments: attachments.records(changedSince: earlier.attachments) { !unsynced.contains($0.id) },
      deletions: deletedNotes.records(changedSince: earlier.deletedNotes) { $0.isSynced })
  }

  /// What whoever holds some content lacks, or has otherwise. After a merge of that content it is what the other side needs
  /// to come to the same. O(n).
  public func missing(from content: SyncContent) -> Notebook {
    let theirs = SyncHoldings(content)
    let unsynced = unsyncedAttachments()
    return part(
      notes: notes.filter { note in
        guard note.isSynced else { return false }
        guard let other = theirs.notes[note.id], other.isSame(as: note) else { return true }
        // What a side that knows the modification dates of properties may leave out without lacking anything.
        return !other.missing.isDisjoint(with: [.creationDate, .sortDate])
      },
      tags: tags.filter { theirs.tags[$0.id]?.hasSameBits(as: $0) != true },
      attachments: attachments.filter { theirs.attachments[$0.id] != $0 && !unsynced.contains($0.id) },
      deletions: deletedNotes.filter { $0.isSynced && theirs.deletions[$0.id] != $0 })
  }

  /// Whether everything in some content is here and the same, so that nothing is lost if the content is: nothing in it is
  /// older or newer, and nothing differs that another copy could have. O(m log n) for m records.
  public func holds(_ content: SyncContent) -> Bool {
    content.unreadableDeletions.isEmpty
      && content.notes.allSatisfy { incoming in notes[incoming.note.id].map { incoming.isSame(as: $0) } == true }
      && content.deletions.allSatisfy { deletedNotes[$0.id] == $0 }
      && content.tags.allSatisfy { tags[$0.id]?.hasSameBits(as: $0) == true }
      && content.namedTags.allSatisfy { tags[$0.id]?.name.hasSameBytes(as: $0.name) == true }
      && content.attachments.allSatisfy { attachments[$0.id] == $0 }
  }

  /// The attachments of notes that come with a program, and of no others. O(1) without such notes, otherwise O(n).
  private func unsyncedAttachments() -> Set<Attachment.ID> {
    let unsynced = notes.prefix { $0.id < Note.drawnIDs.lowerBound }.filter { !$0.isSynced }.flatMap(\.attachments)
    if unsynced.isEmpty { return [] }
    return notes.lazy.filter(\.isSynced).reduce(into: Set(unsynced)) { $0.subtract($1.attachments) }
  }

  /// The notebook with some of its records only, and with what its notes refer to.
  func part(
    notes: [Note], tags: [Tag] = [], attachments: [Attachment] = [], deletions: [DeletedNote]
  ) -> Notebook {
    var part = Notebook(sources: sources)
    let tagIDs = Set(tags.map { $0.id }).union(notes.lazy.flatMap { $0.tags })
    let attachmentIDs = Set(attachments.map { $0.id }).union(notes.lazy.flatMap { $0.attachments })
    for id in tagIDs.sorted() { if let tag = self.tags[id] { _ = part.add(tag) } }
    part.putAll(
      notes: notes.map { RecordBox($0) }, attachments: attachmentIDs.sorted().compactMap { self.attachments[$0] },
      deletions: deletions)
    return part
  }

  /// Puts records in that are known to be sound, those of each table at once.
  mutating func putAll(notes: [RecordBox<Note>], attachments: [Attachment], deletions: [DeletedNote]) {
    // None of the tables has a unique index, and all ids are equal to themselves: there is nothing to refuse.
    if !attachments.isEmpty { try? self.attachments.put(attachments.map { RecordBox($0) }) }
    if !notes.isEmpty { try? self.notes.put(notes) }
    if !deletions.isEmpty { try? deletedNotes.put(deletions.map { RecordBox($0) }) }
  }
}

/// The records of a content by their ids.
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
  /// Whether it is no note that comes with a program.
  fileprivate var isSynced: Bool { id < 0 || id >= Note.drawnIDs.lowerBound }
}

extension DeletedNote {
  fileprivate var isSynced: Bool { id < 0 || id >= Note.drawnIDs.lowerBound }
}
