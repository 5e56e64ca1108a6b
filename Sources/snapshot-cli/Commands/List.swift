import Foundation
import SnapshotStore

/// Lists notes.
struct ListCommand: Command {
  static let name = "list"
  static let summary = "List the active notes, newest first"
  static let usage = "[--all|--archived] [--json] [--store FILE]"
  static let details = """
    --all       list archived notes too
    --archived  list archived notes only
    --json      print an array of notes as in the file, with the derived title and links

    Each line has the id, the day, the title and the tags of a note.
    """

  private let session: StoreSession
  private let printsJSON: Bool
  private let isListed: (Note) -> Bool

  init(_ arguments: inout ArgumentScanner) throws {
    session = try StoreSession(&arguments)
    printsJSON = arguments.flag("--json")
    switch (arguments.flag("--all"), arguments.flag("--archived")) {
    case (false, false): isListed = { !$0.archived }
    case (true, false): isListed = { _ in true }
    case (false, true): isListed = { $0.archived }
    case (true, true): throw arguments.usage("--all and --archived exclude each other")
    }
    try arguments.finish()
  }

  func run() throws {
    let notebook = try session.read()
    let notes = notebook.notes.records(in: Note.bySortDate).reversed().filter(isListed)
    if printsJSON { return try Terminal.output.printJSON(notes.map(NoteOutput.init)) }
    let width = notes.map { "\($0.id)".count }.max() ?? 0
    let lines = notes.map { line(for: $0, in: notebook, width: width) }
    try Terminal.output.print(lines.joined())
  }

  private func line(for note: Note, in notebook: Notebook, width: Int) -> String {
    let output = Terminal.output
    let id = output.dim("\(note.id)".padding(to: width))
    let day = output.dim(note.sortDate.day)
    let derived = note.title
    let title = derived.isEmpty ? "(empty)" : String(derived.prefix(200))
    let tags = note.tags.compactMap { notebook.tags[$0] }.map { "#" + $0.name }.joined(separator: " ")
    return "\(id)  \(day)  \(title.forTerminal)\(tags.isEmpty ? "" : "  " + output.dim(tags.forTerminal))\n"
  }
}

extension Date {
  /// The day in UTC, as in the file.
  var day: String {
    let text = ((try? SnapshotFile.json(of: self)) ?? "").replacing("\"", with: "")
    return String(text.prefix(10))
  }
}
