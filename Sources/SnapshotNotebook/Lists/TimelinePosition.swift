public import Foundation
import SnapshotStore

/// A place in a timeline, after a note: the beginning of the next page. See ``Notebook/timeline(_:after:limit:)``.
///
/// It is a sort date and an id, not a number of notes. It therefore stays valid after any change, for any length of
/// time.
public struct TimelinePosition: Hashable, Sendable {
  /// The sort date of the note.
  public let sortDate: Date
  /// The id of the note.
  public let id: Note.ID

  /// The place after a note, which need not exist.
  public init(sortDate: Date, id: Note.ID) {
    self.sortDate = sortDate
    self.id = id
  }

  /// The same position as numbers, ordered as timelines are.
  var place: TimelinePlace {
    TimelinePlace(age: TimelineKey.age(of: sortDate), id: id)
  }
}

extension TimelineNote {
  /// The place after the note.
  public var position: TimelinePosition { TimelinePosition(sortDate: sortDate, id: id) }
}

/// The place of a note in any list, ordered as timelines are: newest first, notes of one date by id.
struct TimelinePlace: Comparable, Sendable {
  /// Smaller for newer notes.
  let age: UInt64
  let id: Note.ID

  static func < (a: TimelinePlace, b: TimelinePlace) -> Bool { a.age == b.age ? a.id < b.id : a.age < b.age }
}
