public import Foundation
import SnapshotStore

/// The notes that a timeline shows.
public enum TimelineFilter: Hashable, Sendable {
  /// All notes, active and archived.
  case all
  /// Notes that are not archived.
  case active
  /// Notes that are archived.
  case archived
  /// Notes that are not archived and have no tag.
  case untagged
  /// Notes that are not archived and have a tag.
  case tagged(Tag.ID)
}

extension Notebook {
  /// The newest notes of a list, at most `limit`. They are sorted by sort date, newest first; notes of the same date
  /// are sorted by id. O(limit + log n), whatever the number of notes and whatever else they contain.
  ///
  /// ```swift
  /// let page = notebook.timeline(.active, limit: 50)
  /// let next = notebook.timeline(.active, after: page.last?.position, limit: 50)
  /// ```
  ///
  /// - Parameters:
  ///   - filter: the notes to show.
  ///   - position: the end of the previous page; nil begins with the newest note. The note of the position need not
  ///     exist any more: notes that come and go between two pages neither repeat nor hide others. A note whose sort
  ///     date changes in between appears at its new place, so it may be on both pages or on neither.
  ///   - limit: the greatest number of notes.
  public func timeline(
    _ filter: TimelineFilter, after position: TimelinePosition? = nil, limit: Int
  ) -> [TimelineNote] {
    timeline(in: filter.lists, after: position, limit: limit) { filter.includes($0) }
  }

  /// The notes of some lists that pass a test. A note in several of the lists appears once.
  func timeline(
    in lists: [UInt64], after position: TimelinePosition? = nil, limit: Int, where isIncluded: (Note) -> Bool
  ) -> [TimelineNote] {
    guard limit > 0 else { return [] }
    var result: [TimelineNote] = []
    result.reserveCapacity(min(limit, 128))
    var walk = TimelineWalk(notes, lists: lists, after: position?.place)
    while result.count < limit, let place = walk.next() {
      if let note = notes[place.id], isIncluded(note) { result.append(timelineNote(note)) }
    }
    return result
  }

  /// The part of a note that a list shows.
  func timelineNote(_ note: Note) -> TimelineNote {
    TimelineNote(
      id: note.id, sortDate: note.sortDate, archived: note.archived, thumbnailID: thumbnailID(of: note),
      text: note.text)
  }

  /// Whether there is an archived note. O(log n).
  public var hasArchived: Bool { !timeline(.archived, limit: 1).isEmpty }

  /// Whether there is a note that is not archived and has no tag. O(log n).
  public var hasUntagged: Bool { !timeline(.untagged, limit: 1).isEmpty }

  /// The notes that were changed at a date or later, in order of their ids. Notes whose modification date is not a
  /// number are included, so that none is missed.
  ///
  /// O(n): it looks at every note, a few milliseconds for 100,000. A synchronisation asks this once; an index would
  /// make every change of every note slower.
  public func notes(modifiedSince date: Date) -> [Note] {
    notes.filter { !($0.modificationDate < date) }
  }
}
