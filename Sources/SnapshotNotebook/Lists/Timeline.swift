public import Foundation
import SnapshotStore

/// The newest notes of a list, page by page.
extension Notebook {
  /// The newest notes of a list, at most `limit`. They are sorted by sort date, newest first; notes of the same date
  /// are sorted by id. O(limit + log n) for each of the lists that ``NoteFilter`` names; other filters look at the
  /// notes of such a list one by one.
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
    _ filter: NoteFilter, after position: TimelinePosition? = nil, limit: Int
  ) -> [TimelineNote] {
    timeline(filter, in: filter.lists, after: position, limit: limit)
  }

  /// The same from some lists of the index. A note in several of them appears once.
  func timeline(
    _ filter: NoteFilter, in lists: [UInt64], after position: TimelinePosition? = nil, limit: Int
  ) -> [TimelineNote] {
    guard limit > 0 else { return [] }
    var result: [TimelineNote] = []
    result.reserveCapacity(min(limit, 128))
    var walk = TimelineWalk(notes, lists: lists, after: filter.start(after: position?.place), oldest: filter.earliest)
    while result.count < limit {
      let ids = walk.nextIDs(min(limit - result.count, 64))
      if ids.isEmpty { break }
      // All are tested before a row is made: the loop is so short that the processor fetches several tags at once.
      let shown = notes.boxes(ids).compactMap { $0 }.filter { filter.includes($0.record) }
      for box in shown { result.append(timelineNote(box)) }
    }
    return result
  }

  /// The part of a note that a list shows. It reads the note in its box, because a copy would count all references.
  func timelineNote(_ box: Table<Note>.Box) -> TimelineNote {
    TimelineNote(
      id: box.record.id, sortDate: box.record.sortDate, archived: box.record.archived,
      thumbnailID: firstImage(of: box.record.attachments), text: box.record.text)
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
