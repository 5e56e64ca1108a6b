public import Foundation
public import SnapshotStore

/// Changes of single notes.
extension Notebook {
  /// Adds a note, made now, with an id that no note has or had.
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

  /// Puts a note in, or a changed copy of one back, as a whole: what was changed here since the copy was taken is replaced; see
  /// ``merge(detached:base:)``. A note that is there just as it is given changes nothing. A tombstone with its id is removed;
  /// if the note was deleted after it was last changed, its text counts as changed now, or other copies would delete it again.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound` if a tag or an attachment does not exist, `invalidValue` if the
  ///   id is not positive (0 is allowed) or a date is not finite.
  public mutating func upsert(_ note: Note) throws {
    try requireSound(note)
    try requireTags(note.tags)
    try requireAttachments(note.attachments)
    if let old = notes[note.id], old.hasSameBits(as: note), !deletedNotes.contains(note.id) { return }
    var note = note
    if let tombstone = deletedNotes.remove(note.id), tombstone.outcome(against: note) != .isKept {
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

  // MARK: Setters; each gives whether it changed anything

  /// Changes the text of a note.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound`; likewise the setters below.
  @discardableResult
  public mutating func setText(_ text: String, of id: Note.ID) throws -> Bool {
    try change(id) { $0.setText(text, at: $1) }
  }

  /// Puts a note away or takes it back, and leaves it where it stands in lists; `archive` moves it.
  @discardableResult
  public mutating func setArchived(_ archived: Bool, of id: Note.ID) throws -> Bool {
    try change(id) { $0.setArchived(archived, at: $1) }
  }

  /// Puts a note away as a user does it: it gets a new sort date too, and so stands first among the notes that are put away.
  @discardableResult
  public mutating func archive(_ id: Note.ID) throws -> Bool {
    try change(id) { $0.archive(at: $1) }
  }

  /// Takes a note back as a user does it: it gets a new sort date too, and so stands first in its lists.
  @discardableResult
  public mutating func unarchive(_ id: Note.ID) throws -> Bool {
    try change(id) { $0.unarchive(at: $1) }
  }

  /// Changes the date that lists are ordered by.
  ///
  /// - Throws: `SnapshotError` with code `invalidValue` too, for a date that is not finite.
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

  /// Takes attachments off a note; those that it does not have are passed over. The attachments themselves stay.
  @discardableResult
  public mutating func removeAttachments(_ attachments: some Sequence<Attachment.ID>, from id: Note.ID) throws -> Bool {
    try change(id) { $0.removeAttachments(attachments, at: $1) }
  }

  // MARK: Queries

  /// The notes with a tag, in order of their ids.
  public func notes(tagged tag: Tag.ID) -> Records<Note> { notes.records(in: Note.byTag, at: tag) }

  /// The first picture of a note.
  public func thumbnailID(of note: Note) -> Attachment.ID? {
    note.attachments.first { attachments[$0]?.isImage == true }
  }

  // MARK: Helpers

  /// A note that a setter leaves as it is is not put back, so that nothing changes at all. What the note refers to is
  /// checked by the setters that change it.
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

  /// The proposal of the source, or the next id after it that no note has and no tombstone remembers.
  ///
  mutating func nextNoteID() -> Note.ID {
    var source = sources.noteIDs
    defer { sources.noteIDs = source }
    return nextNoteID(from: &source) { _ in false }
  }

  /// The same for who keeps the source.
  ///
  /// - Parameters:
  ///   - source: what proposes ids.
  ///   - isTaken: whether an id is in use elsewhere.
  func nextNoteID(from source: inout any NoteIDSource, besides isTaken: (Note.ID) -> Bool) -> Note.ID {
    var id = source.next()
    while id < 0 || notes.contains(id) || deletedNotes.contains(id) || isTaken(id) {
      id = id >= 0 && id < Note.drawnIDs.upperBound ? id + 1 : Note.drawnIDs.lowerBound
    }
    return id
  }
}
