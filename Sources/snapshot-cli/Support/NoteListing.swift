import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// The output of `list`, `search` and `undelete`: one line per note, or an array.
struct NoteListing {
  private let notes: [Note]
  private let store: StoreSession<Notebook>
  private let tagNames: (Note) -> [String]

  /// Notes of a store in the order of the list.
  ///
  /// - Parameter tagNames: the names of the tags of a note.
  init(_ notes: [Note], of store: StoreSession<Notebook>, tagNames: @escaping (Note) -> [String]) {
    self.notes = notes
    self.store = store
    self.tagNames = tagNames
  }

  /// Notes of a notebook.
  init(_ notes: [Note], in notebook: Notebook, of store: StoreSession<Notebook>) {
    self.init(notes, of: store) { note in note.tags.compactMap { notebook.tags[$0]?.name } }
  }

  func printJSON() throws {
    try Terminal.output.printJSON(notes.map(NoteOutput.init))
  }

  /// - Parameter detail: the text of an additional line below a note.
  func printLines(detail: (Note) -> StyledText? = { _ in nil }) throws {
    let hasPlaces = ListMemory.keep(notes.map(\.id), of: store.url)
    let width = Terminal.output.isTerminal ? Terminal.output.columns ?? 80 : nil
    let columns = NoteColumns(notes, width: width, hasPlaces: hasPlaces)
    var text = StyledText("")
    for (place, note) in zip(1..., notes) {
      text += columns.line(for: note, place: place, tags: tagNames(note)) + "\n"
      if let detail = detail(note) { text += columns.indentation + detail + "\n" }
    }
    try Terminal.output.print(text)
  }
}

extension Notebook {
  /// The tag with a name from the user.
  func requiredTag(named name: String) throws -> SnapshotNotebook.Tag {
    guard let tag = existingTag(named: name) else {
      let near = NearName.of(name, in: tags.map(\.name)).map { "; did you mean “\($0.forTerminal)”?" } ?? ""
      throw SnapshotError(.recordNotFound, "there is no tag “\(name.forTerminal)”\(near)")
    }
    return tag
  }
}
