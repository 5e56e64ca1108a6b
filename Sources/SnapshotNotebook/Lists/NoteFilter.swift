public import Foundation
import SnapshotStore

/// The notes that a list shows, or that a search looks through.
///
/// ```swift
/// let page = notebook.timeline(.active, limit: 50)
/// let filter = NoteFilter(archived: nil, tag: paris.id)
/// let found = notebook.search("museum", in: filter)
/// ```
///
/// A note passes if it meets every condition.
public struct NoteFilter: Hashable, Sendable {
  /// True for archived notes, false for active ones, nil for both.
  public var archived: Bool?
  /// The tag that the notes must have; nil for any.
  public var tag: Tag.ID?
  /// Whether the notes must have no tag.
  public var isUntagged: Bool
  /// The oldest sort date, inclusive; nil for no limit.
  public var earliest: Date?
  /// The sort date before which all notes lie; nil for no limit.
  public var end: Date?

  /// The active notes, unless a parameter says otherwise.
  public init(
    archived: Bool? = false, tag: Tag.ID? = nil, isUntagged: Bool = false, earliest: Date? = nil, end: Date? = nil
  ) {
    self.archived = archived
    self.tag = tag
    self.isUntagged = isUntagged
    self.earliest = earliest
    self.end = end
  }

  /// All notes, active and archived.
  public static let all = NoteFilter(archived: nil)
  /// Notes that are not archived.
  public static let active = NoteFilter()
  /// Notes that are archived.
  public static let archived = NoteFilter(archived: true)
  /// Notes that are not archived and have no tag.
  public static let untagged = NoteFilter(isUntagged: true)
  /// Notes that are not archived and have a tag.
  public static func tagged(_ tag: Tag.ID) -> NoteFilter { NoteFilter(tag: tag) }
}

extension NoteFilter {
  static let activeList: UInt64 = 0
  static let archivedList: UInt64 = 1
  static let untaggedList: UInt64 = 2

  /// The number of a tag's list: a hash value, so that keys are two plain numbers and quick to compare. Two tags may
  /// share a list, and a tag may share the list of the archived notes. A timeline takes only the notes that its filter
  /// includes.
  static func list(of tag: Tag.ID) -> UInt64 { UInt64(bitPattern: Int64(tag.hashValue)) }

  /// The numbers of the timeline lists that contain the notes, each note in one of them. All notes are the active and
  /// the archived ones together, so they need no entries of their own.
  var lists: [UInt64] {
    let active = tag.map(Self.list(of:)) ?? (isUntagged ? Self.untaggedList : Self.activeList)
    return switch archived {
    case false: [active]
    case true: [Self.archivedList]
    case nil: [active, Self.archivedList]
    }
  }

  /// Whether the filter includes a note of one of its lists. The caller has checked the dates.
  func includes(_ note: Note) -> Bool {
    if let archived, archived != note.archived { return false }
    if let tag, !note.tags.contains(tag) { return false }
    return !isUntagged || note.tags.isEmpty
  }

  /// The place of a note; nil if the filter does not include it.
  func place(of note: Note) -> TimelinePlace? {
    guard includes(note) else { return nil }
    let place = TimelinePlace(age: TimelineKey.age(of: note.sortDate), id: note.id)
    return earliest.map { place.age <= TimelineKey.age(of: $0) } ?? true ? place : nil
  }

  /// The place to begin at: after a place, and after the last note that is too young.
  func start(after place: TimelinePlace?) -> TimelinePlace? {
    guard let end else { return place }
    let first = TimelinePlace(age: TimelineKey.age(of: end), id: .max)
    return max(place ?? first, first)
  }
}
