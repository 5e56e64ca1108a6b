import Foundation
import Testing

@testable import NotebookTestSupport
@testable import SnapshotNotebook
@testable import SnapshotStore
@testable import TestSupport

/// The rules of a merge, one by one.
struct SyncMergeTests {
  /// A notebook of day 1 with four notes, and two copies with separate edits.
  private static func copies() throws -> (ours: Notebook, theirs: Notebook, ids: [Note.ID]) {
    var notebook = Notebook.empty()
    let tags = ["Paris", "New York"].map { notebook.tag(named: $0).id }
    try notebook.add(Attachment(id: "photo", mimeType: "image/jpeg", height: 20, width: 30))
    let ids = try (0..<4).map { try notebook.addNote(text: "note \($0)", tags: tags, attachments: ["photo"]).id }
    return (notebook, notebook, ids)
  }

  private static func merge(
    _ theirs: Notebook, into ours: Notebook, _ policy: SyncPolicy = .newest,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (Notebook, SyncReport) {
    var result = ours
    let report = try result.merge(SyncContent(theirs), policy: policy)
    #expect(result.allViolations() == [], sourceLocation: sourceLocation)
    return (result, report)
  }

  /// Each side changed another property of the same note: both changes are kept.
  @Test func eachPropertyIsDecidedByItself() throws {
    var (ours, theirs, ids) = try Self.copies()
    ours.goTo(day: 2)
    try ours.setText("ours", of: ids[0])
    try ours.setAttachments([], of: ids[0])
    theirs.goTo(day: 3)
    try theirs.setArchived(true, of: ids[0])
    try theirs.setTags(["new york", "paris"], of: ids[0])
    try theirs.setSortDate(.day(9), of: ids[0])
    for (a, b) in [(ours, theirs), (theirs, ours)] {
      let (result, report) = try Self.merge(b, into: a)
      let note = try #require(result.notes[ids[0]])
      #expect(note.text == "ours" && note.textModificationDate == .day(2))
      #expect(note.attachments == [] && note.attachmentsModificationDate == .day(2))
      #expect(note.archived && note.archivedModificationDate == .day(3))
      #expect(note.tags == ["new york", "paris"] && note.tagsModificationDate == .day(3))
      #expect(note.sortDate == .day(9) && note.sortDateModificationDate == .day(3))
      #expect(note.modificationDate == .day(3) && note.creationDate == .day(1))
      #expect(report.changedNotes == [ids[0]])
      #expect(report.keptNotes == [])
    }
  }

  @Test func theNewerOneWinsAndTheOlderOneIsKept() throws {
    var (ours, theirs, ids) = try Self.copies()
    ours.goTo(day: 2)
    theirs.goTo(day: 3)
    try ours.setText("older", of: ids[0])
    try theirs.setText("newer", of: ids[0])
    let (taken, takenReport) = try Self.merge(theirs, into: ours)
    let (kept, keptReport) = try Self.merge(ours, into: theirs)
    #expect(taken.notes[ids[0]]?.text == "newer" && kept.notes[ids[0]]?.text == "newer")
    #expect(takenReport.changedNotes == [ids[0]] && takenReport.keptNotes == [])
    #expect(keptReport.changedNotes == [] && keptReport.keptNotes == [ids[0]])
    #expect(keptReport.isUnchanged && !takenReport.isUnchanged)
    #expect(kept.hasSameTables(as: theirs))
  }

  /// Other programs keep no fractions, so a second is one moment. The greater value wins, in either direction.
  @Test func withinASecondTheValuesDecide() throws {
    var (ours, theirs, ids) = try Self.copies()
    ours.sources.now = { .day(2, plus: 0.9) }
    theirs.sources.now = { .day(2, plus: 0.1) }
    try ours.setText("short", of: ids[0])
    try theirs.setText("longer than that", of: ids[0])
    try ours.setArchived(true, of: ids[1])
    try theirs.setArchived(true, of: ids[1])
    try theirs.setArchived(false, of: ids[1])
    try ours.setTags(["paris"], of: ids[2])
    try theirs.setTags(["new york"], of: ids[2])
    try ours.setSortDate(.day(5), of: ids[3])
    try theirs.setSortDate(.day(6), of: ids[3])
    for (a, b) in [(ours, theirs), (theirs, ours)] {
      let (result, _) = try Self.merge(b, into: a)
      #expect(result.notes[ids[0]]?.text == "longer than that")
      #expect(result.notes[ids[0]]?.textModificationDate == .day(2, plus: 0.9))
      #expect(result.notes[ids[1]]?.archived == false)
      #expect(result.notes[ids[2]]?.tags == ["paris"])
      #expect(result.notes[ids[3]]?.sortDate == .day(6))
    }
    // A moment later, but in the next second.
    theirs.sources.now = { .day(2, plus: 1) }
    try theirs.setText("s", of: ids[0])
    #expect(try Self.merge(ours, into: theirs).0.notes[ids[0]]?.text == "s")
  }

  @Test func anUnknownDateNeverWins() throws {
    var (ours, theirs, ids) = try Self.copies()
    try theirs.notes.update(ids[0]) { note in
      note.text = "a longer text without a date"
      note.textModificationDate = nil
    }
    for (a, b) in [(ours, theirs), (theirs, ours)] {
      #expect(try Self.merge(b, into: a).0.notes[ids[0]]?.text == "note 0")
    }
    try ours.notes.update(ids[0]) { $0.textModificationDate = nil }
    for (a, b) in [(ours, theirs), (theirs, ours)] {
      #expect(try Self.merge(b, into: a).0.notes[ids[0]]?.text == "a longer text without a date")
    }
  }

  /// A value taken regardless of dates gets the later date, and a third copy does not bring the old one back.
  @Test(arguments: [nil, Date.day(1), .day(3)])
  func theIncomingPolicyForgetsNoDate(date: Date?) throws {
    var (ours, theirs, ids) = try Self.copies()
    ours.goTo(day: 2)
    try ours.setText("ours", of: ids[0])
    try ours.renameTag("paris", to: "PARIS")
    try theirs.notes.update(ids[0]) { note in
      note.text = "theirs"
      note.textModificationDate = date
    }
    try theirs.tags.update("paris") { $0.nameModificationDate = date }
    let (result, _) = try Self.merge(theirs, into: ours, .theirs)
    #expect(result.notes[ids[0]]?.text == "theirs" && result.tags["paris"]?.name == "Paris")
    #expect(result.notes[ids[0]]?.textModificationDate == max(.day(2), date ?? .day(2)))
    #expect(result.tags["paris"]?.nameModificationDate == max(.day(2), date ?? .day(2)))
    #expect(try Self.merge(theirs, into: result, .theirs).1.isUnchanged)
  }

  @Test func policies() throws {
    var (ours, theirs, ids) = try Self.copies()
    ours.goTo(day: 2)
    try ours.setText("ours", of: ids[0])
    ours.deleteNotes([ids[1]])
    theirs.goTo(day: 3)
    try theirs.setText("theirs", of: ids[0])
    try theirs.setText("changed", of: ids[1])
    theirs.deleteNotes([ids[2]])
    theirs.sources.nextNoteID = sequentialNoteIDs(first: 5000)
    let new = try theirs.addNote(text: "new").id
    try theirs.renameTag("paris", to: "PARIS")

    let (local, localReport) = try Self.merge(theirs, into: ours, .ours)
    #expect(local.notes.ids == [ids[0], ids[2], ids[3], new])
    #expect(local.notes[ids[0]]?.text == "ours")
    #expect(local.tags["paris"]?.name == "Paris")
    #expect(localReport.addedNotes == [new] && localReport.keptNotes == [ids[0], ids[1], ids[2]])
    let (newest, newestReport) = try Self.merge(theirs, into: ours)
    #expect(newest.notes.ids == [ids[0], ids[1], ids[3], new])
    #expect(newest.notes[ids[0]]?.text == "theirs")
    #expect(newest.tags["paris"]?.name == "PARIS")
    #expect(newestReport.revivedNotes == [ids[1]] && newestReport.deletedNotes == [ids[2]])
    #expect(newestReport.changedTags == ["paris"])
    // The other way round, incoming is as good as local is here.
    let (incoming, incomingReport) = try Self.merge(ours, into: theirs, .theirs)
    #expect(incoming.notes.ids == [ids[0], ids[2], ids[3], new])
    #expect(incoming.notes[ids[0]]?.text == "ours")
    #expect(incoming.tags["paris"]?.name == "Paris")
    #expect(incomingReport.deletedNotes == [ids[1]] && incomingReport.revivedNotes == [ids[2]])
  }

  /// Deleted on one side, changed on the other: the seconds decide, and the deletion wins within one.
  @Test(arguments: [(2.0, false), (2.9, false), (3.0, true)])
  func tombstonesAgainstEdits(change: Double, survives: Bool) throws {
    var (ours, theirs, ids) = try Self.copies()
    ours.sources.now = { .day(2, plus: 2.5) }
    ours.deleteNotes([ids[0]])
    theirs.sources.now = { .day(2) + change }
    try theirs.setText("changed", of: ids[0])
    for (a, b) in [(ours, theirs), (theirs, ours)] {
      let (result, report) = try Self.merge(b, into: a)
      #expect(result.notes.contains(ids[0]) == survives)
      #expect(result.deletedNotes.contains(ids[0]) == !survives)
      let isHere = a.notes.contains(ids[0])
      #expect(report.revivedNotes == (survives && !isHere ? [ids[0]] : []))
      #expect(report.deletedNotes == (!survives && isHere ? [ids[0]] : []))
      #expect(report.keptNotes == (survives == isHere ? [ids[0]] : []))
    }
  }

  @Test func tombstonesWithoutADate() throws {
    var (ours, theirs) = (try Self.copies().ours, Notebook.empty())
    let id = try #require(ours.notes.ids.first)
    try ours.notes.upsert(SyncFixtures.undatedNote(8))
    for id in [id, 7, 8] { try theirs.deletedNotes.insert(DeletedNote(id: id, deletionDate: nil)) }
    for (a, b) in [(ours, theirs), (theirs, ours)] {
      let (result, report) = try Self.merge(b, into: a)
      #expect(result.deletedNotes.ids == [7, 8])
      #expect(result.notes[id] == ours.notes[id] && !result.notes.contains(8))
      #expect(report.ignoredDeletions == (a.notes.contains(id) ? [id] : []))
      #expect(report.revivedNotes == (a.notes.contains(id) ? [] : [id]))
    }
    // Of two tombstones the one with a date counts, then the later one.
    var dated = Notebook.empty()
    try dated.deletedNotes.insert(DeletedNote(id: 7, deletionDate: .day(2)))
    var later = Notebook.empty()
    try later.deletedNotes.insert(DeletedNote(id: 7, deletionDate: .day(3)))
    for (a, b) in [(theirs, dated), (dated, theirs), (dated, later), (later, dated)] {
      let expected = [a, b].compactMap { $0.deletedNotes[7]?.deletionDate }.max()
      let (result, report) = try Self.merge(b, into: a)
      #expect(result.deletedNotes[7]?.deletionDate == expected)
      #expect(report.rememberedDeletions.contains(7) == (a.deletedNotes[7] != result.deletedNotes[7]))
    }
  }

  @Test func tagsAndAttachmentsAreUnited() throws {
    var (ours, theirs, ids) = try Self.copies()
    ours.tag(named: "Ours")
    theirs.goTo(day: 2)
    let tag = theirs.tag(named: "Theirs").id
    try theirs.add(Attachment(id: "new", mimeType: "image/png", height: 1, width: 1))
    try theirs.setTags([tag, "paris"], of: ids[0])
    try theirs.setAttachments(["new"], of: ids[0])
    let (result, report) = try Self.merge(theirs, into: ours)
    #expect(result.tags.ids == ["new york", "ours", "paris", "theirs"])
    #expect(result.tags["theirs"] == theirs.tags["theirs"])
    #expect(result.attachments.ids == ["new", "photo"])
    #expect(result.notes[ids[0]]?.tags == ["theirs", "paris"])
    #expect(report.addedTags == ["theirs"] && report.addedAttachments == ["new"])
  }

  @Test func theEarlierCreationDateCounts() throws {
    let (ours, theirs, _) = try Self.copies()
    var (a, b) = (ours, theirs)
    try a.upsert(Note(id: 7, text: "x", creationDate: .day(2)))
    try b.upsert(Note(id: 7, text: "x", creationDate: .day(1)))
    for (a, b) in [(a, b), (b, a)] { #expect(try Self.merge(b, into: a).0.notes[7]?.creationDate == .day(1)) }
  }

  /// Notes that come with a program, ids beyond the drawn ones, and notes unknown here.
  @Test func idsOfAllKinds() throws {
    let (ours, _, _) = try Self.copies()
    var theirs = Notebook.empty()
    let ids: [Note.ID] = [0, 1, 999, 1 << 53, .max]
    for id in ids { try theirs.upsert(Note(id: id, text: "\(id)", creationDate: .day(1))) }
    let (result, report) = try Self.merge(theirs, into: ours)
    #expect(report.addedNotes == ids)
    #expect(ids.allSatisfy { result.notes[$0] == theirs.notes[$0] })
  }

  @Test func whatBreaksTheRulesIsRefusedAsAWhole() throws {
    let (ours, theirs, ids) = try Self.copies()
    func refused(_ code: SnapshotError.Code, _ spoil: (inout Notebook) throws -> Void) throws {
      var (result, spoilt) = (ours, theirs)
      _ = try spoilt.addNote(text: "sound")
      try spoil(&spoilt)
      expectRefusal(code) { try result.merge(SyncContent(spoilt)) }
      #expect(result.hasSameTables(as: ours))
    }
    try refused(.invalidValue) {
      try $0.notes.update(ids[0]) { $0.sortDate = Date(timeIntervalSinceReferenceDate: .nan) }
    }
    try refused(.invalidValue) { try $0.notes.upsert(Note(id: -1, text: "", creationDate: .day(1))) }
    try refused(.invalidValue) { try $0.tags.update("paris") { $0.name = "London" } }
    try refused(.invalidValue) {
      try $0.tags.update("paris") { $0.nameModificationDate = Date(timeIntervalSinceReferenceDate: .infinity) }
    }
    try refused(.invalidValue) { try $0.deletedNotes.insert(DeletedNote(id: -1, deletionDate: nil)) }
    try refused(.recordNotFound) { try $0.notes.update(ids[0]) { _ = $0.setTags(["nowhere"], at: .day(5)) } }
    try refused(.recordNotFound) { try $0.notes.update(ids[0]) { _ = $0.setAttachments(["nowhere"], at: .day(5)) } }
  }
}
