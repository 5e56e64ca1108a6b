import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The notes that an import takes over, and its effect on existing ones.
struct NoteImportTests {
  private func note(
    _ text: String, id: Note.ID? = nil, day: Int? = nil, tags: [String] = [],
    attachments: [SnapshotNotebook.Attachment] = []
  ) -> ForeignNote {
    ForeignNote(
      id: id, text: text, creationDate: day.map { .day($0) }, tagNames: tags, attachments: attachments, place: text)
  }

  private func report(_ change: (inout ImportReport) -> Void) -> ImportReport {
    var report = ImportReport()
    change(&report)
    return report
  }

  @Test func aNoteWithEverything() throws {
    var notebook = Notebook.empty()
    let photo = SnapshotNotebook.Attachment(id: "photo", mimeType: "image/png", height: 1, width: 2)
    var foreign = note("Text", id: 7, day: 2, tags: ["Paris", "New  York", "PARIS"], attachments: [photo, photo])
    foreign.archived = true
    foreign.sortDate = .day(3)
    foreign.modificationDate = .day(6)
    foreign.textModificationDate = .day(4)
    foreign.archivedModificationDate = .day(5)
    foreign.sortDateModificationDate = .day(7)
    foreign.tagsModificationDate = .day(8)
    foreign.attachmentsModificationDate = .day(9)
    let done = try notebook.importNotes([foreign])
    #expect(done == report { ($0.addedNotes, $0.addedTags, $0.addedAttachments) = (1, 2, 1) })
    let new = try #require(notebook.notes[7])
    #expect(new.text == "Text" && new.archived)
    #expect(new.tags == ["paris", "new york"])
    #expect(new.attachments == ["photo"])
    #expect([new.creationDate, new.sortDate, new.modificationDate] == [.day(2), .day(3), .day(6)])
    let partDates = [
      new.textModificationDate, new.archivedModificationDate, new.sortDateModificationDate, new.tagsModificationDate,
      new.attachmentsModificationDate,
    ]
    #expect(partDates == [.day(4), .day(5), .day(7), .day(8), .day(9)])
    #expect(notebook.tags.map(\.name) == ["New York", "Paris"])
    #expect(try notebook.importNotes([foreign]) == report { $0.unchangedNotes = 1 })
    #expect(notebook.allViolations() == [])
  }

  @Test func aNoteWithNothingButAText() throws {
    var notebook = Notebook.empty()
    try notebook.importNotes([note("Text")])
    let new = try #require(notebook.notes[1000])
    #expect([new.creationDate, new.sortDate, new.modificationDate] == [.day(1), .day(1), .day(1)])
    #expect(!new.archived && new.textModificationDate == nil && new.tags.isEmpty)
    notebook.goTo(day: 2)
    #expect(try notebook.importNotes([note("Text")]) == report { $0.unchangedNotes = 1 })
    #expect(notebook.allViolations() == [])
  }

  /// Equal notes within a file are different notes. Their number stays the same, however often the file is imported.
  @Test func importingTwiceAddsNothing() throws {
    var notebook = Notebook.empty()
    try notebook.addNote(text: "a")
    let file = [
      note("a"), note("a"), note("a", day: 5), note("a", day: 5), note("b", day: 1), note("", id: 9), note(""),
      note("e\u{301}"), note("\u{E9}"),
    ]
    let first = try notebook.importNotes(file)
    #expect(first.addedNotes == 8)
    #expect(first.unchangedNotes == 1)
    let before = notebook
    for day in 2...3 {
      notebook.goTo(day: day)
      #expect(try notebook.importNotes(file) == report { $0.unchangedNotes = 9 })
    }
    #expect(notebook.hasSameTables(as: before))
    #expect(try notebook.importNotes(file.reversed()) == report { $0.unchangedNotes = 9 })
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  @Test func notesWithOtherContentAreSkippedOrChangedOrAdded() throws {
    let file = [note("Other", id: 1000, tags: ["New"]), note("Second", id: 1001)]
    var notebook = try Notebook.small()
    let before = notebook
    notebook.goTo(day: 3)
    let skipped = try notebook.importNotes(file)
    let reason = "is here with other content"
    #expect(
      skipped
        == report {
          $0.unchangedNotes = 1
          $0.skipped = [SkippedItem(place: "Other", id: 1000, reason: reason)]
        })
    #expect(notebook.hasSameTables(as: before))

    var added = notebook
    let addition = try added.importNotes(file, options: ImportOptions(conflicts: .add))
    #expect(addition == report { ($0.addedNotes, $0.unchangedNotes, $0.addedTags) = (1, 1, 1) })
    #expect(added.notes[1000] == before.notes[1000])
    #expect(added.notes[1002]?.text == "Other")
    #expect(
      try added.importNotes(file, options: ImportOptions(conflicts: .add)) == report { $0.unchangedNotes = 2 })
    #expect(added.allViolations() == [])

