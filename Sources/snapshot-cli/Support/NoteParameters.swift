import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Parameters that several commands on notes have.
extension Parameter {
  /// A note.
  static var noteID: Parameter {
    operand(
      "ID", .noteID, "the id of a note, or its first four digits or more, or @N for the Nth of the last list")
  }

  /// A day, as the lists show it.
  static func day(_ name: String, _ help: String) -> Parameter { option(name, "DAY", .day, help) }
}

extension ParameterValue {
  /// A note that was deleted, and that an older version of the store still has. A user waits for completions, so no
  /// more of the older versions is read than of a store.
  static var deletedNoteID: ParameterValue {
    .listed { path in
      let store = try StoreSession<Notebook>(path: path)
      let deleted = try DeletedNotes(of: store, current: try store.read(), sizeLimit: 32 << 20)
      return deleted.notes.map { Candidate("\($0.id)", $0.title) }
    }
  }

  /// The id of a note. Completions offer the newest notes, with their titles.
  static var noteID: ParameterValue {
    .listed { store in
      let notebook = try FileInput(store).content(Notebook.self).value
      return notebook.timeline(.all, limit: 200).map { Candidate("\($0.id)", $0.title) }
    }
  }

  /// The name of a tag.
  static var tagName: ParameterValue {
    .listed { store in
      let notebook = try FileInput(store).content(Notebook.self).value
      return notebook.tags.map { tag in
        Candidate(tag.name, Counts.text(notebook.noteCount(tagged: tag.id), "note"))
      }
    }
  }
}
