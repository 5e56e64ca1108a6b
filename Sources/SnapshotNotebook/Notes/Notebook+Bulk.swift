import Foundation
import SnapshotStore

/// One change of many notes, named by their ids or by a test.
///
/// All of them change at one date, and all or none: if one is refused, nothing changes. A note that needs no change
/// keeps all of its dates. The indexes are updated once, at the end, so ten thousand notes cost little more than their
/// records. In `Store.write` it is one revision, one change set and one save.
extension Notebook {
  /// Makes one change of the notes with these ids.
  ///
  /// ```swift
  /// try store.write { notebook in
  ///   let read = notebook.tag(named: "read")
  ///   try notebook.apply(.addTag(read.id), to: selectedIDs)
  /// }
  /// ```
  ///
  /// O(k · log n) for k ids.
  ///
  /// - Returns: the ids of the notes that it changed, ascending.
  /// - Throws: `SnapshotError` with code `recordNotFound` if there is no note with one of the ids, or no tag to add.
  @discardableResult
  public mutating func apply(_ edit: NoteEdit, to ids: some Sequence<Note.ID>) throws -> [Note.ID] {
    let edit = try checked(edit)
    // Sorted as an array, because the compiler does not know how the elements of any sequence compare.
    var sorted = Array(ids)
    sorted.sort()
    let meant = sorted.indices.filter { $0 == 0 || sorted[$0 - 1] != sorted[$0] }.map { sorted[$0] }
    let boxes = try zip(meant, notes.boxes(meant)).map { id, box throws(SnapshotError) in
      guard let box else { throw Self.notFound("note", id) }
      return box
    }
    return try changeNotes(boxes.lazy.map { $0.record }) { edit.apply(to: &$0, at: $1) }
  }

  /// Makes one change of the notes that pass a test.
  ///
  /// ```swift
  /// try store.write { try $0.apply(.archive) { $0.sortDate < lastYear } }
  /// ```
  ///
  /// O(n), and O(k · log n) for the k notes that pass. `NoteEdit.removeTag` tests only the notes that have the tag.
  ///
  /// - Returns: the ids of the notes that it changed, ascending.
  /// - Throws: the errors of the test; `SnapshotError` with code `recordNotFound` if there is no tag to add.
  @discardableResult
  public mutating func apply(_ edit: NoteEdit, where isMeant: (Note) throws -> Bool) throws -> [Note.ID] {
    let edit = try checked(edit)
    return try changeNotes(try candidates(for: edit, where: isMeant)) { edit.apply(to: &$0, at: $1) }
  }

  // MARK: Helpers

  /// Changes notes at one date, all or none. A note stays as it is if `body` returns false for it.
  ///
  /// - Parameter notes: the current versions, ascending, each once.
  @discardableResult
  mutating func changeNotes(
    _ notes: some Sequence<Note>, _ body: (inout Note, Date) throws -> Bool
  ) throws -> [Note.ID] {
    let date = sources.now()
    var boxes: [Table<Note>.Box] = []
    for var note in notes where try body(&note, date) {
      try requireSound(note)
      boxes.append(Table.Box(note))
    }
    if !boxes.isEmpty { try self.notes.put(boxes) }
    return boxes.map(\.record.id)
  }

  /// The edit with a tag that is there, in the spelling that its record has.
  private func checked(_ edit: NoteEdit) throws(SnapshotError) -> NoteEdit {
    guard case .addTag(let id) = edit else { return edit }
    guard let tag = tags[id] else { throw Self.notFound("tag", id) }
    return .addTag(tag.id)
  }

  private func candidates(for edit: NoteEdit, where isMeant: (Note) throws -> Bool) throws -> [Note] {
    if case .removeTag(let tag) = edit { return try notes(tagged: tag).filter(isMeant) }
    return try notes.filter(isMeant)
  }
}
