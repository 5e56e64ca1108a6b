import Foundation
import SnapshotStore

/// One change of many notes: by their ids, or by a test that they pass.
///
/// All of them at one date, and all or none: if one is refused, nothing is changed. Each function gives the ids of the notes
/// that it changed, ascending; the others keep all of their dates. The indexes are brought in step once, at the end, so that
/// ten thousand notes cost little more than their records. In `Store.write` it is one revision, one change set, one save.
extension Notebook {
  // MARK: Putting away and taking back

  /// Puts notes away or takes them back, and leaves them where they stand in lists; `archive` moves them.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound` if there is no note with one of the ids; likewise all that take ids.
  @discardableResult
  public mutating func setArchived(_ archived: Bool, of ids: some Sequence<Note.ID>) throws -> [Note.ID] {
    try changeNotes(ids) { $0.setArchived(archived, at: $1) }
  }

  /// Puts notes away or takes them back, and leaves them where they stand in lists.
  ///
  /// - Throws: what the test throws; likewise all that take a test.
  @discardableResult
  public mutating func setArchived(_ archived: Bool, where isMeant: (Note) throws -> Bool) throws -> [Note.ID] {
    try changeNotes(where: isMeant) { $0.setArchived(archived, at: $1) }
  }

  /// Puts notes away as a user does it: they get a new sort date too.
  @discardableResult
  public mutating func archive(_ ids: some Sequence<Note.ID>) throws -> [Note.ID] {
    try changeNotes(ids) { $0.archive(at: $1) }
  }

  /// Puts notes away as a user does it: they get a new sort date too.
  @discardableResult
  public mutating func archive(where isMeant: (Note) throws -> Bool) throws -> [Note.ID] {
    try changeNotes(where: isMeant) { $0.archive(at: $1) }
  }

  /// Takes notes back as a user does it: they get a new sort date too.
  @discardableResult
  public mutating func unarchive(_ ids: some Sequence<Note.ID>) throws -> [Note.ID] {
    try changeNotes(ids) { $0.unarchive(at: $1) }
  }

  /// Takes notes back as a user does it: they get a new sort date too.
  @discardableResult
  public mutating func unarchive(where isMeant: (Note) throws -> Bool) throws -> [Note.ID] {
    try changeNotes(where: isMeant) { $0.unarchive(at: $1) }
  }

  // MARK: Tags

  /// Puts one tag on notes, behind those that they have.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound` if there is no such tag, too.
  @discardableResult
  public mutating func addTag(_ tag: Tag.ID, to ids: some Sequence<Note.ID>) throws -> [Note.ID] {
    let tag = try requiredTag(tag).id
    return try changeNotes(ids) { $0.addTag(tag, at: $1) }
  }

  /// Puts one tag on notes, behind those that they have.
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound` if there is no such tag, too.
  @discardableResult
  public mutating func addTag(_ tag: Tag.ID, where isMeant: (Note) throws -> Bool) throws -> [Note.ID] {
    let tag = try requiredTag(tag).id
    return try changeNotes(where: isMeant) { $0.addTag(tag, at: $1) }
  }

  /// Takes one tag off notes; those that do not have it are passed over. The tag itself stays.
  @discardableResult
  public mutating func removeTag(_ tag: Tag.ID, from ids: some Sequence<Note.ID>) throws -> [Note.ID] {
    try changeNotes(ids) { $0.removeTag(tag, at: $1) }
  }

  /// Takes one tag off notes; those that do not have it are not asked about. The tag itself stays.
  @discardableResult
  public mutating func removeTag(_ tag: Tag.ID, where isMeant: (Note) throws -> Bool) throws -> [Note.ID] {
    try changeNotes(try notes(tagged: tag).filter(isMeant)) { $0.removeTag(tag, at: $1) }
  }

  // MARK: Helpers

  /// Changes notes at one date, all or none. A note for which `body` gives false stays as it is.
  ///
  /// - Parameter notes: versions of now, ascending, each once.
  @discardableResult
  mutating func changeNotes(
    _ notes: [Note], _ body: (inout Note, Date) throws -> Bool
  ) throws -> [Note.ID] {
    let date = sources.now()
    var boxes: [RecordBox<Note>] = []
    for var note in notes where try body(&note, date) {
      try requireSound(note)
      boxes.append(RecordBox(note))
    }
    if !boxes.isEmpty { try self.notes.put(boxes) }
    return boxes.map(\.record.id)
  }

  private mutating func changeNotes(
    _ ids: some Sequence<Note.ID>, _ body: (inout Note, Date) throws -> Bool
  ) throws -> [Note.ID] {
    let ids = ids.sorted()
    let meant = try ids.indices.compactMap { position in
      position > 0 && ids[position - 1] == ids[position] ? nil : try requiredNote(ids[position])
    }
    return try changeNotes(meant, body)
  }

  private mutating func changeNotes(
    where isMeant: (Note) throws -> Bool, _ body: (inout Note, Date) throws -> Bool
  ) throws -> [Note.ID] {
    try changeNotes(try notes.filter(isMeant), body)
  }

  private func requiredNote(_ id: Note.ID) throws(SnapshotError) -> Note {
    guard let note = notes[id] else { throw Self.notFound("note", id) }
    return note
  }

  private func requiredTag(_ id: Tag.ID) throws(SnapshotError) -> Tag {
    guard let tag = tags[id] else { throw Self.notFound("tag", id) }
    return tag
  }
}
