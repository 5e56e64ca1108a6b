public import Foundation
public import SnapshotStore

/// Changes of single notes.
extension Notebook {
  /// Adds a note with the current date and an id that was never used before.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound` if a tag or an attachment does not exist.
  @discardableResult
  public mutating func addNote(
    text: String, tags: [Tag.ID] = [], attachments: [Attachment.ID] = []
  ) throws -> Note {
    var note = Note(id: nextNoteID(), text: text, creationDate: sources.now())
    note.setTags(tags, at: note.creationDate)
    note.setAttachments(attachments, at: note.creationDate)
    try upsert(note)
    return note
  }

  /// Adds a note, or replaces a note as a whole. Changes that were made here since the copy was taken are overwritten;
  /// see ``merge(detached:base:)``.
  ///
  /// A note that is equal to the given one changes nothing. A tombstone with the note's id is removed. If the note was
  /// deleted after its last change, its text counts as changed now. Otherwise other copies would delete it again.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound` if a tag or an attachment does not exist. With code
  ///   `invalidValue` if the id is negative or a date is not finite.
  public mutating func upsert(_ note: Note) throws {
    try requireSound(note)
    try requireTags(note.tags)
    try requireAttachments(note.attachments)
    if let old = notes[note.id], old.hasSameBits(as: note), !deletedNotes.contains(note.id) { return }
    var note = note
    if let tombstone = deletedNotes.remove(note.id), tombstone.choice(against: note) != .isKept {
      note.revive(at: sources.now(), deletedAt: tombstone.deletionDate)
    }
    try notes.upsert(note)
  }

  /// Adds an attachment.
  ///
  /// - Throws: `SnapshotError` with code `idTaken` if another attachment has its id.
  public mutating func add(_ attachment: Attachment) throws {
    if attachments[attachment.id] == attachment { return }
    try attachments.insert(attachment)
  }

  // MARK: Setters; each returns whether it changed anything

  /// Replaces the text of a note.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound`. The setters below throw the same.
  @discardableResult
  public mutating func setText(_ text: String, of id: Note.ID) throws -> Bool {
    try change(id) { $0.setText(text, at: $1) }
  }

  /// Archives or unarchives a note without changing its sort date; `archive` changes it too.
  @discardableResult
  public mutating func setArchived(_ archived: Bool, of id: Note.ID) throws -> Bool {
    try change(id) { $0.setArchived(archived, at: $1) }
  }

  /// Archives a note as a user's edit does. It also gets a new sort date, so it comes first among the archived notes.
  @discardableResult
  public mutating func archive(_ id: Note.ID) throws -> Bool {
    try change(id) { $0.archive(at: $1) }
  }

  /// Unarchives a note as a user's edit does. It also gets a new sort date, so it comes first in its lists.
  @discardableResult
  public mutating func unarchive(_ id: Note.ID) throws -> Bool {
    try change(id) { $0.unarchive(at: $1) }
  }

  /// Changes the date that lists are sorted by.
  ///
  /// - Throws: also `SnapshotError` with code `invalidValue` for a date that is not finite.
  @discardableResult
  public mutating func setSortDate(_ date: Date, of id: Note.ID) throws -> Bool {
    try change(id) { $0.setSortDate(date, at: $1) }
  }

  /// Replaces the tags of a note.
  @discardableResult
  public mutating func setTags(_ tags: [Tag.ID], of id: Note.ID) throws -> Bool {
    try change(id, { $0.setTags(tags, at: $1) }, check: { try $1.requireTags($0.tags) })
  }

  /// Replaces the attachments of a note.
  @discardableResult
  public mutating func setAttachments(_ attachments: [Attachment.ID], of id: Note.ID) throws -> Bool {
    try change(id, { $0.setAttachments(attachments, at: $1) }, check: { try $1.requireAttachments($0.attachments) })
  }

  /// Removes attachments from a note. Attachments that it does not have are ignored. The attachments themselves stay.
  @discardableResult
  public mutating func removeAttachments(_ attachments: some Sequence<Attachment.ID>, from id: Note.ID) throws -> Bool {
    try change(id) { $0.removeAttachments(attachments, at: $1) }
  }

  // MARK: Queries

  /// The notes with a tag, in order of their ids.
  public func notes(tagged tag: Tag.ID) -> Records<Note> { notes.records(in: Note.byTag, at: tag) }

  /// The number of notes with a tag, including archived ones. O(log n + count / 32).
  public func noteCount(tagged tag: Tag.ID) -> Int { notes.count(in: Note.byTag, at: tag) }

  /// The first picture of a note.
  public func thumbnailID(of note: Note) -> Attachment.ID? { firstImage(of: note.attachments) }

  /// The first attachment that is a picture. It takes no note, because a note would be copied for it.
  func firstImage(of ids: [Attachment.ID]) -> Attachment.ID? { ids.first { attachments[$0]?.isImage == true } }

  // MARK: Helpers

  /// Changes a note. A note without a change is not put back, so that the notebook does not change at all. The setters
  /// that change references check them.
  private mutating func change(
    _ id: Note.ID, _ body: (inout Note, Date) -> Bool, check: (Note, Notebook) throws -> Void = { _, _ in }
  ) throws -> Bool {
    guard var note = notes[id] else { throw Self.notFound("note", id) }
    guard body(&note, sources.now()) else { return false }
    try requireSound(note)
    try check(note, self)
    try notes.upsert(note)
    return true
  }

  func requireSound(_ note: Note) throws(SnapshotError) {
    if let problem = note.problems().first { throw SnapshotError(.invalidValue, "note \(note.id): \(problem)") }
  }

  private func requireTags(_ ids: [Tag.ID]) throws(SnapshotError) {
    for tag in ids where !tags.contains(tag) { throw Self.notFound("tag", tag) }
  }

  private func requireAttachments(_ ids: [Attachment.ID]) throws(SnapshotError) {
    for attachment in ids where !attachments.contains(attachment) { throw Self.notFound("attachment", attachment) }
  }

  /// An id that has neither a note nor a tombstone.
  mutating func nextNoteID() -> Note.ID {
    var ids = NoteIDs(sources)
    let id = nextNoteID(from: &ids) { _ in false }
    keep(ids)
    return id
  }

  /// The next ids follow these.
  mutating func keep(_ ids: NoteIDs) {
    if sources.lastNoteID != ids.last { sources.lastNoteID = ids.last }
  }

  /// The same for a caller that keeps the ids.
  ///
  /// - Parameter isTaken: whether an id is in use elsewhere.
  func nextNoteID(from ids: inout NoteIDs, besides isTaken: (Note.ID) -> Bool) -> Note.ID {
    ids.next { !notes.contains($0) && !deletedNotes.contains($0) && !isTaken($0) }
  }
}
