import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Content written for Vesper is read back as it was.
struct VesperWriterTests {
  private static func roundTrip(_ notebook: Notebook) throws -> Notebook {
    var copy = Notebook.empty()
    _ = try copy.importVesper(try notebook.vesperJSON())
    return copy
  }

  /// Only the bytes of a record show that two texts are the same.
  private static func expectSame(
    _ a: Notebook, _ b: Notebook, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = try [a, b].map { try SnapshotFile.encode($0, as: .json) }
    #expect(bytes[0] == bytes[1], sourceLocation: sourceLocation)
  }

  @Test func whatWasImportedComesBack() throws {
    var notebook = Notebook.empty()
    try notebook.importVesper(Vesper.sync)
    try notebook.importVesper(Vesper.tutorial)
    notebook.goTo(day: 2)
    notebook.deleteNotes([2])
    let copy = try Self.roundTrip(notebook)
    #expect(copy.notes.count == 4)
    #expect(copy.deletedNotes[2]?.deletionDate == .day(2))
    #expect(copy.hasSameRecords(as: notebook.asVesperHoldsIt))
    #expect(copy.allViolations() == [])
  }

  @Test func anyNotebookComesBack() {
    each(SeededGenerator.seeds(25)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      let notebook = SyncFixtures.notebook(using: &random)
      let copy = try Self.roundTrip(notebook)
      try Self.expectSame(copy, notebook.asVesperHoldsIt)
      #expect(try copy.vesperJSON() == notebook.vesperJSON())
      #expect(copy.allViolations() == [])
    }
  }

  /// One line per record, ids ascending. Unknown dates are left out, and empty lists without a known date.
  @Test func theLayout() throws {
    var notebook = try Notebook.small()
    var note = Note(id: 7, text: "a \"b\"\n", creationDate: .day(1, plus: 0.1))
    note.textModificationDate = nil
    note.attachmentsModificationDate = nil
    note.archived = true
    try notebook.upsert(note)
    notebook.deleteNotes([1001])
    let text = String(decoding: try notebook.vesperJSON(), as: UTF8.self)
    let day = "\"2020-01-01T00:00:00Z\""
    let pictures = Vesper.base64(
      #"[{"uniqueID":"film","mimeType":"video/mp4","height":0,"width":0},"#
        + #"{"uniqueID":"photo","mimeType":"image/jpeg","height":20,"width":30}]"#)
    let fraction = try #require(TextDate.text(note.creationDate.timeIntervalSinceReferenceDate))
    let own = "\"creationDate\":\"\(fraction)\",\"sortDate\":\"\(fraction)\""
    let others = "\"archivedModificationDate\":\"\(fraction)\",\"sortDateModificationDate\":\"\(fraction)\""
    #expect(
      text == """
        {"notes":[
        {"noteID":7,"text":"a \\"b\\"\\n","archived":true,\(own),\(others),"tagsModificationDate":"\(fraction)",\
        "tags":""},
        {"noteID":1000,"text":"First","archived":false,"creationDate":\(day),"sortDate":\(day),\
        "textModificationDate":\(day),"archivedModificationDate":\(day),"sortDateModificationDate":\(day),\
        "tagsModificationDate":\(day),"attachmentsModificationDate":\(day),"tags":"Paris  New York",\
        "attachments":"\(pictures)"},
        {"objectType":"deletedNote","uniqueID":1001,"deletionDate":"2020-01-01T00:00:01Z"}
        ],
        "tags":[
        {"uniqueID":"new york","name":"New York","nameModificationDate":\(day)},
        {"uniqueID":"paris","name":"Paris","nameModificationDate":\(day)}
        ]}

        """)
    #expect(String(decoding: try Notebook().vesperJSON(), as: UTF8.self) == "{\"notes\":[],\n\"tags\":[]}\n")
  }

  /// A name that begins with an accent: the space before it and the accent are one character.
  @Test func namesThatBeginWithAnAccent() throws {
    var notebook = Notebook.empty()
    let tags = ["A", "\u{301}b", "c"].map { notebook.tag(named: $0).id }
    try notebook.addNote(text: "", tags: tags)
    #expect(try Self.roundTrip(notebook).notes[1000]?.tags == tags)
  }

  @Test func whatNobodyCouldReadIsRefused() throws {
    var far = Notebook.empty()
    far.sources.now = { Date(timeIntervalSinceReferenceDate: 1e12) }
    try far.addNote(text: "")
    expectRefusal(.unencodable) { _ = try far.vesperJSON() }

    var dangling = try Notebook.small()
    dangling.tags.remove("paris")
    expectRefusal(.unencodable) { _ = try dangling.vesperJSON() }
    dangling = try Notebook.small()
    dangling.attachments.remove("film")
    expectRefusal(.unencodable) { _ = try dangling.vesperJSON() }
    dangling = try Notebook.small()
    try dangling.tags.update("paris") { $0.name = " " }
    expectRefusal(.unencodable) { _ = try dangling.vesperJSON() }
  }

  /// Changed records go out with the records that they refer to, and no others.
  @Test func changedSince() throws {
    var notebook = try Notebook.small()
    notebook.tag(named: "Unused")
    let third = try notebook.addNote(text: "Third").id
    notebook.goTo(day: 3)
    try notebook.setArchived(true, of: 1000)
    notebook.deleteNotes([third])
    try notebook.renameTag("unused", to: "UNUSED")

    var copy = Notebook.empty()
    _ = try copy.importVesper(try notebook.vesperJSON(changedSince: .day(3)))
    #expect(copy.notes.ids == [1000])
    #expect(copy.notes[1000] == notebook.notes[1000])
    #expect(copy.tags.map(\.name) == ["New York", "Paris", "UNUSED"])
    #expect(copy.attachments.ids == ["film", "photo"])
    #expect(copy.deletedNotes.ids == [third])
    #expect(try notebook.vesperJSON(changedSince: .day(4)) == Notebook().vesperJSON())
    #expect(try notebook.vesperJSON(changedSince: .day(1)) == notebook.vesperJSON())
    #expect(notebook.changed(since: .day(3)).allViolations() == [])
  }
}
