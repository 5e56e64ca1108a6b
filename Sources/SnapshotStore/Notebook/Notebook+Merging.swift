import Foundation

extension Notebook {
  /// What comes of two notebooks of which nobody knows what both were made from, such as a store and a copy that a sync
  /// service put beside it: everything that is in either, but for what the other deleted later.
  ///
  /// Of a note that differs, the version with the later modification date is taken, and of a tag's name likewise. A note that
  /// one side deleted is gone if it was not changed after that. What differs without a date to decide by stays as ours has
  /// it, and is among the conflicts. O(n log n).
  public static func merging(
    ours: Notebook, theirs: Notebook
  ) -> (value: Notebook, conflicts: [MergeConflict], mended: [Violation]) {
    // A three-way merge with a base that says of each difference who made it.
    var base = Notebook()
    base.notes = commonTable(ours.notes, theirs.notes) { isLater($0.modificationDate, $1.modificationDate) }
    base.tags = commonTable(ours.tags, theirs.tags) { isLater($0.nameModificationDate, $1.nameModificationDate) }
    base.attachments = commonTable(ours.attachments, theirs.attachments) { _, _ in nil }
    base.deletedNotes = commonTable(ours.deletedNotes, theirs.deletedNotes) {
      isLater($0.deletionDate, $1.deletionDate)
    }
    for (note, tombstones) in deletions(ours, theirs) + deletions(theirs, ours) where tombstones.isDeleted(note) {
      _ = try? base.notes.upsert(note)
    }
    // A note that came back, because it was changed after it was deleted, is not deleted: mending sees to that.
    return merging(base: base, ours: ours, theirs: theirs)
  }

  /// The base of two tables: of a record that differs, the version of the side whose version is older.
  ///
  /// - Parameter isLater: whether the first is the one to take; nil if nothing tells.
  private static func commonTable<Value>(
    _ ours: Table<Value>, _ theirs: Table<Value>, _ isLater: (Value, Value) -> Bool?
  ) -> Table<Value> {
    var table = Table<Value>()
    for mine in ours {
      guard let other = theirs[mine.id] else { continue }
      guard mine != other else {
        _ = try? table.upsert(mine)
        continue
      }
      if let isMineLater = isLater(mine, other) { _ = try? table.upsert(isMineLater ? other : mine) }
    }
    return table
  }

  private static func isLater(_ a: Date?, _ b: Date?) -> Bool? {
    guard let a, let b, a != b else { return nil }
    return a > b
  }

  /// The notes of one side that the other side does not have, with the other's tombstones.
  private static func deletions(_ side: Notebook, _ other: Notebook) -> [(Note, Table<DeletedNote>)] {
    side.notes.filter { !other.notes.contains($0.id) }.map { ($0, other.deletedNotes) }
  }
}

extension Table where Value == DeletedNote {
  /// Whether a note was deleted, and not changed after that. A tombstone without a date counts.
  fileprivate func isDeleted(_ note: Note) -> Bool {
    guard let tombstone = self[note.id] else { return false }
    return tombstone.deletionDate.map { $0 >= note.modificationDate } ?? true
  }
}
