import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The counts of a sidebar equal a plain count.
struct TagCountTests {
  @Test func tagsOfActiveNotesOnly() throws {
    var notebook = try Notebook.small()
    notebook.tag(named: "Empty")
    try notebook.setTags(["paris"], of: 1001)
    #expect(notebook.sidebarTags().map { "\($0.tag.name) \($0.count)" } == ["New York 1", "Paris 2"])
    try notebook.setArchived(true, of: 1000)
    #expect(notebook.sidebarTags().map(\.id) == ["paris"])
    #expect(notebook.sidebarTags().map(\.count) == [1])
    #expect(notebook.noteCount(tagged: "paris") == 2)
    #expect(notebook.noteCount(tagged: "new york") == 1)
    #expect(notebook.noteCount(tagged: "empty") == 0)
    #expect(notebook.noteCount(tagged: "nowhere") == 0)
    try notebook.setArchived(true, of: 1001)
    #expect(notebook.sidebarTags() == [])
    #expect(Notebook.empty().sidebarTags() == [])
    #expect(notebook.allViolations() == [])
  }

  /// Numbers of lists are hash values. Where two are equal, the notes are counted one by one.
  @Test func listsThatAreShared() {
    #expect(Notebook.sharedLists(among: [5, 7, 5, 9]) == [5])
    #expect(Notebook.sharedLists(among: [7, NoteFilter.archivedList]) == [NoteFilter.archivedList])
    #expect(Notebook.sharedLists(among: [7, 8]) == [])
  }

  @Test func countedOneByOne() {
    each(SeededGenerator.seeds(5)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var notebook = Notebook.empty()
      let tags = (0..<20).map { notebook.tag(named: "Tag \($0)").id }
      for step in 0..<1_500 {
        // The first tags are on most notes, the last on hardly any.
        let some = tags.enumerated().filter { Int.random(in: 0...$0.offset * $0.offset, using: &random) < 3 }
        let note = try notebook.addNote(text: "", tags: some.map(\.element))
        if step % 3 == 0 { try notebook.setArchived(true, of: note.id) }
        if step % 7 == 0, let id = notebook.notes.ids.randomElement(using: &random) { notebook.deleteNotes([id]) }
      }
      var counts: [String: Int] = [:]
      var active: [String: Int] = [:]
      for note in notebook.notes {
        for tag in note.tags {
          counts[tag, default: 0] += 1
          if !note.archived { active[tag, default: 0] += 1 }
        }
      }
      for tag in tags {
        #expect(notebook.noteCount(tagged: tag) == counts[tag, default: 0])
        #expect(notebook.countOfActiveNotes(tagged: tag) == active[tag, default: 0])
      }
      let sidebar = notebook.sidebarTags()
      #expect(sidebar.map(\.id) == active.keys.sorted())
      #expect(sidebar.allSatisfy { $0.count == active[$0.id] })
      #expect(notebook.allViolations() == [])
    }
  }
}
