public import Foundation
import SnapshotStore

/// Which notes a timeline shows.
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
  /// The newest notes of a list, at most `limit`: newest first by their sort dates, those of one date in order of their
  /// ids. O(limit + log n), however many notes there are and whatever else is on them.
  ///
  /// ```swift
  /// let page = notebook.timeline(.active, limit: 50)
  /// let next = notebook.timeline(.active, after: page.last?.position, limit: 50)
  /// ```
  ///
  /// - Parameters:
  ///   - filter: which notes.
  ///   - position: where the page before ended; nil begins with the newest note. A page begins where the position
  ///     is, whether or not its note is still there, so that notes that come and go meanwhile neither repeat nor hide
  ///     others. A note whose sort date changes meanwhile is where it now belongs: on both pages, or on neither.
  ///   - limit: how many notes at most.
  public func timeline(
    _ filter: TimelineFilter, after position: TimelinePosition? = nil, limit: Int
  ) -> [TimelineNote] {
    timeline(in: filter.lists, after: position, limit: limit) { filter.includes($0) }
  }

  /// The notes of some lists that a test lets pass. A note that is in several of them is there once.
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

  /// What a list shows of a note.
  func timelineNote(_ note: Note) -> TimelineNote {
    TimelineNote(
      id: note.id, sortDate: note.sortDate, archived: note.archived, thumbnailID: thumbnailID(of: note),
      text: note.text)
  }

  /// Whether there is an archived note. O(log n).
  public var hasArchived: Bool { !timeline(.archived, limit: 1).isEmpty }

  /// Whether there is a note that is not archived and has no tag. O(log n).
  public var hasUntagged: Bool { !timeline(.untagged, limit: 1).isEmpty }

  /// The notes that were changed at a date or later, in order of their ids; those whose modification date is no number are
  /// among them, so that none is missed.
  ///
  /// Looks at every note, O(n): a few milliseconds for 100,000. An index would cost every change of every note more than
  /// this question, which is asked once for a synchronisation, is worth.
  public func notes(modifiedSince date: Date) -> [Note] {
    notes.filter { !($0.modificationDate < date) }
  }
}
