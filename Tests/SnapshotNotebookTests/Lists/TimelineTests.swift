import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The timeline, compared with a plain filter and sort of all notes.
struct TimelineTests {
  @Test func timelinesAgreeWithAPlainFilter() {
    each(SeededGenerator.seeds(6)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var notebook = Notebook()
      let tags = ["Paris", "work", "caf\u{E9}", "a long name that is no small string"].map {
        notebook.tag(named: $0).id
      }
      for _ in 0..<600 {
        let id = Int64.random(in: 0..<150, using: &random)
        // Few dates, so that many are equal; some are before the reference date.
        let date = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -10...10, using: &random)) / 2)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: notebook.deleteNotes([id, id, id + 1])
        case 1: _ = try? notebook.setSortDate(date, of: id)
        case 2: _ = try? notebook.setArchived(Bool.random(using: &random), of: id)
        case 3: _ = try? notebook.setTags(Array(tags.shuffled(using: &random).prefix(2)), of: id)
        case 4:
          let ids = notebook.notes.ids.filter { $0 % 7 == id % 7 }
          try notebook.apply(.setArchived(Bool.random(using: &random)), to: ids + ids)
        default:
          var note = Note(id: id, text: "note \(id)", creationDate: date)
          note.setTags(Array(tags.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))), at: date)
          try notebook.upsert(note)
        }
      }
      let filters: [NoteFilter] = [.all, .active, .archived, .untagged, .tagged("rome")] + tags.map { .tagged($0) }
      for filter in filters {
        let expected = notebook.notes.filter { filter.includes($0) }.sorted {
          ($1.sortDate, $0.id) < ($0.sortDate, $1.id)
        }
        for limit in [-1, 0, 1, 10, 1_000] {
          let found = notebook.timeline(filter, limit: limit)
          #expect(found.map(\.id) == expected.prefix(max(0, limit)).map(\.id))
          #expect(found.allSatisfy { filter.includes(notebook.notes[$0.id]!) })
        }
        for limit in [1, 7, 50] {
          let pages = notebook.pages(filter, limit: limit)
          #expect(pages.map(\.id) == expected.map(\.id), "pages of \(limit), seed \(seed)")
        }
      }
      #expect(notebook.hasArchived == notebook.notes.contains(where: \.archived))
      #expect(notebook.hasUntagged == notebook.notes.contains { !$0.archived && $0.tags.isEmpty })
      for day in [-20.0, -2, 0, 1.5, 20] {
        let date = Date(timeIntervalSinceReferenceDate: day)
        #expect(
          notebook.notes(modifiedSince: date).map(\.id)
            == notebook.notes.filter { $0.modificationDate >= date }.map(\.id)
        )
      }
      #expect(notebook.allViolations() == [])
    }
  }

  @Test func whatATimelineNoteShows() throws {
    var notebook = Notebook()
    try notebook.add(Attachment(id: "text", mimeType: "text/plain", height: 0, width: 0))
    try notebook.add(Attachment(id: "photo", mimeType: "IMAGE/jpeg", height: 1, width: 1))
    let note = try notebook.addNote(text: "\n Title \nsee www.example.org.", attachments: ["text", "photo"])
    let found = try #require(notebook.timeline(.untagged, limit: 5).first)
    #expect(found.id == note.id && found.sortDate == note.sortDate && !found.archived)
    #expect(found.thumbnailID == "photo")
    #expect(found.title == note.title && found.title == "Title")
    #expect(found.truncatedText == note.truncatedText)
    #expect(found.links == ["www.example.org"])
    #expect(found == notebook.timeline(.active, limit: 5).first)
    #expect(notebook.allViolations() == [])
  }

  /// Extreme dates, and one that is not a number, in the order of the index.
  @Test func keysAreInTheOrderOfTheDates() {
    let dates: [Double] = [
      .infinity, 1e300, 2, 1, .leastNonzeroMagnitude, 0, -.leastNonzeroMagnitude, -1, -1e300, -.infinity,
    ]
    func key(_ list: UInt64, _ seconds: Double) -> UInt128 {
      TimelineKey.number(list: list, age: TimelineKey.age(of: Date(timeIntervalSinceReferenceDate: seconds)))
    }
    let keys = dates.map { key(3, $0) }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
    #expect(key(3, -0.0) == key(3, 0))
    #expect(key(3, .nan) == key(3, -.infinity))
    #expect(key(3, -.infinity) < key(4, .infinity))
  }

  @Test func archivingManyChangesAllOrNothing() throws {
    var notebook = Notebook()
    let ids = try (0..<40).map { try notebook.addNote(text: "\($0)").id }.sorted()
    let before = notebook
    expectRefusal(.recordNotFound) { try notebook.apply(.setArchived(true), to: ids + [1]) }
    #expect(notebook.notes.isIdentical(to: before.notes))
    try notebook.setArchived(true, of: ids[3])
    #expect(try notebook.apply(.setArchived(true), to: ids) == ids.filter { $0 != ids[3] })
    #expect(notebook.timeline(.active, limit: 100) == [])
    #expect(notebook.timeline(.archived, limit: 100).count == 40)
    #expect(notebook.allViolations() == [])
    #expect(before.timeline(.active, limit: 100).count == 40)
    #expect(before.allViolations() == [])
  }
}
