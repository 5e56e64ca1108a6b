import SnapshotCommands
import SnapshotNotebook
import SnapshotStore

/// A note that the user names: by its id, by the beginning of its id, or as `@3`, the third note of the last list.
struct NoteChoice {
  /// A beginning of an id needs this many digits. Fewer would often name a note by mistake.
  static let fewestDigits = 4
  /// So many notes are named if a beginning fits several.
  private static let shownMatches = 5

  private enum Form { case digits(Note.ID), place(Int) }

  private let text: String
  private let form: Form

  /// - Throws: ``CommandFailure`` for a text that can name no note.
  init(_ text: String) throws {
    self.text = text
    if text.hasPrefix("@"), let place = Int(text.dropFirst()), place > 0 {
      form = .place(place)
    } else if let id = Note.ID(text), id >= 0, text.utf8.first != UInt8(ascii: "+") {
      form = .digits(id)
    } else {
      throw CommandFailure.usage(
        "“\(text.forTerminal)” is not the id of a note, the beginning of one, or @N for the Nth of the last list")
    }
  }

  /// The note among others of a store. O(log n).
  ///
  /// - Throws: `SnapshotError` with code `recordNotFound` if there is none; ``CommandFailure`` if there are several.
  func id(among notes: Table<Note>, of store: StoreSession<Notebook>) throws -> Note.ID {
    switch form {
    case .place(let place):
      let id = try ListMemory.id(at: place, of: store.url)
      guard notes.contains(id) else {
        throw SnapshotError(.recordNotFound, "\(text) of the last list was note \(id), which is not there any more")
      }
      return id
    case .digits(let id):
      if notes.contains(id) { return id }
      let matches = notesBeginning(with: id, among: notes)
      if matches.count > 1 { throw ambiguous(matches) }
      guard let match = matches.first else {
        throw SnapshotError(.recordNotFound, "there is no note with id \(text.forTerminal)")
      }
      return match.id
    }
  }

  /// The first notes whose ids begin with the digits of a number, and have more digits.
  private func notesBeginning(with number: Note.ID, among notes: Table<Note>) -> [Note] {
    guard text.utf8.count >= Self.fewestDigits, text.utf8.first != UInt8(ascii: "0") else { return [] }
    var found: [Note] = []
    var (first, size) = (number, Note.ID(1))
    while found.count <= Self.shownMatches {
      let (next, overflows) = first.multipliedReportingOverflow(by: 10)
      if overflows { break }
      (first, size) = (next, size * 10)
      let (last, isCut) = first.addingReportingOverflow(size - 1)
      found += notes.records(in: first...(isCut ? .max : last)).prefix(Self.shownMatches + 1)
    }
    return found
  }

  private func ambiguous(_ matches: [Note]) -> CommandFailure {
    let shown = matches.prefix(Self.shownMatches).map { "\n  \($0.id)  \(String($0.title.prefix(60)).forTerminal)" }
    let more = matches.count > Self.shownMatches ? "\n  …" : ""
    return .usage("several notes have an id that begins with \(text.forTerminal):\(shown.joined())\(more)")
  }
}

extension Notebook {
  /// The note that the user names.
  func note(_ choice: NoteChoice, of store: StoreSession<Notebook>) throws -> Note {
    try requiredNote(try choice.id(among: notes, of: store))
  }

  /// The ids of the notes that the user names.
  func ids(_ choices: [NoteChoice], of store: StoreSession<Notebook>) throws -> [Note.ID] {
    try choices.map { try $0.id(among: notes, of: store) }
  }
}
