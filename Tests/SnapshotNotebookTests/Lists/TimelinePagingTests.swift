import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

extension Notebook {
  /// All notes of a list, read page by page.
  func pages(_ filter: NoteFilter, limit: Int) -> [TimelineNote] {
    var notes: [TimelineNote] = []
    while case let page = timeline(filter, after: notes.last?.position, limit: limit), !page.isEmpty {
      #expect(page.count <= limit)
      notes += page
    }
    return notes
  }
}

/// Pages of a timeline, while notes are added, removed and moved between them.
struct TimelinePagingTests {
  /// Ten notes, the newest with the id 1009. Every third is archived, and two have the same date.
  private func notebook() throws -> Notebook {
    var notebook = Notebook.empty()
    for number in 0..<10 {
      notebook.goTo(day: 1 + number / 2)
      let note = try notebook.addNote(text: "note \(number)")
      try notebook.setArchived(number % 3 == 0, of: note.id)
    }
    return notebook
  }

  @Test func aPageBeginsBehindThePosition() throws {
    let notebook = try notebook()
    let first = notebook.timeline(.all, limit: 3)
    #expect(first.map(\.id) == [1008, 1009, 1006])
    #expect(notebook.timeline(.all, after: first.last?.position, limit: 3).map(\.id) == [1007, 1004, 1005])
    // Within a date, and after the last note.
    #expect(notebook.timeline(.all, after: first[0].position, limit: 1).map(\.id) == [1009])
    let last = TimelinePosition(sortDate: .day(1), id: 1001)
    #expect(notebook.timeline(.all, after: last, limit: 3).isEmpty)
    #expect(notebook.timeline(.all, after: last, limit: -1).isEmpty)
  }

  @Test func theNoteOfAPositionMayGo() throws {
    var notebook = try notebook()
    let page = notebook.timeline(.all, limit: 4)
    let position = try #require(page.last).position
    let expected = notebook.timeline(.all, after: position, limit: 100)
    notebook.deleteNotes([position.id])
    #expect(notebook.timeline(.all, after: position, limit: 100) == expected)
    // A newer note does not appear on a later page, and one that moves up does not hide others.
    notebook.goTo(day: 9)
    try notebook.addNote(text: "newer")
    try notebook.setSortDate(.day(20), of: page[0].id)
    #expect(notebook.timeline(.all, after: position, limit: 100) == expected)
    // A note that moves behind the position appears again.
    try notebook.setSortDate(.day(0), of: page[0].id)
    #expect(notebook.timeline(.all, after: position, limit: 100).map(\.id) == expected.map(\.id) + [page[0].id])
  }

  @Test func positionsThatNoNoteHas() throws {
    let notebook = try notebook()
    let all = notebook.timeline(.all, limit: 100).map(\.id)
    func after(_ seconds: Double, _ id: Note.ID) -> [Note.ID] {
      let position = TimelinePosition(sortDate: Date(timeIntervalSinceReferenceDate: seconds), id: id)
      return notebook.timeline(.all, after: position, limit: 100).map(\.id)
    }
    #expect(after(.infinity, .min) == all)
    #expect(after(1e300, .max) == all)
    for seconds in [-Double.infinity, .nan, -1e300] { #expect(after(seconds, .max) == []) }
    let day3 = Date.day(3).timeIntervalSinceReferenceDate
    #expect(after(day3, .min) == Array(all.dropFirst(4)) && after(day3, .max) == Array(all.dropFirst(6)))
    #expect(after(day3 + 1, 5) == Array(all.dropFirst(4)))
  }

  /// Lists of tags are numbered by hash values. A shared list is filtered, page by page. A note in two merged lists
  /// appears once.
  @Test func tagsMayShareAList() {
    each([1, 2, 3, 100]) { (limit: Int) throws in
      var notebook = Notebook.empty()
      let tags = ["a", "b", "c"].map { notebook.tag(named: $0).id }
      for number in 0..<90 {
        notebook.goTo(day: number / 4)
        try notebook.addNote(text: "\(number)", tags: [tags[number % 3], tags[number % 2]].uniqued())
      }
      for tag in tags {
        let filter = NoteFilter.tagged(tag)
        // The list of the active notes has those of every tag, as if all of them had one hash value.
        for lists in [[NoteFilter.activeList], [NoteFilter.activeList, NoteFilter.list(of: tag)]] {
          var found: [TimelineNote] = []
          while true {
            let page = notebook.timeline(filter, in: lists, after: found.last?.position, limit: limit)
            if page.isEmpty { break }
            found += page
          }
          #expect(found == notebook.timeline(filter, limit: 1_000))
        }
      }
      #expect(notebook.allViolations() == [])
    }
  }

  /// Many notes of one date, across leaves of the index.
  @Test func aLateEntryIsFound() throws {
    let notes = (0..<20_000).map { number in
      Note(id: Int64(number), text: "", creationDate: Date(timeIntervalSinceReferenceDate: Double(number % 500)))
    }
    var notebook = Notebook()
    notebook.notes = try Table(notes)
    let position = TimelinePosition(sortDate: Date(timeIntervalSinceReferenceDate: 250), id: 10_250)
    #expect(notebook.timeline(.active, after: position, limit: 2).map(\.id) == [10_750, 11_250])
    #expect(notebook.pages(.all, limit: 999).count == 20_000)
  }
}
