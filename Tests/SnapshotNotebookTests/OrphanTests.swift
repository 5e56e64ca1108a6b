import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Tags and attachments without a note are found, and swept on request; others stay.
struct OrphanTests {
  @Test func sweeping() throws {
    var notebook = try Notebook.small()
    #expect(notebook.orphanedTags() == [] && notebook.orphanedAttachments() == [])
    try notebook.setArchived(true, of: 1000)
    #expect(notebook.orphanedTags() == [])

    notebook.tag(named: "Later")
    try notebook.setTags(["new york"], of: 1000)
    try notebook.removeAttachments(["photo"], from: 1000)
    #expect(notebook.orphanedTags().map(\.name) == ["Later", "Paris"])
    #expect(notebook.orphanedAttachments().map(\.id) == ["photo"])
    let notes = notebook.notes
    #expect(notebook.deleteOrphanedTags().map(\.id) == ["later", "paris"])
    #expect(notebook.deleteOrphanedAttachments().map(\.id) == ["photo"])
    #expect(notebook.tags.ids == ["new york"] && notebook.attachments.ids == ["film"])
    #expect(notebook.notes.isIdentical(to: notes))
    #expect(notebook.orphanedTags() == [] && notebook.orphanedAttachments() == [])

    // A tag becomes an orphan with its last note.
    notebook.deleteNotes([1000])
    #expect(notebook.deleteOrphanedTags().count == 1)
    #expect(notebook.allViolations() == [])
  }
}
