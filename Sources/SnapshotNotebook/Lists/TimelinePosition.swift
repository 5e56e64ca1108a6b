public import Foundation
import SnapshotStore

/// A place in a timeline, behind a note: where the next page begins; see ``Notebook/timeline(_:after:limit:)``.
///
/// It is a sort date and an id, not a number of notes, so it stays right whatever is added, deleted or moved, and can be
/// kept for as long as one likes.
public struct TimelinePosition: Hashable, Sendable {
  /// The sort date of the note.
  public let sortDate: Date
  /// The id of the note.
  public let id: Note.ID

  /// The place behind a note, which need not exist.
  public init(sortDate: Date, id: Note.ID) {
    self.sortDate = sortDate
    self.id = id
  }

  /// The same as numbers in the order of timelines.
  var place: TimelinePlace {
    TimelinePlace(age: TimelineKey.age(of: sortDate), id: id)
  }
}

extension TimelineNote {
  /// The place behind the note.
  public var position: TimelinePosition { TimelinePosition(sortDate: sortDate, id: id) }
}

/// The place of a note in any list, in the order of timelines: the newest first, those of one date by their ids.
struct TimelinePlace: Comparable, Sendable {
  /// The smaller, the newer.
  let age: UInt64
  let id: Note.ID

  static func < (a: TimelinePlace, b: TimelinePlace) -> Bool { a.age == b.age ? a.id < b.id : a.age < b.age }
}
