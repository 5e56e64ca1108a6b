import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// A merge into a store with concurrent edits.
struct SyncStoreTests {
  /// Edits between the reading of the file and the transaction are newer than the file, and stay.
  @Test func whatIsChangedMeanwhileIsNotLost() throws {
    let store = Store<Notebook>(try Notebook.small())
    var elsewhere = store.snapshot().value
    elsewhere.goTo(day: 2)
    try elsewhere.setText("from elsewhere", of: 1000)
    try elsewhere.setArchived(true, of: 1000)
    elsewhere.deleteNotes([1001])
    let content = try SyncContent(vesper: elsewhere.vesperJSON())

    let new = try store.write { notebook in
      notebook.goTo(day: 3)
      try notebook.setText("meanwhile", of: 1000)
      try notebook.setText("meanwhile", of: 1001)
      return try notebook.addNote(text: "new").id
    }
    let report = try store.write(origin: "sync") { try $0.merge(content) }
    let notebook = store.snapshot().value
    #expect(notebook.notes[1000]?.text == "meanwhile")
    #expect(notebook.notes[1000]?.archived == true)
    #expect(notebook.notes[1001]?.text == "meanwhile")
    #expect(notebook.notes.contains(new))
    #expect(report.changedNotes == [1000] && report.keptNotes == [1001])
    #expect(notebook.allViolations() == [])
  }

  /// Even if the clock of the other side is ahead, with the policy for that case.
  @Test func whatIsChangedMeanwhileStaysByThePolicy() throws {
    let store = Store<Notebook>(try Notebook.small())
    var elsewhere = store.snapshot().value
    elsewhere.goTo(day: 300)
    try elsewhere.setText("from the future", of: 1000)
    try elsewhere.upsert(Note(id: 5, text: "another", creationDate: .day(300)))
    elsewhere.deleteNotes([1001])
    let content = SyncContent(elsewhere)
    try store.write { try $0.setText("meanwhile", of: 1000) }
    try store.write { try $0.merge(content, policy: .ours) }
    let notebook = store.snapshot().value
    #expect(notebook.notes[1000]?.text == "meanwhile")
    #expect(notebook.notes.ids == [5, 1000, 1001])
    #expect(notebook.allViolations() == [])
  }

  /// Outgoing content since a snapshot: the changed records, and the records that they refer to.
  @Test func whatChangedSinceASnapshot() throws {
    let store = Store<Notebook>(try Notebook.small())
    let snapshot = store.snapshot()
    #expect(store.snapshot().value.changed(since: snapshot.value).hasSameRecords(as: Notebook()))
    try store.write { notebook in
      notebook.goTo(day: 2)
      try notebook.setArchived(true, of: 1000)
      notebook.deleteNotes([1001])
      notebook.tag(named: "New")
      try notebook.add(Attachment(id: "new", mimeType: "image/png", height: 1, width: 1))
    }
    let outgoing = store.snapshot().value.changed(since: snapshot.value)
    #expect(outgoing.notes.ids == [1000] && outgoing.deletedNotes.ids == [1001])
    #expect(outgoing.tags.ids == ["new", "new york", "paris"])
    #expect(outgoing.attachments.ids == ["film", "new", "photo"])
    #expect(outgoing.allViolations() == [])

    var other = snapshot.value
    try other.merge(SyncContent(outgoing))
    #expect(other.hasSameRecords(as: store.snapshot().value))
  }
}
