import Foundation
import SnapshotStore

/// A note as another copy has it, of which something may be missing.
struct SyncNote: Sendable {
  /// The note; a missing text is empty, missing lists too, and a missing date is a guess.
  let box: RecordBox<Note>
  /// What the other copy did not give.
  var missing: NoteProperties = []

  init(_ box: RecordBox<Note>) { self.box = box }

  var note: Note { box.record }

  /// When anything of it was last changed; nil if that is not known.
  var latestChange: Date? {
    missing.contains(.modificationDate)
      ? note.propertyDates.reduce(nil, ChangeSecond.later) : note.latestModificationDate
  }

  /// Whether of any property is known when it was changed.
  var hasPropertyDates: Bool { note.hasPropertyDates }

  /// The note as it is added where nobody knows it.
  ///
  /// - Parameter now: its date if no other is given.
  func asNewNote(now: Date) -> RecordBox<Note> {
    guard missing.isSuperset(of: [.creationDate, .sortDate]), latestChange == nil else { return box }
    var new = note.made(at: now)
    new.sortDate = now
    new.modificationDate = now
    return RecordBox(new)
  }

  /// Whether nothing in another note is unknown here: the values and their dates are the same.
  func isSame(as other: Note) -> Bool {
    let note = note
    return note.text.hasSameBytes(as: other.text) && note.archived == other.archived
      && note.tags == other.tags && note.attachments == other.attachments
      && (missing.contains(.sortDate) || note.sortDate == other.sortDate)
      && (missing.contains(.creationDate) || note.creationDate == other.creationDate)
      && (missing.contains(.modificationDate) || note.modificationDate == other.modificationDate)
      && note.hasSamePropertyDates(as: other)
  }

  /// A note of ours with what is to be taken over, and whether a value differs that no date decides about.
  func merged(into ours: Note, by rule: SyncRule) -> (note: Note, isTied: Bool) {
    let note = note
    var choice = SyncChoice(rule: rule)
    var result = ours
    if !missing.contains(.creationDate), note.creationDate < ours.creationDate {
      result = ours.made(at: note.creationDate)
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

/// What a note has, as far as a file may leave it out.
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
