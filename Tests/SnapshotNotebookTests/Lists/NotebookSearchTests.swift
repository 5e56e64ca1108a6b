import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The notes that a search finds, compared with a plain filter of the timeline.
struct NotebookSearchTests {
  private static let words = [
    "umbrella", "Café", "STRASSE", "straße", "red", "Red", "train", "日本語", "Привет", "platform 9", "naïve",
  ]

  /// More notes than are searched in timeline order, with shared dates.
  private static func notebook(_ count: Int, _ random: inout SeededGenerator) throws -> Notebook {
    var notebook = Notebook()
    let tags = ["Paris", "work"].map { notebook.tag(named: $0).id }
    var notes: [Note] = []
    for id in 0..<Int64(count) {
      let date = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -200...200, using: &random)))
      let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      var note = Note(id: id, text: text.joined(separator: " "), creationDate: date)
      note.setTags(tags.filter { _ in Bool.random(using: &random) }, at: date)
      note.setArchived(Int.random(in: 0..<3, using: &random) == 0, at: date)
      notes.append(note)
    }
    notebook.notes = try Table(notes)
    return notebook
  }

  @Test(arguments: SeededGenerator.seeds(2)) func itAgreesWithAPlainFilter(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let notebook = try Self.notebook(2_500, &random)
    let dates: [Date?] = [nil, -200, -100, 0, 100.5, 201].map { $0.map(Date.init(timeIntervalSinceReferenceDate:)) }
    for round in 0..<Proofs.pick(full: 30, quick: 8) {
      let scope = NoteFilter(
        archived: [nil, true, false][round % 3],
        tag: [nil, "paris", "work", "rome"].randomElement(using: &random) ?? nil, isUntagged: round % 7 == 0,
        earliest: dates.randomElement(using: &random) ?? nil, end: dates.randomElement(using: &random) ?? nil)
      let query =
        ["umb", "cafe", "strasse", "red train", "9 umbrella naive", "", "", "nowhere", "本", "ПРИ"].randomElement(
          using: &random) ?? ""
      let expected = notebook.timeline(.all, limit: .max).filter { note in
        let tags = notebook.notes[note.id]?.tags ?? []
        return scope.archived.map { $0 == note.archived } ?? true && scope.tag.map(tags.contains) ?? true
          && (!scope.isUntagged || tags.isEmpty)
          && scope.earliest.map { note.sortDate >= $0 } ?? true && scope.end.map { note.sortDate < $0 } ?? true
          && SearchQuery(query).matches(note.text)
      }
      let message = "\(query) in \(scope), seed \(seed)"
      #expect(notebook.search(query, in: scope) == expected, "\(message)")
      if query.isEmpty { #expect(notebook.timeline(scope, limit: .max) == expected, "\(message)") }
      #expect(notebook.search(query, in: scope, limit: 7) == Array(expected.prefix(7)), "\(message)")
      #expect(notebook.search(query, in: scope, limit: 0) == [] && notebook.search(query, in: scope, limit: -1) == [])
      for threads in [1, 3] {
        let found = notebook.search(SearchQuery(query), in: scope, after: nil, limit: 1_500, threads: threads)
        #expect(found == Array(expected.prefix(1_500)), "\(message)")
      }
      var pages: [TimelineNote] = []
      while case let page = notebook.search(query, in: scope, after: pages.last?.position, limit: 400), !page.isEmpty {
        pages += page
      }
      #expect(pages == expected, "\(message)")
    }
  }

  @Test func aSnapshotIsSearchedAsItWas() throws {
    var notebook = Notebook.empty()
    let id = try notebook.addNote(text: "The red umbrella").id
    let before = notebook
    try notebook.setText("A blue one", of: id)
    #expect(notebook.search("umbrella") == [] && notebook.search("blue").map(\.id) == [id])
    #expect(before.search("umbrella").map(\.id) == [id] && before.search("blue") == [])
    notebook.deleteNotes([id])
    #expect(notebook.search("blue") == [] && notebook.search("") == [])
  }

  /// Notes whose dates are not numbers are the oldest, and paging does not repeat because of them.
  @Test func datesThatAreNoNumbers() throws {
    var notebook = Notebook()
    notebook.notes = try Table(
      (0..<1_200).map { Note(id: $0, text: "x", creationDate: Date(timeIntervalSinceReferenceDate: .nan)) })
    let page = notebook.search("x", in: NoteFilter(end: .day(1)), limit: 1_100)
    #expect(page.map(\.id) == Array(0..<1_100))
    let next = notebook.search("x", in: NoteFilter(end: .day(1)), after: page.last?.position)
    #expect(next.map(\.id) == Array(1_100..<1_200))
  }
}
