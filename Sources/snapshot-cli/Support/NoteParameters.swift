import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// Parameters that several commands on notes have.
extension Parameter {
  /// The id of a note.
  static var noteID: Parameter { operand("ID", .noteID, "the id of a note") }
}

extension ParameterValue {
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
