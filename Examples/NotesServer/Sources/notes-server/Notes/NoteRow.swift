import Foundation
import SnapshotNotebook
import SnapshotStore

/// A tag of a note, with its name.
struct NoteTag: Encodable, Equatable, Sendable {
  let id: Tag.ID
  let name: String

  init(_ id: Tag.ID, in notebook: Notebook) {
    self.id = id
    name = notebook.tags[id]?.name ?? id
  }
}

/// A row of the list: what one sees of a note.
struct NoteRow: Encodable {
  /// As text: a file may have ids that JavaScript's numbers cannot hold.
  let id: String
  let title: MarkedText
  let excerpt: MarkedText
  let tags: [NoteTag]
  /// Seconds since 1970.
  let date: Double

  init(_ note: Note, _ query: SearchQuery, in notebook: Notebook) {
    id = "\(note.id)"
    title = MarkedText(note.title, query)
    excerpt = MarkedText(Self.excerpt(of: note, query), query)
    tags = note.tags.map { NoteTag($0, in: notebook) }
    date = note.sortDate.timeIntervalSince1970
  }

  /// The beginning of the text after the title. If the search has no place there, the text around its first place.
  private static func excerpt(of note: Note, _ query: SearchQuery) -> String {
    let text = note.truncatedText
    let start = text.range(of: note.title)?.upperBound ?? text.startIndex
    let beginning = inOneLine(text[start...].prefix(180))
    if query.isEmpty || query.matches([note.title, beginning]) { return beginning }
    guard let place = query.firstMatch(in: note.text) else { return beginning }
    let all = note.text
    let from = all.index(place.lowerBound, offsetBy: -40, limitedBy: all.startIndex) ?? all.startIndex
    return "… " + inOneLine(all[from...].prefix(180))
  }

  private static func inOneLine(_ text: Substring) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
