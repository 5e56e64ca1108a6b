import Foundation
import SnapshotStore

/// A note of another copy, possibly incomplete.
struct SyncNote: Sendable {
  /// The note. Missing texts and lists are empty, and a missing date is a guess.
  let box: Table<Note>.Box
  /// The properties that the other copy did not give.
  var missing: NoteProperties = []

  init(_ box: Table<Note>.Box) { self.box = box }

  var note: Note { box.record }

  /// The date of the last change of any property; nil if it is unknown.
  var latestChange: Date? {
    missing.contains(.modificationDate)
      ? note.propertyDates.reduce(nil, ChangeSecond.later) : note.latestModificationDate
  }

  /// Whether the date of any property is known.
  var hasPropertyDates: Bool { note.hasPropertyDates }

  /// The note as it is added to a notebook that does not have it.
  ///
  /// - Parameter now: its date if it has no other.
  func asNewNote(now: Date) -> Table<Note>.Box {
    guard missing.isSuperset(of: [.creationDate, .sortDate]), latestChange == nil else { return box }
    var new = note
    new.creationDate = now
    new.sortDate = now
    new.modificationDate = now
    return Table.Box(new)
  }

  /// Whether both notes have the same values and dates. Missing properties are not compared.
  func isSame(as other: Note) -> Bool {
    let note = note
    return note.text.hasSameBytes(as: other.text) && note.archived == other.archived
      && note.tags == other.tags && note.attachments == other.attachments
      && (missing.contains(.sortDate) || note.sortDate == other.sortDate)
      && (missing.contains(.creationDate) || note.creationDate == other.creationDate)
      && (missing.contains(.modificationDate) || note.modificationDate == other.modificationDate)
      && note.hasSamePropertyDates(as: other)
  }

  /// Our note with the values to take over, and whether values differ where no date decides.
  func merged(into ours: Note, by rule: SyncRule) -> (note: Note, isTied: Bool) {
    let note = note
    var choice = SyncChoice(rule: rule)
    var result = ours
    if !missing.contains(.creationDate), note.creationDate < ours.creationDate {
      result.creationDate = note.creationDate
    }
    (result.text, result.textModificationDate) = choice.choose(
      (ours.text, ours.textModificationDate), (note.text, note.textModificationDate), missing.contains(.text),
      isSame: { $0.hasSameBytes(as: $1) }, isGreater: { $0.isLonger(than: $1) })
    (result.archived, result.archivedModificationDate) = choice.choose(
      (ours.archived, ours.archivedModificationDate), (note.archived, note.archivedModificationDate),
      missing.contains(.archived), isSame: ==, isGreater: { !$0 && $1 })
    (result.tags, result.tagsModificationDate) = choice.choose(
      (ours.tags, ours.tagsModificationDate), (note.tags, note.tagsModificationDate), missing.contains(.tags),
      isSame: ==, isGreater: { $0.isLonger(than: $1) })
    (result.attachments, result.attachmentsModificationDate) = choice.choose(
      (ours.attachments, ours.attachmentsModificationDate), (note.attachments, note.attachmentsModificationDate),
      missing.contains(.attachments), isSame: ==, isGreater: { $0.isLonger(than: $1) })
    if !missing.contains(.sortDate) {
      (result.sortDate, result.sortDateModificationDate) = choice.choose(
        (ours.sortDate, ours.sortDateModificationDate), (note.sortDate, note.sortDateModificationDate), false,
        isSame: ==, isGreater: >)
    }
    let change = missing.contains(.modificationDate) ? latestChange : note.modificationDate
    result.modificationDate = max(ours.modificationDate, change ?? ours.modificationDate)
    return (result, choice.hasTie)
  }
}

/// The properties of a note that a file may leave out.
struct NoteProperties: OptionSet, Sendable {
  let rawValue: UInt8

  static let text = NoteProperties(rawValue: 1)
  static let archived = NoteProperties(rawValue: 2)
  static let sortDate = NoteProperties(rawValue: 4)
  static let tags = NoteProperties(rawValue: 8)
  static let attachments = NoteProperties(rawValue: 16)
  static let creationDate = NoteProperties(rawValue: 32)
  static let modificationDate = NoteProperties(rawValue: 64)
}
