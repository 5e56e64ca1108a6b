import Foundation
import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// The output of `list` and `search`: one line per note, or an array.
struct NoteListing {
  let notebook: Notebook
  let notes: [TimelineNote]

  func printJSON() throws {
    try Terminal.output.printJSON(notes.compactMap { notebook.notes[$0.id] }.map(NoteOutput.init))
  }

  /// - Parameter detail: the text of an additional line below a note.
  func printLines(detail: (TimelineNote) -> String? = { _ in nil }) throws {
    let width = notes.map { "\($0.id)".count }.max() ?? 0
    let lines = notes.map { note in
      line(for: note, width: width) + (detail(note).map { "\("".padding(to: width + 2))\($0)\n" } ?? "")
    }
    try Terminal.output.print(lines.joined())
  }

  private func line(for note: TimelineNote, width: Int) -> String {
    let output = Terminal.output
    let id = output.dim("\(note.id)".padding(to: width))
    let day = output.dim(note.sortDate.day)
    let derived = note.title
    let title = derived.isEmpty ? "(empty)" : String(derived.prefix(200))
    let tagIDs = notebook.notes[note.id]?.tags ?? []
    let tags = tagIDs.compactMap { notebook.tags[$0] }.map { "#" + $0.name }.joined(separator: " ")
    let marks = [tags.forTerminal, note.archived ? "(archived)" : ""].filter { !$0.isEmpty }
    return "\(id)  \(day)  \(title.forTerminal)\(marks.map { "  " + output.dim($0) }.joined())\n"
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

extension Date {
  /// The day in UTC, as in the file.
  var day: String {
    let text = ((try? SnapshotFile.json(of: self)) ?? "").replacing("\"", with: "")
    return String(text.prefix(10))
  }
}