    let change = try notebook.importNotes(file, options: ImportOptions(conflicts: .change))
    #expect(change == report { ($0.changedNotes, $0.unchangedNotes, $0.addedTags) = (1, 1, 1) })
    let changed = try #require(notebook.notes[1000])
    #expect(changed.text == "Other" && changed.tags == ["new"] && changed.attachments.isEmpty)
    #expect([changed.creationDate, changed.sortDate, changed.modificationDate] == [.day(1), .day(1), .day(3)])
    #expect(changed.textModificationDate == .day(3) && changed.archivedModificationDate == .day(1))
    #expect(notebook.allViolations() == [])
  }

  @Test func whatTheFormatDoesNotGiveStays() throws {
    var notebook = try Notebook.small()
    try notebook.setArchived(true, of: 1000)
    notebook.goTo(day: 3)
    var foreign = note("First", id: 1000)
    foreign.givesTags = false
    foreign.givesAttachments = false
    #expect(try notebook.importNotes([foreign]).unchangedNotes == 1)
    foreign.text = "Other"
    foreign.creationDate = .day(2)
    try notebook.importNotes([foreign], options: ImportOptions(conflicts: .change))
    let changed = try #require(notebook.notes[1000])
    #expect(changed.text == "Other" && changed.archived)
    #expect(changed.tags == ["paris", "new york"] && changed.attachments == ["film", "photo"])
    #expect([changed.creationDate, changed.modificationDate] == [.day(2), .day(3)])
    #expect(notebook.allViolations() == [])
  }

  @Test func whatWasDeletedStaysDeleted() throws {
    var notebook = try Notebook.small()
    notebook.deleteNotes([1000])
    let before = notebook
    for conflicts in ImportOptions.Conflict.allCases {
      let done = try notebook.importNotes(
        [note("First", id: 1000, tags: ["New"])], options: ImportOptions(conflicts: conflicts))
      #expect(
        done == report { $0.skipped = [SkippedItem(place: "First", id: 1000, reason: "was deleted here")] })
    }
    #expect(notebook.hasSameTables(as: before))
    #expect(notebook.allViolations() == [])
  }

  /// A new id is never one that occurs later in the file.
  @Test func newIDsAreNoneOfTheFiles() throws {
    var notebook = Notebook.empty()
    notebook.sources.nextNoteID = stubbornNoteIDs(id: 1000)
    let done = try notebook.importNotes([note("a"), note("b", id: 1000), note("c"), note("d", id: 1001)])
    #expect(done.addedNotes == 4)
    #expect(notebook.notes.map(\.text) == ["b", "d", "a", "c"])
    #expect(notebook.allViolations() == [])
  }

  @Test func aWrongNoteChangesNothing() {
    each([
      ForeignNote(id: -1, text: "", place: "here"), ForeignNote(text: "", tagNames: [" "], place: "here"),
      ForeignNote(text: "", sortDate: Date(timeIntervalSinceReferenceDate: .infinity), place: "here"),
      ForeignNote(id: 1000, text: "", tagNames: [""], place: "here"),
    ]) { (wrong: ForeignNote) throws in
      var notebook = try Notebook.small()
      let before = notebook
      let error = #expect(throws: SnapshotError.self) {
        try notebook.importNotes([note("a", tags: ["New"]), wrong], options: ImportOptions(batchSize: 1))
      }
      #expect(error?.code == .invalidValue)
      #expect(error?.dataPath == "here")
      #expect(notebook.hasSameTables(as: before))
      #expect(try notebook.addNote(text: "").id == 1002, "the ids go on as if there had been no import")
      #expect(notebook.allViolations() == [])
    }
  }

  @Test func aBatchHasOneNoteAtLeast() throws {
    var notebook = Notebook.empty()
    var finished: [Int] = []
    try notebook.importNotes([note("a"), note("b")], options: ImportOptions(batchSize: 0)) {
      finished.append($0.finishedNotes)
    }
    #expect(finished == [1, 2])
    #expect(notebook.allViolations() == [])
  }

  @Test func progressIsToldBetweenBatchesAndCancels() throws {
    var notebook = try Notebook.small()
    let before = notebook
    let file = (1...5).map { note("Note \($0)", id: $0 % 2 == 0 ? Note.ID($0) : nil, tags: ["tag \($0)"]) }
    var finished: [Int] = []
    for limit in [2, 4, 5] {
      #expect(throws: CancellationError.self) {
        try notebook.importNotes(file, options: ImportOptions(batchSize: 2)) { progress in
          finished.append(progress.finishedNotes)
          #expect(progress.report.addedNotes == progress.finishedNotes)
          if progress.finishedNotes == limit { throw CancellationError() }
        }
      }
      #expect(notebook.hasSameTables(as: before))
    }
    #expect(finished == [2, 2, 4, 2, 4, 5])
    #expect(try notebook.importNotes(file, options: ImportOptions(batchSize: 2)).addedNotes == 5)
    #expect(notebook.allViolations() == [])
  }

  /// A note with the text and date of the note with its id, but with other parts, is added, and only once.
  @Test func aNoteThatDiffersInItsPartsIsAddedOnce() throws {
    var notebook = Notebook.empty()
    try notebook.importNotes([note("T", id: 5, day: 1, tags: ["a"]), note("T", id: 6, day: 1, tags: ["b"])])
    let file = [note("T", id: 5, day: 1, tags: ["x"]), note("T", day: 1), note("T", id: 6, day: 1, tags: ["y"])]
    let options = ImportOptions(conflicts: .add)
    #expect(try notebook.importNotes(file, options: options).addedNotes == 3)
    #expect(Set(notebook.notes.map(\.tags)) == [["a"], ["b"], ["x"], ["y"], []])
    #expect(try notebook.importNotes(file, options: options) == report { $0.unchangedNotes = 3 })
    #expect(notebook.notes.count == 5 && notebook.allViolations() == [])
  }

  /// A note with more known parts finds its match, even if a note with fewer known parts came first.
  @Test(arguments: ImportOptions.Conflict.allCases) func exactMatchesComeFirst(conflicts: ImportOptions.Conflict) throws
  {
    var notebook = Notebook.empty()
    let options = ImportOptions(conflicts: conflicts)
    try notebook.importNotes([note("a", id: 1, day: 5, tags: ["dated"]), note("a", id: 2, day: 6)], options: options)
    let file = [note("a"), note("a", day: 5, tags: ["dated"])]
    #expect(try notebook.importNotes(file, options: options).addedNotes == 0)
    #expect(notebook.notes[1]?.tags == ["dated"] && notebook.notes[2]?.tags == [])
  }

  @Test func ofNotesWithOneIDTheLastCounts() throws {
    var notebook = try Notebook.small()
    notebook.goTo(day: 3)
    let file = [note("One", id: 1000), note("Two", id: 1000), note("New", id: 7), note("Newer", id: 7)]
    let options = ImportOptions(conflicts: .change)
    let done = try notebook.importNotes(file, options: options)
    #expect(done.changedNotes == 1 && done.addedNotes == 1)
    #expect(
      done.skipped.map { "\($0.place) \($0.reason)" } == [
        "One is repeated in Two, which is used instead", "New is repeated in Newer, which is used instead",
      ])
    #expect(notebook.notes[1000]?.text == "Two" && notebook.notes[7]?.text == "Newer")
    let before = notebook
    notebook.goTo(day: 4)
    #expect(try notebook.importNotes(file, options: options).unchangedNotes == 2)
    #expect(notebook.hasSameTables(as: before))
  }
}
