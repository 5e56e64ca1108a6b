public import SnapshotStore

/// Repair of references after a loss of records.
extension Notebook {
  /// Whether changes may have broken a reference. O(changes · log n).
  ///
  /// It returns true in two cases. A changed note refers to a missing record, or has a reference twice. A removed tag
  /// or attachment is still on a note.
  public func mayNeedRepair(after changes: ChangeSet<Notebook>) -> Bool {
    let changedNotes = changes.changes(in: \.notes).compactMap { notes[$0.id] }
    return changedNotes.contains { note in
      note.tags.hasDuplicates || note.attachments.hasDuplicates
        || !note.tags.allSatisfy(tags.contains)
        || !note.attachments.allSatisfy(attachments.contains)
    }
      || changes.changes(in: \.tags).contains {
        !tags.contains($0.id) && noteCount(tagged: $0.id) > 0
      }
      || changes.changes(in: \.attachments).contains {
        !attachments.contains($0.id) && notes.count(in: Note.byAttachment, at: $0.id) > 0
      }
  }

  /// Restores the tags and attachments that notes refer to. O(n).
  public mutating func restoreReferenced(from values: [Notebook]) -> [Violation] {
    var takenBack: [Violation] = []
    for note in notes {
      for id in note.tags where !tags.contains(id) {
        guard let tag = values.lazy.compactMap({ $0.tags[id] }).first else { continue }
        _ = add(tag)
        takenBack.append(Self.takenBack("tags", id, by: note))
      }
      for id in note.attachments where !attachments.contains(id) {
        guard let attachment = values.lazy.compactMap({ $0.attachments[id] }).first else { continue }
        // No other attachment has the id.
        try? add(attachment)
        takenBack.append(Self.takenBack("attachments", id, by: note))
      }
    }
    return takenBack
  }

  private static func takenBack(_ table: String, _ id: String, by note: Note) -> Violation {
    Violation(
      place: "\(table) \(SnapshotError.quoted(id))",
      message: "removed by one side, and restored because note \(note.id) of the other side has it")
  }

  /// Removes tags of the older version that are on no note. O(n log n).
  public mutating func removeDeleted(addedTo salvaged: Notebook) {
    tags.remove(tags.ids.filter { !salvaged.tags.contains($0) && noteCount(tagged: $0) == 0 })
  }

  /// Removes references without a record from notes, and repeated ones. O(n log n).
  ///
  /// A tag whose name someone has edited in a file is renamed to it, also on its notes.
  ///
  /// A tag whose record is lost is made again from its id, which is its name in lower case. The id of an attachment
  /// says nothing else about it, so notes drop it.
  public mutating func repair() -> [Violation] {
    var repaired = repairNames()
    for note in Array(notes) {
      for id in note.tags where !tags.contains(id) {
        guard let name = TagName(id), name.id.utf8.elementsEqual(id.utf8) else { continue }
        _ = add(Tag(name, nameModificationDate: nil))
        repaired.append(
          Violation(
            place: "tags \(SnapshotError.quoted(id))",
            message: "made again from its id, because the note \(note.id) has it; the spelling of its name is lost"))
      }
      var changed = note
      changed.tags = note.tags.filter(tags.contains).uniqued()
      changed.attachments = note.attachments.filter(attachments.contains).uniqued()
      guard changed.tags.count != note.tags.count || changed.attachments.count != note.attachments.count else {
        continue
      }
      // Notes have no unique index, so an upsert refuses nothing.
      _ = try? notes.upsert(changed)
      repaired += Self.taken(off: note, tags, attachments)
    }
    return repaired
  }

  /// Gives tags the ids of their names. A name of nothing but white space becomes the id.
  private mutating func repairNames() -> [Violation] {
    var repaired: [Violation] = []
    for tag in Array(tags) {
      let name = TagName(tag.name)
      if name?.id.utf8.elementsEqual(tag.id.utf8) == true { continue }
      // An id in another form of Unicode than that of the name is equal to it, and stays.
      guard let renamed = try? renameTag(tag.id, to: name?.spelling ?? tag.id), renamed != tag else { continue }
      repaired.append(
        Violation(
          place: "tags \(SnapshotError.quoted(tag.id))",
          message:
            "its name is \(SnapshotError.quoted(tag.name)), so it was renamed to \(SnapshotError.quoted(renamed.id))"))
    }
    return repaired
  }

  /// The references that were removed from a note, as violations.
  private static func taken(off note: Note, _ tags: Table<Tag>, _ attachments: Table<Attachment>) -> [Violation] {
    let lost =
      note.tags.filter { !tags.contains($0) }.map { "the tag \(SnapshotError.quoted($0))" }
      + note.attachments.filter { !attachments.contains($0) }.map { "the attachment \(SnapshotError.quoted($0))" }
    let place = "notes \(note.id)"
    var repaired: [Violation] = []
    if !lost.isEmpty {
      repaired.append(
        Violation(place: place, message: "no longer refers to \(lost.joined(separator: ", ")): not found"))
    }
    // Two sides may have added one id in two spellings.
    if note.tags.hasDuplicates {
      repaired.append(Violation(place: place, message: "had a tag twice, and has it once now"))
    }
    if note.attachments.hasDuplicates {
      repaired.append(Violation(place: place, message: "had an attachment twice, and has it once now"))
    }
    return repaired
  }
}
