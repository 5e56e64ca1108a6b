import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// Many notes are changed in one transaction, as one change set, with one save.
@Suite(.timeLimit(.minutes(30)))
struct BulkEditTests {
  private static let count = Proofs.pick(full: 1_000, quick: 300)

  /// A notebook of `count` notes from 1000 on, the even ones with the tag `even`, each with an attachment; two share
  /// one.
  private static func large(_ count: Int = count) throws -> Notebook {
    var notebook = Notebook.empty()
    let even = notebook.tag(named: "Even").id
    notebook.tag(named: "Read")
    for number in 0..<count {
      let id = "file \(number / 2)"
      try notebook.add(Attachment(id: id, mimeType: "image/png", height: 1, width: 1))
      try notebook.addNote(text: "note \(number)", tags: number % 2 == 0 ? [even] : [], attachments: [id])
    }
    notebook.goTo(day: 2)
    return notebook
  }

  struct Edit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The number of notes that differ afterwards.
    let expected: Int
    let edit: @Sendable (inout Notebook) throws -> [Note.ID]
  }

  static let edits = [
    Edit(testDescription: "setArchived by ids", expected: count) { try $0.apply(.setArchived(true), to: $0.notes.ids) },
    Edit(testDescription: "setArchived where", expected: count / 2) {
      try $0.apply(.setArchived(true)) { $0.id % 2 == 1 }
    },
    Edit(testDescription: "archive by ids", expected: count) { try $0.apply(.archive, to: $0.notes.ids.reversed()) },
    Edit(testDescription: "archive where", expected: count) { try $0.apply(.archive) { _ in true } },
    Edit(testDescription: "addTag by ids", expected: count) { try $0.apply(.addTag("read"), to: $0.notes.ids) },
    Edit(testDescription: "addTag where", expected: count / 2) { try $0.apply(.addTag("even")) { _ in true } },
    Edit(testDescription: "removeTag by ids", expected: count / 2) {
      try $0.apply(.removeTag("even"), to: $0.notes.ids)
    },
    Edit(testDescription: "removeTag where", expected: count / 2) { try $0.apply(.removeTag("even")) { _ in true } },
    Edit(testDescription: "deleteNotes", expected: count) { $0.deleteNotes($0.notes.ids, withAttachments: true) },
    Edit(testDescription: "deleteNotes where", expected: count / 2) { $0.deleteNotes { $0.id % 2 == 0 } },
    Edit(testDescription: "renameTag", expected: count / 2) {
      try $0.renameTag("even", to: "Straight")
      return $0.notes(tagged: "straight").map(\.id)
    },
    Edit(testDescription: "deleteTag", expected: count / 2) {
      let ids = $0.notes(tagged: "even").map(\.id)
      try $0.deleteTag("even")
      return ids
    },
  ]

  @Test func oneTransactionOneChangeSetOneSave() async {
    await each(Self.edits) { (edit: Edit) async throws in
      let test = StoreUnderTest()
      let store = try test.open(Notebook.self, .immediate)
      try store.write { $0 = try Self.large() }
      let (before, saves) = (store.snapshot(), store.status.saves)
      let changes = store.changes
      let ids = try store.write(edit.edit)
      #expect(store.revision == before.revision + 1)
      #expect(store.status.saves == saves + 1)
      try await store.close()
      var sets: [ChangeSet<Notebook>] = []
      for await set in changes { sets.append(set) }
      let changed = try #require(sets.first).changes(in: \.notes)
      #expect(sets.count == 1 && changed.map(\.id) == ids && ids.count == edit.expected)
      for note in changed.compactMap(\.after) {
        #expect(note.modificationDate == .day(2) && note.textModificationDate == .day(1))
      }
      #expect(store.snapshot().value.allViolations() == [])
      #expect(try test.stored(Notebook.self).hasSameRecords(as: store.snapshot().value))
    }
  }

  @Test func thousandsAtOnce() throws {
    let count = Proofs.pick(full: 10_000, quick: 2_000)
    let test = StoreUnderTest()
    let store = try test.open(Notebook.self, .immediate)
    try store.write { $0 = try Self.large(count) }
    let (revision, saves) = (store.revision, store.status.saves)
    let archived = try store.write { try $0.apply(.archive, to: $0.notes.ids) }
    let tagged = try store.write { try $0.apply(.addTag("read")) { $0.archived } }
    #expect(archived.count == count && tagged == archived)
    let deleted = try store.write { $0.deleteNotes(archived, withAttachments: true) }
    #expect(deleted == archived)
    #expect(store.revision == revision + 3 && store.status.saves == saves + 3)
    let notebook = store.snapshot().value
    #expect(notebook.notes.isEmpty && notebook.attachments.isEmpty && notebook.deletedNotes.count == count)
    #expect(notebook.allViolations() == [])
  }

  /// Many changes at once have the same effect as one after the other.
  @Test func manyAtOnceAreAsOneByOne() {
    each(SeededGenerator.seeds(5)) { (seed: UInt64) throws in
      var random = SeededGenerator(seed: seed)
      var notebook = Notebook.empty()
      let tags = (0..<5).map { notebook.tag(named: "Tag \($0)").id }
      for number in 0..<200 {
        let note = try notebook.addNote(text: "\(number)", tags: tags.filter { _ in Bool.random(using: &random) })
        if Bool.random(using: &random) { try notebook.setArchived(true, of: note.id) }
      }
      for day in 2..<30 {
        notebook.goTo(day: day)
        var single = notebook
        let ids = (0..<60).map { _ in Note.ID(1000 + Int.random(in: 0..<200, using: &random)) }
        let tag = tags.randomElement(using: &random) ?? ""
        let before = notebook
        let changed: [Note.ID]
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          changed = try notebook.apply(.archive, to: ids)
          for id in ids { try single.archive(id) }
        case 1:
          changed = try notebook.apply(.unarchive, to: ids)
          for id in ids { try single.unarchive(id) }
        case 2:
          changed = try notebook.apply(.addTag(tag), to: ids)
          for id in ids { try single.setTags((single.notes[id]?.tags ?? []) + [tag], of: id) }
        case 3:
          changed = try notebook.apply(.removeTag(tag), where: { ids.contains($0.id) })
          for id in ids { try single.setTags((single.notes[id]?.tags ?? []).filter { $0 != tag }, of: id) }
        default:
          changed = try notebook.apply(.setArchived(false), where: { ids.contains($0.id) })
          for id in ids { try single.setArchived(false, of: id) }
        }
        #expect(notebook.hasSameRecords(as: single))
        #expect(changed == notebook.notes.changes(from: before.notes).map(\.id))
        #expect(notebook.allViolations() == [])
      }
    }
  }

  @Test func allOrNone() throws {
    struct Stop: Error {}
    var notebook = try Notebook.small()
    let before = notebook
    expectRefusal(.recordNotFound) { try notebook.apply(.setArchived(true), to: [1000, 77]) }
    expectRefusal(.recordNotFound) { try notebook.apply(.archive, to: [1000, 77]) }
    expectRefusal(.recordNotFound) { try notebook.apply(.unarchive, to: [77]) }
    expectRefusal(.recordNotFound) { try notebook.apply(.addTag("paris"), to: [1001, 77]) }
    expectRefusal(.recordNotFound) { try notebook.apply(.addTag("rome"), to: [1001]) }
    expectRefusal(.recordNotFound) { try notebook.apply(.addTag("rome")) { _ in true } }
    expectRefusal(.recordNotFound) { try notebook.apply(.removeTag("paris"), to: [1000, 77]) }
    func stopping(_ note: Note) throws -> Bool {
      if note.id == 1001 { throw Stop() }
      return true
    }
    #expect(throws: Stop.self) { try notebook.apply(.setArchived(true), where: stopping) }
    #expect(throws: Stop.self) { try notebook.deleteNotes(where: stopping) }
    notebook.sources.now = { Date(timeIntervalSinceReferenceDate: .nan) }
    expectRefusal(.invalidValue) { try notebook.apply(.archive) { _ in true } }
    expectRefusal(.invalidValue) { try notebook.deleteTag("paris") }
    expectRefusal(.invalidValue) { try notebook.deleteAttachment("photo") }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  /// A tag in another spelling of its id is added with the spelling of its record. Removing a tag does not test notes
  /// without it.
  @Test func tagsAreThoseOfTheNotebook() throws {
    var notebook = Notebook.empty()
    let cafe = notebook.tag(named: "caf\u{E9}").id
    for number in 0..<4 { try notebook.addNote(text: "\(number)", tags: number % 2 == 0 ? [cafe] : []) }
    expectRefusal(.recordNotFound) { try notebook.apply(.addTag("rome"), to: []) }
    #expect(try notebook.apply(.addTag("cafe\u{301}"), to: [1001, 1001]) == [1001])
    #expect(notebook.notes[1001]?.tags.first.map { Array($0.utf8) } == Array(cafe.utf8))
    var tested: [Note.ID] = []
    let removed = try notebook.apply(.removeTag(cafe)) {
      tested.append($0.id)
      return $0.id < 1002
    }
    #expect(tested == [1000, 1001, 1002] && removed == [1000, 1001])
    #expect(notebook.allViolations() == [])
  }

  @Test func attachmentsGoWithTheirLastNote() throws {
    var notebook = try Notebook.small()
    try notebook.add(Attachment(id: "unused", mimeType: "image/png", height: 1, width: 1))
    try notebook.setAttachments(["film"], of: 1001)
    #expect(notebook.deleteNotes([1000], withAttachments: true) == [1000])
    // The other note has the film, and the attachment without a note was not named.
    #expect(notebook.attachments.ids == ["film", "unused"])
    #expect(notebook.deleteNotes(withAttachments: true) { $0.attachments == ["film"] } == [1001])
    #expect(notebook.attachments.ids == ["unused"])
    #expect(notebook.tags.ids == ["new york", "paris"])
    #expect(notebook.deletedNotes.ids == [1000, 1001])
    #expect(notebook.allViolations() == [])
  }
}
