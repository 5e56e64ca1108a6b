public import Foundation

extension Notebook {
  /// Adds a note, made now, with an id that no note has or had.
  ///
  /// - Throws: ``SnapshotError`` with code `recordNotFound` if a tag or an attachment does not exist.
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

  /// Puts a note in, or a changed copy of one back. A tombstone with its id is removed.
  ///
  /// - Throws: ``SnapshotError`` with code `recordNotFound` if a tag or an attachment does not exist, `invalidValue` if the
  ///   id is not positive (0 is allowed) or a date is not finite.
  public mutating func upsert(_ note: Note) throws {
    if let problem = note.problems().first { throw SnapshotError(.invalidValue, "note \(note.id): \(problem)") }
    try requireTargets(tags: note.tags, attachments: note.attachments)
    try notes.upsert(note)
    deletedNotes.remove(note.id)
  }

  /// Adds an attachment.
  ///
  /// - Throws: ``SnapshotError`` with code `idTaken` if another attachment has its id.
  public mutating func add(_ attachment: Attachment) throws {
    if attachments[attachment.id] == attachment { return }
    try attachments.insert(attachment)
  }

  // MARK: Setters; each gives whether it changed anything

  /// Changes the text of a note.
  ///
  /// - Throws: ``SnapshotError`` with code `recordNotFound`; likewise the setters below.
  @discardableResult
  public mutating func setText(_ text: String, of id: Note.ID) throws -> Bool {
    try change(id) { $0.setText(text, at: $1) }
  }

  /// Puts a note away or takes it back.
  @discardableResult
  public mutating func setArchived(_ archived: Bool, of id: Note.ID) throws -> Bool {
    try change(id) { $0.setArchived(archived, at: $1) }
  }

  /// Changes the date that lists are ordered by.
  ///
  /// - Throws: ``SnapshotError`` with code `invalidValue` too, for a date that is not finite.
  @discardableResult
  public mutating func setSortDate(_ date: Date, of id: Note.ID) throws -> Bool {
    try change(id) { $0.setSortDate(date, at: $1) }
  }

  /// Replaces the tags of a note.
  @discardableResult
  public mutating func setTags(_ tags: [Tag.ID], of id: Note.ID) throws -> Bool {
    try change(id) { $0.setTags(tags, at: $1) }
  }

  /// Replaces the attachments of a note.
  @discardableResult
  public mutating func setAttachments(_ attachments: [Attachment.ID], of id: Note.ID) throws -> Bool {
    try change(id) { $0.setAttachments(attachments, at: $1) }
  }

  // MARK: Queries

  /// The notes with a tag, in order of their ids.
  public func notes(tagged tag: Tag.ID) -> Records<Note> { notes.records(in: Note.byTag, at: tag) }

  /// The first picture of a note.
  public func thumbnailID(of note: Note) -> Attachment.ID? {
    note.attachments.first { attachments[$0]?.isImage == true }
  }

  // MARK: Helpers

  /// A note that a setter leaves as it is is not put back, so that nothing changes at all.
  private mutating func change(_ id: Note.ID, _ body: (inout Note, Date) -> Bool) throws -> Bool {
    guard var note = notes[id] else { throw Self.notFound("note", id) }
    guard body(&note, sources.now()) else { return false }
    try upsert(note)
    return true
  }

  private func requireTargets(tags: [Tag.ID], attachments: [Attachment.ID]) throws(SnapshotError) {
    for tag in tags where !self.tags.contains(tag) { throw Self.notFound("tag", tag) }
    for attachment in attachments where !self.attachments.contains(attachment) {
      throw Self.notFound("attachment", attachment)
    }
  }

  /// The proposal of the source, or the next id after it that no note has and no tombstone remembers.
  private mutating func nextNoteID() -> Note.ID {
    var id = sources.noteIDs.next()
    while id < 0 || notes.contains(id) || deletedNotes.contains(id) {
      id = id >= 0 && id < Note.drawnIDs.upperBound ? id + 1 : Note.drawnIDs.lowerBound
    }
    return id
  }
}
